// What follows from the marks that a server keeps: how precise the pairs are at each threshold, and how far judges agree.
import { el } from "./dom.js";
import { digits, percent, plural } from "./formats.js";
import { send } from "./send.js";
import { say } from "./words.js";

/** @typedef {{same: number, different: number, precision: number | null, low: number, high: number}} Precision */
/** @typedef {{at: number, pairs: number, found: Precision}} Step */
/** @typedef {{agreed: number, kappa: number | null, low: number, high: number}} Concord */
/** @typedef {{steps: Step[], advice: string | null, all: Precision, judges: string[], judged_by_all: number,
 * answers: Concord | null}} Judged */

const MOST_STEPS = 12;

/** Put it above all other figures, if there are marks. @param {HTMLElement} panel */
export async function showJudged(panel) {
  const [good, { judged }] = await send("GET", "/report/judged");
  panel.querySelector(".judged")?.remove();
  if (!good || !judged) return;
  const { advice, steps } = /** @type {Judged} */ (judged);
  panel.prepend(el("section", { class: "part judged" }, el("h2", {}, say("judged")),
    advice ? el("p", {}, el("strong", {}, advice)) : null,
    el("p", { class: "hint" }, agreement(judged)),
    steps.length > 1 ? table(steps) : null));
}

/** @param {Judged} judged */
function agreement({ all, answers, judges, judged_by_all: both }) {
  const sure = say("judged.sure", { same: digits(all.same), different: digits(all.different) });
  if (!answers) return sure;
  const { agreed, kappa, low, high } = answers;
  const values = { judges: judges.length, pairs: plural(both, "pair"), agreed: percent(agreed) };
  if (kappa === null) return `${sure} ${say("judged.agree", values)}`;
  const [beyond, from, to] = [kappa, low, high].map((value) => value.toFixed(2));
  return `${sure} ${say("judged.kappa", { ...values, kappa: beyond, low: from, high: to })}`;
}

/** @param {Step[]} steps */
function table(steps) {
  const every = Math.ceil(steps.length / MOST_STEPS);
  const heads = [say("judged.threshold"), say("judged.right"), say("judged.interval"), say("judged.number"), say("judged.pairs")];
  const lines = steps.filter((_, i) => i % every === 0).map(({ at, pairs, found }) => [
    at.toFixed(2), found.precision === null ? "–" : percent(found.precision), `${percent(found.low)} – ${percent(found.high)}`,
    digits(found.same + found.different), digits(pairs)]);
  return el("div", { class: "wide" }, el("table", {},
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, ...lines.map((cells) => el("tr", {}, ...cells.map((cell) => el("td", { class: "number" }, cell)))))));
}
