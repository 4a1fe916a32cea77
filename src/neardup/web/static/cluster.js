// A page for a cluster: keeper first, its map, how alike all are, and any two side by side.
import { scalesOf } from "./colours.js";
import { button, el, meter } from "./dom.js";
import { digits } from "./formats.js";
import { heat, heatLegend } from "./graph.js";
import { fillItem } from "./item.js";
import { drawLanes } from "./lanes.js";
import { mapOf } from "./overview.js";
import { oneLine } from "./visible.js";
import { say } from "./words.js";

const WIDTH = 560; // of the drawings
const MOST_DRAWN = 40; // members in the drawing of how alike all are
const MOST_LISTED = 500;

export class ClusterPage {
  /** @param {HTMLElement} container @param {Cluster} cluster @param {import("./here.js").Here} here */
  constructor(container, cluster, here) {
    const { store } = here;
    this.cluster = cluster;
    this.here = here;
    this.store = store;
    this.measured = here.measured;
    this.members = cluster.members.slice(0, MOST_LISTED);
    this.names = this.members.map((member) => store.item(member).name ?? "");
    /** @type {Set<number>} */
    this.chosen = new Set();
    this.compare = button(say("cluster.compare"), null, () => this.openChosen(), { disabled: true });
    const more = cluster.members.length - this.members.length;
    container.replaceChildren(
      el("p", { class: "hint" }, say("cluster.hint")),
      el("div", { class: "split" },
        el("section", {}, el("div", { class: "heading" }, el("h3", {}, say("cluster.members")), this.compare),
          el("ol", { class: "members" }, ...this.members.map((member, i) => this.line(member, i))),
          more > 0 ? el("p", { class: "hint" }, say("cluster.more", { number: digits(more) })) : null),
        el("section", { class: "drawings" }, ...this.drawings())));
  }

  /** @param {number} member @param {number} i */
  line(member, i) {
    const similarity = this.cluster.similarity[i];
    const name = el("span", { class: "name" });
    fillItem(name, this.store.items, member, false);
    const value = i === 0 ? say("kept") : similarity === null ? say("connected") : similarity.toFixed(3);
    const check = el("input", { type: "checkbox", "aria-label": say("cluster.choose", { name: oneLine(this.names[i]) }) });
    check.addEventListener("change", () => this.choose(i, check.checked));
    const onclick = () => (i === 0 ? this.openDocument(i) : this.open(0, i));
    return el("li", {}, check, el("span", { class: "number" }, String(i + 1)),
      el("button", { type: "button", class: "member", onclick },
        el("span", { class: "value" }, value, similarity === null ? "" : meter(similarity)), name));
  }

  /** @param {number} i @param {boolean} on */
  choose(i, on) {
    if (on) this.chosen.add(i);
    else this.chosen.delete(i);
    this.compare.disabled = this.chosen.size !== 2;
  }

  openChosen() {
    const [i, j] = [...this.chosen].sort((x, y) => x - y);
    if (this.chosen.size === 2) this.open(i, j);
  }

  /** @param {number} i */
  openDocument(i) {
    this.here.openDocument(this.store.docOf(this.members[i]));
  }

  /** @param {number} i @param {number} j */
  open(i, j) {
    const row = this.rowOf(i, j);
    if (row >= 0) this.here.openPair(row);
    else this.here.openTwo(this.members[i], this.members[j]);
  }

  /** @param {number} i @param {number} j */
  rowOf(i, j) {
    return this.store.rowOf(this.members[i], this.members[j]);
  }

  /** Return how close two are, null if that is not known. @param {number} i @param {number} j */
  valueOf(i, j) {
    const row = this.measured.measure ? this.rowOf(i, j) : -1;
    return row < 0 ? null : this.measured.closeness(this.measured.values[row]);
  }

  drawings() {
    const { members, names } = this;
    const toDocument = (/** @type {number} */ i) => this.openDocument(i);
    const open = (/** @type {number} */ i, /** @type {number} */ j) => this.open(i, j);
    const found = this.map();
    if (members.length >= 4 && this.cluster.members.length <= MOST_DRAWN) {
      const fields = heat(names, (i, j) => this.valueOf(i, j), open);
      const wide = el("div", { class: "wide", tabindex: 0, role: "region", "aria-label": say("cluster.heat") }, fields);
      found.push(figure(say("cluster.heat"), say("cluster.heat.about"), wide, heatLegend()));
    }
    const { since, date } = this.store.docs;
    const dots = members.map((member, i) => {
      const doc = this.store.docOf(member);
      const said = `${i + 1}: ${oneLine(names[i])}, ${date?.[doc]}`;
      return { time: since?.[doc] ?? NaN, said, kind: i ? "s0" : "s1", large: !i, open: () => toDocument(i) };
    });
    const line = drawLanes([{ name: "", dots }], WIDTH);
    return line ? [figure(say("cluster.time"), null, line), ...found] : found;
  }

  /** Draw who is like whom, if there is anything to draw. */
  map() {
    const [isPair, inside] = [this.here.isPair(), new Set(this.cluster.members)];
    const own = (/** @type {number} */ row) => isPair(row) && this.store.ends(row).every((item) => inside.has(item));
    const kinds = scalesOf(this.here).at(-1);
    const drawn = kinds && mapOf(this.here, own, [Math.min(WIDTH, innerWidth - 60), WIDTH])?.drawn(kinds);
    return drawn ? [figure(say("cluster.graph"), say("cluster.graph.about"), drawn.legend, drawn.chart.element)] : [];
  }
}

/** @param {string} title @param {string | null} hint @param {...Element} pictures */
function figure(title, hint, ...pictures) {
  return el("figure", {}, el("h3", {}, title), ...pictures, hint ? el("figcaption", {}, hint) : null);
}
