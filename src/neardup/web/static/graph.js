// How alike the members of a cluster are: a field for each two.
import { el, svg } from "./dom.js";
import { oneLine } from "./visible.js";
import { say } from "./words.js";

/** Draw a field for each two members.
 * @param {string[]} names @param {(i: number, j: number) => number | null} value @param {(i: number, j: number) => void} open */
export function heat(names, value, open) {
  const total = names.length;
  const field = Math.max(Math.min(26, 360 / total), 8);
  const margin = 26;
  const size = margin + field * total;
  const view = { viewBox: `0 0 ${size} ${size}`, width: size, height: size };
  const picture = svg("svg", { class: "heat", ...view, role: "img", "aria-label": say("cluster.heat") });
  /** @param {number} x @param {number} y @param {number} i @param {string} anchor */
  const label = (x, y, i, anchor) => svg("text", { x, y, "text-anchor": anchor }, String(i + 1));
  names.forEach((name, i) => {
    const middle = margin + field * (i + 0.5);
    const labels = [label(margin - 5, middle + 4, i, "end"), label(middle, margin - 7, i, "middle")];
    if (total <= 20 || i % 5 === 4) picture.append(...labels);
    names.forEach((other, j) => {
      if (i === j) return;
      const own = value(i, j);
      const step = own === null ? "none" : `h${Math.min(Math.max(Math.ceil(own * 5), 1), 5)}`;
      const said = own === null ? "" : `: ${own.toFixed(3)}`;
      picture.append(svg("rect", {
        x: margin + field * j, y: margin + field * i, width: field - 1, height: field - 1, class: step, onclick: () => open(i, j),
      }, svg("title", {}, `${oneLine(name)} – ${oneLine(other)}${said}`)));
    });
  });
  return picture;
}

export function heatLegend() {
  return el("div", { class: "legend" }, ...[1, 2, 3, 4, 5].map((step) => el("span", {},
    svg("svg", { width: 14, height: 14, "aria-hidden": "true" }, svg("rect", { width: 14, height: 14, class: `h${step}` })),
    ` ${(step - 1) / 5}–${step / 5}`)));
}
