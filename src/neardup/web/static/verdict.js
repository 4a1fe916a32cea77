// A pair in one figure and one sentence: how much of one stands in the other, and what changed.
import { cellText, percent, plural } from "./formats.js";
import { say } from "./words.js";

/** @typedef {{figure: string, said: string}} Verdict */

/** Return the value of a pair in a column, NaN if there is none. @param {Rows["columns"]} columns @param {number} row
 * @param {string} name */
function valueIn(columns, row, name) {
  return Number(/** @type {any} */ (columns.find((column) => column.name === name))?.values[row] ?? NaN);
}

/** Return how much of both sides stands in the other one, as it is and rewritten; null if that is not known.
 * @param {Rows["columns"]} columns @param {number} row @returns {[verbatim: number, rewritten: number][] | null} */
export function sharesOf(columns, row) {
  const found = ["a", "b"].map((side) => /** @type {[number, number]} */ (
    [valueIn(columns, row, `containment_${side}`), valueIn(columns, row, `rewritten_${side}`) || 0]));
  return Number.isNaN(found[0][0]) ? null : found;
}

/** Say how much of a side stands in the other one: of the one that was asked about, or else of which more does.
 * @param {Rows["columns"]} columns @param {number} row @param {Measure | null} measure @param {number | null} about
 * @returns {Verdict | null} */
export function verdictOf(columns, row, measure, about) {
  const shares = sharesOf(columns, row);
  const own = columns.find((column) => column.name === measure?.column);
  if (!shares) {
    if (!measure || !own) return null;
    if (!measure.higher) return { figure: percent(valueIn(columns, row, measure.column)), said: say("verdict.distance") };
    return { figure: cellText(own, row), said: say("verdict.measure", { label: measure.label }) };
  }
  const [a, b] = shares.map(([verbatim, rewritten]) => Math.min(verbatim + rewritten, 1));
  const side = about ?? (b > a ? 1 : 0);
  const words = { one: "AB"[side], other: "BA"[side] };
  const [verbatim, rewritten] = shares[side];
  const common = differs(columns, row) ? "verdict.common" : "verdict.same";
  if (a === 1 && b === 1 && !rewritten) return { figure: percent(1), said: say(common) };
  const kind = rewritten === 0 ? "verdict" : verbatim === 0 ? "verdict.rewritten" : "verdict.partly";
  return { figure: percent(side ? b : a), said: say(kind, { ...words, percent: percent(rewritten) }) };
}

/** Return whether a pair is called a near-duplicate. @param {Rows["columns"]} columns @param {number} row */
function differs(columns, row) {
  const kind = columns.find((column) => column.name === "kind");
  return kind?.type === "category" && kind.names[kind.values[row]] === "near-duplicate";
}

/** Say how many changes there are, and what most of them are. @param {[string, string][]} changes what both sides have there */
export function changesSaid(changes) {
  if (!changes.length) return say("changes.none");
  /** @type {Map<Word, number>} */
  const counts = new Map();
  for (const [a, b] of changes) counts.set(kindOf(a, b), (counts.get(kindOf(a, b)) ?? 0) + 1);
  const [[most, count]] = [...counts].sort((x, y) => y[1] - x[1]);
  const all = count === changes.length;
  if (!all && 2 * count <= changes.length) return plural(changes.length, "change");
  const said = say(all && count > 1 ? "changes.all" : count > 1 ? "changes.mostly" : "changes.one", { what: say(most) });
  return `${plural(changes.length, "change")}, ${said}`;
}

/** @param {string} a @param {string} b @returns {Word} */
function kindOf(a, b) {
  const [before, after] = [a, b].map((text) => text.match(/[\p{L}\p{N}]+/gu) ?? []);
  if (!before.length) return "changes.added";
  if (!after.length) return "changes.removed";
  const numbers = (/** @type {string[]} */ words) => words.every((word) => /\p{N}/u.test(word));
  return numbers(before) && numbers(after) ? "changes.numbers" : "changes.words";
}
