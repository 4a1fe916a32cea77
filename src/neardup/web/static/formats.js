// How numbers and the values of columns are written.
import { oneLine } from "./visible.js";
import { named, plurals } from "./words.js";

/** @param {number} value */
export function digits(value) {
  return value.toLocaleString(document.documentElement.lang || "en");
}

/** @param {number} count @param {Counted | Plural} words */
export function plural(count, words) {
  const [one, many] = typeof words === "string" ? plurals[words] : words;
  return `${digits(count)} ${count === 1 ? one : many}`;
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What is not all is not shown as all. @param {number} value */
export function percent(value) {
  return `${value === 1 || value === 0 ? 100 * value : (100 * belowOne(value)).toFixed(1)} %`;
}

/** @param {number} value */
function belowOne(value) {
  return value < 1 ? Math.min(value, 0.999) : value;
}

/** Write what a column has in a row. @param {Column} column @param {number} row */
export function cellText(column, row) {
  if (column.type === "mark" || column.type === "item") return "";
  const value = column.values[row];
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return oneLine(value);
  if (column.type === "category") return oneLine(named(column.names[value]));
  if (column.type === "count") return digits(value);
  return column.type === "share" ? percent(value) : belowOne(value).toFixed(3);
}
