// What a report knows of one document: its text, and each of the documents that share passages with it.
import { digits } from "./formats.js";
import { covered, runsOf, sharedSpans } from "./spans.js";
import { Text } from "./text.js";
import { say } from "./words.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {{row: number, spans: Span[]}} Source */

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
  const sources = [...bySource].map(([other, own]) => ({ other, ...own, size: covered(own.spans, text) }))
    .sort((x, y) => y.size - x.size || x.other - y.other);
  return {
    side: { ...about, text: pieces, whole },
    share: store.data.shares ? store.data.shares.share[doc] : null,
    sources: sources.map(({ other, row }) => {
      const { id, title, name = id } = store.doc(other);
      return { name, about: name === id ? title : id, open: () => openPair(row) };
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
      const source = bySource.get(other) ?? { row, spans: [] };
      bySource.set(other, source);
      for (const match of stored.matches) {
        source.spans.push(...sharedSpans(text, runsOf(match).map((run) => (first ? run.a : run.b))));
      }
    }
  }
  return { bySource, missing };
}
