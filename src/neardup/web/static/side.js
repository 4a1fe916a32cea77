// The server's pages: a list, and beside it pages of their own for two texts, with addresses to go back and forth.
import { goTo, readAddress, replaceAddress } from "./address.js";
import { button, byId, el, meter } from "./dom.js";
import { percent } from "./formats.js";
import { press } from "./keys.js";
import { say } from "./words.js";

/** @typedef {{title: string, keys?: Keys} | {missing: string}} Shown missing: why there is nothing to show */
/** @typedef {(params: Record<string, string | undefined>, content: HTMLElement) => Promise<Shown>} Show */

export class Sides {
  /** @param {Record<string, Show>} pages called when addresses name them */
  constructor(pages) {
    this.pages = pages;
    this.home = byId("home");
    this.page = byId("page");
    /** @type {Keys} */
    this.keys = {};
    /** @type {HTMLElement | null} */
    this.opener = null;
    this.missing = "";
    window.addEventListener("hashchange", () => this.route());
    document.addEventListener("keydown", (event) => press(event, this.keys));
  }

  async route() {
    const { page, params } = readAddress();
    const notice = byId("notice");
    notice.hidden = !this.missing;
    notice.textContent = this.missing;
    this.missing = "";
    this.keys = {};
    if (this.pages[page]) await this.open(this.pages[page], params);
    else this.close();
  }

  close() {
    this.home.hidden = false;
    this.page.hidden = true;
    this.page.replaceChildren();
    if (this.opener?.isConnected) this.opener.focus();
  }

  /** @param {Show} show @param {Record<string, string | undefined>} params */
  async open(show, params) {
    this.opener = /** @type {HTMLElement | null} */ (document.activeElement);
    const content = el("div", { class: "view" }, el("p", { class: "hint" }, say("comparing")));
    const title = el("h2", { class: "page-title", tabindex: -1 });
    const back = () => (history.length > 1 ? history.back() : goTo("search", null));
    const up = button(`← ${say("back")}`, "Escape", back, { class: "back" });
    this.page.replaceChildren(el("div", { class: "viewbar" }, up, title), content);
    this.home.hidden = true;
    this.page.hidden = false;
    this.keys = { Escape: back };
    title.focus();
    const shown = await show(params, content);
    if ("missing" in shown) {
      replaceAddress("search", null);
      this.missing = shown.missing;
      await this.route();
      return;
    }
    title.textContent = shown.title;
    Object.assign(this.keys, shown.keys);
  }
}

/** @param {string} label @param {number} value */
export function share(label, value) {
  return el("div", {}, el("dt", {}, label), el("dd", {}, meter(value), percent(value)));
}

const MOST_SENT = 3000; // characters that mail and chats leave whole

/** A text that is short goes into the address, so that whoever gets it sees the same; servers never see that part.
 * @param {Record<string, string>} texts */
export function sent(texts) {
  const total = Object.values(texts).reduce((sum, text) => sum + encodeURIComponent(text).length, 0);
  return total <= MOST_SENT ? texts : {};
}

// What is typed is kept while one looks at another page, if the browser keeps anything.

/** @param {string} name */
export function recall(name) {
  try { return sessionStorage.getItem(name); } catch { return null; }
}

/** @param {string} name @param {string} value */
export function remember(name, value) {
  try { sessionStorage.setItem(name, value); } catch { /* then it is typed again */ }
}
