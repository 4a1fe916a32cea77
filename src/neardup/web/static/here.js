// What a report is about, and where one is in it: what its tabs and pages share.
import { goTo, readAddress, replaceAddress } from "./address.js";
import { Groups } from "./groups.js";
import { Marks } from "./marks.js";
import { Measured } from "./measured.js";
import { Store } from "./store.js";

export class Here {
  /** @param {ReportData} data @param {() => void} marked is told of other marks */
  constructor(data, marked) {
    this.data = data;
    this.store = new Store(data);
    this.measured = new Measured(data);
    this.groups = data.clusters?.members.length ? new Groups(this.store, this.measured) : null;
    this.marks = new Marks(this.store, marked);
    this.step = 0; // of the slider
    /** @type {Tab | null} */
    this.tab = null; // that is shown, or was before a page
    /** @type {number | null} */
    this.last = null; // the row that was opened
    /** @type {Keys} */
    this.keys = {};
    this.trail = [location.hash]; // addresses, to go back by
    /** @type {Params} */
    this.kept = {}; // what an address keeps from page to page: the threshold, and whether names are shown
  }

  /** Return the clusters that there are now. */
  clusters() {
    return this.groups ? this.groups.at(this.step) : [];
  }

  /** Return which rows are pairs now. */
  isPair() {
    return this.measured.pairsAt(this.step);
  }

  /** Take over another address. */
  follow() {
    if (this.trail.at(-2) === location.hash) this.trail.pop();
    else this.trail.push(location.hash);
  }

  /** Say where one is, without a new step to go back to.
   * @param {string} page @param {number | null} number @param {Params} params */
  replace(page, number, params) {
    replaceAddress(page, number, params);
    this.trail[this.trail.length - 1] = location.hash;
  }

  /** Keep something from page to page, beginning with this one. @param {Params} params */
  keep(params) {
    const { page, number, params: known } = readAddress();
    Object.assign(this.kept, params);
    this.replace(page, number, { ...known, ...params });
  }

  back() {
    if (this.trail.length > 1) history.back();
    else goTo(this.tab || "pairs", null, this.kept);
  }

  /** @param {number} row */
  openPair(row) {
    const { page, params } = readAddress();
    this.last = row;
    goTo("pair", row + 1, page === "pairs" ? params : this.kept);
  }

  /** @param {number} doc */
  openDocument(doc) {
    goTo("document", doc, this.kept);
  }

  /** @param {number} keeper */
  openCluster(keeper) {
    goTo("cluster", keeper, this.kept);
  }

  /** @param {number} a @param {number} b */
  openTwo(a, b) {
    goTo("two", a, { ...this.kept, with: b });
  }
}
