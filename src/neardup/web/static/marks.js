// What people say of pairs: same, different, unsure, and why. One's own marks are kept in the browser, and by the server
// if there is one, which also knows those of others.
import { saveCsv } from "./saving.js";
import { send } from "./send.js";
import { say } from "./words.js";

/** @type {Label[]} */
export const LABELS = ["same", "different", "unsure"];
export const KEYS = { same: "s", different: "d", unsure: "u" };
const JUDGE = "neardup-judge";

export class Marks {
  /** @param {import("./store.js").Store} store @param {() => void} changed */
  constructor(store, changed) {
    const { title, pairs } = store.data;
    this.store = store;
    this.changed = changed;
    /** @type {Map<number, Said>} */
    this.known = new Map(); // one's own
    /** @type {Map<number, Said[]>} */
    this.others = new Map();
    this.unkept = ""; // why the server did not keep the last one
    this.judge = recalled();
    this.place = `neardup-marks:${title}:${pairs.rows}:${fingerprint(store.items.id)}`;
    this.load();
    if (store.served) this.fetch();
  }

  get size() {
    let all = this.known.size;
    for (const own of this.others.values()) all += own.length;
    return all;
  }

  /** Return one's own mark. @param {number} row */
  get(row) {
    return this.known.get(row)?.label ?? null;
  }

  /** Return what everybody says of a row, oneself first. @param {number} row */
  all(row) {
    const own = this.known.get(row);
    return [...(own ? [own] : []), ...this.others.get(row) ?? []];
  }

  /** Return the mark on which all agree, "disputed" if they do not, "" if there is none. @param {number} row */
  agreed(row) {
    const labels = new Set(this.all(row).map((said) => said.label));
    return labels.size > 1 ? "disputed" : [...labels][0] ?? "";
  }

  /** Mark a row; null, or the mark that it has, takes it back. @param {number} row @param {Label | null} label */
  set(row, label) {
    const known = this.known.get(row);
    if (label === null || known?.label === label) this.known.delete(row);
    else this.known.set(row, { label, judge: this.judge, note: known?.note ?? "", when: now() });
    this.keep(row);
  }

  /** Say why a row is marked as it is. @param {number} row @param {string} note */
  explain(row, note) {
    const known = this.known.get(row);
    if (!known || known.note === note) return;
    this.known.set(row, { ...known, note, when: now() });
    this.keep(row);
  }

  /** Do what a key is for; say whether that is anything. @param {string} key @param {number} row */
  press(key, row) {
    const label = LABELS.find((own) => KEYS[own] === key);
    if (label || key === "x") this.set(row, label ?? null);
    return Boolean(label) || key === "x";
  }

  /** Say who one is: what was marked without a name is of that name, too. @param {string} name */
  async name(name) {
    const nameless = [...this.known].filter(([, said]) => !said.judge);
    this.judge = name;
    try { localStorage.setItem(JUDGE, name); } catch { /* then it is said again */ }
    for (const [row, said] of nameless) this.known.set(row, { ...said, judge: name });
    this.keep();
    if (!this.store.served) return;
    for (const [row, said] of name ? nameless : []) {
      await this.post(row, said.label, said.note, name);
      await this.post(row, "none", "", "");
    }
    await this.fetch();
  }

  load() {
    try {
      for (const [row, label, note = "", when = ""] of JSON.parse(localStorage.getItem(this.place) || "[]")) {
        const good = Number.isInteger(row) && row < this.store.pairs.rows && LABELS.includes(label);
        if (good) this.known.set(row, { label, judge: this.judge, note: String(note), when: String(when) });
      }
    } catch { this.known.clear(); }
  }

  /** @param {number} [row] that is another one */
  keep(row) {
    const kept = [...this.known].map(([own, { label, note, when }]) => [own, label, note, when]);
    try { localStorage.setItem(this.place, JSON.stringify(kept)); } catch { /* they last as long as the page */ }
    this.changed();
    if (row !== undefined && this.store.served) this.send(row);
  }

  /** Take over what the server keeps: somebody else may have marked pairs, too. */
  async fetch() {
    const { store, judge } = this;
    const [good, found] = await send("GET", "/report/marks");
    if (!good) return;
    if (!found.read_only) this.known.clear(); // what was taken back there is not marked here either
    this.others.clear();
    const places = new Map(store.ids(store.items).map((id, i) => [id, i]));
    for (const { left, right, ...said } of found.marks) {
      const [a, b] = [places.get(left), places.get(right)];
      const row = a === undefined || b === undefined ? -1 : store.rowOf(a, b);
      if (row < 0 || !LABELS.includes(said.label)) continue;
      if (said.judge === judge) this.known.set(row, said);
      else this.others.set(row, [...this.others.get(row) ?? [], said]);
    }
    this.keep();
  }

  /** @param {number} row */
  async send(row) {
    const { label, note } = this.known.get(row) ?? { label: "none", note: "" };
    await this.post(row, label, note, this.judge);
  }

  /** @param {number} row @param {string} label @param {string} note @param {string} judge */
  async post(row, label, note, judge) {
    const [left, right] = this.names(row);
    const [good, found] = await send("POST", "/report/marks", { left, right, label, note, judge })
      .catch(() => [false, { error: say("no.answer") }]);
    this.unkept = good ? "" : say("notes.unkept", { why: found.error });
    this.changed();
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
    const rows = [...new Set([...this.known.keys(), ...this.others.keys()])].sort((x, y) => x - y);
    const lines = rows.flatMap((row) => this.all(row).map(({ label, judge, note, when }) => (
      [...this.names(row), label, judge, note, when, ...drawn])));
    saveCsv("marks.csv", [["left", "right", "label", "judge", "note", "when", ...head], ...lines]);
  }
}

/** Return what one called oneself last. */
function recalled() {
  try { return localStorage.getItem(JUDGE) ?? ""; } catch { return ""; } // a browser may keep nothing for files
}

function now() {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}

/** Tell results under the same name apart, so that each has marks of its own. @param {string[]} ids */
function fingerprint(ids) {
  let sum = 0;
  for (const id of ids.slice(0, 2000)) for (let i = 0; i < id.length; i += 7) sum = (sum * 31 + id.charCodeAt(i)) % 2147483647;
  return sum.toString(36);
}
