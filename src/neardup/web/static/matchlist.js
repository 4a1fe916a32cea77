// All matches of two texts as a table: closed at first, and open on paper.
import { COLOURS, el } from "./dom.js";
import { digits, percent } from "./formats.js";
import { oneLine } from "./visible.js";
import { named, say } from "./words.js";

const MOST = 500;
/** @type {Word[]} */
const HEADS = ["match.kind", "match.words", "match.similarity", "match.a", "match.b"];

/** @param {Match[]} matches @param {(match: number) => void} show */
export function matchList(matches, show) {
  const heads = HEADS.map((key) => el("th", { scope: "col" }, say(key)));
  const rows = el("tbody", {}, ...matches.slice(0, MOST).map((match, number) => line(match, number, show)));
  const details = el("details", { class: "matchlist" },
    el("summary", {}, `${say("matches.list")} (${digits(matches.length)})`),
    el("div", { class: "wide", tabindex: 0, role: "region", "aria-label": say("matches.list") },
      el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "№"), ...heads)), rows)));
  const more = matches.length - MOST;
  if (more > 0) details.append(el("p", { class: "hint" }, say("cluster.more", { number: digits(more) })));
  return details;
}

/** @param {Match} match @param {number} number @param {(match: number) => void} show */
function line([kind, similarity, words, startA, endA, startB, endB, , pages], number, show) {
  const name = { type: "button", class: `plain swatch c${number % COLOURS}`, onclick: () => show(number) };
  const figures = [
    digits(words), percent(similarity),
    place(startA, endA, pages?.[0]), place(startB, endB, pages?.[1]),
  ];
  return el("tr", {}, el("td", {}, el("button", name, String(number + 1))), el("td", {}, kindSaid(kind, similarity)),
    ...figures.map((text) => el("td", { class: "number" }, text)));
}

/** Say of what kind a match is; one may be edited though its words are the same.
 * @param {string} kind @param {number} similarity */
export function kindSaid(kind, similarity) {
  return similarity === 1 && kind === "edited" ? say("match.words.same") : named(kind || "");
}

/** @param {number} start @param {number} end @param {string | null} [page] */
function place(start, end, page) {
  return `${digits(start)}–${digits(end)}${page ? ` (${oneLine(page)})` : ""}`;
}
