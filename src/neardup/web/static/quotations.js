// The passages that most documents have.
import { el, meter, plainButton } from "./dom.js";
import { digits } from "./formats.js";
import { appendText, oneLine } from "./visible.js";
import { say } from "./words.js";

/** @param {HTMLElement} container @param {import("./here.js").Here} here */
export function showQuotations(container, here) {
  const { store } = here;
  const found = store.data.texts.reused;
  const places = new Map(store.docs.number?.map((number, i) => [number, i]));
  container.replaceChildren(el("p", { class: "hint" }, say("quotations.about")), el("ol", { class: "reused" },
    ...found.map(([doc, , , others, text]) => {
      const quote = el("blockquote", { dir: "auto" });
      appendText(quote, text);
      const place = places.get(doc);
      const number = el("strong", {}, say("map.reused.count", { number: digits(others) }));
      return el("li", {}, el("p", { class: "about" }, number, meter(others / found[0][3])), quote,
        place === undefined ? null : plainButton(oneLine(store.doc(place).name), () => here.openDocument(place)));
    })));
}
