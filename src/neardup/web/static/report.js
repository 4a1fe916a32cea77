// A report: what is embedded in the page, as tables, a slider, and pages for pairs, clusters and documents.
import { readAddress } from "./address.js";
import { button, byId, el } from "./dom.js";
import { cellText, digits } from "./formats.js";
import { Here } from "./here.js";
import { press } from "./keys.js";
import { Pages } from "./pages.js";
import { writeOut } from "./paper.js";
import { unpack } from "./store.js";
import { Tabs } from "./tabs.js";
import { Threshold } from "./threshold.js";
import { oneLine } from "./visible.js";
import { say, shortcuts } from "./words.js";

const RARE = "passage_similarity"; // a column for which only wide screens have room beside names

class Report {
  /** @param {ReportData} data */
  constructor(data) {
    prepareColumns(data);
    this.home = byId("home");
    this.here = new Here(data, () => this.marked());
    this.saveMarks = button("", null, () => this.here.marks.save(), { id: "save-marks", hidden: true });
    this.anonymise = button(say("anonymise"), null, () => this.setAnonymous(!this.anonymous),
      { "aria-pressed": "false", id: "anonymise" });
    const keys = shortcuts.map(([key, what]) => el("div", {}, el("dt", {}, key), el("dd", {}, what)));
    byId("tools").append(this.saveMarks, this.anonymise,
      el("details", { class: "keys" }, el("summary", {}, say("keys")), el("dl", {}, ...keys)));
    this.tabs = new Tabs(this.here);
    this.pages = new Pages(this.here, this.tabs, () => this.route());
    this.marked();
    this.slider = data.measure && this.slide(data.measure);
    window.addEventListener("hashchange", () => {
      this.here.follow();
      this.route();
    });
    window.addEventListener("beforeprint", () => this.print());
    document.addEventListener("keydown", (event) => press(event, this.here.keys));
    this.route();
  }

  get anonymous() {
    return document.body.classList.contains("anonymous");
  }

  print() {
    const { tab } = this.here;
    writeOut(tab && !this.home.hidden ? this.tabs.tables[tab] : null);
    const closed = [.../** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll(".matchlist:not([open])"))];
    closed.forEach((list) => { list.open = true; });
    window.addEventListener("afterprint", () => closed.forEach((list) => { list.open = false; }), { once: true });
  }

  /** Marks are others. */
  marked() {
    const number = this.here.marks.size;
    this.saveMarks.hidden = number === 0;
    this.saveMarks.textContent = say(number === 1 ? "marks.save.one" : "marks.save", { number: digits(number) });
    this.tabs.tables.pairs?.refill();
    this.pages?.update();
    if (this.tabs) delete this.tabs.drawn.figures;
  }

  /** @param {boolean} on */
  setAnonymous(on) {
    const { here } = this;
    const heading = on ? here.data.heading : here.data.title;
    this.anonymise.setAttribute("aria-pressed", String(on));
    document.body.classList.toggle("anonymous", on);
    document.title = heading;
    /** @type {HTMLElement} */ (document.querySelector("h1")).textContent = heading;
    here.store.anonymise(on);
    this.tabs.forget();
    here.keep({ anonymous: on ? "1" : null });
    this.route();
  }

  /** @param {Measure} measure */
  slide(measure) {
    const { here } = this;
    const { data, groups, measured } = here;
    const near = el("details", { class: "remark", id: "near" });
    document.querySelector(".remarks")?.prepend(near);
    return new Threshold(byId("threshold-box"), near, {
      measure, unit: data.unit, item: data.item,
      clusters: (step) => (measure.effects ? measure.effects[step][0] : groups && groups.at(step).length),
      nearest: (step) => measured.nearest(step),
      describe: (row) => {
        const [a, b] = here.store.ends(row).map((item) => el("bdi", {}, oneLine(here.store.item(item).name)));
        const value = measured.column ? cellText(measured.column, row) : "";
        return [el("span", { class: "value" }, value), a, el("span", { class: "and" }, say("near.and")), b];
      },
      open: (row) => here.openPair(row),
      changed: (step) => { if (step !== here.step) this.changeStep(measure, step); },
    });
  }

  /** @param {Measure} measure @param {number} step */
  changeStep(measure, step) {
    const { here } = this;
    here.step = step;
    here.keep({ t: step ? String(measure.grid[step]) : null });
    this.tabs.changeStep(this.home.hidden ? null : here.tab, readAddress().params);
  }

  /** Show what the address names. */
  route() {
    const { here, tabs, pages } = this;
    const { page, number: given, params } = readAddress();
    const number = given === null && params.id !== undefined ? here.store.ids(here.store.docs).indexOf(params.id) : given;
    here.kept = { t: params.t, anonymous: params.anonymous };
    if (Boolean(params.anonymous) !== this.anonymous) {
      this.setAnonymous(Boolean(params.anonymous));
      return;
    }
    const notice = this.takeThreshold(params.t);
    const tab = tabs.named(page);
    here.keys = {};
    if (pages.has(page) && number !== null) {
      this.home.hidden = true;
      pages.element.hidden = false;
      document.body.classList.add("paged");
      if (!pages[page](number, params)) this.showTab(pages.instead(page), {}, nowhere(params.id));
    } else if (tab) this.showTab(tab, params, notice);
    else this.showTab("pairs", params, nowhere(params.id));
  }

  /** Return what is wrong with a threshold, if anything is. @param {string | undefined} given */
  takeThreshold(given) {
    const step = given ? (this.here.data.measure?.grid ?? []).indexOf(Number(given)) : 0;
    this.slider?.set(Math.max(step, 0));
    return step < 0 ? say("address.threshold", { value: oneLine(given) }) : "";
  }

  /** @param {Tab} name @param {Params} params @param {string} notice */
  showTab(name, params, notice) {
    const { here, home, pages, tabs } = this;
    const back = home.hidden;
    home.hidden = false;
    pages.element.hidden = true;
    pages.element.replaceChildren();
    document.body.classList.remove("paged");
    here.tab = name;
    byId("notice").textContent = notice;
    byId("notice").hidden = !notice;
    tabs.show(name, params);
    if (back && here.last !== null) tabs.tables[name]?.focus(here.last);
  }
}

/** Say what tables do with the columns that a report holds. @param {ReportData} data */
function prepareColumns({ pairs, measure, items, docs, lead }) {
  for (const column of pairs.columns) {
    const measured = measure !== null && column.name === measure.column;
    if (measured) column.bar = (value) => (measure.higher ? value : 1 - value);
    column.minor = column.type === "share" && !measured;
    column.rare = column.name === RARE;
    column.empty = column.type === "share" && !column.values.some(Boolean);
  }
  items.lead = docs ? "id" : lead; // sentences are what they say
  if (docs) docs.lead = lead;
}

/** Say that an address leads nowhere. @param {string | undefined} id of a document, if it has one */
function nowhere(id) {
  if (id !== undefined) return say("address.document", { id: oneLine(id) });
  return say("address.unknown", { address: oneLine(location.hash).split("?")[0] });
}

async function begin() {
  new Report(await unpack("data"));
  requestAnimationFrame(() => requestAnimationFrame(() => {
    performance.mark("ready");
    document.documentElement.dataset.ready = "yes";
  }));
}

begin();
