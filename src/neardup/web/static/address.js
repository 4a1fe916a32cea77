// Addresses: what is looked at, as #page/number?t=0.8&q=words, so that Back works and links can be sent.
"use strict";

neardup.address = {
  read() {
    const [path, query] = location.hash.replace(/^#/u, "").split("?");
    const [page, number] = path.split("/");
    const params = {};
    for (const [name, value] of new URLSearchParams(query || "")) params[name] = value;
    return { page: page || "pairs", number: number === undefined || number === "" ? null : Number(number), params };
  },

  write(page, number, params) {
    const known = Object.entries(params || {}).filter(([, value]) => value !== null && value !== undefined && value !== "");
    const query = new URLSearchParams(known).toString();
    return `#${page}${number === null || number === undefined ? "" : `/${number}`}${query ? `?${query}` : ""}`;
  },

  go(page, number, params) {
    location.hash = neardup.address.write(page, number, params);
  },

  // Say where one is without a new step to go back to.
  replace(page, number, params) {
    history.replaceState(history.state, "", neardup.address.write(page, number, params));
  },
};
