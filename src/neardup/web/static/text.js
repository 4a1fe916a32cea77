// A text in pieces, some of which may be missing. Offsets count characters (code points) as Python does;
// where all are in the basic plane, that is what JavaScript counts, too.
import { el } from "./dom.js";
import { digits } from "./formats.js";
import { appendText } from "./visible.js";
import { say } from "./words.js";

export const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}]+/gu;

export class Text {
  /** @param {Piece[]} pieces @param {number | null} length of the whole text
   * @param {(() => void) | null} [open] shows it whole, if that can be had @param {Pale[]} [pale] what does not count */
  constructor(pieces, length, open = null, pale = []) {
    this.open = open;
    this.pale = pale;
    this.pieces = merged(pieces).map(([start, text]) => {
      const characters = /[\ud800-\udbff]/u.test(text) || /[\u{10000}-\u{10ffff}]/u.test(text) ? Array.from(text) : null;
      return { start, end: start + (characters ?? text).length, text, characters };
    });
    this.length = Math.max(length || 0, this.pieces.at(-1)?.end ?? 0);
  }

  /** Return what is known between two offsets: texts, and numbers where characters are missing.
   * @param {number} start @param {number} end */
  parts(start, end) {
    /** @type {(string | number)[]} */
    const found = [];
    let at = start;
    for (const piece of this.pieces) {
      if (piece.end <= at || piece.start >= end) continue;
      if (piece.start > at) found.push(piece.start - at);
      const [from, to] = [Math.max(at, piece.start) - piece.start, Math.min(end, piece.end) - piece.start];
      found.push(piece.characters ? piece.characters.slice(from, to).join("") : piece.text.slice(from, to));
      at = piece.start + to;
    }
    if (at < end) found.push(end - at);
    return found;
  }

  /** @param {number} start @param {number} end */
  slice(start, end) {
    return this.parts(start, end).map((part) => (typeof part === "number" ? "…" : part)).join("");
  }

  /** Count the words between two offsets, as far as they are known. @param {number} start @param {number} end */
  words(start, end) {
    const known = this.parts(start, end).filter((part) => typeof part === "string");
    return known.reduce((sum, part) => sum + (part.match(WORD)?.length ?? 0), 0);
  }

  /** Count all words; of a text that is cut, what is missing has as many as the rest. */
  get size() {
    const known = this.pieces.reduce((sum, piece) => sum + piece.end - piece.start, 0);
    return (this.words(0, this.length) * this.length) / Math.max(known, 1);
  }

  /** Return which share of the words does not count. */
  get uncounted() {
    return this.pale.reduce((sum, [start, end]) => sum + this.words(start, end), 0) / (this.size || 1);
  }

  /** @param {number} start @param {number} end */
  has(start, end) {
    return this.pieces.some((piece) => piece.start <= start && piece.end >= end);
  }

  /** Put a stretch into an element; what is missing is said.
   * @param {Element} element @param {number} start @param {number} end */
  appendTo(element, start, end) {
    let at = start;
    for (const [from, to, kind] of this.pale) {
      const [first, last] = [Math.max(from, at), Math.min(to, end)];
      if (first >= last) continue;
      this.appendPart(element, at, first);
      const title = say(/** @type {Word} */ (`pale.${kind}`));
      this.appendPart(element.appendChild(el("span", { class: "pale", title })), first, last);
      at = last;
    }
    this.appendPart(element, at, end);
  }

  /** @param {Element} element @param {number} start @param {number} end */
  appendPart(element, start, end) {
    for (const part of this.parts(start, end)) {
      if (typeof part === "number") element.append(this.gap(digits(part)));
      else appendText(element, part);
    }
  }

  /** @param {string} number */
  gap(number) {
    const { open } = this;
    const is = { class: "cut", "data-paper": say("cut.paper", { number }) };
    if (!open) return el("span", is, say("cut", { number }));
    /** @param {Event} event */
    const onclick = (event) => {
      event.stopPropagation();
      open();
    };
    return el("button", { type: "button", ...is, onclick }, say("cut.open", { number }));
  }
}

/** @param {Piece[]} pieces */
function merged(pieces) {
  /** @type {Piece[]} */
  const found = [];
  for (const [start, text] of [...pieces].sort((x, y) => x[0] - y[0])) {
    const before = found.at(-1);
    if (before && before[0] + points(before[1]) === start) before[1] += text;
    else found.push([start, text]);
  }
  return found;
}

/** Say what in some texts does not count, "" if all does. @param {(Pale[] | undefined)[]} pale of each */
export function uncountedSaid(pale) {
  const kinds = [...new Set(pale.flatMap((own) => own ?? []).map((span) => span[2]))].sort();
  const what = kinds.map((kind) => say(/** @type {Word} */ (`pale.${kind}`))).join("; ");
  return kinds.length ? say("legend.pale", { what }) : "";
}

/** Count the characters of a text. @param {string} text */
export function points(text) {
  return Array.from(text).length;
}

/** @param {string} text */
export function hasWords(text) {
  return /[\p{L}\p{N}]/u.test(text);
}
