// A map of the whole result: its clusters, what is between sites, and the passages that most documents have.
import { el, meter, plainButton, svg } from "./dom.js";
import { digits, plural } from "./formats.js";
import { appendText, oneLine } from "./visible.js";
import { say } from "./words.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {Pick<import("./here.js").Here, "openCluster" | "openDocument">} Ways */
/** @typedef {[name: string, count: number][]} Counts */

const MOST_CLUSTERS = 240;
const MOST_RAYS = 36;
const MOST_SITES = 16;
const LONGEST = 32; // characters of a name

/** @param {HTMLElement} container @param {Store} store @param {Test} isPair @param {Cluster[]} clusters @param {Ways} ways */
export function showOverview(container, store, isPair, clusters, ways) {
  const parts = [stars(store, clusters, ways), sites(store, isPair), reused(store, ways)].filter((own) => own !== null);
  container.replaceChildren(...(parts.length ? parts : [el("p", { class: "empty" }, say("map.none"))]));
}

/** @param {string} title @param {string | null} about @param {...Child} content */
function part(title, about, ...content) {
  return el("section", { class: "part" }, el("h2", {}, title), about ? el("p", { class: "hint" }, about) : null, ...content);
}

/** @param {Store} store @param {Cluster[]} clusters @param {Ways} ways */
function stars(store, clusters, ways) {
  if (!clusters.length) return null;
  const shown = clusters.slice(0, MOST_CLUSTERS);
  const words = { shown: digits(shown.length), all: digits(clusters.length) };
  const more = clusters.length > shown.length ? el("p", { class: "hint" }, say("map.more", words)) : null;
  const drawn = shown.map((cluster) => star(store, cluster, ways));
  return part(say("map.clusters"), say("map.clusters.about"), el("div", { class: "stars" }, ...drawn), more);
}

/** Draw a cluster as a little star; its size grows with its members.
 * @param {Store} store @param {Cluster} cluster @param {Ways} ways */
function star(store, { keeper, members, similarity }, ways) {
  const rays = Math.min(members.length - 1, MOST_RAYS);
  const size = 34 + 7 * Math.min(Math.sqrt(members.length), 12);
  const middle = size / 2;
  const name = `${oneLine(store.item(keeper).id)}: ${plural(members.length, store.data.item)}`;
  const picture = svg("svg", { viewBox: `0 0 ${size} ${size}`, width: size, height: size, "aria-hidden": "true" });
  for (let i = 0; i < rays; i += 1) {
    const turn = (2 * Math.PI * i) / rays - Math.PI / 2;
    const [x2, y2] = [middle + (middle - 5) * Math.cos(turn), middle + (middle - 5) * Math.sin(turn)];
    const strength = (0.2 + 0.8 * (similarity[i + 1] ?? 0.3)).toFixed(2);
    picture.append(svg("line", { x1: middle, y1: middle, x2, y2, class: "edge", "stroke-opacity": strength }),
      svg("circle", { cx: x2, cy: y2, r: 2.5, class: "node" }));
  }
  picture.append(svg("circle", { cx: middle, cy: middle, r: 5, class: "node kept" }));
  const onclick = () => ways.openCluster(keeper);
  return el("button", { type: "button", class: "star", title: name, "aria-label": name, onclick },
    picture, el("span", {}, digits(members.length)));
}

/** Count pairs by the sites of addresses, or else by files. @param {Store} store @param {Test} isPair */
function sites(store, isPair) {
  const { docs } = store;
  const { url } = docs;
  /** @param {number} doc */
  const name = (doc) => (url ? host(url[doc]) : docs.sources[docs.source[doc]]) || "–";
  /** @type {Map<string, number>} */
  const counts = new Map();
  /** @type {Map<string, number>} */
  const between = new Map();
  for (let row = 0; row < store.pairs.rows; row += 1) {
    if (!isPair(row)) continue;
    const ends = store.docsOf(row).map(name).sort();
    for (const own of new Set(ends)) counts.set(own, (counts.get(own) || 0) + 1);
    const key = JSON.stringify(ends);
    between.set(key, (between.get(key) || 0) + 1);
  }
  if (counts.size < 2) return null;
  const top = [...counts].sort((x, y) => y[1] - x[1] || (x[0] < y[0] ? -1 : 1)).slice(0, MOST_SITES);
  return part(say(url ? "map.sites" : "map.files"), say("map.sites.about"), wheel(store.data.unit, top, between));
}

/** @param {string | null} address */
function host(address) {
  try { return new URL(address || "").hostname.replace(/^www\./u, ""); } catch { return null; }
}

/** Draw names in a circle; a line for the pairs between two. @param {Plural} unit @param {Counts} top
 * @param {Map<string, number>} between */
function wheel(unit, top, between) {
  const [width, height, wide, high] = [960, 440, 190, 195];
  const [middle, centre] = [width / 2, height / 2];
  /** @type {Map<string, number[]>} */
  const places = new Map(top.map(([name], i) => {
    const turn = (2 * Math.PI * i) / top.length - Math.PI / 2;
    return [name, [middle + wide * Math.cos(turn), centre + high * Math.sin(turn), Math.cos(turn)]];
  }));
  const about = say("map.sites.about");
  const picture = svg("svg", { class: "graph sites", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": about });
  const most = Math.max(...between.values());
  for (const [key, count] of between) {
    const [a, b] = JSON.parse(key);
    const [from, to] = [places.get(a), places.get(b)];
    if (a === b || !from || !to) continue;
    picture.append(svg("path", {
      class: "edge", d: `M${from[0]},${from[1]}Q${middle},${centre} ${to[0]},${to[1]}`,
      "stroke-width": (0.8 + (6 * (count - 1)) / Math.max(most - 1, 1)).toFixed(2),
    }, svg("title", {}, `${oneLine(a)} – ${oneLine(b)}: ${plural(count, unit)}`)));
  }
  for (const [name, count] of top) picture.append(...site(name, count, unit, places.get(name) || [], count / top[0][1]));
  return picture;
}

/** @param {string} name @param {number} count @param {Plural} unit @param {number[]} place
 * @param {number} share of the largest count */
function site(name, count, unit, [cx, cy, side], share) {
  const shown = oneLine(name);
  const label = shown.length > LONGEST ? `${shown.slice(0, 15)}…${shown.slice(-15)}` : shown;
  const left = side < -0.1;
  return [
    svg("circle", { cx, cy, r: 4 + 6 * Math.sqrt(share), class: "node" }, svg("title", {}, `${shown}: ${plural(count, unit)}`)),
    svg("text", { x: cx + (left ? -14 : 14), y: cy + 4, "text-anchor": left ? "end" : "start" }, `${label} (${digits(count)})`),
  ];
}

/** List the passages that most documents have. @param {Store} store @param {Ways} ways */
function reused(store, ways) {
  const found = store.data.texts.reused;
  if (!found.length) return null;
  const places = new Map(store.docs.number?.map((number, i) => [number, i]));
  const most = found[0][3];
  return part(say("map.reused"), null, el("ol", { class: "reused" }, ...found.map(([doc, , , others, text]) => {
    const quote = el("blockquote", { dir: "auto" });
    appendText(quote, text);
    const place = places.get(doc);
    const number = el("strong", {}, say("map.reused.count", { number: digits(others) }));
    return el("li", {}, el("p", { class: "about" }, number, meter(others / most)), quote,
      place === undefined ? null : plainButton(oneLine(store.doc(place).id), () => ways.openDocument(place)));
  })));
}
