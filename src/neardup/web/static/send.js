// Asking the server that a page came from; reports, which are files, have none.

/** Return whether it went well, and what was answered. @param {string} method @param {string} address
 * @param {object} [body] @param {AbortSignal} [signal] @returns {Promise<[good: boolean, found: any]>} */
export async function send(method, address, body, signal) {
  /** @type {Record<string, string>} */
  const headers = body ? { "Content-Type": "application/json" } : {};
  const answer = await fetch(address, { method, headers, signal, body: body && JSON.stringify(body) });
  return [answer.ok, await answer.json()];
}
