// What is below a map: when the documents of its stars are from, and how many pairs are between files or sites.
import { sitesOf } from "./colours.js";
import { el, svg } from "./dom.js";
import { digits, plural } from "./formats.js";
import { shortened } from "./names.js";
import { say } from "./words.js";

/** @typedef {import("./here.js").Here} Here */

const MOST_SITES = 12;
const MOST_LANES = 14;
const RIGHT = 44;

/** @typedef {{time: number, said: string, kind: string, large: boolean, open: () => void}} Dot */

/** Draw a lane for each of the largest stars, with a dot for each date; null if there are no dates.
 * @param {Here} here @param {import("./placing.js").Placed[]} stars @param {Int8Array} colour
 * @param {(item: number) => string} nameOf @param {number} width */
export function lanes(here, stars, colour, nameOf, width) {
  const { store } = here;
  const shown = stars.filter((star) => !star.alone).map((star) => {
    const dots = [star.centre, ...star.members].map((item, i) => ({
      time: store.docs.since?.[store.docOf(item)] ?? NaN, said: `${nameOf(item)}, ${store.doc(store.docOf(item)).date}`,
      kind: `s${Math.max(colour[item], 0)}`, large: !i,
      open: () => (i ? here.openPair(star.rows[i - 1]) : here.openDocument(store.docOf(item))),
    }));
    return { name: shortened(nameOf(star.centre)), dots };
  });
  const picture = drawLanes(shown, width);
  return picture && part(say("map.time"), say("map.time.about"), picture);
}

/** Draw some lanes, those with two dates or more; null if all dates are the same.
 * @param {{name: string, dots: Dot[]}[]} given @param {number} width */
export function drawLanes(given, width) {
  const [left, lane] = width < 600 ? [RIGHT, 44] : [230, 28]; // names are above the lines of a narrow one
  const shown = given.map(({ name, dots }) => ({ name, dots: dots.filter(({ time }) => !Number.isNaN(time)) }))
    .filter(({ dots }) => dots.length > 1).slice(0, MOST_LANES);
  const times = shown.flatMap(({ dots }) => dots.map(({ time }) => time));
  const [first, last] = times.reduce(([low, high], time) => [Math.min(low, time), Math.max(high, time)], [Infinity, -Infinity]);
  if (!(first < last)) return null;
  /** @param {number} time */
  const x = (time) => left + ((width - left - RIGHT) * (time - first)) / (last - first);
  const height = lane * shown.length + 38;
  const picture = svg("svg", { class: "lanes", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": say("map.time") });
  for (const quarter of width < 600 ? [0, 4] : [0, 1, 2, 3, 4]) {
    const time = first + (quarter / 4) * (last - first);
    const day = new Date(time).toISOString().slice(0, 10);
    picture.append(svg("line", { class: "axis", x1: x(time), x2: x(time), y1: 0, y2: height - 22 }),
      svg("text", { x: x(time), y: height - 6, "text-anchor": "middle" }, day));
  }
  shown.forEach(({ name, dots }, number) => {
    const y = 8 + lane * (number + (left > RIGHT ? 0.5 : 0.8)); // what stands on the first has room
    const own = dots.map(({ time }) => x(time));
    const place = left > RIGHT ? { x: left - 14, y: y + 4, "text-anchor": "end" } : { x: 0, y: y - 16 };
    picture.append(svg("text", place, name),
      svg("line", { class: "span", x1: Math.min(...own), x2: Math.max(...own), y1: y, y2: y }));
    /** @type {Map<number, number>} */
    const above = new Map(); // dots of one day stand on each other
    dots.forEach(({ said, kind, large, open }, i) => {
      const stacked = above.get(Math.round(own[i] / 9)) ?? 0;
      above.set(Math.round(own[i] / 9), stacked + 1);
      const look = { r: large ? 7 : 5.5, class: `dot ${kind}`, onclick: open };
      picture.append(svg("circle", { cx: own[i], cy: y - 4 * (stacked % 4), ...look }, svg("title", {}, said)));
    });
  });
  return picture;
}

/** Count pairs by the sites of addresses, or else by files, in a table; null if there are not several. @param {Here} here */
export function matrix(here) {
  const { store, data } = here;
  const sites = sitesOf(store);
  if (!sites) return null;
  const { names, of } = sites;
  const isPair = here.isPair();
  const counts = new Uint32Array(names.length);
  /** @type {Map<number, number>} */
  const between = new Map();
  /** @param {number} a @param {number} b */
  const key = (a, b) => Math.min(a, b) * names.length + Math.max(a, b);
  for (let row = 0; row < store.pairs.rows; row += 1) {
    if (!isPair(row)) continue;
    const [a, b] = [of[store.docOf(store.sides[0][row])], of[store.docOf(store.sides[1][row])]];
    counts[a] += 1;
    if (a !== b) counts[b] += 1;
    between.set(key(a, b), (between.get(key(a, b)) ?? 0) + 1);
  }
  const all = names.map((_, i) => i).filter((i) => counts[i]);
  const top = all.sort((x, y) => counts[y] - counts[x] || (names[x] < names[y] ? -1 : 1)).slice(0, MOST_SITES);
  const most = Math.max(...between.values());
  /** @param {number} a @param {number} b */
  const cell = (a, b) => {
    const count = between.get(key(a, b)) ?? 0;
    const shade = count ? `h${Math.max(Math.ceil((5 * Math.log1p(count)) / Math.log1p(most)), 1)}` : null;
    const title = `${names[a]} – ${names[b]}: ${plural(count, data.unit)}`;
    return el("td", { class: shade, title }, count ? digits(count) : "");
  };
  const heads = top.map((own, i) => el("th", { scope: "col", title: names[own] }, String(i + 1)));
  const rows = top.map((a, i) => el("tr", {},
    el("th", { scope: "row", title: names[a] }, `${i + 1} `, el("bdi", {}, shortened(names[a]))), ...top.map((b) => cell(a, b))));
  const some = all.length > top.length ? ` ${say("map.sites.some", { shown: top.length, all: digits(all.length) })}` : "";
  const table = el("table", { class: "matrix" }, el("thead", {}, el("tr", {}, el("td", {}), ...heads)), el("tbody", {}, ...rows));
  return part(say(store.docs.url ? "map.sites" : "map.files"), say("map.sites.about") + some,
    el("div", { class: "wide", tabindex: 0, role: "region", "aria-label": say("map.sites.label") }, table));
}

/** @param {string} title @param {string} about @param {Element} content */
function part(title, about, content) {
  return el("section", {}, el("h2", {}, title), content, el("p", { class: "hint" }, about));
}
