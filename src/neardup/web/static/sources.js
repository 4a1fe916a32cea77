// What a report knows of one document: its text, and each of the documents that share passages with it.
import { digits } from "./formats.js";
import { covered, runsOf, sharedSpans } from "./spans.js";
import { Text } from "./text.js";
import { sharesOf } from "./verdict.js";
import { say } from "./words.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {{row: number, share: number | null, spans: Span[]}} Source share: of its words, as the pair has it */

const MOST_ROWS = 2000;
const MOST_ASKED = 200; // rows for which the server is asked

/** @param {Store} store @param {number} doc @param {(row: number) => void} openPair
 * @returns {Promise<import("./document.js").DocumentView>} */
export async function documentView(store, doc, openPair) {
  const about = store.doc(doc);
  const whole = store.wholeOf(doc);
  const pieces = await store.shownOf(doc) || (whole && await whole());
  const text = pieces && new Text(pieces, about.length);
  const { bySource, missing } = await sourcesOf(store, doc, text);
  const size = (text ? text.size : about.length) || 1;
  const sources = [...bySource].map(([other, own]) => ({ other, ...own, share: own.share ?? covered(own.spans, text) / size }))
    .sort((x, y) => y.share - x.share || x.other - y.other);
  const shares = store.data.shares;
  return {
    side: { ...about, text: pieces, whole },
    found: shares && [shares.share, shares.verbatim, shares.rewritten].map((values) => values[doc] ?? 0),
    sources: sources.map(({ other, row, share }) => {
      const { id, title, name = id } = store.doc(other);
      return { name, about: name === id ? title : id, share, open: () => openPair(row) };
    }),
    spans: sources.flatMap(({ spans }, source) => spans.map(([start, end]) => /** @type {const} */ ([start, end, source]))),
    missing: missing ? say("document.missing", { number: digits(missing) }) : null,
  };
}

/** Return who shares what with a document, and of how many rows that is not known.
 * @param {Store} store @param {number} doc @param {Text | null} text */
async function sourcesOf(store, doc, text) {
  /** @type {Map<number, Source>} */
  const bySource = new Map();
  let [missing, asked] = [0, 0];
  for (const row of store.rowsOf(doc).slice(0, MOST_ROWS)) {
    let stored = await store.matchesOf(row);
    if (!stored && store.served && asked < MOST_ASKED) {
      asked += 1;
      stored = await store.askedFor(row);
    }
    if (!stored || stored.texts || !text) {
      missing += 1;
      continue;
    }
    const [a, b] = store.docsOf(row);
    for (const first of a === b ? [true, false] : [a === doc]) {
      const other = first ? b : a;
      const source = bySource.get(other) ?? { row, share: shareOf(store, row, first), spans: [] };
      bySource.set(other, source);
      for (const match of stored.matches) {
        source.spans.push(...sharedSpans(text, runsOf(match).map((run) => (first ? run.a : run.b))));
      }
    }
  }
  return { bySource, missing };
}

/** Return how much of a side stands in the other one, null if the result does not say it.
 * @param {Store} store @param {number} row @param {boolean} first whether it is the first side */
function shareOf(store, row, first) {
  const shares = store.data.shares ? sharesOf(store.pairs.columns, row) : null; // others count runs of words
  return shares && shares[first ? 0 : 1].reduce((sum, own) => sum + own);
}
