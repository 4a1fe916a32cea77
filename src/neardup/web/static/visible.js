// Text that may be hostile: it only ever becomes text, and what cannot be seen is shown.
import { say } from "./words.js";

// Characters that change how others are shown, or are not shown at all: controls but tab and newline,
// directions, spaces of no width, soft hyphens, fillers, tags and others. Joiners stay, as several
// scripts need them.
const UNSEEN = new RegExp(
  // eslint-disable-next-line no-misleading-character-class -- each is meant by itself
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e" +
    "\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb" +
    "\\u{e0000}-\\u{e007f}]",
  "gu",
);
/** @type {Record<number, string>} */
const SIGNS = {
  0x200b: "ZWSP", 0x200e: "LRM", 0x200f: "RLM", 0x061c: "ALM", 0x202a: "LRE", 0x202b: "RLE",
  0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI",
  0x2069: "PDI", 0xfeff: "BOM", 0x00ad: "SHY", 0x0000: "NUL", 0x001b: "ESC", 0x000d: "CR", 0x007f: "DEL",
};

/** @param {string} character */
function signOf(character) {
  const code = character.codePointAt(0) ?? 0;
  return SIGNS[code] || `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Return a text on one line, for tables and titles. @param {string | number | null | undefined} text */
export function oneLine(text) {
  const known = text === null || text === undefined ? "" : String(text);
  return known.replace(/\s+/gu, " ").replace(UNSEEN, (found) => `⟦${signOf(found)}⟧`);
}

/** Append a text to an element, with a small sign for each character that cannot be seen.
 * @param {Element} element @param {string} text */
export function appendText(element, text) {
  const known = text.replaceAll("\r\n", "\n");
  let at = 0;
  for (const found of known.matchAll(UNSEEN)) {
    if (found.index > at) element.append(known.slice(at, found.index));
    const sign = document.createElement("span");
    sign.className = "sign";
    sign.textContent = signOf(found[0]);
    sign.title = say("sign", { name: sign.textContent });
    element.append(sign);
    at = found.index + found[0].length;
  }
  if (at < known.length) element.append(known.slice(at));
}
