// What a report holds: items, documents, pairs, and texts that are unpacked when they are needed.
import { byId } from "./dom.js";
import { capital, cellText } from "./formats.js";
import { send } from "./send.js";
import { points } from "./text.js";
import { verdictOf } from "./verdict.js";
import { plurals, say } from "./words.js";

/** @typedef {() => Promise<Piece[] | null>} Bring */
/** @typedef {{matches: Match[], curve?: Curve, texts?: Piece[][]}} Stored texts: those of sentences whose documents changed */

const MOST_BLOCKS = 20; // that are kept
const LONGEST_AT_ONCE = 400_000; // characters of a text: what of a longer one is far from matches is opened by a click

/** Read what is embedded in the page: JSON, compressed, as base64. @param {string} id */
export async function unpack(id) {
  const binary = atob(byId(id).textContent);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

export class Store {
  /** @param {ReportData} data */
  constructor(data) {
    const { items, pairs, texts } = data;
    this.data = data;
    this.items = items;
    this.docs = data.docs || items;
    this.pairs = pairs;
    this.sides = pairs.columns.slice(0, 2).map((column) => /** @type {number[]} */ (/** @type {ItemColumn} */ (column).values));
    this.blockOf = new Map(texts.row.map((row, i) => [row, texts.block[i]]));
    this.stripOf = new Map(texts.row.map((row, i) => [row, texts.strip[i]]));
    this.blocksOf = new Map(texts.doc.map((doc, i) => [doc, texts.blocks[i]]));
    this.restsOf = new Map(texts.cut.map((doc, i) => [doc, texts.rests[i]]));
    /** @type {Map<number, Promise<Block>>} */
    this.blocks = new Map();
    this.real = new Map([[items, { ...items }], [this.docs, { ...this.docs }]]); // as they are called really
    this.served = /^https?:$/u.test(location.protocol) && data.rows ? data.rows : null; // how the server numbers rows
    /** @type {Map<number, number> | null} */
    this.rowsByPair = null;
    /** @type {Map<number, number[]> | null} */
    this.rowsByDoc = null;
  }

  /** @param {number} row */
  ends(row) {
    return this.sides.map((values) => values[row]);
  }

  /** @param {number} item */
  docOf(item) {
    return this.items.doc ? this.items.doc[item] : item;
  }

  /** @param {number} row */
  docsOf(row) {
    return this.ends(row).map((item) => this.docOf(item));
  }

  /** Return which side of a row is new where the other one is old; null if both are the same. @param {number} row */
  newOf(row) {
    const [a, b] = this.docsOf(row).map((doc) => Boolean(this.docs.old?.[doc]));
    return a === b ? null : a ? 1 : 0;
  }

  /** @param {number} number */
  item(number) {
    return about(this.items, number);
  }

  /** @param {number} number */
  doc(number) {
    return { ...about(this.docs, number), pale: this.data.pale[this.numberOf(number)] };
  }

  /** Return what ids really are. @param {Items} list */
  ids(list) {
    return (this.real.get(list) ?? list).id;
  }

  /** Use names that say nothing, for showing a report to others. @param {boolean} on */
  anonymise(on) {
    const item = capital(this.data.docs ? plurals.document[0] : this.data.item[0]);
    /** @param {number} number */
    const name = (number) => say("anonymous", { item, number: number + 1 });
    for (const [list, known] of this.real) {
      Object.assign(list, known);
      delete list.searchable;
      delete list.starts;
      delete list.tails;
      if (!on) continue;
      if (list === this.items && this.data.docs) list.title = (list.doc || []).map(name); // sentences are what they say
      else Object.assign(list, { id: list.id.map((_, i) => name(i)), title: list.title.map(() => null) });
      list.sources = list.sources.map((_, i) => say("anonymous.file", { number: i + 1 }));
      list.url = null;
    }
    for (const column of this.pairs.columns) delete column.keys;
  }

  /** @param {number} number @returns {Promise<Block>} */
  unpacked(number) {
    const known = this.blocks.get(number);
    if (known) return known;
    if (this.blocks.size > MOST_BLOCKS) this.blocks.clear();
    const found = unpack(`texts-${number}`);
    this.blocks.set(number, found);
    return found;
  }

  /** How texts number a document. @param {number} doc */
  numberOf(doc) {
    return this.docs.number?.[doc] ?? -1;
  }

  /** Return the pieces of a document's text, null if it is not in the file. @param {number} doc */
  async textOf(doc) {
    const found = await this.piecesIn(this.blocksOf, this.numberOf(doc));
    return found.length ? found : null;
  }

  /** Return the pieces of a document's text that are shown at once: all, unless that is very much. @param {number} doc */
  async shownOf(doc) {
    const found = await this.textOf(doc);
    const whole = this.wholeOf(doc);
    const length = this.docs.length?.[doc] ?? Infinity;
    const known = (found ?? []).reduce((sum, piece) => sum + points(piece[1]), 0);
    return whole && known < length && length <= LONGEST_AT_ONCE ? whole() : found;
  }

  /** @param {Map<number, number[]>} places @param {number} number */
  async piecesIn(places, number) {
    /** @type {Piece[]} */
    const found = [];
    for (const block of places.get(number) || []) found.push(...(await this.unpacked(block)).docs[number]);
    return found;
  }

  /** Return what brings the pieces of a text that is cut and can be had whole; else null.
   * @param {number} doc @returns {Bring | null} */
  wholeOf(doc) {
    const number = this.numberOf(doc);
    if (this.restsOf.has(number)) {
      return async () => [...await this.piecesIn(this.blocksOf, number), ...await this.piecesIn(this.restsOf, number)];
    }
    if (!this.served) return null;
    return async () => {
      const [good, found] = await send("GET", `/report/texts/${number}`);
      return good && found.text.length ? found.text : this.textOf(doc);
    };
  }

  /** Return what the file has of a row, null if that is nothing. @param {number} row @returns {Promise<Stored | null>} */
  async matchesOf(row) {
    const block = this.blockOf.get(row);
    if (block === undefined) return null;
    const [matches, curve, texts] = (await this.unpacked(block)).rows[row];
    return { matches, curve, texts };
  }

  /** Return a pair as it is shown. @param {number} row @returns {Promise<PairView>} */
  async viewOf(row) {
    const { columns } = this.pairs;
    const docs = this.docsOf(row);
    const [a, b] = docs.map((doc) => this.doc(doc));
    /** @type {PairView["facts"]} */
    const facts = columns.slice(2).filter((column) => column.type !== "share" || column.values[row])
      .map((column) => [column.label, cellText(column, row)]);
    const verdict = verdictOf(columns, row, this.data.measure, this.newOf(row));
    const view = { a, b, matches: [], facts: facts.filter((fact) => fact[1]), verdict };
    const stored = await this.matchesOf(row);
    if (!stored) return { ...view, ...(this.served ? await this.asked(row, view) : { note: this.data.no_text }) };
    const { matches, curve, texts } = stored;
    const note = matches.length ? null : say("no.matches");
    const sides = texts ? texts.map((text) => ({ text, length: null }))
      : await Promise.all(docs.map(async (doc) => ({ text: await this.shownOf(doc), whole: this.wholeOf(doc) })));
    return { ...view, a: { ...a, ...sides[0] }, b: { ...b, ...sides[1] }, matches, curve, note };
  }

  /** @param {number} row */
  fromServer(row) {
    return send("GET", `/report/pairs/${this.served?.[row]}`);
  }

  /** Return what the server says of a row that the file lacks, null if that is nothing.
   * @param {number} row @returns {Promise<Stored | null>} */
  async askedFor(row) {
    const [good, found] = await this.fromServer(row);
    return good && found.a.text ? { matches: found.matches } : null;
  }

  /** @param {number} row @param {PairView} view @returns {Promise<Partial<PairView>>} */
  async asked(row, { a, b }) {
    const [good, found] = await this.fromServer(row);
    if (!good) return { note: found.error };
    const { matches, curve, note } = found;
    return { a: { ...a, text: found.a.text }, b: { ...b, text: found.b.text }, matches, curve, note };
  }

  /** Return the row of two items, -1 if there is none. @param {number} one @param {number} other */
  rowOf(one, other) {
    /** @param {number} a @param {number} b */
    const key = (a, b) => a * this.items.id.length + b;
    const [as, bs] = this.sides;
    this.rowsByPair ??= new Map(as.map((a, row) => [key(a, bs[row]), row]));
    return this.rowsByPair.get(key(one, other)) ?? this.rowsByPair.get(key(other, one)) ?? -1;
  }

  /** Return the rows of each document, once each. */
  rowsByDocs() {
    if (this.rowsByDoc) return this.rowsByDoc;
    /** @type {Map<number, number[]>} */
    const found = new Map();
    const missed = new Set(this.pairs.missed);
    for (let row = 0; row < this.pairs.rows; row += 1) {
      if (missed.has(row)) continue;
      for (const doc of new Set(this.docsOf(row))) {
        const known = found.get(doc);
        if (known) known.push(row);
        else found.set(doc, [row]);
      }
    }
    this.rowsByDoc = found;
    return found;
  }

  /** @param {number} doc */
  rowsOf(doc) {
    return this.rowsByDocs().get(doc) || [];
  }
}

/** Return what is known of an item. @param {Items} list @param {number} number @returns {Side} */
function about(list, number) {
  const [id, title] = [list.id[number], list.title[number]];
  return {
    id, title, name: (list.lead === "title" && title) || id, source: list.sources[list.source[number]],
    url: list.url?.[number] ?? null, date: list.date?.[number] ?? null, length: list.length?.[number] ?? null,
  };
}
