// What somebody says of pairs: same, different, unsure. Kept in the browser, and by the server if there is one.
import { button, el } from "./dom.js";
import { saveCsv } from "./saving.js";
import { send } from "./send.js";
import { say } from "./words.js";

/** @type {Label[]} */
export const LABELS = ["same", "different", "unsure"];
const KEYS = { same: "s", different: "d", unsure: "u" };

export class Marks {
  /** @param {import("./store.js").Store} store @param {() => void} changed */
  constructor(store, changed) {
    const { title, pairs } = store.data;
    this.store = store;
    this.changed = changed;
    /** @type {Map<number, Label>} */
    this.known = new Map();
    this.place = `neardup-marks:${title}:${pairs.rows}:${fingerprint(store.items.id)}`;
    this.load();
    if (store.served) this.fetch();
  }

  get size() {
    return this.known.size;
  }

  /** @param {number} row */
  get(row) {
    return this.known.get(row) || null;
  }

  /** Mark a row; null, or the mark that it has, takes it back. @param {number} row @param {Label | null} label */
  set(row, label) {
    if (label === null || this.known.get(row) === label) this.known.delete(row);
    else this.known.set(row, label);
    this.keep();
    this.changed();
    if (this.store.served) this.send(row);
  }

  /** Do what a key is for; say whether that is anything. @param {string} key @param {number} row */
  press(key, row) {
    const label = LABELS.find((own) => KEYS[own] === key);
    if (label || key === "x") this.set(row, label ?? null);
    return Boolean(label) || key === "x";
  }

  load() {
    try { // a browser may keep nothing for files
      for (const [row, label] of JSON.parse(localStorage.getItem(this.place) || "[]")) {
        if (Number.isInteger(row) && row < this.store.pairs.rows && LABELS.includes(label)) this.known.set(row, label);
      }
    } catch { this.known.clear(); }
  }

  keep() {
    try { localStorage.setItem(this.place, JSON.stringify([...this.known])); } catch { /* they last as long as the page */ }
  }

  /** Take over what the server keeps: somebody else may have marked pairs, too. */
  async fetch() {
    const { store } = this;
    const [good, found] = await send("GET", "/report/marks");
    if (!good) return;
    if (!found.read_only) this.known.clear(); // what was taken back there is not marked here either
    const places = new Map(store.ids(store.items).map((id, i) => [id, i]));
    for (const { left, right, label } of found.marks) {
      const [a, b] = [places.get(left), places.get(right)];
      const row = a === undefined || b === undefined ? -1 : store.rowOf(a, b);
      if (row >= 0 && LABELS.includes(label)) this.known.set(row, label);
    }
    this.keep();
    this.changed();
  }

  /** @param {number} row */
  send(row) {
    const [left, right] = this.names(row);
    send("POST", "/report/marks", { left, right, label: this.known.get(row) || "none" }).catch(() => {});
  }

  /** @param {number} row */
  names(row) {
    const ids = this.store.ids(this.store.items);
    return this.store.ends(row).map((item) => ids[item]);
  }

  /** Save a file that `neardup evaluate` reads. Sentences are told by what they say; a sample says how it was drawn. */
  save() {
    const { drawn_by: by } = this.store.data;
    const [head, drawn] = by === null ? [[], []] : [["drawn_by"], [by]];
    const rows = [...this.known].sort((x, y) => x[0] - y[0]).map(([row, label]) => [...this.names(row), label, ...drawn]);
    saveCsv("marks.csv", [["left", "right", "label", ...head], ...rows]);
  }

  /** Make buttons to mark a pair with; the one that holds is pressed. @param {number} row */
  buttons(row) {
    /** @param {Label | null} label */
    const set = (label) => {
      this.set(row, label);
      update();
    };
    const buttons = LABELS.map((label) => button(say(label), KEYS[label], () => set(label), { class: `mark ${label}` }));
    const update = () => LABELS.forEach((label, i) => buttons[i].setAttribute("aria-pressed", String(this.get(row) === label)));
    update();
    /** @type {Keys} */
    const keys = { x: () => set(null) };
    for (const label of LABELS) keys[KEYS[label]] = () => set(label);
    return { element: el("div", { class: "group marks", role: "group", "aria-label": say("mark") }, ...buttons), keys };
  }
}

/** Tell results under the same name apart, so that each has marks of its own. @param {string[]} ids */
function fingerprint(ids) {
  let sum = 0;
  for (const id of ids.slice(0, 2000)) for (let i = 0; i < id.length; i += 7) sum = (sum * 31 + id.charCodeAt(i)) % 2147483647;
  return sum.toString(36);
}
