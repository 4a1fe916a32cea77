// The edits up to each place of the shorter of two pages: where the line is flat, both are the same.
import { el, svg } from "./dom.js";
import { digits, plural } from "./formats.js";
import { plurals, say } from "./words.js";

const [HEIGHT, LEFT, BOTTOM] = [130, 56, 24];

/** @param {Curve} curve */
export function editCurve({ points, region }) {
  const low = HEIGHT - BOTTOM;
  const width = Math.max(Math.min(innerWidth, 1400) - 40, 300);
  const [length, most] = points[points.length - 1];
  const x = (/** @type {number} */ place) => LEFT + ((width - LEFT - 6) * place) / Math.max(length, 1);
  const y = (/** @type {number} */ edits) => low - ((low - 10) * edits) / Math.max(most, 1);
  const [from, to] = region.map(digits);
  const name = say("curve.about", { edits: plural(most, "edit"), from, to });
  const line = points.map(([place, edits]) => `${x(place).toFixed(1)},${y(edits).toFixed(1)}`).join(" ");
  const picture = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": `${say("curve")}: ${name}` },
    svg("rect", { class: "region", x: x(region[0]), y: 4, width: Math.max(x(region[1]) - x(region[0]), 2), height: low - 4 }),
    svg("path", { class: "axis", d: `M${LEFT},4V${low}H${width - 6}` }),
    svg("polyline", { points: line }),
    label(LEFT - 6, 16, most ? digits(most) : "", "end"), label(LEFT - 6, 34, most ? plurals.edit[1] : "", "end"),
    label(LEFT - 6, low, "0", "end"), label(LEFT, HEIGHT - 6, "0", "start"),
    label(width - 6, HEIGHT - 6, digits(length), "end"),
    label((LEFT + width) / 2, HEIGHT - 6, plurals.character[1], "middle"));
  const summary = el("summary", {}, `${say("curve")} `, el("span", { class: "hint" }, name));
  return el("details", { class: "curve" }, summary, picture);
}

/** @param {number} x @param {number} y @param {string} words @param {string} anchor */
function label(x, y, words, anchor) {
  return svg("text", { x, y, "text-anchor": anchor }, words);
}
