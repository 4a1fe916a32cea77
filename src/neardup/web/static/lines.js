// Rows of two texts as lines of a page: side by side, or one below the other.
import { COLOURS, el } from "./dom.js";
import { digits, plural } from "./formats.js";
import { appendText } from "./visible.js";
import { named, say } from "./words.js";

const NEAR = 240; // characters around a match that stay where text far from any is left out
const LEAST_FAR = 160; // fewer are not worth leaving out

export class Lines {
  /** @param {import("./rows.js").Rows} laid @param {Match[]} matches
   * @param {(match: number) => void} show called with a match that is clicked */
  constructor(laid, matches, show) {
    this.laid = laid;
    this.texts = laid.texts;
    this.matches = matches;
    this.show = show;
    this.single = false; // whether there is one column
    this.seen = [new Set(), new Set()]; // matches whose number was said
  }

  /** Return all lines; rows that pass a test are closed. @param {boolean} single @param {(row: Row) => boolean} folds */
  drawn(single, folds) {
    this.single = single;
    this.seen = [new Set(), new Set()];
    /** @type {HTMLElement[]} */
    const found = [];
    /** @type {Row[]} */
    let closed = [];
    const flush = () => {
      if (closed.length) found.push(this.folded(closed));
      closed = [];
    };
    for (const row of this.laid.rows) {
      if (folds(row)) closed.push(row);
      else {
        flush();
        found.push(this.line(row));
      }
    }
    flush();
    return found;
  }

  /** @param {Row[]} rows */
  folded(rows) {
    const size = rows.reduce((sum, row) => sum + row.segments.reduce((all, { a }) => all + a[1] - a[0], 0), 0);
    const words = rows[0].context ? `… ${plural(size, "character")} …` : say("folded", { number: digits(size) });
    const button = el("button", { type: "button", class: "fold" }, words);
    button.addEventListener("click", () => button.replaceWith(...rows.map((row) => this.line(row))));
    return button;
  }

  /** @param {Row} row */
  line(row) {
    if (!this.single) return el("div", { class: "line" }, this.cell(row, 0), this.cell(row, 1));
    return el("div", { class: "line" }, ...(row.match < 0 ? [this.only(row, 0), this.only(row, 1)] : [this.together(row)]));
  }

  /** What only one text has, or has in this place, in one column. @param {Row} row @param {number} side */
  only(row, side) {
    const found = this.cell(row, side);
    found.hidden = !found.textContent.trim();
    const { firstChild: first } = found;
    if (first instanceof CharacterData) first.data = first.data.trimStart();
    const moved = first?.textContent === "" && found.querySelector("mark");
    found.prepend(el("span", { class: "only" }, say(`${moved ? "here" : "only"}.${side ? "b" : "a"}`)));
    return found;
  }

  /** @param {Row} row @param {number} side */
  cell(row, side) {
    const found = el("div", { class: `cell ${row.match < 0 ? "between" : "matched"}`, dir: "auto" });
    const into = row.match < 0 ? found : found.appendChild(this.mark(row.match, side));
    for (const segment of row.segments) {
      if (row.match < 0) this.putOutside(into, side, segment);
      else this.put(into, side, segment);
    }
    return found;
  }

  /** @param {Row} row */
  together(row) {
    const found = el("div", { class: "cell matched", dir: "auto" });
    const into = found.appendChild(this.mark(row.match, 0));
    for (const segment of row.segments) {
      this.put(into, 0, segment);
      if (segment.difference !== undefined) this.put(into, 1, segment);
    }
    return found;
  }

  /** Put in a stretch of a match: as it is, or marked as what only one side has; spaces around it are not.
   * @param {HTMLElement} into @param {number} side @param {Segment} segment */
  put(into, side, { a, b, difference }) {
    const [start, end] = side ? b : a;
    const text = this.texts[side];
    if (difference === undefined) {
      text.appendTo(into, start, end);
      return;
    }
    const parts = /^([^\p{L}\p{N}\p{M}]*)(.*?)([^\p{L}\p{N}\p{M}]*)$/su.exec(text.slice(start, end));
    const [, before, middle, behind] = parts ?? ["", "", "", ""];
    const tag = el(side ? "ins" : "del", { "data-difference": difference });
    appendText(tag, middle);
    into.append(before, middle ? tag : el("span", { class: "gap", "data-difference": difference }), behind);
  }

  /** Put in what is between matches; one that was moved is marked where it stands.
   * @param {HTMLElement} into @param {number} side @param {Segment} segment */
  putOutside(into, side, { a, b, difference }) {
    const [start, end] = side ? b : a;
    if (difference !== undefined) into.dataset.difference = String(difference);
    const own = this.laid.moved.map((number) => {
      const [, , , startA, endA, startB, endB] = this.matches[number];
      return { number, from: side ? startB : startA, to: side ? endB : endA };
    }).filter(({ from, to }) => from < end && to > start).sort((x, y) => x.from - y.from);
    let at = start;
    for (const { number, from, to } of own) {
      const [first, last] = [Math.max(from, at), Math.min(to, end)];
      if (last <= first) continue;
      this.putAround(into, side, at, first, [at > 0, true]);
      this.texts[side].appendTo(into.appendChild(this.mark(number, side)), first, last);
      at = last;
    }
    this.putAround(into, side, at, end, [at > 0, end < this.texts[side].length]);
  }

  /** Put in text that is in no match, in two parts: that near a match, before or behind it, and the rest, which
   * is left out on paper, and where only differences are shown.
   * @param {HTMLElement} into @param {number} side @param {number} start @param {number} end @param {[boolean, boolean]} near */
  putAround(into, side, start, end, near) {
    const text = this.texts[side];
    const first = near[0] ? start + wordsIn(text.slice(start, Math.min(start + NEAR, end)), false) : start;
    const last = near[1] ? end - wordsIn(text.slice(Math.max(end - NEAR, start), end), true) : end;
    if (last - first < LEAST_FAR) {
      if (end > start) text.appendTo(into, start, end);
      return;
    }
    if (first > start) text.appendTo(into, start, first);
    const far = el("span", { class: "far" });
    text.appendTo(far, first, last);
    const is = { type: "button", class: "plain elided", "aria-label": `… ${plural(last - first, "character")} …` };
    const button = el("button", is, " … ");
    button.addEventListener("click", () => {
      far.classList.remove("far");
      button.remove();
    });
    into.append(button, far);
    if (end > last) text.appendTo(into, last, end);
  }

  /** @param {number} number @param {number} side */
  mark(number, side) {
    const kind = named(this.matches[number][0] || "");
    const mark = el("mark", {
      class: `c${number % COLOURS}`, "data-match": number, title: say("match.tip", { number: number + 1, kind }),
      onclick: () => this.show(number),
    });
    if (!this.seen[side].has(number)) mark.append(el("span", { class: "badge" }, String(number + 1)));
    this.seen[side].add(number);
    return mark;
  }
}

/** Return how many characters the whole words at the begin of a text have, or at its end.
 * @param {string} text @param {boolean} atEnd */
function wordsIn(text, atEnd) {
  const at = atEnd ? text.search(/\s/u) : text.search(/\s\S*$/u);
  return at < 0 ? text.length : atEnd ? text.length - at : at;
}
