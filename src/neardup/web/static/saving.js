// Files for the reader to keep.
import { el } from "./dom.js";

/** @typedef {string | number | null | undefined} Cell */

/** Hand the browser a file of rows to save, with the mark by which Excel knows its encoding.
 * @param {string} name @param {Cell[][]} rows */
export function saveCsv(name, rows) {
  saveFile(name, new Blob(["\ufeff", csv(rows)], { type: "text/csv;charset=utf-8" }));
}

/** @param {string} name @param {Blob} content */
export function saveFile(name, content) {
  const address = URL.createObjectURL(content);
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** @param {Cell[][]} rows */
function csv(rows) {
  const lines = rows.map((row) => row.map((cell) => {
    const text = guarded(cell);
    return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }).join(","));
  return `${lines.join("\r\n")}\r\n`;
}

/** A text that a spreadsheet would take for a formula gets an apostrophe; what reads marks takes it off.
 * @param {Cell} cell */
function guarded(cell) {
  if (cell === null || cell === undefined) return "";
  const formula = typeof cell === "string" && /^'*[=+\-@\t\r]/u.test(cell) && !Number.isFinite(Number(cell));
  return formula ? `'${cell}` : String(cell);
}
