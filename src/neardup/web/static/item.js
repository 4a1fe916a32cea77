// What items are called, and what they are found by.
import { el, link } from "./dom.js";
import { oneLine } from "./visible.js";

/** Return the id, title and file of each item, in small letters. @param {Items} items */
export function searchable(items) {
  items.searchable ??= items.id.map((id, i) =>
    `${id}\n${items.title[i] || ""}\n${items.sources[items.source[i]] || ""}`.toLowerCase());
  return items.searchable;
}

/** Write an item in two lines: what it is known by, and what else is known of it; nothing for null. Inside of what
 * is clicked itself, its address is no link.
 * @param {HTMLElement} cell @param {Items} items @param {number | null} number @param {boolean} [linked] */
export function fillItem(cell, items, number, linked = true) {
  if (number === null) {
    cell.replaceChildren();
    cell.title = "";
    return;
  }
  const id = oneLine(items.id[number]);
  const title = oneLine(items.title[number]);
  const url = items.url?.[number] ?? null;
  const titled = items.lead === "title";
  const lead = titled && title ? title : id;
  const date = titled ? oneLine(items.date?.[number]).slice(0, 10) : "";
  const other = lead === id ? title : id;
  const rest = [other === lead ? "" : other, date].filter(Boolean).join(" · ");
  const shown = url && oneLine(url);
  if (!cell.firstChild) cell.append(el("bdi", { class: "id" }), el("bdi", { class: "title" }));
  const [first, second] = cell.children;
  first.textContent = lead;
  second.replaceChildren(shown ? (linked ? link(url, shown) : shown) : rest);
  cell.title = [id, title, shown].filter((own, i, all) => own && all.indexOf(own) === i).join("\n");
}
