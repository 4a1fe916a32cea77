// Two texts side by side.
//
// neardup.renderPair(container, view) shows a view as `neardup.reports.pairs` describes it:
//   {a, b, facts, matches, note}
//   a, b     {id, title, source, length, parts}; parts is null where there is no text
//   parts    [text] outside of matches, [text, n] in match n, [text, n, 1] words of match n that the other
//            side does not have; a number: how many characters are left out
//   matches  [[kind, similarity, words], …]
//   facts    [[label, value], …]
//   curve    {points: [[place, edits], …], region: [begin, end]} of pages, or nothing
//   note     what else is to be said, such as why there is no text
// It returns {next(), previous()} to go from match to match.
"use strict";

neardup.COLOURS = 8;

neardup.renderPair = function (container, view) {
  const el = neardup.el;
  const matches = view.matches || [];
  const sides = [pane(view.a, "A"), pane(view.b, "B")];
  const status = el("span", { class: "where", role: "status" });
  const linked = el("input", { type: "checkbox", checked: true });
  let current = -1;
  let leading = null; // the pane that the user scrolls; the other follows

  const facts = el("dl", { class: "facts" });
  for (const [label, value] of view.facts || []) {
    facts.append(el("div", {}, el("dt", {}, label), el("dd", {}, neardup.line(value))));
  }
  const bar = el("div", { class: "pairbar" }, facts);
  if (matches.length) {
    bar.append(el("div", { class: "jumps" },
      el("button", { type: "button", "aria-keyshortcuts": "p", title: "Previous match (p)", onclick: () => go(-1) }, "↑ Previous"),
      el("button", { type: "button", "aria-keyshortcuts": "n", title: "Next match (n)", onclick: () => go(1) }, "↓ Next match"),
      status,
      el("label", { class: "link" }, linked, " scroll together"),
    ));
  }
  container.replaceChildren(
    bar,
    ...(view.note ? [el("p", { class: "note" }, view.note)] : []),
    ...(matches.length && view.a.parts ? [ribbon()] : []),
    ...(view.curve ? [curve(view.curve)] : []),
    el("div", { class: "panes" }, ...sides.map((side) => side.element)),
  );
  if (matches.length) {
    describe();
    reveal(0);
  }
  sides.forEach((side, i) => follow(side, sides[1 - i]));

  function pane(side, letter) {
    const text = el("div", { class: "text", dir: "auto", tabindex: 0, role: "region", "aria-label": `Text ${letter}` });
    const marks = new Map();
    if (side.parts) fillText(text, side.parts, marks, letter === "A" ? "del" : "ins");
    else text.append(el("p", { class: "note" }, "This text is not in the file."));
    const about = [side.title, side.source, side.length && neardup.plural(side.length, ["character", "characters"])];
    const element = el("section", { class: "pane" },
      el("h3", {}, el("span", { class: "letter" }, letter), el("bdi", {}, neardup.line(side.id))),
      el("p", { class: "about" }, el("bdi", {}, about.filter(Boolean).map(neardup.line).join(" · "))),
      text,
    );
    return { element, text, marks, parts: side.parts };
  }

  function fillText(text, parts, marks, differing) {
    let mark = null;
    let number = -1;
    for (const part of parts) {
      if (typeof part === "number") {
        text.append(el("span", { class: "cut" }, `… ${neardup.plural(part, ["character", "characters"])} left out …`));
        mark = null;
        number = -1;
      } else if (part.length === 1) {
        neardup.appendText(text, part[0]);
        mark = null;
        number = -1;
      } else {
        if (part[1] !== number) {
          [, number] = part;
          mark = markOf(number);
          if (!marks.has(number)) {
            marks.set(number, mark);
            mark.append(el("span", { class: "badge" }, String(number + 1)));
          }
          text.append(mark);
        }
        const into = part.length > 2 ? el(differing) : mark;
        neardup.appendText(into, part[0]);
        if (into !== mark) mark.append(into);
      }
    }
  }

  function markOf(number) {
    const kind = matches[number] ? matches[number][0] : "";
    return el("mark", {
      class: `c${number % neardup.COLOURS}`, "data-match": number, title: `match ${number + 1}: ${kind}`,
      onclick: () => show(number),
    });
  }

  function go(step) {
    if (!matches.length) return;
    show((current + step + matches.length) % matches.length);
  }

  function show(number) {
    container.querySelectorAll("mark.current").forEach((mark) => mark.classList.remove("current"));
    container.querySelectorAll(`mark[data-match="${number}"]`).forEach((mark) => mark.classList.add("current"));
    current = number;
    reveal(number);
    describe();
  }

  function reveal(number) {
    leading = null;
    for (const side of sides) {
      const mark = side.marks.get(number);
      if (mark) side.text.scrollTop = topOf(side, mark) - side.text.clientHeight / 4;
    }
  }

  function topOf(side, mark) {
    return mark.getBoundingClientRect().top - side.text.getBoundingClientRect().top + side.text.scrollTop;
  }

  function describe() {
    if (current < 0) {
      status.textContent = neardup.plural(matches.length, ["match", "matches"]);
      return;
    }
    const [kind, similarity, words] = matches[current];
    const alike = kind === "identical" ? "" : `, ${(100 * similarity).toFixed(0)} % alike`;
    const place = `Match ${current + 1} of ${matches.length}`;
    const gone = sides.some((side) => side.parts && !side.marks.has(current)) ? ", left out here" : "";
    status.textContent = `${place}: ${kind}${alike}, ${neardup.plural(words, ["word", "words"])} in common${gone}`;
  }

  // The pane that was not scrolled goes where the same passage is.
  function follow(side, other) {
    for (const name of ["pointerdown", "wheel", "keydown", "touchstart"]) {
      side.text.addEventListener(name, () => { leading = side; }, { passive: true });
    }
    side.text.addEventListener("scroll", () => {
      if (leading !== side || !linked.checked) return;
      other.text.scrollTop = placeIn(side, other);
    }, { passive: true });
  }

  function placeIn(side, other) {
    const line = side.text.clientHeight / 3;
    const at = side.text.scrollTop + line;
    const points = [[0, 0]];
    for (const [number, mark] of side.marks) {
      const twin = other.marks.get(number);
      if (twin) {
        const own = topOf(side, mark);
        const there = topOf(other, twin);
        points.push([own, there], [own + mark.offsetHeight, there + twin.offsetHeight]);
      }
    }
    points.push([side.text.scrollHeight, other.text.scrollHeight]);
    points.sort((x, y) => x[0] - y[0]);
    let next = points.findIndex((point) => point[0] > at);
    if (next < 1) next = next < 0 ? points.length - 1 : 1;
    const [[x0, y0], [x1, y1]] = [points[next - 1], points[next]];
    const share = x1 > x0 ? (at - x0) / (x1 - x0) : 0;
    return y0 + share * (y1 - y0) - line;
  }

  // Where the matches are in both texts, as bands from one to the other.
  function ribbon() {
    const spans = sides.map((side) => spansOf(side.parts));
    const picture = neardup.svg("svg", {
      class: "ribbon", viewBox: "0 0 1000 40", preserveAspectRatio: "none", "aria-hidden": "true",
    });
    picture.append(
      neardup.svg("rect", { class: "track", x: 0, y: 0, width: 1000, height: 7 }),
      neardup.svg("rect", { class: "track", x: 0, y: 33, width: 1000, height: 7 }),
    );
    for (const [number, [start, end]] of spans[0].places) {
      const twin = spans[1].places.get(number);
      if (!twin) continue;
      const [a0, a1] = [start, end].map((v) => (1000 * v) / spans[0].length);
      const [b0, b1] = twin.map((v) => (1000 * v) / spans[1].length);
      const wide = (x0, x1) => Math.max(x1, x0 + 2);
      const points = `${a0},0 ${wide(a0, a1)},0 ${wide(a0, a1)},7 ${wide(b0, b1)},33 ${wide(b0, b1)},40 ${b0},40 ${b0},33 ${a0},7`;
      picture.append(neardup.svg("polygon", {
        points, class: `c${number % neardup.COLOURS}`, onclick: () => show(number),
      }));
    }
    return picture;
  }

  // The edits up to each place of the shorter page: where the line is flat, both are the same.
  function curve({ points, region }) {
    const [width, height, left, bottom] = [Math.max(Math.min(innerWidth, 1400) - 40, 300), 150, 56, 24];
    const last = points[points.length - 1];
    const x = (place) => left + ((width - left - 6) * place) / Math.max(last[0], 1);
    const y = (edits) => (height - bottom) - ((height - bottom - 10) * edits) / Math.max(last[1], 1);
    const text = (at, up, words, anchor) => neardup.svg("text", { x: at, y: up, "text-anchor": anchor }, words);
    const trusted = `characters ${region.map(neardup.number).join(" to ")}`;
    const name = `${neardup.plural(last[1], ["edit", "edits"])} along the shorter page; the trustable region, ${trusted}, is shaded`;
    const picture = neardup.svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Edit curve: ${name}` },
      neardup.svg("rect", { class: "region", x: x(region[0]), y: 4, width: Math.max(x(region[1]) - x(region[0]), 2), height: height - bottom - 4 }),
      neardup.svg("path", { class: "axis", d: `M${left},4V${height - bottom}H${width - 6}` }),
      neardup.svg("polyline", { points: points.map(([place, edits]) => `${x(place).toFixed(1)},${y(edits).toFixed(1)}`).join(" ") }),
      text(left - 6, 16, last[1] ? neardup.number(last[1]) : "", "end"), text(left - 6, 36, last[1] ? "edits" : "", "end"),
      text(left - 6, height - bottom, "0", "end"),
      text(left, height - 6, "0", "start"), text(width - 6, height - 6, neardup.number(last[0]), "end"),
      text((left + width) / 2, height - 6, "characters", "middle"));
    return el("details", { class: "curve", open: innerHeight > 850 && innerWidth > 700 },
      el("summary", {}, "Edit curve ", el("span", { class: "hint" }, name)), picture);
  }

  function spansOf(parts) {
    const places = new Map();
    let at = 0;
    for (const part of parts || []) {
      const size = typeof part === "number" ? part : part[0].length;
      if (typeof part !== "number" && part.length > 1) {
        const known = places.get(part[1]);
        places.set(part[1], [known ? known[0] : at, at + size]);
      }
      at += size;
    }
    return { places, length: Math.max(at, 1) };
  }

  return { next: () => go(1), previous: () => go(-1) };
};
