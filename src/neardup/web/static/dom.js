// Elements, whose children are elements and texts, never markup.

export const COLOURS = 8; // of matches and sources

/** Make an element: el("p", {class: "x", onclick: f}, "text", child).
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Attributes} attributes @param {...Child} children */
export function el(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag @param {Attributes} attributes @param {...Child} children */
export function svg(tag, attributes, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** @template {Element} E @param {E} element @param {Attributes} attributes @param {Child[]} children */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Return an element that is in the page. @param {string} id */
export function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** Make a button with its key. @param {string} label @param {string | null} key @param {() => void} onclick
 * @param {Attributes} [more] */
export function button(label, key, onclick, more) {
  const shown = { "aria-keyshortcuts": key || null, title: key ? `${label} (${key})` : null };
  return el("button", { type: "button", onclick, ...shown, ...more }, label);
}

/** Make a button that looks like text. @param {string} text @param {() => void} onclick */
export function plainButton(text, onclick) {
  return el("button", { type: "button", class: "plain", onclick }, el("bdi", {}, text));
}

/** Make a link to an address of the web: others, such as scripts, are text.
 * @param {string | null | undefined} address @param {string} text */
export function link(address, text) {
  if (!/^https?:\/\//iu.test(address || "")) return text;
  return el("a", { href: address, rel: "noreferrer noopener", target: "_blank" }, text);
}

/** Make a bar as long as a value from 0 to 1. @param {number} value */
export function meter(value) {
  return el("span", { class: "meter", "aria-hidden": "true" },
    svg("svg", { viewBox: "0 0 100 1", preserveAspectRatio: "none" },
      svg("rect", { width: Math.max(100 * Math.min(value, 1), 0), height: 1 })));
}
