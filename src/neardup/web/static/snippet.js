// A passage of a list: what the text has of it; words that the document does not have there are marked.
import { el } from "./dom.js";
import { digits } from "./formats.js";
import { appendText } from "./visible.js";
import { say } from "./words.js";

const LONGEST = 320; // characters that are shown

/** Take runs that follow each other as one passage; what is between them differs.
 * @param {Run[]} common @returns {Passage[]} */
export function joined(common) {
  if (!common.length) return [];
  const ordered = byPlace(common);
  const { end_query, end_document } = ordered[ordered.length - 1];
  return [{ ...ordered[0], end_query, end_document, common: ordered }];
}

/** @param {string[]} points the characters of the text @param {Passage} passage */
export function snippet(points, { start_query, end_query, start_document, end_document, common }) {
  const quote = el("blockquote", { dir: "auto" });
  const end = wordEnd(points, start_query, end_query);
  let at = start_query;
  /** @param {number} to @param {boolean} differs */
  const put = (to, differs) => {
    const stop = Math.min(to, end);
    if (stop <= at) return;
    const own = el("ins", {});
    appendText(own, points.slice(at, stop).join(""));
    quote.append(...(differs && /\S/u.test(own.textContent) ? [own] : own.childNodes));
    at = stop;
  };
  for (const run of byPlace(common)) {
    put(run.start_query, true);
    put(run.end_query, false);
  }
  put(end, true);
  if (end < end_query) quote.append(" …");
  const [from, to, start, stop] = [start_query, end_query, start_document, end_document].map(digits);
  return el("figure", { class: "snippet" }, quote, el("figcaption", {}, say("place", { from, to, start, end: stop })));
}

/** @param {Run[]} runs */
function byPlace(runs) {
  return [...runs].sort((x, y) => x.start_query - y.start_query);
}

/** Return where a passage is cut if it is long: not inside a word, if there are spaces.
 * @param {string[]} points @param {number} start @param {number} end */
function wordEnd(points, start, end) {
  if (end - start <= LONGEST) return end;
  let at = start + LONGEST;
  while (at > start + LONGEST / 2 && /\S/u.test(points[at])) at -= 1;
  return at > start + LONGEST / 2 ? at : start + LONGEST;
}
