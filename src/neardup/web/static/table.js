// A table: its rows, what is searched for, chosen and sorted by, and a button to save it.
import { button, el } from "./dom.js";
import { digits } from "./formats.js";
import { Grid } from "./grid.js";
import { saveCsv } from "./saving.js";
import { placeOf, Selection } from "./selection.js";
import { oneLine } from "./visible.js";
import { named, say } from "./words.js";

const WAIT = 120; // milliseconds without a key, after which is searched

/**
 * @typedef {object} Options
 * @property {Rows} data
 * @property {Items} items
 * @property {string} label
 * @property {Plural} unit
 * @property {(row: number) => void} open a row that was chosen
 * @property {Map<number, string>} [strips] where the two texts of rows match
 * @property {Sort | null} [sort] to begin with
 * @property {Test} [test] which rows are shown to begin with, of `total`; as for choose
 * @property {number} [total]
 * @property {Params} [state] as addresses have it
 * @property {(state: Params) => void} [changed] is told of another state
 * @property {string} [file] what a CSV file is called
 * @property {(key: string, row: number) => boolean} [pressed] called with a key and the active row; says whether it did something
 */

export class Table {
  /** @param {HTMLElement} container @param {Options} options */
  constructor(container, options) {
    const { data, items, label, open, pressed, strips } = options;
    this.options = options;
    this.columns = data.columns;
    this.items = items;
    this.total = options.total;
    this.selection = new Selection(data, items, options.sort, options.state || {});
    this.selection.test = options.test || null;
    this.count = el("span", { class: "total", role: "status" });
    this.empty = el("p", { class: "empty", hidden: true }, say(data.rows ? "empty" : "empty.all"));
    const shown = this.columns.filter((column) => !column.empty);
    this.grid = new Grid(shown, items, label, { open, pressed, strips, sortBy: (column, down) => this.sortBy(column, down) });
    container.replaceChildren(this.tools(), this.grid.element, this.empty);
    this.grid.heads(this.selection.sort);
    this.refresh();
  }

  /** The rows that are shown, in their order. */
  get order() {
    return this.grid.order;
  }

  /** Show only rows that pass a test; `total` is how many there are to speak of.
   * @param {Test} test @param {number} total */
  choose(test, total) {
    this.selection.test = test;
    this.total = total;
    this.refresh();
  }

  /** A mark is another one: rows are written again, and chosen again if they are chosen by it. */
  refill() {
    if (!this.selection.categories.size) {
      this.grid.refill();
      return;
    }
    const { active } = this.grid;
    this.refresh();
    this.grid.active = Math.min(active, Math.max(this.order.length - 1, 0));
  }

  /** @param {number} row */
  focus(row) {
    this.grid.focus(row);
  }

  tools() {
    const choices = this.selection.choices().filter((column) => column.names.length > 1).map((column) => this.filter(column));
    const save = button(say("save.csv"), null, () => this.save(), { class: "save" });
    return el("div", { class: "tools" }, this.search(), ...choices, this.sorting(), save, this.count);
  }

  search() {
    const field = el("input", {
      type: "search", placeholder: say("search"), "aria-label": say("search.label", { what: this.options.label }),
      autocomplete: "off", spellcheck: "false", value: this.selection.query,
    });
    let timer = 0;
    field.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        this.selection.query = field.value.trim().toLowerCase();
        this.changed();
      }, WAIT);
    });
    return field;
  }

  /** @param {CategoryColumn | MarkColumn} column */
  filter(column) {
    const { label, names, type } = column;
    const { categories } = this.selection;
    const choice = el("select", { "aria-label": say("filter.by", { label }) },
      el("option", { value: "" }, say("filter.all", { label })),
      ...names.map((name, value) => el("option", { value, selected: categories.get(column) === value },
        oneLine(type === "mark" ? say(/** @type {Label | "disputed"} */ (name) || "none") : named(name)))));
    choice.addEventListener("change", () => {
      if (choice.value === "") categories.delete(column);
      else categories.set(column, Number(choice.value));
      this.changed();
    });
    return choice;
  }

  /** On narrow screens there is no room for heads to click on. */
  sorting() {
    const { sort } = this.selection;
    const choice = el("select", { class: "narrow", "aria-label": say("sort.by") },
      ...this.columns.flatMap(({ label }, i) => [[`${i}d`, "↓"], [`${i}a`, "↑"]].map(([value, arrow]) =>
        el("option", { value }, say("sort.choice", { label, arrow })))));
    const at = this.columns.findIndex((column) => column.name === sort.column);
    if (at >= 0) choice.value = `${at}${sort.descending ? "d" : "a"}`;
    choice.addEventListener("change", () => {
      this.sortBy(this.columns[Number.parseInt(choice.value, 10)].name, choice.value.endsWith("d"));
    });
    return choice;
  }

  /** @param {string} column @param {boolean} descending */
  sortBy(column, descending) {
    this.selection.sort = { column, descending };
    this.grid.heads(this.selection.sort);
    this.changed();
  }

  changed() {
    this.refresh();
    this.options.changed?.(this.selection.told());
  }

  refresh() {
    const rows = this.selection.rows();
    const size = rows.length;
    const all = this.total ?? this.options.data.rows;
    const unit = this.options.unit[size === 1 && size === all ? 0 : 1];
    const capped = size < all && !this.selection.narrows;
    const said = size === all ? "count.all" : capped ? "count.file" : "count.some";
    this.count.textContent = say(said, { size: digits(size), all: digits(all), unit });
    this.empty.hidden = size > 0;
    this.grid.show(rows);
  }

  /** Save the rows that are shown, in their order. */
  save() {
    /** @param {Column} column @param {number} row */
    const value = (column, row) => {
      if (column.type === "category" || column.type === "mark") return column.names[placeOf(column, row)];
      const own = column.values[row];
      return column.type === "item" ? this.items.id[Number(own ?? -1)] : own;
    };
    const rows = Array.from(this.order, (row) => this.columns.map((column) => value(column, row)));
    saveCsv(this.options.file || "table.csv", [this.columns.map((column) => column.name), ...rows]);
  }
}
