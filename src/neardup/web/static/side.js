// The server's pages: a list, and beside it pages of their own for two texts, with addresses to go back and forth.
"use strict";

// neardup.sides(pages): pages are {name: (params, content) => {title} or a promise of it}, called when addresses name
// them; {missing} says why there is nothing to show.
neardup.sides = function (pages) {
  const { el, say, address } = neardup;
  const [home, page] = ["home", "page"].map((id) => document.getElementById(id));
  let keys = {};
  let opener = null;
  let missing = "";
  window.addEventListener("hashchange", () => route());
  document.addEventListener("keydown", (event) => neardup.press(event, keys));

  async function route() {
    const { page: where, params } = address.read();
    const open = pages[where];
    const found = document.getElementById("notice");
    found.hidden = !missing;
    found.textContent = missing;
    missing = "";
    keys = {};
    if (!open) {
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
    const shown = await open(params, content);
    if (shown.missing) {
      address.replace("search", null);
      missing = shown.missing;
      route();
      return;
    }
    title.textContent = shown.title;
    Object.assign(keys, shown.keys || {});
  }

  return { route };
};

neardup.share = function (label, value) {
  return neardup.el("div", {}, neardup.el("dt", {}, label), neardup.el("dd", {}, neardup.bar(value), neardup.percent(value)));
};

// A text that is short goes into the address, so that whoever gets it sees the same; servers never see that part.
neardup.sent = function (texts) {
  const MOST = 3000; // characters that mail and chats leave whole
  const total = Object.values(texts).reduce((sum, text) => sum + encodeURIComponent(text).length, 0);
  return total <= MOST ? texts : {};
};

// What is typed is kept while one looks at another page, if the browser keeps anything.
neardup.remembered = {
  get(name) { try { return sessionStorage.getItem(name); } catch { return null; } },
  set(name, value) { try { sessionStorage.setItem(name, value); } catch { /* then it is typed again */ } },
};
