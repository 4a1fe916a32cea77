// Elements, and text that may be hostile: it only ever becomes text, and what cannot be seen is shown.
"use strict";

// el("p", {class: "x", onclick: f}, "text", child): texts are texts, never markup.
neardup.el = function (tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
};

neardup.svg = function (tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};

// Characters that change how others are shown, or are not shown at all: controls but tab and newline,
// directions, spaces of no width, soft hyphens, fillers, tags and others. Joiners stay, as several
// scripts need them.
const UNSEEN = new RegExp(
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e" +
    "\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb" +
    "\\u{e0000}-\\u{e007f}]",
  "gu",
);
const SIGNS = {
  0x200b: "ZWSP", 0x200e: "LRM", 0x200f: "RLM", 0x061c: "ALM", 0x202a: "LRE", 0x202b: "RLE",
  0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI",
  0x2069: "PDI", 0xfeff: "BOM", 0x00ad: "SHY", 0x0000: "NUL", 0x001b: "ESC", 0x000d: "CR", 0x007f: "DEL",
};

neardup.sign = function (character) {
  const code = character.codePointAt(0);
  return SIGNS[code] || `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
};

// A text on one line, for tables and titles.
neardup.line = function (text) {
  const known = text === null || text === undefined ? "" : String(text);
  return known.replace(/\s+/gu, " ").replace(UNSEEN, (found) => `⟦${neardup.sign(found)}⟧`);
};

// Append a text to an element, with a small sign for each character that cannot be seen.
neardup.appendText = function (element, text) {
  const known = text.replaceAll("\r\n", "\n");
  let at = 0;
  for (const found of known.matchAll(UNSEEN)) {
    if (found.index > at) element.append(known.slice(at, found.index));
    const sign = neardup.sign(found[0]);
    element.append(neardup.el("span", { class: "sign", title: neardup.say("sign", { name: sign }) }, sign));
    at = found.index + found[0].length;
  }
  if (at < known.length) element.append(known.slice(at));
};

neardup.number = (value) => value.toLocaleString(document.documentElement.lang || "en");
neardup.plural = (count, words) => {
  const [one, many] = typeof words === "string" ? neardup.plurals[words] : words;
  return `${neardup.number(count)} ${count === 1 ? one : many}`;
};
neardup.capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
neardup.percent = (value) => `${(100 * value).toFixed(value === 1 || value === 0 ? 0 : 1)} %`;

// A button with its key; one that cannot do anything says so.
neardup.button = (label, key, onclick, more) => neardup.el("button", {
  type: "button", onclick, "aria-keyshortcuts": key || null, title: key ? `${label} (${key})` : null, ...more,
}, label);

// Only addresses of the web are links: others, such as scripts, are text.
neardup.link = (address, text) => (/^https?:\/\//iu.test(address || "")
  ? neardup.el("a", { href: address, rel: "noreferrer noopener", target: "_blank" }, text) : text);

neardup.bar = (value) => neardup.el("span", { class: "meter", "aria-hidden": "true" },
  neardup.svg("svg", { viewBox: "0 0 100 1", preserveAspectRatio: "none" },
    neardup.svg("rect", { width: Math.max(100 * Math.min(value, 1), 0), height: 1 })));

// Hand the browser a file to save.
neardup.save = function (name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = neardup.el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};

// A text that a spreadsheet would take for a formula gets an apostrophe; what reads marks takes it off.
const guarded = (cell) => (typeof cell === "string" && /^'*[=+\-@\t\r]/u.test(cell) && !Number.isFinite(Number(cell)) ? `'${cell}` : String(cell));

neardup.csv = (rows) => rows.map((row) => row.map((cell) => {
  const text = cell === null || cell === undefined ? "" : guarded(cell);
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}).join(",")).join("\r\n") + "\r\n";

// How values of a column are shown, by its type.
neardup.formats = {
  number: (value) => value.toFixed(3),
  share: (value) => neardup.percent(value),
  count: neardup.number,
  category: (value, column) => neardup.line(neardup.named(column.names[value])),
  text: (value) => neardup.line(value),
};

neardup.format = function (column, row) {
  const value = column.values[row];
  return value === null || value === undefined ? "" : neardup.formats[column.type](value, column);
};

// Read what is embedded in the page: JSON, compressed, as base64.
neardup.unpack = async function (element) {
  const binary = atob(element.textContent);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
};
