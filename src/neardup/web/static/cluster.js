// A page for a cluster: keeper first, its graph, how alike all are, and any two side by side.
import { button, el, meter } from "./dom.js";
import { digits } from "./formats.js";
import { circle, heat, heatLegend } from "./graph.js";
import { fillItem } from "./item.js";
import { drawLanes } from "./lanes.js";
import { limitOf, stepOf, stepSlider } from "./threshold.js";
import { oneLine } from "./visible.js";
import { say } from "./words.js";

/** @typedef {import("./graph.js").Edge} Edge */
/** @typedef {Pick<import("./here.js").Here, "openPair" | "openTwo" | "openDocument">} Ways */

const WIDTH = 560; // of the drawing of dates
const MOST_DRAWN = 40;
const MOST_LISTED = 500;
const MANY = 12; // members from which on not all lines are drawn
const STRONGEST = 2; // lines of each that are, besides that to the kept one

export class ClusterPage {
  /** @param {HTMLElement} container @param {Cluster} cluster @param {import("./store.js").Store} store
   * @param {import("./measured.js").Measured} measured @param {number} step of the slider @param {Ways} ways */
  constructor(container, cluster, store, measured, step, ways) {
    this.cluster = cluster;
    this.store = store;
    this.measured = measured;
    this.step = step;
    this.ways = ways;
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
    this.ways.openDocument(this.store.docOf(this.members[i]));
  }

  /** @param {number} i @param {number} j */
  open(i, j) {
    const row = this.rowOf(i, j);
    if (row >= 0) this.ways.openPair(row);
    else this.ways.openTwo(this.members[i], this.members[j]);
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
    const found = [this.graph(open, toDocument)];
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

  /** @param {(i: number, j: number) => void} open @param {(i: number) => void} choose */
  graph(open, choose) {
    const names = this.names.slice(0, MOST_DRAWN);
    const edges = this.edges(names.length);
    const shown = names.length > MANY ? strongest(edges, names.length) : edges;
    const all = this.cluster.members.length;
    const about = [
      say("cluster.graph.about"),
      shown.length < edges.length ? say("cluster.graph.strongest", { number: STRONGEST }) : "",
      all > MOST_DRAWN ? say("cluster.drawn", { shown: MOST_DRAWN, all: digits(all) }) : "",
    ].filter(Boolean).join(" ");
    const picture = circle(names, shown, open, choose);
    return figure(say("cluster.graph"), about, picture, ...this.fading(picture, shown));
  }

  /** Return the lines between some members. @param {number} total */
  edges(total) {
    const isPair = this.measured.pairsAt(this.step);
    /** @type {Edge[]} */
    const found = [];
    for (let from = 0; from < total; from += 1) {
      for (let to = from + 1; to < total; to += 1) {
        const value = this.valueOf(from, to);
        const row = this.rowOf(from, to);
        if (value !== null) found.push({ from, to, value, row, off: !isPair(row) });
      }
    }
    return found;
  }

  /** Make a slider of its own: lines beyond another threshold fade. @param {SVGElement} graph @param {Edge[]} edges */
  fading(graph, edges) {
    const { measure } = this.measured;
    if (!measure || !edges.length) return [];
    const slider = stepSlider(measure, this.step, { id: "fade" });
    const value = el("output", { for: "fade" });
    const update = () => {
      const at = stepOf(measure, slider);
      const isPair = this.measured.pairsAt(at);
      value.textContent = measure.grid[at].toFixed(2);
      graph.querySelectorAll(".edge").forEach((line, i) => line.classList.toggle("off", !isPair(edges[i].row)));
    };
    slider.addEventListener("input", update);
    update();
    return [el("p", { class: "fade" }, el("label", { for: "fade" }, `${limitOf(measure)} `, value), slider)];
  }
}

/** Of many, return the lines to the kept one, and the strongest of each; the rest would be a ball of wool.
 * @param {Edge[]} edges @param {number} total */
function strongest(edges, total) {
  const chosen = new Set(edges.filter((edge) => edge.from === 0));
  /** @type {Edge[][]} */
  const own = Array.from({ length: total }, () => []);
  for (const edge of edges) if (edge.from !== 0) for (const end of [edge.from, edge.to]) own[end].push(edge);
  for (const some of own) for (const edge of some.sort((x, y) => y.value - x.value).slice(0, STRONGEST)) chosen.add(edge);
  return edges.filter((edge) => chosen.has(edge));
}

/** @param {string} title @param {string | null} hint @param {...Element} pictures */
function figure(title, hint, ...pictures) {
  return el("figure", {}, el("h3", {}, title), ...pictures, hint ? el("figcaption", {}, hint) : null);
}
