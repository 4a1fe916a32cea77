// The page of threads: a new one is looked up while it is typed; has it been asked before?
import { readAddress, writeAddress } from "./address.js";
import { Asking } from "./asking.js";
import { byId, el, link } from "./dom.js";
import { plural } from "./formats.js";
import { showPair } from "./pair.js";
import { send } from "./send.js";
import { recall, remember, sent, share, Sides } from "./side.js";
import { hasWords } from "./text.js";
import { oneLine } from "./visible.js";
import { say } from "./words.js";

const MOST_KEPT = 100_000; // characters of a field

class Asked {
  constructor() {
    this.asking = new Asking(() => this.ask());
    /** @type {Map<string, HTMLTextAreaElement>} */
    this.inputs = new Map();
    /** @type {{thread: Record<string, string>, found: ThreadAbout[]}} */
    this.last = { thread: {}, found: [] }; // what is shown
  }

  async begin() {
    const sides = new Sides({ thread: (params, content) => this.showThread(params, content) });
    await this.greet();
    if (Object.keys(this.thread()).length) await this.ask();
    await sides.route();
    document.documentElement.dataset.ready = "yes";
  }

  async greet() {
    const [, found] = await send("GET", "/healthz");
    const { threads, problem } = found.asked;
    /** @type {string[]} */
    const names = found.asked.fields;
    byId("about").textContent = problem || say("threads", { threads: plural(threads, "thread") });
    const given = readAddress().params;
    names.forEach((name, number) => {
      const input = el("textarea", { id: `field-${number}`, rows: number ? 4 : 2, dir: "auto", spellcheck: "false" });
      input.value = given[`is.${name}`] || recall(`neardup-${name}`) || "";
      this.inputs.set(name, input);
      byId("fields").append(el("label", { for: input.id }, oneLine(name)), input);
    });
    this.inputs.get(names[0])?.focus();
  }

  /** Return the fields that something was typed into. */
  thread() {
    const typed = [...this.inputs].map(([name, input]) => [name, input.value]);
    return Object.fromEntries(typed.filter(([, text]) => hasWords(text)));
  }

  async ask() {
    const thread = this.thread();
    this.asking.stop();
    for (const [name, input] of this.inputs) remember(`neardup-${name}`, input.value.slice(0, MOST_KEPT));
    if (!Object.keys(thread).length) {
      this.clear();
      this.asking.status.textContent = "";
      return;
    }
    const least = /** @type {HTMLInputElement} */ (byId("least"));
    const body = { thread, top: 10, least: Number(least.value) || 0.3 };
    await this.asking.lookUp("/asked", body, ({ found, nearest }, time) => this.show(thread, found, nearest, time),
      () => this.clear());
  }

  clear() {
    byId("matches").replaceChildren();
    byId("near").hidden = true;
  }

  /** @param {Record<string, string>} thread @param {FoundThread[]} found @param {NearThread[]} nearest @param {number} time */
  show(thread, found, nearest, time) {
    this.last = { thread, found: [...found, ...nearest] };
    this.asking.status.textContent = found.length
      ? say("asked", { threads: plural(found.length, "threads"), time }) : say("asked.none", { time });
    byId("matches").replaceChildren(...found.map((one) => this.item(one)));
    byId("nearest").replaceChildren(...nearest.map((one) => this.suggestion(one)));
    byId("near").hidden = !nearest.length;
  }

  /** @param {string} id */
  addressOf(id) {
    const fields = Object.fromEntries(Object.entries(this.last.thread).map(([name, text]) => [`is.${name}`, text]));
    return writeAddress("thread", null, { id, ...sent(fields) });
  }

  /** @param {FoundThread} one */
  item(one) {
    const shares = Object.entries(one.fields).map(([name, value]) => (value === null ? null : share(oneLine(name), value)));
    return this.entry(one, "h2", el("dl", { class: "shares" }, share(say("similarity"), one.similarity), ...shares));
  }

  /** @param {NearThread} one */
  suggestion(one) {
    const words = one.words.map(oneLine).join(", ");
    return this.entry(one, "h3", el("dl", { class: "shares" }, share(say("asked.nearness"), one.nearness)),
      words ? el("p", { class: "about" }, el("bdi", {}, say("asked.words", { words }))) : null);
  }

  /** @param {ThreadAbout} one @param {"h2" | "h3"} heading @param {...(Node | null)} said */
  entry({ id, title, date, url }, heading, ...said) {
    const about = [title ? id : null, date].filter(Boolean).map(oneLine).join(" · ");
    return el("li", { class: "match" },
      el("div", { class: "matchhead" }, el(heading, {}, el("bdi", {}, link(url, oneLine(title || id))))),
      about ? el("p", { class: "about" }, el("bdi", {}, about)) : null,
      ...said,
      el("p", { class: "ways" }, el("a", { class: "compare", href: this.addressOf(id) }, say("side")),
        el("a", { href: `/report${writeAddress("document", null, { id })}` }, say("in.report"))));
  }

  /** Show a thread as it was asked, with its body, beside the new one.
   * @param {Record<string, string | undefined>} params @param {HTMLElement} content
   * @returns {Promise<import("./side.js").Shown>} */
  async showThread(params, content) {
    const { thread, found } = this.last;
    const one = found.find((own) => own.id === params.id);
    if (!one) return { missing: found.length ? say("address.match", { id: oneLine(params.id) }) : say("address.text") };
    const [good, view] = await send("POST", "/asked/view", { thread, id: one.id });
    const title = oneLine(one.title || one.id);
    if (good) return { title, keys: showPair(content, view, { match: view.matches.length ? 0 : null }) };
    content.replaceChildren(el("p", { class: "note" }, view.error));
    return { title };
  }
}

new Asked().begin();
