// Addresses: what is looked at, as #page/number?t=0.8&q=words, so that Back works and links can be sent.

/** Return where one is. */
export function readAddress() {
  const [path, query] = location.hash.replace(/^#/u, "").split("?");
  const [page, number] = path.split("/");
  /** @type {Record<string, string | undefined>} */
  const params = Object.fromEntries(new URLSearchParams(query || ""));
  return { page: page || "pairs", number: number === undefined || number === "" ? null : Number(number), params };
}

/** @param {string} page @param {number | null} number @param {Params} [params] */
export function writeAddress(page, number, params = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined && value !== "") query.append(name, String(value));
  }
  const asked = query.toString();
  return `#${page}${number === null ? "" : `/${number}`}${asked ? `?${asked}` : ""}`;
}

/** @param {string} page @param {number | null} number @param {Params} [params] */
export function goTo(page, number, params) {
  location.hash = writeAddress(page, number, params);
}

/** Say where one is without a new step to go back to.
 * @param {string} page @param {number | null} number @param {Params} [params] */
export function replaceAddress(page, number, params) {
  history.replaceState(history.state, "", writeAddress(page, number, params));
}
