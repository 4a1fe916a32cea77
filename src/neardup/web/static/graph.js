// Drawings of clusters: who is like whom, and how alike.
import { el, svg } from "./dom.js";
import { oneLine } from "./visible.js";
import { say } from "./words.js";

/** @typedef {{from: number, to: number, value: number, row: number, off: boolean}} Edge */

const [SIZE, MIDDLE, RADIUS] = [360, 180, 140];
const MANY = 6; // members of a circle, from which on the kept one is in its middle

/** Draw members in a circle, the kept one first, and a line for each pair.
 * @param {string[]} names @param {Edge[]} edges @param {(i: number, j: number) => void} open
 * @param {(i: number) => void} choose */
export function circle(names, edges, open, choose) {
  const picture = svg("svg", { class: "graph", viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img", "aria-label": say("cluster.graph") });
  const places = names.map((_, i) => placeOf(i, names.length));
  for (const { from, to, value, off } of edges) {
    const [[x1, y1], [x2, y2]] = [places[from], places[to]];
    const look = { class: off ? "edge off" : "edge", "stroke-width": (0.5 + 3 * value).toFixed(2) };
    picture.append(svg("line", { x1, y1, x2, y2, ...look, onclick: () => open(from, to) },
      svg("title", {}, `${oneLine(names[from])} – ${oneLine(names[to])}: ${value.toFixed(3)}`)));
  }
  const radius = radiusOf(names.length);
  names.forEach((name, i) => {
    const [cx, cy] = places[i];
    const [dx, dy] = i === 0 && cx === MIDDLE ? [0, -1] : [(cx - MIDDLE) / radius, (cy - MIDDLE) / radius];
    const look = { r: i ? 6 : 9, class: i ? "node" : "node kept" };
    picture.append(
      svg("circle", { cx, cy, ...look, onclick: () => choose(i) }, svg("title", {}, oneLine(name))),
      svg("text", { x: cx + 17 * dx, y: cy + 17 * dy + 4, "text-anchor": "middle" }, String(i + 1)));
  });
  return picture;
}

/** @param {number} i @param {number} total */
function placeOf(i, total) {
  const central = total > MANY;
  if (i === 0 && central) return [MIDDLE, MIDDLE];
  const turn = (2 * Math.PI * (central ? i - 1 : i)) / (total - (central ? 1 : 0)) - Math.PI / 2;
  const radius = radiusOf(total);
  return [MIDDLE + radius * Math.cos(turn), MIDDLE + radius * Math.sin(turn)];
}

/** @param {number} total */
function radiusOf(total) {
  return total > 1 ? RADIUS : 1;
}

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
