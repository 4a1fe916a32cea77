// The pages of a report: for a pair, a cluster, any two items, and a document.
import { readAddress } from "./address.js";
import { ClusterPage } from "./cluster.js";
import { compareTexts } from "./compare.js";
import { showDocument } from "./document.js";
import { button, byId, el, link } from "./dom.js";
import { digits } from "./formats.js";
import { besides } from "./item.js";
import { marking } from "./marking.js";
import { showPair } from "./pair.js";
import { documentView } from "./sources.js";
import { Table } from "./table.js";
import { Text } from "./text.js";
import { oneLine } from "./visible.js";
import { say } from "./words.js";

/** @typedef {Record<string, string | undefined>} Asked */
/** @typedef {"pair" | "cluster" | "two" | "document"} Page */

export class Pages {
  /** @param {import("./here.js").Here} here @param {import("./tabs.js").Tabs} tabs
   * @param {() => void} route shows what another address names */
  constructor(here, tabs, route) {
    this.here = here;
    this.tabs = tabs;
    this.route = route;
    this.element = byId("page");
    this.update = () => {}; // shows marks that are others
  }

  /** Say whether a page has such a name. @param {string} name @returns {name is Page} */
  has(name) {
    return ["pair", "cluster", "two", "document"].includes(name);
  }

  /** Return the tab to show if there is nothing to be shown on a page. @param {Page} name @returns {Tab} */
  instead(name) {
    if (name === "cluster" && this.here.groups) return "clusters";
    return name === "document" ? "documents" : "pairs";
  }

  /** Begin a page with the way back, its name, and its buttons, which stay where they are; return where its content goes.
   * @param {string} title @param {Keys} [keys] @param {...HTMLElement} buttons */
  begin(title, keys = {}, ...buttons) {
    const up = () => this.here.back();
    const name = el("h2", { tabindex: -1, class: "page-title" }, title);
    const content = el("div", { class: "view" }, el("p", { class: "hint" }, say("waiting")));
    const back = el("div", { class: "group" }, button(`← ${say("back")}`, "Escape", up, { class: "back" }));
    this.element.replaceChildren(el("div", { class: "viewbar" }, back, name, ...buttons), content);
    this.here.keys = { Escape: up, ...keys };
    name.focus({ preventScroll: true });
    scrollTo(0, 0);
    return content;
  }

  /** Show a pair; say whether there is one. @param {number} number @param {Asked} params */
  pair(number, params) {
    const { here, tabs } = this;
    const { unit, pairs } = here.data;
    const row = number - 1;
    if (!(Number.isInteger(row) && row >= 0 && row < pairs.rows)) return false;
    const { order } = tabs.pairs(params);
    const at = order.indexOf(row);
    /** @param {number} by */
    const turn = (by) => {
      const next = at < 0 ? undefined : order[at + by];
      if (next === undefined) return;
      here.replace("pair", next + 1, { ...params, match: null });
      this.route();
    };
    const where = at < 0 ? "" : say("pair.of", { at: digits(at + 1), total: digits(order.length) });
    const [first, last] = [at < 1, at < 0 || at + 1 >= order.length];
    const turning = el("div", { class: "group" },
      button("←", "ArrowLeft", () => turn(-1), { disabled: first, "aria-label": `${say("previous")}: ${unit[0]}` }),
      el("span", { class: "where" }, where),
      button("→", "ArrowRight", () => turn(1), { disabled: last, "aria-label": `${say("next")}: ${unit[0]}` }));
    const own = marking(here.marks, row);
    this.update = own.update;
    const keys = { ...own.keys, ArrowRight: () => turn(1), ArrowLeft: () => turn(-1) };
    const sides = here.store.docsOf(row).map((doc) => here.store.doc(doc));
    const alike = sides[0].name === sides[1].name;
    const [a, b] = sides.map(({ id, name }) => oneLine(alike ? id : name));
    const title = say("pair", { a, b });
    here.last = row;
    const content = this.begin(title, keys, turning, own.element);
    content.before(own.notes);
    this.drawPair(content, row, params);
    return true;
  }

  /** @param {HTMLElement} content @param {number} row @param {Asked} params */
  async drawPair(content, row, { match }) {
    const { here } = this;
    const view = await here.store.viewOf(row);
    if (!content.isConnected) return;
    const docs = here.store.docsOf(row);
    Object.assign(here.keys, showPair(content, view, {
      context: Boolean(here.data.docs), match: match ? Number(match) - 1 : null,
      open: (side) => here.openDocument(docs[side]),
      chosen: (number) => here.replace("pair", row + 1, { ...readAddress().params, match: number + 1 }),
    }));
  }

  /** Show a cluster; say whether there is one. @param {number} keeper */
  cluster(keeper) {
    const { here } = this;
    const cluster = here.groups?.of(here.step, keeper);
    if (!cluster) return false;
    const content = this.begin(say("cluster", { number: digits(cluster.members.length), items: here.data.item[1] }));
    new ClusterPage(content, cluster, here);
    return true;
  }

  /** Show any two items; say whether there are such. @param {number} item @param {Asked} params */
  two(item, params) {
    const items = [item, Number(params.with)];
    const names = items.map((own) => this.here.data.items.id[own]);
    if (names.includes(/** @type {any} */ (undefined))) return false;
    this.drawTwo(this.begin(names.map(oneLine).join(" · ")), items);
    return true;
  }

  /** @param {HTMLElement} content @param {number[]} items */
  async drawTwo(content, items) {
    const { here } = this;
    const { store } = here;
    const docs = items.map((item) => store.docOf(item));
    const [textA, textB] = await Promise.all(docs.map(async (doc) =>
      await store.textOf(doc) || (store.served && await store.wholeOf(doc)?.()) || null));
    if (!content.isConnected) return;
    const [a, b] = docs.map((doc) => store.doc(doc));
    const known = textA && textB;
    const matches = known ? compareTexts(new Text(textA, a.length), new Text(textB, b.length)) : [];
    const note = say(known ? "compared.here" : "no.member.text");
    Object.assign(here.keys, showPair(content, { a: { ...a, text: textA }, b: { ...b, text: textB }, matches, facts: [], note },
      { open: (side) => here.openDocument(docs[side]) }));
  }

  /** Show a document; say whether there is one. @param {number} doc */
  document(doc) {
    const { store } = this.here;
    if (store.docs.id[doc] === undefined) return false;
    this.drawDocument(this.begin(oneLine(store.doc(doc).name)), doc);
    return true;
  }

  /** @param {HTMLElement} content @param {number} doc */
  async drawDocument(content, doc) {
    const { here } = this;
    const { data, store } = here;
    const openPair = (/** @type {number} */ row) => here.openPair(row);
    const view = await documentView(store, doc, openPair);
    if (!content.isConnected) return;
    const { date, url } = store.doc(doc);
    const line = [...besides(store.doc(doc)), date?.replace(/[T ]\d\d:.*/u, "")].filter(Boolean).map(oneLine).join(" · ");
    const [inner, below] = [el("div", {}), el("div", { class: "below" })];
    content.replaceChildren(
      el("p", { class: "about" }, el("bdi", {}, line), url ? el("bdi", {}, " ", link(url, oneLine(url))) : null),
      inner, el("h3", {}, say("document.table")), below);
    showDocument(inner, view);
    const own = new Set(store.rowsOf(doc));
    new Table(below, {
      data: data.pairs, items: data.items, label: say("document.table"), unit: data.unit, sort: data.sort,
      test: (row) => own.has(row), total: own.size, strips: store.stripOf, open: openPair, file: "document.csv",
    });
  }
}
