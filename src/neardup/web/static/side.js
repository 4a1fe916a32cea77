// The server's pages: a list, and beside it pages of their own for two texts, with addresses to go back and forth.
"use strict";

// neardup.sides(pages): pages are {name: (number, content) => title or promise of one}, called when addresses name them.
neardup.sides = function (pages) {
  const { el, say, address } = neardup;
  const [home, page] = ["home", "page"].map((id) => document.getElementById(id));
  let keys = {};
  let opener = null;
  window.addEventListener("hashchange", () => route());
  document.addEventListener("keydown", (event) => neardup.press(event, keys));

  async function route() {
    const { page: where, number } = address.read();
    const open = pages[where];
    keys = {};
    if (!open || number === null) {
      home.hidden = false;
      page.hidden = true;
      page.replaceChildren();
      if (opener && opener.isConnected) opener.focus();
      return;
    }
    opener = document.activeElement;
    const content = el("div", { class: "view" }, el("p", { class: "hint" }, say("comparing")));
    const title = el("h2", { class: "page-title", tabindex: -1 });
    const back = () => (history.length > 1 ? history.back() : address.go("search", null));
    page.replaceChildren(el("div", { class: "viewbar" }, neardup.button(`← ${say("back")}`, "Escape", back, { class: "back" }), title), content);
    home.hidden = true;
    page.hidden = false;
    keys = { Escape: back };
    title.focus();
    const found = await open(number, content);
    if (!found) {
      address.replace("search", null);
      route();
      return;
    }
    title.textContent = found.title;
    Object.assign(keys, found.keys || {});
  }

  return { route };
};

neardup.share = function (label, value) {
  return neardup.el("div", {}, neardup.el("dt", {}, label), neardup.el("dd", {}, neardup.bar(value), neardup.percent(value)));
};

// What is typed is kept while one looks at another page, if the browser keeps anything.
neardup.remembered = {
  get(name) { try { return sessionStorage.getItem(name); } catch { return null; } },
  set(name, value) { try { sessionStorage.setItem(name, value); } catch { /* then it is typed again */ } },
};
