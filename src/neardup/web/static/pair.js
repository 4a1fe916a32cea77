// Two texts side by side, or in one column, in rows that keep equal text level.
//
// neardup.renderPair(container, view, options) shows a view as `neardup.reports.pairs` describes it:
//   {a, b, facts, matches, curve, note}
//   a, b     {id, title, source, url, length, text, whole}; text is [[start, piece], …], null where there is none;
//            whole() brings all pieces of one that is cut, if they can be had
//   matches  [[kind, similarity, words, start_a, end_a, start_b, end_b, runs], …]
//   facts    [[label, value], …]
// options
//   match    the match to begin with; chosen(match) is told of another
//   context  what is in no match is around it, and no difference
//   open     called with 0 or 1 when the name of a side is clicked
// It returns {keys}: what its keys do.
"use strict";

neardup.COLOURS = 8;
neardup.looks = { folded: null, single: null, fixed: false }; // as they were left, for the next pair

neardup.renderPair = function (container, view, options = {}) {
  const { el, say, button } = neardup;
  const MOST_LISTED = 500;
  const matches = view.matches || [];
  const looks = neardup.looks;
  const here = { match: -1, difference: -1 };
  const texts = [view.a, view.b].map((side) => side.text && new neardup.Text(side.text, side.length, side.whole && open));
  const known = texts[0] && texts[1];
  const laid = known ? neardup.rowsOf(texts[0], texts[1], matches) : { rows: [], differences: 0, moved: [] };
  if (options.context) withoutContext();
  const folds = () => (looks.folded === null ? Boolean(options.context) : looks.folded);
  const single = () => (looks.single === null ? innerWidth < 700 : looks.single);
  const body = el("div", { class: "lines", tabindex: 0, role: "region", "aria-label": say("texts") });
  const where = { match: el("span", { class: "where", role: "status" }), difference: el("span", { class: "where", role: "status" }) };
  const drawn = Object.assign(options.drawn || {}, { walk, jump, toggle }); // what keys act on, also when it is drawn anew
  const keys = {
    j: () => drawn.walk(1), k: () => drawn.walk(-1), n: () => drawn.jump(1), p: () => drawn.jump(-1),
    f: () => drawn.toggle("folded", folds), c: () => drawn.toggle("single", single), w: () => drawn.toggle("fixed", () => looks.fixed),
  };
  container.replaceChildren(
    el("div", { class: "pairbar" }, facts(), known ? walking() : null),
    ...(view.note ? [el("p", { class: "note" }, view.note)] : []),
    ...(known && matches.length ? [picture(), list()] : []),
    ...(view.curve ? [neardup.curve(view.curve)] : []),
    el("div", { class: "sides" }, name(view.a, 0), name(view.b, 1)),
    body,
  );
  fill();
  describe();
  if (matches.length) reveal(`[data-match="${options.match ?? 0}"]`);
  if (matches.length && options.match !== undefined && options.match !== null) show(options.match);
  return { keys };

  // Show what was cut, in both texts.
  async function open() {
    const [a, b] = await Promise.all([view.a, view.b].map(async (side) => (
      { ...side, text: side.whole ? await side.whole() : side.text, whole: null })));
    const match = here.match < 0 ? options.match : here.match;
    neardup.renderPair(container, { ...view, a, b }, { ...options, match, drawn });
    container.querySelector(".lines").focus();
  }

  function withoutContext() {
    laid.differences = 0;
    for (const row of laid.rows) {
      for (const segment of row.segments) {
        if (row.match < 0) delete segment.difference;
        else if (segment.difference !== undefined) segment.difference = laid.differences++;
      }
      if (row.match < 0) row.context = true;
    }
  }

  function facts() {
    const found = el("dl", { class: "facts" });
    for (const [label, value] of view.facts || []) found.append(el("div", {}, el("dt", {}, label), el("dd", {}, neardup.line(value))));
    return found;
  }

  function walking() {
    const none = !laid.differences;
    const check = (label, key, is) => button(label, key, keys[key], { class: "toggle", "data-look": key, "aria-pressed": String(is()) });
    return el("div", { class: "walk" },
      el("div", { class: "group" }, el("span", { class: "label" }, say("difference")),
        button("↑", "k", keys.k, { disabled: none, "aria-label": `${say("previous")}: ${say("difference")}` }),
        button("↓", "j", keys.j, { disabled: none, "aria-label": `${say("next")}: ${say("difference")}` }), where.difference),
      el("div", { class: "group" }, el("span", { class: "label" }, say("match")),
        button("↑", "p", keys.p, { disabled: !matches.length, "aria-label": `${say("previous")}: ${say("match")}` }),
        button("↓", "n", keys.n, { disabled: !matches.length, "aria-label": `${say("next")}: ${say("match")}` }), where.match),
      el("div", { class: "group" }, check(say("fold"), "f", folds), check(say("columns"), "c", single), check(say("fixed"), "w", () => looks.fixed)));
  }

  function toggle(look, is) {
    looks[look] = !is();
    const at = { folded: "f", single: "c", fixed: "w" }[look];
    container.querySelector(`[data-look="${at}"]`).setAttribute("aria-pressed", String(looks[look]));
    fill();
    if (here.difference >= 0) step(here.difference);
    else if (here.match >= 0) show(here.match);
  }

  function name(side, number) {
    const letter = "AB"[number];
    const about = [side.title === side.id ? null : side.title, side.source, side.length && neardup.plural(side.length, "character")];
    const text = neardup.line(side.id);
    const shown = options.open ? el("button", { type: "button", class: "plain", onclick: () => options.open(number) }, el("bdi", {}, text)) : el("bdi", {}, text);
    return el("div", { class: "side" },
      el("h3", {}, el("span", { class: "letter", "aria-label": say("letters", { letter }) }, letter), shown),
      el("p", { class: "about" }, el("bdi", {}, about.filter(Boolean).map(neardup.line).join(" · ")),
        side.url ? el("bdi", { class: "url" }, " ", neardup.link(side.url, neardup.line(side.url))) : null));
  }

  function fill() {
    body.className = `lines${single() ? " single" : ""}${looks.fixed ? " fixed" : ""}`;
    container.classList.toggle("one-column", single());
    if (!known) {
      body.replaceChildren(el("p", { class: "empty" }, say("no.text")));
      return;
    }
    const seen = [new Set(), new Set()];
    const found = [];
    let closed = [];
    const flush = () => {
      if (closed.length) found.push(folded(closed, seen));
      closed = [];
    };
    for (const row of laid.rows) {
      if (folds() && (row.context || (row.same && !options.context)) && matches.length) closed.push(row);
      else {
        flush();
        found.push(line(row, seen));
      }
    }
    flush();
    body.replaceChildren(...found);
  }

  function folded(rows, seen) {
    const size = rows.reduce((sum, row) => sum + row.segments.reduce((all, s) => all + s.a[1] - s.a[0], 0), 0);
    const lines = el("button", { type: "button", class: "fold" }, say("folded", { number: neardup.number(size) }));
    if (rows[0].context) lines.textContent = `… ${neardup.plural(size, "character")} …`;
    lines.addEventListener("click", () => lines.replaceWith(...rows.map((row) => line(row, seen))));
    return lines;
  }

  function line(row, seen) {
    if (!single()) return el("div", { class: "line" }, cell(row, 0, seen), cell(row, 1, seen));
    if (row.match >= 0) return el("div", { class: "line" }, together(row, seen));
    return el("div", { class: "line" }, ...[0, 1].map((side) => {
      const found = cell(row, side, seen);
      if (found.textContent.trim()) found.prepend(el("span", { class: "only" }, say(side ? "only.b" : "only.a")));
      else found.hidden = true;
      return found;
    }));
  }

  function cell(row, side, seen) {
    const found = el("div", { class: `cell ${row.match < 0 ? "between" : "matched"}`, dir: "auto" });
    const into = row.match < 0 ? found : found.appendChild(markOf(row.match, seen[side]));
    for (const segment of row.segments) {
      const span = side ? segment.b : segment.a;
      if (row.match < 0) outside(into, span, side, seen[side], segment.difference);
      else put(into, span, side, segment);
    }
    return found;
  }

  function together(row, seen) {
    const found = el("div", { class: "cell matched", dir: "auto" });
    const into = found.appendChild(markOf(row.match, seen[0]));
    for (const segment of row.segments) {
      put(into, segment.a, 0, segment);
      if (segment.difference !== undefined) put(into, segment.b, 1, segment);
    }
    return found;
  }

  // A stretch of a match: as it is, or marked as what only one side has; spaces around it are not.
  function put(into, [start, end], side, segment) {
    if (segment.difference === undefined) {
      neardup.appendStretch(into, texts[side], start, end);
      return;
    }
    const text = texts[side].slice(start, end);
    const [, before, middle, behind] = /^([^\p{L}\p{N}\p{M}]*)(.*?)([^\p{L}\p{N}\p{M}]*)$/su.exec(text);
    const tag = el(side ? "ins" : "del", { "data-difference": segment.difference });
    neardup.appendText(tag, middle);
    into.append(before);
    into.append(middle ? tag : el("span", { class: "gap", "data-difference": segment.difference }));
    into.append(behind);
  }

  // Between matches; one that was moved is marked where it stands.
  function outside(into, [start, end], side, seen, difference) {
    if (difference !== undefined) into.dataset.difference = difference;
    const own = laid.moved.map((number) => [matches[number][side ? 5 : 3], matches[number][side ? 6 : 4], number])
      .filter(([from, to]) => from < end && to > start).sort((x, y) => x[0] - y[0]);
    let at = start;
    for (const [from, to, number] of own) {
      if (from > at) neardup.appendStretch(into, texts[side], at, from);
      const [first, last] = [Math.max(from, at), Math.min(to, end)];
      if (last > first) {
        const mark = into.appendChild(markOf(number, seen));
        neardup.appendStretch(mark, texts[side], first, last);
        at = last;
      }
    }
    if (at < end) neardup.appendStretch(into, texts[side], at, end);
  }

  function markOf(number, seen) {
    const kind = neardup.named(matches[number][0] || "");
    const mark = el("mark", {
      class: `c${number % neardup.COLOURS}`, "data-match": number, title: say("match.tip", { number: number + 1, kind }),
      onclick: () => show(number),
    });
    if (!seen.has(number)) mark.append(el("span", { class: "badge" }, String(number + 1)));
    seen.add(number);
    return mark;
  }

  function walk(by) {
    const from = here.difference < 0 && by < 0 ? 0 : here.difference;
    if (laid.differences) step((from + by + laid.differences) % laid.differences);
  }

  function step(number) {
    here.difference = number;
    light("difference", number);
    describe();
  }

  function jump(by) {
    if (matches.length) show(here.match < 0 && by < 0 ? matches.length - 1 : (here.match + by + matches.length) % matches.length);
  }

  function show(number) {
    if (!matches[number]) return;
    here.match = number;
    light("match", number);
    describe();
    if (options.chosen) options.chosen(number);
  }

  function light(what, number) {
    body.querySelectorAll(`.current-${what}`).forEach((old) => old.classList.remove(`current-${what}`));
    body.querySelectorAll(`[data-${what}="${number}"]`).forEach((own) => own.classList.add(`current-${what}`));
    reveal(`[data-${what}="${number}"]`);
  }

  function reveal(selector) {
    const found = body.querySelector(selector);
    if (!found) return;
    const top = found.getBoundingClientRect().top - body.getBoundingClientRect().top;
    if (body.scrollHeight > body.clientHeight + 4) body.scrollTop += top - body.clientHeight / 4;
    else found.scrollIntoView({ block: "nearest" });
  }

  function describe() {
    const total = neardup.number(laid.differences);
    where.difference.textContent = here.difference < 0 ? say("difference.count", { total })
      : say("difference.of", { at: neardup.number(here.difference + 1), total });
    if (here.match < 0) {
      where.match.textContent = neardup.number(matches.length);
      return;
    }
    const [kind, similarity, words] = matches[here.match];
    where.match.textContent = say("match.here", {
      at: here.match + 1, total: matches.length, kind: neardup.named(kind), words: neardup.plural(words, "word"),
      alike: kind === "identical" ? "" : say("match.alike", { percent: (100 * similarity).toFixed(0) }),
    });
  }

  function picture() {
    const ticks = [];
    for (const row of laid.rows) {
      for (const segment of row.segments) if (segment.difference !== undefined) ticks[segment.difference] = [segment.a[0], segment.b[0]];
    }
    return neardup.ribbon({ lengths: texts.map((text) => text.length), matches, ticks, show, walk: step });
  }

  function list() {
    const heads = ["match.kind", "match.words", "match.similarity", "match.a", "match.b"].map((key) => el("th", { scope: "col" }, say(key)));
    const span = (from, to) => `${neardup.number(from)}–${neardup.number(to)}`;
    const line = (match, number) => el("tr", {},
      el("td", {}, el("button", { type: "button", class: `plain swatch c${number % neardup.COLOURS}`, onclick: () => show(number) }, String(number + 1))),
      el("td", {}, match[0] || ""), el("td", { class: "number" }, neardup.number(match[2])),
      el("td", { class: "number" }, neardup.percent(match[1])), el("td", { class: "number" }, span(match[3], match[4])),
      el("td", { class: "number" }, span(match[5], match[6])));
    const rows = el("tbody", {});
    const details = el("details", { class: "matchlist" }, el("summary", {}, `${say("matches.list")} (${neardup.number(matches.length)})`),
      el("div", { class: "wide", tabindex: 0, role: "region", "aria-label": say("matches.list") },
        el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "№"), ...heads)), rows)));
    details.addEventListener("toggle", () => { if (!rows.firstChild) rows.append(...matches.slice(0, MOST_LISTED).map(line)); });
    if (matches.length > MOST_LISTED) details.append(el("p", { class: "hint" }, say("cluster.more", { number: neardup.number(matches.length - MOST_LISTED) })));
    return details;
  }
};

// What keys do while a pair, or anything else, is shown; keys typed into fields are not meant.
neardup.press = function (event, keys) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
};
