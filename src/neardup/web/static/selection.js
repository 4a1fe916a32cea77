// Which rows of a table are shown, and in which order.
import { searchable } from "./item.js";

/** @typedef {CategoryColumn | MarkColumn} Choice */

export class Selection {
  /** @param {Rows} data @param {Items} items @param {Sort | null | undefined} sort to begin with
   * @param {Params} given what an address says of the table: {q, sort, "is.column": name} */
  constructor(data, items, sort, given) {
    this.data = data;
    this.items = items;
    /** @type {Test | null} */
    this.test = null; // what else rows have to pass
    this.first = sort;
    this.sort = sort || { column: null, descending: false };
    this.query = String(given.q || "").trim().toLowerCase();
    /** @type {Map<Choice, number>} */
    this.categories = new Map();
    const order = String(given.sort || "");
    if (order) this.sort = { column: order.replace(/^-/u, ""), descending: order.startsWith("-") };
    for (const column of this.choices()) {
      const at = column.names.findIndex((name) => name === given[`is.${column.name}`]);
      if (at >= 0) this.categories.set(column, at);
    }
  }

  /** Return the columns whose rows can be chosen by a name. */
  choices() {
    return this.data.columns.filter((column) => column.type === "category" || column.type === "mark");
  }

  /** Return what an address says of the table. */
  told() {
    /** @type {Params} */
    const found = { q: this.query };
    const { column, descending } = this.sort;
    const changed = column !== this.first?.column || descending !== this.first?.descending;
    if (column && changed) found.sort = `${descending ? "-" : ""}${column}`;
    for (const [own, value] of this.categories) found[`is.${own.name}`] = own.names[value];
    return found;
  }

  /** Return the rows that are chosen, in their order. */
  rows() {
    const tests = this.tests();
    const chosen = new Uint32Array(this.data.rows);
    let size = 0;
    for (let row = 0; row < this.data.rows; row += 1) {
      if (tests.every((test) => test(row))) chosen[size++] = row;
    }
    return this.sorted(chosen.subarray(0, size));
  }

  /** Whether somebody searches, or has chosen a category. */
  get narrows() {
    return Boolean(this.query) || this.categories.size > 0;
  }

  tests() {
    /** @type {Test[]} */
    const found = this.test ? [this.test] : [];
    for (const [column, value] of this.categories) found.push((row) => placeOf(column, row) === value);
    if (this.query) found.push(this.matching(this.query));
    return found;
  }

  /** Tell rows that a query finds: all its words are in the id, title or file of an item, or it is in a text.
   * @param {string} query @returns {Test} */
  matching(query) {
    const words = query.normalize().split(/\s+/u);
    const hits = searchable(this.items).map((text) => words.every((word) => text.includes(word)));
    const { columns } = this.data;
    const items = columns.filter((column) => column.type === "item");
    const texts = columns.filter((column) => column.type === "text");
    return (row) => items.some(({ values }) => hits[values[row] ?? -1]) ||
      texts.some(({ values }) => (values[row] || "").toLowerCase().includes(query));
  }

  /** @param {Uint32Array<ArrayBuffer>} rows */
  sorted(rows) {
    const column = this.data.columns.find((own) => own.name === this.sort.column);
    if (!column) return rows;
    const keys = this.keysOf(column);
    const sign = this.sort.descending ? -1 : 1;
    /** @param {number} x @param {number} y */
    const compare = (x, y) => sign * (keys[x] - keys[y]) || x - y;
    for (let i = 1; i < rows.length; i += 1) {
      if (compare(rows[i - 1], rows[i]) > 0) return rows.sort(compare);
    }
    return rows; // reports come sorted, and open the faster for it
  }

  /** Return numbers to sort rows by. @param {Column} column */
  keysOf(column) {
    if (column.type === "mark") return Float64Array.from({ length: this.data.rows }, (_, row) => column.value(row));
    column.keys ??= this.newKeys(column);
    return column.keys;
  }

  /** @param {Exclude<Column, MarkColumn>} column */
  newKeys(column) {
    if (column.type === "item") return ranked(this.items.id, column.values);
    if (column.type === "text") return ranked(column.values.map((text) => text || ""), column.values.map((_, i) => i));
    return Float64Array.from(column.values, (value) => value ?? -1); // names of categories come in order
  }
}

/** Return the place of a row's name. @param {Choice} column @param {number} row */
export function placeOf(column, row) {
  return column.type === "mark" ? column.value(row) : column.values[row];
}

/** @param {string[]} names @param {(number | null)[]} values places in names */
function ranked(names, values) {
  const order = names.map((_, i) => i);
  order.sort((x, y) => (names[x] < names[y] ? -1 : names[x] > names[y] ? 1 : 0));
  const ranks = new Uint32Array(names.length);
  order.forEach((name, rank) => { ranks[name] = rank; });
  return Uint32Array.from(values, (value) => ranks[value ?? -1]);
}
