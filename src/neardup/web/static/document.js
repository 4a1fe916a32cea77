// One text, with every passage coloured by who shares it.
import { COLOURS, el, meter, svg } from "./dom.js";
import { percent } from "./formats.js";
import { covered, stretches } from "./spans.js";
import { Text, uncountedSaid } from "./text.js";
import { oneLine } from "./visible.js";
import { say } from "./words.js";

const NEAR = 120; // characters within which a badge is not said again
const BADGED = 24; // characters from which on a stretch has one
const WIDTH = 1000;

/**
 * @typedef {object} DocumentView
 * @property {Pick<Side, "text" | "length" | "whole" | "pale">} side
 * @property {number[] | null} [found] how much of it is shared in all, as it is, and rewritten, if that is known
 * @property {{name: string, about: string | null, share: number, open: () => void}[]} sources the one that has most first
 * @property {[start: number, end: number, source: number][]} spans which passage is shared with whom
 * @property {string | null} [missing] what is not known
 */

/** @param {HTMLElement} container @param {DocumentView} view */
export function showDocument(container, view) {
  const { side, spans, sources } = view;
  const { whole } = side;
  const text = side.text ? new Text(side.text, side.length, whole && openWhole, side.pale) : null;
  const length = Math.max(text ? text.length : side.length || 0, 1);
  const body = el("div", { class: "lines whole", tabindex: 0, role: "region", "aria-label": say("document.text"), dir: "auto" });
  const size = Math.max(text ? text.size : length, 1);
  container.replaceChildren(
    summary(view, Math.min(covered(spans, text) / size, 1), text),
    map(view, length, (start) => reveal(body, start)),
    el("div", { class: "split" }, el("section", {}, el("h3", {}, say("document.text")), body),
      el("section", {}, el("h3", {}, say("document.by")), list(sources))),
  );
  if (text) {
    fill(body, text, view);
    reveal(body, 0);
  } else body.append(el("p", { class: "empty" }, say("no.text")));

  async function openWhole() {
    showDocument(container, { ...view, side: { ...side, text: whole ? await whole() : null, whole: null } });
    /** @type {HTMLElement} */ (container.querySelector(".lines")).focus();
  }
}

/** @param {DocumentView} view @param {number} union how much of the text lies in spans @param {Text | null} text */
function summary({ found, side, missing }, union, text) {
  const [share, verbatim, rewritten] = (found ?? [union]).map(percent);
  return el("div", { class: "covered" },
    el("p", { class: "big" }, el("strong", {}, share), ` ${say(found ? "document.passages" : "document.found")}`),
    found ? el("p", { class: "words hint" },
      [say("document.shares", { verbatim, rewritten }), side.text ? say("document.coloured") : ""].join(" ")) : null,
    text?.pale.length ? el("p", { class: "hint" },
      `${say("document.uncounted", { percent: percent(text.uncounted) })} ${uncountedSaid([text.pale])}`) : null,
    missing ? el("p", { class: "hint" }, missing) : null);
}

/** @param {number} source */
function colour(source) {
  return `c${Math.min(source, COLOURS - 1)}`;
}

/** @param {DocumentView} view @param {number} length @param {(start: number) => void} open */
function map({ sources, spans }, length, open) {
  const rows = Math.min(sources.length, 7);
  const height = 12 + 8 * rows;
  const view = { viewBox: `0 0 ${WIDTH} ${height}`, preserveAspectRatio: "none" };
  const picture = svg("svg", { class: "covers", ...view, role: "img", "aria-label": say("document.map") },
    svg("rect", { class: "track", width: WIDTH, height: 8 }));
  picture.style.height = `${1.6 * height}px`;
  /** @param {number} start @param {number} end @param {number} y @param {number} high @param {string} kind */
  const bar = (start, end, y, high, kind) => picture.append(svg("rect", {
    x: (WIDTH * start) / length, y, width: Math.max((WIDTH * (end - start)) / length, 1), height: high, class: kind,
    onclick: () => open(start),
  }));
  for (const own of stretches(spans.map(([start, end]) => [start, end, 0]))) bar(own.start, own.end, 0, 8, "all");
  for (const [start, end, source] of spans) if (source < rows) bar(start, end, 12 + 8 * source, 6, colour(source));
  return picture;
}

/** @param {DocumentView["sources"]} sources */
function list(sources) {
  return el("ol", { class: "sources" }, ...sources.map((source, number) => el("li", {},
    el("button", { type: "button", class: "source", onclick: source.open, title: say("document.open") },
      el("span", { class: `swatch ${colour(number)}` }, String(number + 1)),
      el("span", { class: "name" }, el("bdi", {}, oneLine(source.name)), el("bdi", { class: "title" }, oneLine(source.about))),
      el("span", { class: "value" }, percent(Math.min(source.share, 1)), meter(source.share))))));
}

/** @param {HTMLElement} body @param {Text} text @param {DocumentView} view */
function fill(body, text, { sources, spans }) {
  let at = 0;
  let before = -1; // a badge is not said again while it is still in mind
  for (const own of byFirst(stretches(spans))) {
    if (own.start > at) text.appendTo(body, at, own.start);
    const [first] = own.sources;
    const title = own.sources.map((source) => oneLine(sources[source].name)).slice(0, 12).join(", ");
    const mark = el("mark", { class: colour(first), title, "data-start": own.start, onclick: sources[first].open });
    if ((first !== before && own.end - own.start >= BADGED) || own.start - at > NEAR || before < 0) {
      mark.append(el("span", { class: "badge" }, String(first + 1)));
      before = first;
    }
    text.appendTo(mark, own.start, own.end);
    body.append(mark);
    at = own.end;
  }
  if (at < text.length) text.appendTo(body, at, text.length);
}

/** Take stretches that follow each other and are best shared with the same one as one, of those who share all of it.
 * @param {Stretch[]} given */
function byFirst(given) {
  /** @type {Stretch[]} */
  const found = [];
  for (const own of given) {
    const last = found.at(-1);
    if (last && last.end === own.start && last.sources[0] === own.sources[0]) {
      last.end = own.end;
      last.sources = last.sources.filter((source) => own.sources.includes(source));
    } else found.push({ ...own });
  }
  return found;
}

/** @param {HTMLElement} body @param {number} start */
function reveal(body, start) {
  const found = [...body.querySelectorAll("mark")].find((mark) => Number(mark.dataset.start) >= start);
  if (found) body.scrollTop += found.getBoundingClientRect().top - body.getBoundingClientRect().top - body.clientHeight / 4;
}
