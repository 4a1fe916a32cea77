// How many pairs have which similarity, with a line at the threshold.
import { el, svg } from "./dom.js";
import { digits } from "./formats.js";
import { say } from "./words.js";

const [WIDTH, HEIGHT] = [600, 60];

/** Return the picture, and what marks a threshold in it. @param {Measure} measure @param {Plural} unit */
export function histogram({ counts, span: [low, high], higher, label }, unit) {
  const size = WIDTH / counts.length;
  const most = Math.max(...counts, 1);
  const bars = counts.map((count, i) => {
    const tall = count ? Math.max((HEIGHT * Math.log1p(count)) / Math.log1p(most), 2) : 0;
    const [from, to] = [i, i + 1].map((n) => (low + ((high - low) * n) / counts.length).toFixed(3));
    return svg("rect", { x: i * size + 0.5, y: HEIGHT - tall, width: Math.max(size - 1, 0.5), height: tall },
      svg("title", {}, say("range", { from, to, count: digits(count) })));
  });
  const line = svg("line", { class: "limit", y1: 0, y2: HEIGHT });
  const words = { units: unit[1], label };
  const view = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" };
  const picture = svg("svg", { class: "bars", ...view, role: "img", "aria-label": say("histogram", words) }, ...bars, line);
  const ends = [low.toFixed(2), say("histogram.caption", words), high.toFixed(2)].map((text) => el("span", {}, text));
  /** @param {number} at */
  const mark = (at) => {
    const x = (WIDTH * (at - low)) / (high - low || 1);
    line.setAttribute("x1", String(x));
    line.setAttribute("x2", String(x));
    bars.forEach((bar, i) => {
      const middle = ((i + 0.5) * WIDTH) / bars.length;
      bar.classList.toggle("off", higher ? middle < x : middle > x);
    });
  };
  return { element: el("figure", {}, picture, el("div", { class: "ends" }, ...ends)), mark };
}
