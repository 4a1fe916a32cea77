// One text, with every passage coloured by who shares it.
//
// neardup.renderDocument(container, {side, share, spans, sources, missing})
//   share    how much of it is shared in all, if that is known
//   side     {id, title, source, url, length, text, whole}, as for two texts
//   sources  [{name, about, open()}], the one that has most first
//   spans    [[start, end, source], …]: which passage is shared with whom
"use strict";

neardup.renderDocument = function (container, view) {
  const { el, say } = neardup;
  const NEAR = 120; // characters
  const text = view.side.text && new neardup.Text(view.side.text, view.side.length, view.side.whole && open);
  const length = Math.max(text ? text.length : view.side.length || 0, 1);
  const stretches = neardup.stretches(view.spans);
  const covered = stretches.reduce((sum, own) => sum + own.end - own.start, 0);
  const shares = view.sources.map((_, source) => neardup.stretches(view.spans.filter((span) => span[2] === source))
    .reduce((sum, own) => sum + own.end - own.start, 0) / length);
  const body = el("div", { class: "lines whole", tabindex: 0, role: "region", "aria-label": say("document.text"), dir: "auto" });
  const union = Math.min(covered / length, 1);
  const passages = view.share !== null && view.share !== undefined;
  container.replaceChildren(
    el("div", { class: "covered" },
      el("p", { class: "big" }, el("strong", {}, neardup.percent(passages ? view.share : union)), ` ${say(passages ? "document.passages" : "document.found")}`),
      passages && text ? el("p", { class: "words hint" }, say("document.words", { percent: neardup.percent(union) })) : null,
      view.missing ? el("p", { class: "hint" }, view.missing) : null),
    map(),
    el("div", { class: "split" }, el("section", {}, el("h3", {}, say("document.text")), body),
      el("section", {}, el("h3", {}, say("document.by")), list())),
  );
  if (text) fill();
  else body.append(el("p", { class: "empty" }, say("no.text")));

  async function open() {
    const side = { ...view.side, text: await view.side.whole(), whole: null };
    neardup.renderDocument(container, { ...view, side });
    container.querySelector(".lines").focus();
  }

  function colour(source) {
    return source < neardup.COLOURS - 1 ? `c${source}` : `c${neardup.COLOURS - 1}`;
  }

  function map() {
    const width = 1000;
    const rows = Math.min(view.sources.length, 7);
    const picture = neardup.svg("svg", {
      class: "covers", viewBox: `0 0 ${width} ${12 + 8 * rows}`, preserveAspectRatio: "none", role: "img", "aria-label": say("document.map"),
    }, neardup.svg("rect", { class: "track", width, height: 8 }));
    picture.style.height = `${1.6 * (12 + 8 * rows)}px`;
    const bar = (start, end, y, height, kind) => neardup.svg("rect", {
      x: (width * start) / length, y, width: Math.max((width * (end - start)) / length, 1), height, class: kind,
      onclick: () => reveal(start),
    });
    for (const own of neardup.stretches(view.spans.map(([start, end]) => [start, end, 0]))) picture.append(bar(own.start, own.end, 0, 8, "all"));
    for (const [start, end, source] of view.spans) if (source < rows) picture.append(bar(start, end, 12 + 8 * source, 6, colour(source)));
    return picture;
  }

  function list() {
    return el("ol", { class: "sources" }, ...view.sources.map((source, number) => el("li", {},
      el("button", { type: "button", class: "source", onclick: source.open, title: say("document.open") },
        el("span", { class: `swatch ${colour(number)}` }, String(number + 1)),
        el("span", { class: "name" }, el("bdi", {}, neardup.line(source.name)), el("bdi", { class: "title" }, neardup.line(source.about))),
        el("span", { class: "value" }, neardup.percent(Math.min(shares[number], 1)), neardup.bar(shares[number]))))));
  }

  function fill() {
    let at = 0;
    let before = null; // a badge is not said again while it is still in mind
    for (const own of byFirst()) {
      if (own.start > at) neardup.appendStretch(body, text, at, own.start);
      const [first] = own.sources;
      const names = own.sources.map((source) => neardup.line(view.sources[source].name)).slice(0, 12).join(", ");
      const mark = el("mark", { class: `${colour(first)}${own.sources.length > 1 ? " several" : ""}`, title: names, "data-start": own.start, onclick: view.sources[first].open });
      const badge = own.sources.length > 1 ? `${first + 1}+${own.sources.length - 1}` : String(first + 1);
      if (badge !== before || own.start - at > NEAR) mark.append(el("span", { class: "badge" }, badge));
      before = badge;
      neardup.appendStretch(mark, text, own.start, own.end);
      body.append(mark);
      at = own.end;
    }
    if (at < text.length) neardup.appendStretch(body, text, at, text.length);
  }

  // Stretches that follow each other and are best shared with the same one are one, of those who share all of it.
  function byFirst() {
    const found = [];
    for (const own of stretches) {
      const last = found.at(-1);
      if (last && last.end === own.start && last.sources[0] === own.sources[0]) {
        last.end = own.end;
        last.sources = last.sources.filter((source) => own.sources.includes(source));
      } else found.push({ ...own });
    }
    return found;
  }

  function reveal(start) {
    const found = [...body.querySelectorAll("mark")].find((mark) => Number(mark.dataset.start) >= start);
    if (found) body.scrollTop += found.getBoundingClientRect().top - body.getBoundingClientRect().top - body.clientHeight / 4;
  }
};

// Spans that may overlap, as stretches in order: {start, end, sources}.
neardup.stretches = function (spans) {
  const edges = [];
  for (const [start, end, source] of spans) if (end > start) edges.push([start, 1, source], [end, -1, source]);
  edges.sort((x, y) => x[0] - y[0]);
  const over = new Map();
  const found = [];
  let at = 0;
  for (const [place, step, source] of edges) {
    if (place > at && over.size) {
      const sources = [...over.keys()].sort((x, y) => x - y);
      const last = found.at(-1);
      if (last && last.end === at && String(last.sources) === String(sources)) last.end = place;
      else found.push({ start: at, end: place, sources });
    }
    at = place;
    const count = (over.get(source) || 0) + step;
    if (count) over.set(source, count);
    else over.delete(source);
  }
  return found;
};
