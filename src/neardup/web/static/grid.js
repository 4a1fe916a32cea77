// Any number of rows, of which only those in sight are in the page; one of them is active.
import { el, meter } from "./dom.js";
import { cellText } from "./formats.js";
import { fillItem } from "./item.js";
import { strip } from "./strip.js";
import { say } from "./words.js";

/** @typedef {{element: HTMLElement, cells: HTMLElement[], index: number}} Slot */
/**
 * @typedef {object} Actions
 * @property {(row: number) => void} open a row that was chosen
 * @property {(column: string, descending: boolean) => void} sortBy
 * @property {Map<number, string>} [strips] where the two texts of rows match
 * @property {(key: string, row: number) => boolean} [pressed] called with a key and the active row; says whether it did something
 */

/** @type {Partial<Record<Column["type"], string>>} */
const WIDE = {
  item: "minmax(9rem, 1fr)", text: "minmax(8rem, 0.6fr)", category: "7.5rem", mark: "6rem",
  number: "6.2rem", share: "5.5rem", count: "6rem",
};

export class Grid {
  /** @param {Column[]} columns @param {Items} items @param {string} label @param {Actions} actions */
  constructor(columns, items, label, actions) {
    this.columns = columns;
    this.items = items;
    this.actions = actions;
    this.order = new Uint32Array(0);
    this.active = 0;
    this.height = 0; // of a row
    this.waiting = false;
    /** @type {Slot[]} */
    this.slots = [];
    this.prefix = `t${document.querySelectorAll(".grid").length}`;
    this.head = el("div", { class: "row head", role: "row" });
    this.body = el("div", { class: "rows", role: "rowgroup" });
    this.element = el("div", {
      class: columns.filter((column) => column.type === "item").length > 1 ? "grid" : "grid short", role: "grid", tabindex: 0,
      "aria-label": label, "aria-colcount": columns.length,
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.pressed(event), onscroll: () => this.schedule(),
    }, this.head, this.body);
    const widths = columns.map(({ bar, type }) => (bar ? "10rem" : WIDE[type]));
    this.element.style.setProperty("--columns", widths.join(" "));
    this.element.style.setProperty("--some", widths.filter((_, i) => !columns[i].rare).join(" "));
    this.element.style.setProperty("--fewer", widths.filter((_, i) => !columns[i].minor).join(" "));
    new ResizeObserver(() => this.schedule()).observe(this.element);
  }

  /** Show rows from the first on. @param {Uint32Array<ArrayBuffer>} order */
  show(order) {
    this.order = order;
    this.active = 0;
    this.element.setAttribute("aria-rowcount", String(order.length + 1));
    this.element.style.setProperty("--count", String(Math.max(order.length, 1)));
    this.element.scrollTop = 0;
    this.refill();
  }

  /** Write all rows again. */
  refill() {
    for (const slot of this.slots) slot.index = -1;
    this.schedule();
  }

  /** @param {Sort} sort */
  heads(sort) {
    this.head.replaceChildren(...this.columns.map((column, i) => {
      const sorted = sort.column === column.name;
      const arrow = sorted ? (sort.descending ? " ↓" : " ↑") : "";
      const button = el("button", { type: "button", title: say("sort.title", { label: column.label }) }, column.label + arrow);
      button.addEventListener("click", () => {
        const words = column.type === "item" || column.type === "text" || column.type === "category";
        this.actions.sortBy(column.name, sorted ? !sort.descending : !words);
        /** @type {HTMLElement} */ (this.head.children[i].firstChild).focus();
      });
      const direction = sort.descending ? "descending" : "ascending";
      return el("div", { role: "columnheader", class: classOf(column), "aria-sort": sorted ? direction : "none" }, button);
    }));
  }

  schedule() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    const { element, body, order } = this;
    const height = Number.parseFloat(getComputedStyle(element).getPropertyValue("--row"));
    const needed = Math.ceil(element.clientHeight / height) + 6;
    body.style.height = `${height * order.length}px`;
    if (this.slots.length < needed || this.height !== height) {
      this.slots = Array.from({ length: Math.max(needed, this.slots.length) }, (_, i) => this.slot(i));
      this.height = height;
      body.replaceChildren(...this.slots.map((slot) => slot.element));
    }
    const { slots, active } = this;
    const first = Math.max(Math.floor(element.scrollTop / height) - 2, 0);
    for (let index = first; index < first + slots.length; index += 1) {
      const slot = slots[index % slots.length];
      if (slot.index !== index) this.fill(slot, index);
      slot.element.classList.toggle("active", index === active);
    }
    const slot = slots[active % slots.length];
    if (slot?.index === active && order.length > 0) element.setAttribute("aria-activedescendant", slot.element.id);
    else element.removeAttribute("aria-activedescendant");
  }

  /** Make room for a row. @param {number} number */
  slot(number) {
    const cells = this.columns.map((column) =>
      el("div", { class: `${classOf(column)}${column.bar ? " barred" : ""}`, role: "gridcell", "data-label": column.label }));
    const element = el("div", { class: "row", role: "row", id: `${this.prefix}-${number}` }, ...cells);
    const slot = { element, cells, index: -1 };
    element.addEventListener("click", (event) => {
      if (/** @type {Element} */ (event.target).closest("a")) return;
      this.active = slot.index;
      this.schedule();
      this.actions.open(this.order[slot.index]);
    });
    return slot;
  }

  /** @param {Slot} slot @param {number} index */
  fill(slot, index) {
    const { element, cells } = slot;
    slot.index = index;
    element.hidden = index >= this.order.length;
    if (element.hidden) return;
    element.style.transform = `translateY(${index * this.height}px)`;
    element.setAttribute("aria-rowindex", String(index + 2));
    element.classList.toggle("odd", index % 2 === 1);
    const row = this.order[index];
    this.columns.forEach((column, i) => this.fillCell(cells[i], column, row));
    const parts = this.actions.strips?.get(row);
    const half = (parts?.length ?? 0) / 2;
    [0, 1].forEach((side) => { // below the two names
      cells[side].querySelector(".strip")?.remove();
      if (parts) cells[side].append(strip(parts.slice(side * half, (side + 1) * half), "ab"[side]));
    });
  }

  /** @param {HTMLElement} cell @param {Column} column @param {number} row */
  fillCell(cell, column, row) {
    if (column.type === "item") fillItem(cell, this.items, column.values[row]);
    else if (column.type === "mark") {
      const label = /** @type {Label | "disputed" | ""} */ (column.names[column.value(row)]);
      cell.replaceChildren(label ? el("span", { class: `tag ${label}` }, say(label)) : "");
    } else cell.textContent = cellText(column, row);
    const value = column.bar && column.type !== "mark" ? column.values[row] : null;
    if (column.bar && typeof value === "number") cell.prepend(meter(column.bar(value)));
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const { element, order, actions } = this;
    if (event.target !== element || event.ctrlKey || event.metaKey || event.altKey || !order.length) return;
    const page = Math.max(Math.floor(element.clientHeight / this.height) - 2, 1);
    /** @type {Record<string, number>} */
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in moves) this.activate(Math.min(Math.max(this.active + moves[event.key], 0), order.length - 1));
    else if (event.key === "Enter" || event.key === " ") actions.open(order[this.active]);
    else if (!actions.pressed?.(event.key, order[this.active])) return;
    event.preventDefault();
  }

  /** Make another row the active one, and bring it into sight. @param {number} index */
  activate(index) {
    const { element, height } = this;
    this.active = index;
    const top = index * height;
    const room = element.clientHeight - this.head.offsetHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + height > element.scrollTop + room) element.scrollTop = top + height - room;
    this.schedule();
  }

  /** @param {number} row */
  focus(row) {
    const index = this.order.indexOf(row);
    if (index >= 0) this.active = index;
    if (index >= 0 && this.height) this.activate(index);
    this.element.focus();
  }
}

/** @param {Column} column */
function classOf(column) {
  return `cell ${column.type}${column.minor ? " minor" : ""}${column.rare ? " rare" : ""}`;
}
