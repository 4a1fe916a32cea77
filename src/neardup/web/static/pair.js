// Two texts side by side, or in one column, in rows that keep equal text level.
import { editCurve } from "./curve.js";
import { button, el, link, plainButton } from "./dom.js";
import { digits, percent, plural } from "./formats.js";
import { besides } from "./item.js";
import { Lines } from "./lines.js";
import { kindSaid, matchList } from "./matchlist.js";
import { ribbon } from "./ribbon.js";
import { Rows } from "./rows.js";
import { Text, uncountedSaid } from "./text.js";
import { changesSaid } from "./verdict.js";
import { oneLine } from "./visible.js";
import { say } from "./words.js";

/**
 * @typedef {object} Options
 * @property {number | null} [match] the one to begin with
 * @property {(match: number) => void} [chosen] is told of another
 * @property {boolean} [context] what is in no match is around it, and no difference
 * @property {(side: number) => void} [open] called with 0 or 1 when the name of a side is clicked
 */

/** @type {{folded: boolean | null, single: boolean | null, fixed: boolean}} */
const looks = { folded: null, single: null, fixed: false }; // as they were left, for the next pair
const NARROW = 700; // pixels
const NEARLY_ALL = 0.8; // of both texts
const LOOK_KEYS = { folded: "f", single: "c", fixed: "w" };
/** @typedef {keyof typeof looks} Look */

/** Show two texts, and return what keys do. @param {HTMLElement} container @param {PairView} view @param {Options} [options]
 * @returns {Keys} */
export function showPair(container, view, options = {}) {
  let pair = new Pair(container, view, options, openWhole);
  return {
    j: () => pair.walk(1), k: () => pair.walk(-1), n: () => pair.jump(1), p: () => pair.jump(-1),
    f: () => pair.toggle("folded"), c: () => pair.toggle("single"), w: () => pair.toggle("fixed"),
  };

  // Show what was cut, in both texts.
  async function openWhole() {
    const [a, b] = await Promise.all([view.a, view.b].map(async (side) => (
      { ...side, text: side.whole ? await side.whole() : side.text, whole: null })));
    const match = pair.match < 0 ? options.match : pair.match;
    pair = new Pair(container, { ...view, a, b }, { ...options, match }, openWhole);
    pair.body.focus();
  }
}

class Pair {
  /** @param {HTMLElement} container @param {PairView} view @param {Options} options @param {() => void} openWhole */
  constructor(container, view, options, openWhole) {
    this.container = container;
    this.options = options;
    this.matches = view.matches || [];
    this.match = -1; // where one is
    this.difference = -1;
    this.laid = laidOut(view, this.matches, Boolean(options.context), openWhole);
    this.differences = this.laid ? this.laid.differences : 0;
    this.lines = this.laid && new Lines(this.laid, this.matches, (number) => this.show(number));
    this.body = el("div", { class: "lines", tabindex: 0, role: "region", "aria-label": say("texts") });
    this.whereDifference = el("span", { class: "where", role: "status" });
    this.whereMatch = el("span", { class: "where", role: "status" });
    container.replaceChildren(
      verdict(view, this.laid),
      el("div", { class: "pairbar" }, facts(view), this.laid && this.walking()),
      ...(view.note ? [el("p", { class: "note" }, view.note)] : []),
      ...(this.laid && this.matches.length ? this.pictures(this.laid) : []),
      ...(view.curve ? [editCurve(view.curve)] : []),
      el("div", { class: "sides" }, this.name(view.a, 0), this.name(view.b, 1)),
      this.laid && this.matches.length ? legend(this.differences) : "",
      el("p", { class: "hint uncounted" }, uncountedSaid([view.a.pale, view.b.pale])),
      this.body,
    );
    this.fill();
    this.describe();
    if (this.matches.length && this.scrolls) this.reveal(`[data-match="${options.match ?? 0}"]`, 4); // pages open at their top
    if (typeof options.match === "number") this.show(options.match);
  }

  walking() {
    return el("div", { class: "walk" },
      this.steps("difference", "k", "j", (by) => this.walk(by), this.differences, this.whereDifference),
      this.steps("match", "p", "n", (by) => this.jump(by), this.matches.length, this.whereMatch),
      el("div", { class: "group" },
        this.lookButton("fold", "folded"), this.lookButton("columns", "single"), this.lookButton("fixed", "fixed")));
  }

  /** Return buttons to the one before and the next. @param {"difference" | "match"} what @param {string} before
   * @param {string} next @param {(by: number) => void} go @param {number} total @param {HTMLElement} where */
  steps(what, before, next, go, total, where) {
    const disabled = !total;
    return el("div", { class: total < 2 ? "group few" : "group" }, el("span", { class: "label" }, say(what)),
      button("↑", before, () => go(-1), { disabled, "aria-label": `${say("previous")}: ${say(what)}` }),
      button("↓", next, () => go(1), { disabled, "aria-label": `${say("next")}: ${say(what)}` }), where);
  }

  /** @param {Word} label @param {Look} look */
  lookButton(label, look) {
    const key = LOOK_KEYS[look];
    const is = { class: "toggle", "data-look": key, "aria-pressed": String(this.looks(look)) };
    return button(say(label), key, () => this.toggle(look), is);
  }

  /** Say whether a look holds: as it was left, or as it is at first. @param {Look} look */
  looks(look) {
    const first = { folded: Boolean(this.options.context), single: innerWidth < NARROW, fixed: false };
    return looks[look] ?? first[look];
  }

  /** @param {Look} look */
  toggle(look) {
    looks[look] = !this.looks(look);
    const pressed = this.container.querySelector(`[data-look="${LOOK_KEYS[look]}"]`);
    pressed?.setAttribute("aria-pressed", String(looks[look]));
    this.fill();
    if (this.difference >= 0) this.step(this.difference);
    else if (this.match >= 0) this.show(this.match);
  }

  /** @param {Side} side @param {number} number */
  name(side, number) {
    const { open } = this.options;
    const letter = "AB"[number];
    const length = side.length ? plural(side.length, "character") : null;
    const about = [...besides(side), length].filter(Boolean).map(oneLine);
    const text = oneLine(side.name ?? side.id);
    return el("div", { class: "side" },
      el("h3", {}, el("span", { class: "letter", "aria-label": say("letters", { letter }) }, letter),
        open ? plainButton(text, () => open(number)) : el("bdi", {}, text)),
      el("p", { class: "about" }, el("bdi", {}, about.join(" · ")),
        side.url ? el("bdi", { class: "url" }, " ", link(side.url, oneLine(side.url))) : null));
  }

  fill() {
    const single = this.looks("single");
    this.body.className = `lines${single ? " single" : ""}${this.looks("fixed") ? " fixed" : ""}`;
    this.container.classList.toggle("one-column", single);
    if (!this.lines) {
      this.body.replaceChildren(el("p", { class: "empty" }, say("no.text")));
      return;
    }
    const folds = this.looks("folded") && this.matches.length > 0;
    this.body.classList.toggle("abridged", folds);
    const { context } = this.options;
    this.body.replaceChildren(...this.lines.drawn(single, (row) => folds && (context ? Boolean(row.context) : row.same)));
  }

  /** Go to the next difference, or the one before. @param {number} by */
  walk(by) {
    const from = this.difference < 0 && by < 0 ? 0 : this.difference;
    if (this.differences) this.step((from + by + this.differences) % this.differences);
  }

  /** @param {number} number */
  step(number) {
    this.difference = number;
    this.light("difference", number);
    this.describe();
  }

  /** Go to the next match, or the one before. @param {number} by */
  jump(by) {
    const total = this.matches.length;
    if (total) this.show(this.match < 0 && by < 0 ? total - 1 : (this.match + by + total) % total);
  }

  /** @param {number} number */
  show(number) {
    if (!this.matches[number]) return;
    this.match = number;
    this.light("match", number);
    this.describe();
    this.options.chosen?.(number);
  }

  /** @param {"match" | "difference"} what @param {number} number */
  light(what, number) {
    this.body.querySelectorAll(`.current-${what}`).forEach((old) => old.classList.remove(`current-${what}`));
    this.body.querySelectorAll(`[data-${what}="${number}"]`).forEach((own) => own.classList.add(`current-${what}`));
    this.reveal(`[data-${what}="${number}"]`, what === "match" ? 4 : 2);
  }

  /** Say whether the texts have a bar to scroll by; on phones, the page has. */
  get scrolls() {
    return this.body.scrollHeight > this.body.clientHeight + 4;
  }

  /** Bring something into sight: to the middle, or higher. @param {string} selector @param {number} part of what is in sight */
  reveal(selector, part) {
    const { body } = this;
    const found = body.querySelector(selector);
    if (!found) return;
    const { top, height } = found.getBoundingClientRect();
    if (this.scrolls) body.scrollTop += top - body.getBoundingClientRect().top - (body.clientHeight - height) / part;
    else if (innerWidth < NARROW) scrollBy(0, top - (innerHeight - height) / part);
    else found.scrollIntoView({ block: "nearest" });
  }

  /** Say where one is. */
  describe() {
    const total = digits(this.differences);
    this.whereDifference.textContent = this.difference < 0 ? say("difference.count", { total })
      : say("difference.of", { at: digits(this.difference + 1), total });
    const match = this.matches[this.match];
    if (!match) {
      this.whereMatch.textContent = digits(this.matches.length);
      return;
    }
    const [kind, similarity, words, , , , , , pages] = match;
    this.whereMatch.textContent = say("match.here", {
      at: this.match + 1, total: this.matches.length, kind: kindSaid(kind, similarity), words: plural(words, "word"),
      alike: similarity === 1 ? "" : say("match.alike", { percent: percent(similarity) }),
      pages: (pages || []).map((page, side) => (page ? `; ${"AB"[side]}: ${oneLine(page)}` : "")).join(""),
    });
  }

  /** Return what is above the texts: a picture of the matches, and a list of them. @param {Rows} laid */
  pictures(laid) {
    const show = (/** @type {number} */ number) => this.show(number);
    const lengths = laid.texts.map((text) => text.length);
    const picture = ribbon(lengths, this.matches, laid.places(), show, (number) => this.step(number));
    return [picture, matchList(this.matches, show)];
  }
}

/** Return two texts in rows, null if one is not known. @param {PairView} view @param {Match[]} matches
 * @param {boolean} context @param {() => void} openWhole */
function laidOut(view, matches, context, openWhole) {
  const [a, b] = [view.a, view.b].map((own) => own.text && new Text(own.text, own.length, own.whole && openWhole, own.pale));
  if (!a || !b) return null;
  const laid = new Rows(a, b, matches);
  if (context) laid.withoutContext();
  return laid;
}

/** @param {PairView} view @param {Rows | null} laid */
function verdict({ verdict: own, matches }, laid) {
  const changes = laid && matches.length ? said(laid) : "";
  const same = own?.figure === percent(1) && changes && !laid?.differences;
  const words = same ? say("verdict.same") : [own?.said, changes].filter(Boolean).join("; ");
  return el("p", { class: "verdict" }, own ? el("strong", {}, own.figure) : null, el("span", {}, words));
}

/** Say what changed: in the matches, where these are not nearly all. @param {Rows} laid */
function said(laid) {
  const few = laid.covered() < NEARLY_ALL;
  const changed = laid.changes(few);
  const changes = changesSaid(changed);
  return !few ? changes : changed.length ? say("changes.matched", { changes }) : say("changes.verbatim");
}

/** Say on paper what the looks of the texts mean. @param {number} differences */
function legend(differences) {
  const marks = differences ? [el("span", { class: "del" }, say("legend.del")), el("span", { class: "ins" }, say("legend.ins")),
    el("span", {}, el("span", { class: "gap" }), say("legend.gap"))] : [];
  return el("p", { class: "legend paper" }, el("span", {}, say("legend")), ...marks);
}

/** @param {PairView} view */
function facts(view) {
  const lines = (view.facts || []).map(([label, value]) => el("div", {}, el("dt", {}, label), el("dd", {}, oneLine(value))));
  return el("dl", { class: "facts" }, ...lines);
}
