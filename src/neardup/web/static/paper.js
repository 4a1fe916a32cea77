// A table on paper: only some of its rows are in the page, so that the first ones are written out.
import { byId, el } from "./dom.js";
import { cellText, digits } from "./formats.js";
import { oneLine } from "./visible.js";
import { say } from "./words.js";

const MOST = 200;

/** @param {import("./table.js").Table | null | undefined} table that is shown, if there is one */
export function writeOut(table) {
  byId("paper").replaceChildren(...(table ? written(table) : []));
}

/** @param {import("./table.js").Table} table */
function written({ order, items, columns: all }) {
  const columns = all.filter((column) => column.type !== "mark");
  /** @param {Column} column @param {number} row */
  const text = (column, row) => {
    if (column.type !== "item") return cellText(column, row);
    const item = column.values[row];
    return item === null ? "" : oneLine(items.id[item]);
  };
  const rows = Array.from(order.subarray(0, MOST), (row) =>
    el("tr", {}, ...columns.map((column) => el("td", { class: column.type }, text(column, row)))));
  const heads = columns.map((column) => el("th", { class: column.type }, column.label));
  const table = el("table", {}, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows));
  const rest = order.length - rows.length;
  return [table, rest > 0 ? el("p", {}, say("cluster.more", { number: digits(rest) })) : ""];
}
