// The tabs of a report: tables of pairs, clusters and documents, a map, quotations, and figures.
import { goTo } from "./address.js";
import { byId, el } from "./dom.js";
import { capital } from "./formats.js";
import { showJudged } from "./judged.js";
import { clusters, documents, pairs } from "./listings.js";
import { showOverview } from "./overview.js";
import { showQuotations } from "./quotations.js";
import { Table } from "./table.js";
import { say } from "./words.js";

export class Tabs {
  /** @param {import("./here.js").Here} here */
  constructor(here) {
    this.here = here;
    /** @type {Tab[]} */
    const all = ["pairs", "map", "clusters", "documents", "old", "quotations", "figures"];
    const has = { clusters: here.groups, old: here.store.docs.old, quotations: here.data.texts.reused.length };
    this.names = all.filter((name) => !Object.hasOwn(has, name) || has[/** @type {keyof typeof has} */ (name)]);
    /** @type {Partial<Record<Tab, Table>>} */
    this.tables = {};
    /** @type {Partial<Record<Tab, string>>} */
    this.drawn = {}; // what each shows
    this.navigation();
  }

  navigation() {
    const found = byId("tabs");
    for (const [name, href] of this.here.data.links || []) found.append(el("a", { href, class: "elsewhere" }, name));
    for (const name of this.names) found.append(el("a", { href: `#${name}`, "data-tab": name }, this.label(name)));
    found.addEventListener("click", (event) => {
      const { tab } = /** @type {HTMLElement} */ (event.target).dataset;
      if (!tab) return;
      event.preventDefault();
      goTo(tab, null, this.here.kept);
    });
  }

  /** @param {Tab} name */
  label(name) {
    const { data } = this.here;
    if (name === "old") return data.old;
    return name === "documents" && !data.docs ? capital(data.item[1]) : say(`tab.${name}`);
  }

  /** Return which tab a name is of. @param {string} name */
  named(name) {
    return this.names.find((own) => own === name);
  }

  /** @param {Tab} name @param {Params} params */
  show(name, params) {
    for (const tab of byId("tabs").querySelectorAll("a")) {
      if (tab.dataset.tab === name) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    }
    for (const tab of this.names) byId(`panel-${tab}`).hidden = tab !== name;
    this.fill(name, params);
  }

  /** Fill a tab, unless it shows that already. @param {Tab} name @param {Params} params */
  fill(name, params) {
    const { here } = this;
    if (this.drawn[name] === keyOf(params)) return;
    this.drawn[name] = keyOf(params);
    if (name === "map") showOverview(byId("panel-map"), here);
    else if (name === "quotations") showQuotations(byId("panel-quotations"), here);
    else if (name !== "figures") this.list(name, params);
    else if (here.store.served) showJudged(byId("panel-figures"));
  }

  /** @param {Exclude<Tab, "map" | "quotations" | "figures">} name @param {Params} params */
  list(name, params) {
    const { here } = this;
    const listed = name === "pairs" ? pairs(here) : name === "clusters" ? clusters(here) : documents(here, name === "old");
    const table = new Table(byId(`panel-${name}`), {
      state: params, file: `${name}.csv`, label: this.label(name).toLowerCase(), ...listed,
      changed: (state) => {
        this.drawn[name] = keyOf(state);
        here.replace(name, null, { ...here.kept, ...state });
      },
    });
    this.drawn[name] = keyOf(params);
    this.tables[name] = table;
    return table;
  }

  /** Return the table of pairs. @param {Params} params of it, if it is not there yet */
  pairs(params) {
    return this.tables.pairs ?? this.list("pairs", params);
  }

  /** Names are others: all is drawn anew. */
  forget() {
    this.drawn = {};
    this.tables = {};
  }

  /** The threshold is another one. @param {Tab | null} shown the tab that is, if one is @param {Params} params */
  changeStep(shown, params) {
    const { pairs: known, documents: docs, old, quotations } = this.drawn;
    this.tables.pairs?.choose(this.here.isPair(), this.here.measured.total(this.here.step));
    this.drawn = { pairs: known, documents: docs, old, quotations };
    if (shown) this.fill(shown, params);
  }
}

/** Return what a tab shows, as far as its address says it. @param {Params} params */
function keyOf(params) {
  return JSON.stringify(Object.entries(params).filter(([name, value]) => value && /^(?:q|sort|is\..*)$/su.test(name)));
}
