// A text in pieces, some of which may be missing. Offsets count characters (code points) as Python does;
// where all are in the basic plane, that is what JavaScript counts, too.
"use strict";

neardup.Text = class {
  // pieces: [[start, text], …]; length: of the whole text; open(): shows it whole, if that can be had
  constructor(pieces, length, open = null) {
    this.open = open;
    this.pieces = merged(pieces).map(([start, text]) => {
      const points = /[\ud800-\udbff]/u.test(text) || /[\u{10000}-\u{10ffff}]/u.test(text) ? Array.from(text) : null;
      return { start, end: start + (points ? points.length : text.length), text, points };
    });
    const last = this.pieces.at(-1);
    this.length = Math.max(length || 0, last ? last.end : 0);

    function merged(own) {
      const found = [];
      for (const [start, text] of [...own].sort((x, y) => x[0] - y[0])) {
        const before = found.at(-1);
        if (before && before[0] + Array.from(before[1]).length === start) before[1] += text;
        else found.push([start, text]);
      }
      return found;
    }
  }

  get whole() {
    return this.length === 0 || (this.pieces.length === 1 && this.pieces[0].start === 0 && this.pieces[0].end === this.length);
  }

  // What is known between two offsets: texts, and numbers where characters are missing.
  parts(start, end) {
    const found = [];
    let at = start;
    for (const piece of this.pieces) {
      if (piece.end <= at || piece.start >= end) continue;
      if (piece.start > at) found.push(piece.start - at);
      const [from, to] = [Math.max(at, piece.start) - piece.start, Math.min(end, piece.end) - piece.start];
      found.push(piece.points ? piece.points.slice(from, to).join("") : piece.text.slice(from, to));
      at = piece.start + to;
    }
    if (at < end) found.push(end - at);
    return found;
  }

  slice(start, end) {
    return this.parts(start, end).map((part) => (typeof part === "number" ? "…" : part)).join("");
  }

  has(start, end) {
    return this.pieces.some((piece) => piece.start <= start && piece.end >= end);
  }
};

neardup.points = (text) => Array.from(text).length;
neardup.hasWords = (text) => /[\p{L}\p{N}]/u.test(text);

// Put a stretch of a text into an element; what is missing is said.
neardup.appendStretch = function (element, text, start, end) {
  for (const part of text.parts(start, end)) {
    if (typeof part === "number") {
      const number = neardup.number(part);
      element.append(text.open
        ? neardup.el("button", { type: "button", class: "cut", onclick: (event) => { event.stopPropagation(); text.open(); } }, neardup.say("cut.open", { number }))
        : neardup.el("span", { class: "cut" }, neardup.say("cut", { number })));
    } else neardup.appendText(element, part);
  }
};
