// The search page: a text is looked up while it is typed, and shown beside what was found.
import { readAddress, writeAddress } from "./address.js";
import { Asking } from "./asking.js";
import { showDocument } from "./document.js";
import { byId, el, link } from "./dom.js";
import { percent, plural } from "./formats.js";
import { showPair } from "./pair.js";
import { send } from "./send.js";
import { recall, remember, sent, share, Sides } from "./side.js";
import { joined, snippet } from "./snippet.js";
import { sharedSpans } from "./spans.js";
import { hasWords, points, Text } from "./text.js";
import { oneLine } from "./visible.js";
import { named, say } from "./words.js";

/** @typedef {Record<string, string | undefined>} Asked */
/** @typedef {import("./side.js").Shown} Shown */

const SNIPPETS = 3; // passages of a match that are shown in the list
const MOST_KEPT = 1_000_000; // characters

class Search {
  constructor() {
    this.field = /** @type {HTMLTextAreaElement} */ (byId("text"));
    this.threshold = /** @type {HTMLInputElement} */ (byId("threshold"));
    this.asking = new Asking(() => this.ask());
    /** @type {{text: string, matches: Found[]}} */
    this.last = { text: "", matches: [] }; // what is shown
    this.reported = false; // whether the server has a report, too
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.ask();
    });
    this.field.value = readAddress().params.text || this.field.value || recall("neardup-text") || "";
  }

  async begin() {
    const sides = new Sides({
      match: (params, content) => this.showMatch(params, content),
      sources: (params, content) => this.showSources(params, content),
    });
    await this.greet();
    if (this.field.value.trim()) await this.ask(); // a browser may keep what was typed
    await sides.route();
    document.documentElement.dataset.ready = "yes";
  }

  async greet() {
    const [, found] = await send("GET", "/healthz");
    const documents = found.index ? found.index.documents : 0;
    this.reported = Boolean(found.result);
    byId("about").textContent = documents ? say("index.size", { documents: plural(documents, "document") }) : say("index.empty");
  }

  async ask() {
    const text = this.field.value;
    this.asking.stop();
    if (!hasWords(text)) {
      this.clear();
      this.asking.status.textContent = text.trim() ? say("one.word") : "";
      return;
    }
    remember("neardup-text", text.slice(0, MOST_KEPT));
    const body = { text, threshold: Number(this.threshold.value) || 0.7, differences: true };
    await this.asking.lookUp("/query", body, (found, time) => this.show(text, found, time), () => this.clear());
  }

  clear() {
    this.last = { text: "", matches: [] };
    byId("matches").replaceChildren();
    byId("covered").replaceChildren();
  }

  /** @param {string} text @param {{total: number, matches: Found[], note?: string}} found @param {number} time */
  show(text, { total, matches, note }, time) {
    const characters = Array.from(text); // offsets count these, not what a browser counts
    const rest = total > matches.length ? say("found.rest", { number: matches.length }) : "";
    this.last = { text, matches };
    this.asking.status.textContent = total
      ? say("found", { documents: plural(total, "shares"), time, rest }) : say("found.none", { time });
    if (note) this.asking.status.textContent += `. ${note}`;
    const sources = el("p", {}, el("a", { href: writeAddress("sources", null, sent({ text })) }, say("sources")));
    byId("covered").replaceChildren(...(total ? [sources] : []));
    byId("matches").replaceChildren(...matches.map((match) => this.item(characters, match)));
    if (this.reported && matches.length) this.leadToReport(matches);
  }

  /** Lead to the report from documents that are in it. @param {Found[]} matches */
  async leadToReport(matches) {
    const [good, { ids }] = await send("GET", `/report/documents?${new URLSearchParams(matches.map(({ id }) => ["id", id]))}`);
    const known = new Set(good ? ids : []);
    for (const way of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a.reported"))) {
      const id = way.dataset.id ?? "";
      way.hidden = !known.has(id);
      way.href = `/report${writeAddress("document", null, { id })}`;
    }
  }

  /** @param {string} id */
  addressOf(id) {
    return writeAddress("match", null, { id, ...sent({ text: this.last.text }) });
  }

  /** @param {string[]} characters @param {Found} match */
  item(characters, match) {
    const { id, title, date, url, kind, passages } = match;
    const about = [title, date].filter(Boolean).map(oneLine).join(" · ");
    const runs = passages.length ? passages : joined(match.common);
    const more = Math.max(match.passages_found, runs.length) - SNIPPETS;
    return el("li", { class: "match" },
      el("div", { class: "matchhead" }, el("h2", {}, el("bdi", {}, oneLine(id))), el("span", { class: "kind" }, named(kind))),
      about || url ? el("p", { class: "about" }, el("bdi", {}, about, " ", link(url, oneLine(url)))) : null,
      el("dl", { class: "shares" },
        share(say("shared.words"), match.words_query), share(say("shared.document"), match.words_document),
        share(say("resemblance"), match.resemblance)),
      ...runs.slice(0, SNIPPETS).map((passage) => snippet(characters, passage)),
      more > 0 ? el("p", { class: "hint" }, say("more.passages", { passages: plural(more, "passage") })) : null,
      el("p", { class: "ways" }, el("a", { class: "compare", href: this.addressOf(id) }, say("side")),
        this.reported ? el("a", { class: "reported", hidden: true, "data-id": id }, say("in.report")) : null),
    );
  }

  /** Of an address that was sent, or of one before: the text that it has is looked up, if it is another one.
   * @param {Asked} params */
  async take({ text }) {
    if (text === undefined || text === this.last.text) return;
    this.field.value = text;
    await this.ask();
  }

  /** @param {string | undefined} id */
  missing(id) {
    return { missing: this.last.text && id !== undefined ? say("address.match", { id: oneLine(id) }) : say("address.text") };
  }

  /** @param {Asked} params @param {HTMLElement} content @returns {Promise<Shown>} */
  async showMatch(params, content) {
    await this.take(params);
    const { text, matches } = this.last;
    const match = matches.find((own) => own.id === params.id);
    if (!match) return this.missing(params.id);
    const [good, view] = await send("POST", "/view", { text, id: match.id });
    const title = say("and.yours", { id: oneLine(match.id) });
    if (!good) {
      content.replaceChildren(el("p", { class: "note" }, view.error));
      return { title };
    }
    const shares = [match.words_document, match.words_query].map(percent); // as in the list
    const verdict = { figure: percent(match.words_query), said: say("shared.words") };
    const facts = view.facts.map((/** @type {[string, string]} */ [label, value], /** @type {number} */ i) => (
      [label, i ? shares[i - 1] : value]));
    return { title, keys: showPair(content, { ...view, facts, verdict, b: { ...view.b, id: say("your.text") } }, { match: 0 }) };
  }

  /** Show the text once, with all passages that documents of the index share with it.
   * @param {Asked} params @param {HTMLElement} content @returns {Promise<Shown>} */
  async showSources(params, content) {
    await this.take(params);
    const { text, matches } = this.last;
    if (!matches.length) return this.missing(params.id);
    const side = { text: /** @type {Piece[]} */ ([[0, text]]), length: points(text) };
    const whole = new Text(side.text, side.length);
    const spans = matches.flatMap(({ passages, common }, source) => {
      const runs = passages.length ? passages.flatMap((passage) => passage.common) : common;
      return sharedSpans(whole, runs.map((run) => [run.start_query, run.end_query]))
        .map(([start, end]) => /** @type {[number, number, number]} */ ([start, end, source]));
    });
    const sources = matches.map(({ id, title, words_query: words }) => (
      { name: id, about: title, share: words, open: () => { location.hash = this.addressOf(id); } }));
    showDocument(content, { side, spans, sources });
    return { title: say("sources") };
  }
}

new Search().begin();
