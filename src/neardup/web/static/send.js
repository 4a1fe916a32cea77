// Asking the server that a page came from; reports, which are files, have none.
"use strict";

neardup.send = async (method, address, body, signal) => {
  const headers = body ? { "Content-Type": "application/json" } : {};
  const answer = await fetch(address, { method, headers, signal, body: body && JSON.stringify(body) });
  return [answer.ok, await answer.json()];
};
