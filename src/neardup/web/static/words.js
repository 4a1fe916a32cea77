// All words of the interface, which are those of words.json: to translate it, translate that file.
import all from "./words.json" with { type: "json" };

/** @type {Record<string, string>} */
const words = all.words;
/** @type {Record<string, string>} */
const names = all.names;
export const plurals = all.plurals;
export const shortcuts = all.keys;

/** Return words: say("pair.of", {at: 3, total: 9}) fills in what stands in braces.
 * @param {Word} key @param {Record<string, string | number>} [values] */
export function say(key, values) {
  const found = words[key];
  if (found === undefined) throw new Error(`no words for ${key}`);
  return values ? found.replace(/\{(\w+)\}/gu, (_, name) => String(values[name])) : found;
}

/** Return what a value of the results is called; those of users stay as they are. @param {string} value */
export function named(value) {
  return Object.hasOwn(names, value) ? names[value] : value;
}
