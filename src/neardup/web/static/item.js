// What items are called, and what they are found by.
import { el, link } from "./dom.js";
import { oneLine } from "./visible.js";

/** Return the id, title and file of each item, in small letters. @param {Items} items */
export function searchable(items) {
  items.searchable ??= items.id.map((id, i) =>
    `${id}\n${items.title[i] || ""}\n${items.sources[items.source[i]] || ""}`.normalize().toLowerCase());
  return items.searchable;
}

const [TAIL, ENDING] = [14, 5]; // characters at the end of a long name that stay in sight: all, or only what tells the format
const BEGINNING = 10; // characters by which names are told apart, if they can be
const LONG = 18;
const KEPT = 16; // characters of a name that are never left out
const COMMON = 12; // characters that all names begin with, from which on they are left out

/** Write an item in two lines: what it is known by, and what else is known of it; nothing for null. Inside of what
 * is clicked itself, its address is no link.
 * @param {HTMLElement} cell @param {Items} items @param {number | null} number @param {boolean} [linked] */
export function fillItem(cell, items, number, linked = true) {
  if (number === null) {
    cell.replaceChildren();
    cell.title = "";
    return;
  }
  const titled = items.lead === "title" && Boolean(items.title[number]);
  const url = items.url?.[number] ?? null;
  const date = titled ? oneLine(items.date?.[number]).replace(/[T ]\d\d:.*/u, "") : "";
  const [lead, other] = titled ? ["title", "id"] : ["id", "title"];
  if (!cell.firstChild) cell.append(el("bdi", { class: "id" }), el("bdi", { class: "title" }));
  const [first, second] = cell.children;
  first.replaceChildren(...ends(nameIn(items, lead, number), tailOf(items, lead)));
  if (url) {
    const parts = ends(nameIn(items, "url", number));
    const to = linked ? link(url, "") : "";
    if (typeof to !== "string") to.append(...parts);
    second.replaceChildren(...(typeof to === "string" ? parts : [to]));
  } else {
    const rest = items.id[number] === items.title[number] ? "" : nameIn(items, other, number);
    second.replaceChildren(...ends([rest, date].filter(Boolean).join(" · ")));
  }
  const names = [items.id[number], items.title[number], url].map(oneLine);
  cell.title = names.filter((own, i) => own && names.indexOf(own) === i).join("\n");
}

/** Return what an item is called, without what all of them begin with.
 * @param {Items} items @param {string} field id, title or url @param {number} number */
export function nameIn(items, field, number) {
  const name = /** @type {any} */ (items)[field]?.[number] ?? "";
  const start = commonStart(items, field);
  return start && name.length > start ? `…${oneLine(name.slice(start))}` : oneLine(name);
}

/** Return what else is known of a document than its name. @param {Side} side */
export function besides({ id, title, source, name = id }) {
  return [...new Set([title, id, source])].filter((own) => own !== name);
}

/** Return how many characters of names have to be seen at their ends: few, where they differ at their beginnings.
 * @param {Items} items @param {string} field */
function tailOf(items, field) {
  items.tails ??= {};
  if (items.tails[field]) return items.tails[field];
  const names = items.id.map((_, number) => nameIn(items, field, number)).filter(Boolean);
  const beginnings = new Set(names.map((name) => name.slice(0, BEGINNING)));
  items.tails[field] = beginnings.size >= 0.9 * new Set(names).size ? ENDING : TAIL;
  return items.tails[field];
}

/** Write a name so that both its ends are seen where there is no room for all.
 * @param {string} name @param {number} [tail] characters at its end */
function ends(name, tail = TAIL) {
  if (name.length < LONG) return name ? [el("span", { class: "whole" }, name)] : [];
  const behind = name.length - tail;
  const at = /[\uDC00-\uDFFF]/u.test(name.charAt(behind)) ? behind - 1 : behind; // not inside of a character
  return [el("span", { class: "head" }, name.slice(0, at)), el("span", { class: "tail" }, name.slice(at))];
}

/** Return how many characters all names of a list begin with, up to the end of a part.
 * @param {Items} items @param {string} field */
function commonStart(items, field) {
  items.starts ??= {};
  const known = items.starts[field];
  if (known !== undefined) return known;
  /** @type {string[]} */
  const names = (/** @type {any} */ (items)[field] ?? []).filter(Boolean);
  const [first] = names;
  let size = names.length > 2 ? first.length : 0;
  for (const name of names) {
    size = Math.max(Math.min(size, name.length - KEPT), 0);
    while (!name.startsWith(first.slice(0, size))) size -= 1;
  }
  const part = size ? /^.*[/\s]/su.exec(first.slice(0, size)) : null;
  items.starts[field] = part && part[0].length >= COMMON ? part[0].length : 0;
  return items.starts[field];
}
