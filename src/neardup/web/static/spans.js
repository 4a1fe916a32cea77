// Spans of a text: what a match has in both, and what of a text is shared with whom.
import { hasWords } from "./text.js";

/** Return where a match is the same in both texts. @param {Match} match */
export function runsOf(match) {
  const [, , , startA, endA, startB, endB, runs] = match;
  const flat = runs.length ? runs : [0, endA - startA, 0, endB - startB];
  /** @type {{a: Span, b: Span}[]} */
  const found = [];
  let [atA, atB] = [startA, startB];
  for (let i = 0; i < flat.length; i += 4) {
    const [fromA, fromB] = [atA + flat[i], atB + flat[i + 2]];
    [atA, atB] = [fromA + flat[i + 1], fromB + flat[i + 3]];
    found.push({ a: [fromA, atA], b: [fromB, atB] });
  }
  return found;
}

/** Return spans of a text that are shared; two with no word between them are one.
 * @param {import("./text.js").Text} text @param {Span[]} spans */
export function sharedSpans(text, spans) {
  /** @type {Span[]} */
  const found = [];
  for (const [start, end] of [...spans].sort((x, y) => x[0] - y[0])) {
    const last = found.at(-1);
    const joins = last && (start <= last[1] || (text.has(last[1], start) && !hasWords(text.slice(last[1], start))));
    if (joins) last[1] = Math.max(last[1], end);
    else found.push([start, end]);
  }
  return found;
}

/** Return spans that may overlap as stretches in order, with who has each.
 * @param {[start: number, end: number, source: number][]} spans */
export function stretches(spans) {
  /** @type {[place: number, step: number, source: number][]} */
  const edges = [];
  for (const [start, end, source] of spans) if (end > start) edges.push([start, 1, source], [end, -1, source]);
  edges.sort((x, y) => x[0] - y[0]);
  /** @type {Map<number, number>} */
  const over = new Map();
  /** @type {Stretch[]} */
  const found = [];
  let at = 0;
  for (const [place, step, source] of edges) {
    if (place > at && over.size) {
      const sources = [...over.keys()].sort((x, y) => x - y);
      const last = found.at(-1);
      if (last && last.end === at && String(last.sources) === String(sources)) last.end = place;
      else found.push({ start: at, end: place, sources });
    }
    at = place;
    const count = (over.get(source) || 0) + step;
    if (count) over.set(source, count);
    else over.delete(source);
  }
  return found;
}

/** Return how many words of a text lie in spans, which may overlap; how many characters, of a text that is not known.
 * @param {number[][]} spans @param {import("./text.js").Text | null} text */
export function covered(spans, text) {
  return stretches(spans.map(([start, end]) => [start, end, 0]))
    .reduce((sum, { start, end }) => sum + (text ? text.words(start, end) : end - start), 0);
}
