// Keys that do something on a page.

/** Do what a key is for; keys typed into fields are not meant. @param {KeyboardEvent} event @param {Keys} keys */
export function press(event, keys) {
  const target = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input, select, textarea")) return;
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
}
