// Rows of two texts as lines of a page: side by side, or one below the other.
import { COLOURS, el } from "./dom.js";
import { digits, plural } from "./formats.js";
import { appendText } from "./visible.js";
import { named, say } from "./words.js";

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

  /** What only one text has, in one column. @param {Row} row @param {number} side */
  only(row, side) {
    const found = this.cell(row, side);
    if (found.textContent.trim()) found.prepend(el("span", { class: "only" }, say(side ? "only.b" : "only.a")));
    else found.hidden = true;
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
    const text = this.texts[side];
    let at = start;
    for (const { number, from, to } of own) {
      if (from > at) text.appendTo(into, at, from);
      const [first, last] = [Math.max(from, at), Math.min(to, end)];
      if (last <= first) continue;
      text.appendTo(into.appendChild(this.mark(number, side)), first, last);
      at = last;
    }
    if (at < end) text.appendTo(into, at, end);
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
