// A picture above two texts: bands from text to text where they match, a tick for each difference.
import { COLOURS, svg } from "./dom.js";
import { say } from "./words.js";

const [WIDTH, HEIGHT, THICK] = [1000, 44, 9];

/** @param {number[]} lengths of the texts @param {Match[]} matches @param {Span[]} ticks
 * @param {(match: number) => void} show @param {(tick: number) => void} walk */
export function ribbon(lengths, matches, ticks, show, walk) {
  /** @param {number} value @param {number} side */
  const at = (value, side) => (WIDTH * value) / Math.max(lengths[side], 1);
  const picture = svg("svg", {
    class: "ribbon", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": say("ribbon"),
  },
  svg("rect", { class: "track", x: 0, y: 0, width: WIDTH, height: THICK }),
  svg("rect", { class: "track", x: 0, y: HEIGHT - THICK, width: WIDTH, height: THICK }));
  matches.forEach(([, , , startA, endA, startB, endB], number) => {
    const [a0, b0] = [at(startA, 0), at(startB, 1)];
    const [a1, b1] = [Math.max(at(endA, 0), a0 + 2), Math.max(at(endB, 1), b0 + 2)];
    const low = HEIGHT - THICK;
    const points = `${a0},0 ${a1},0 ${a1},${THICK} ${b1},${low} ${b1},${HEIGHT} ${b0},${HEIGHT} ${b0},${low} ${a0},${THICK}`;
    picture.append(svg("polygon", { points, class: `c${number % COLOURS}`, onclick: () => show(number) }));
  });
  const marks = [0, 1].map((side) => {
    const y = side ? HEIGHT - THICK : 0;
    return ticks.map((tick) => `M${at(tick[side], side).toFixed(1)},${y}v${THICK}`).join("");
  });
  picture.append(svg("path", { class: "ticks", d: marks.join("") }));
  picture.addEventListener("click", (event) => {
    const { tagName } = /** @type {Element} */ (event.target);
    if (tagName !== "polygon" && ticks.length) walk(nearest(event, picture, lengths, ticks));
  });
  return picture;
}

/** Return the tick that is nearest to a click. @param {MouseEvent} event @param {Element} picture
 * @param {number[]} lengths @param {Span[]} ticks */
function nearest(event, picture, lengths, ticks) {
  const box = picture.getBoundingClientRect();
  const side = event.clientY - box.top < box.height / 2 ? 0 : 1;
  const place = ((event.clientX - box.left) / box.width) * lengths[side];
  let best = 0;
  ticks.forEach((tick, i) => { if (Math.abs(tick[side] - place) < Math.abs(ticks[best][side] - place)) best = i; });
  return best;
}
