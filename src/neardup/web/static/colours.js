// What the colours of a map say: which file or site a document is of, or how it is like the centre.
import { digits } from "./formats.js";
import { oneLine } from "./visible.js";
import { named, say } from "./words.js";

/** @typedef {{label: string, kinds?: boolean, of: (item: number, row: number) => string}} Scale
 * row: the pair with the centre, -1 for the centre itself */

const OTHER = 7; // the colour of whatever is behind the seventh
const BY_CLOSENESS = [1, 3, 5, 2, 0, 4, 6, 7]; // colours of kinds, the warmest for what is closest
const KINDS = ["identical", "near-duplicate", "contained", "partial quotation", "rewritten"].map(named); // as above in all maps

/** Return by what documents can be coloured, the best first. @param {import("./here.js").Here} here */
export function scalesOf({ store, data }) {
  const { docs } = store;
  /** @type {Scale[]} */
  const found = [];
  const kinds = /** @type {CategoryColumn | undefined} */ (store.pairs.columns.find((column) => column.type === "category"));
  const sites = sitesOf(store);
  const { old } = docs;
  if (old) {
    found.push({ label: say("map.by.side"), of: (item) => (old[store.docOf(item)] ? data.old : say("map.new")) });
  }
  if (sites) {
    const label = say(docs.url ? "map.by.site" : "map.by.file");
    found.push({ label, of: (item) => sites.names[sites.of[store.docOf(item)]] });
  }
  if (kinds) {
    found.push({ label: kinds.label, kinds: true, of: (_, row) => (row < 0 ? "" : named(kinds.names[kinds.values[row]])) });
  }
  if (!found.length) found.push({ label: "", of: () => data.item[1] });
  return found;
}

/** Return the sites of documents, or else their files, and which each is of; null if that says little.
 * @param {import("./store.js").Store} store */
export function sitesOf({ docs }) {
  const { url } = docs;
  /** @type {Map<string, number>} */
  const places = new Map();
  const files = docs.sources.map((own) => oneLine(own) || "–");
  const of = docs.id.map((_, doc) => {
    const name = url ? host(url[doc]) || "–" : files[docs.source[doc]];
    const place = places.get(name) ?? places.size;
    if (place === places.size) places.set(name, place);
    return place;
  });
  return places.size > 1 && 2 * places.size <= of.length ? { names: [...places.keys()], of } : null;
}

/** @param {string | null} address */
function host(address) {
  try { return new URL(address || "").hostname.replace(/^www\./u, ""); } catch { return null; }
}

/** Give each item a colour, the most frequent values one of their own.
 * @param {import("./store.js").Store} store @param {import("./placing.js").Placed[]} stars @param {Scale} scale
 * @param {Float32Array} close */
export function coloured(store, stars, scale, close) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  /** @type {Map<string, number>} */
  const sums = new Map();
  const values = new Map();
  /** @param {number} item @param {number} row */
  const note = (item, row) => {
    const value = scale.of(item, row);
    values.set(item, value);
    if (!value) return;
    counts.set(value, (counts.get(value) ?? 0) + 1);
    sums.set(value, (sums.get(value) ?? 0) + close[row]);
  };
  for (const { centre, members, rows, alone } of stars) {
    if (alone) continue;
    note(centre, -1);
    members.forEach((item, i) => note(item, rows[i]));
  }
  const order = [...counts].sort((x, y) => y[1] - x[1] || (x[0] < y[0] ? -1 : 1)).map(([name]) => name);
  const known = order.length > OTHER + 1 ? order.slice(0, OTHER) : order;
  /** @param {string} name */
  const mean = (name) => (sums.get(name) ?? 0) / (counts.get(name) ?? 1);
  if (scale.kinds) known.sort((x, y) => mean(y) - mean(x));
  const common = known.every((name) => KINDS.includes(name));
  const places = new Map(known.map((name, i) => (
    [name, scale.kinds ? BY_CLOSENESS[common ? KINDS.indexOf(name) : i] : i])));
  const colour = new Int8Array(store.items.id.length);
  for (const [item, value] of values) colour[item] = value ? places.get(value) ?? OTHER : -1;
  /** @type {[string, number][]} */
  const legend = [...places].map(([name, own]) => [oneLine(name), own]);
  if (known.length < order.length) legend.push([say("map.others", { number: digits(order.length - known.length) }), OTHER]);
  return { colour, legend };
}
