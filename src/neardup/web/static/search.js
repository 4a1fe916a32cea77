// The search page: a text is looked up while it is typed, and shown beside what was found.
"use strict";

neardup.search = function () {
  const el = neardup.el;
  const [form, field, threshold, live, status, list, dialog] =
    ["ask", "text", "threshold", "live", "status", "matches", "viewer"].map((id) => document.getElementById(id));
  const WAIT = 300; // milliseconds without a key, after which a text is looked up
  const SNIPPETS = 3; // passages of a match that are shown in the list
  const LONGEST = 320; // characters of one
  let timer = null;
  let asking = null; // what is on its way, to be given up when the text changes
  let pair = null;
  let opener = null;

  const heading = el("h2", { id: "viewer-title", tabindex: -1 }, "Side by side");
  const content = el("div", { class: "view" });
  dialog.append(
    el("div", { class: "viewbar" }, heading,
      el("div", { class: "turn" },
        el("button", { type: "button", class: "close", title: "Close (Esc)", onclick: () => dialog.close() }, "Close"))),
    content,
  );
  dialog.addEventListener("close", () => {
    pair = null;
    content.replaceChildren();
    if (opener) opener.focus();
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
    const keys = { n: () => pair && pair.next(), p: () => pair && pair.previous() };
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      ask();
    }
  });
  for (const input of [field, threshold]) {
    input.addEventListener("input", () => {
      clearTimeout(timer);
      if (live.checked) timer = setTimeout(ask, WAIT);
    });
  }
  greet();
  if (field.value.trim()) ask(); // a browser may keep what was typed
  document.documentElement.dataset.ready = "yes";

  async function greet() {
    const [, found] = await neardup.send("GET", "/healthz");
    const documents = found.index ? found.index.documents : 0;
    document.getElementById("about").textContent =
      documents ? `${neardup.plural(documents, ["document", "documents"])} in the index` : "The index is empty";
  }

  async function ask() {
    clearTimeout(timer);
    if (asking) asking.abort();
    const text = field.value;
    if (!/[\p{L}\p{N}]/u.test(text)) {
      list.replaceChildren();
      status.textContent = text.trim() ? "Type at least one word." : "";
      return;
    }
    asking = new AbortController();
    const own = asking;
    status.textContent = "Looking it up …";
    const begun = performance.now();
    try {
      const body = { text, threshold: Number(threshold.value) || 0.7, differences: true };
      const [good, found] = await neardup.send("POST", "/query", body, own.signal);
      if (good) show(text, found, performance.now() - begun);
      else fail(found);
    } catch (error) {
      if (error.name !== "AbortError") fail({ error: "The server does not answer." });
    }
  }

  function fail(found) {
    list.replaceChildren();
    status.textContent = [found.error, found.hint].filter(Boolean).join(". ");
  }

  function show(text, found, time) {
    const points = Array.from(text); // offsets count characters, not what a browser counts
    const rest = found.total - found.matches.length;
    status.textContent = found.total
      ? `Yes: ${neardup.plural(found.total, ["document shares", "documents share"])} text with it${rest ? `, the best ${found.matches.length} are shown` : ""} (${Math.round(time)} ms)`
      : `No: nothing in the index is like this text (${Math.round(time)} ms)`;
    list.replaceChildren(...found.matches.map((match) => item(text, points, match)));
  }

  function item(text, points, match) {
    const button = el("button", { type: "button", class: "compare", onclick: () => open(text, match, button) },
      "Side by side");
    const about = [match.title, match.url, match.date].filter(Boolean).map(neardup.line).join(" · ");
    const runs = match.passages.length ? match.passages : joined(match.common);
    const more = Math.max(match.passages_found, runs.length) - SNIPPETS;
    return el("li", { class: "match" },
      el("div", { class: "matchhead" },
        el("h2", {}, el("bdi", {}, neardup.line(match.id))),
        el("span", { class: "kind" }, match.kind)),
      about ? el("p", { class: "about" }, el("bdi", {}, about)) : null,
      el("dl", { class: "shares" },
        share("of your text is shared", Math.max(match.containment_query, match.coverage_query)),
        share("of the document is shared", Math.max(match.containment_document, match.coverage_document)),
        share("resemblance", match.resemblance)),
      ...runs.slice(0, SNIPPETS).map((passage) => snippet(points, passage)),
      more > 0 ? el("p", { class: "hint" }, `and ${neardup.plural(more, ["more passage", "more passages"])}`) : null,
      button,
    );
  }

  function share(label, value) {
    return el("div", {},
      el("dt", {}, label),
      el("dd", {}, el("meter", { min: 0, max: 1, value, "aria-hidden": "true" }), ` ${(100 * value).toFixed(value === 1 ? 0 : 1)} %`));
  }

  // Runs that follow each other are one passage of the list; what is between them differs.
  function joined(common) {
    if (!common.length) return [];
    const ordered = [...common].sort((x, y) => x.start_query - y.start_query);
    const last = ordered[ordered.length - 1];
    return [{ ...ordered[0], end_query: last.end_query, end_document: last.end_document, common: ordered }];
  }

  // What the text has of a passage; words that the document does not have there are marked.
  function snippet(points, passage) {
    const quote = el("blockquote", { dir: "auto" });
    const ordered = [...passage.common].sort((x, y) => x.start_query - y.start_query);
    const end = wordEnd(points, passage.start_query, passage.end_query);
    let at = passage.start_query;
    const put = (to, into) => {
      const stop = Math.min(to, end);
      if (stop > at) neardup.appendText(into, points.slice(at, stop).join(""));
      at = Math.max(at, stop);
    };
    for (const run of ordered) {
      if (run.start_query > at && at < end) {
        const other = el("ins", {});
        put(run.start_query, other);
        quote.append(/\S/u.test(other.textContent) ? other : other.textContent);
      }
      put(run.end_query, quote);
    }
    if (at < end) {
      const other = el("ins", {});
      put(end, other);
      quote.append(other);
    }
    if (end < passage.end_query) quote.append(" …");
    const place = `characters ${neardup.number(passage.start_query)}–${neardup.number(passage.end_query)} of your text, ` +
      `${neardup.number(passage.start_document)}–${neardup.number(passage.end_document)} of the document`;
    return el("figure", { class: "snippet" }, quote, el("figcaption", {}, place));
  }

  // Where a passage is cut if it is long: not inside a word, if there are spaces.
  function wordEnd(points, start, end) {
    if (end - start <= LONGEST) return end;
    let at = start + LONGEST;
    while (at > start + LONGEST / 2 && /\S/u.test(points[at])) at -= 1;
    return at > start + LONGEST / 2 ? at : start + LONGEST;
  }

  async function open(text, match, button) {
    opener = button;
    heading.textContent = `${neardup.line(match.id)} and your text`;
    content.replaceChildren(el("p", { class: "hint" }, "Comparing …"));
    dialog.showModal();
    heading.focus();
    const [good, view] = await neardup.send("POST", "/view", { text, id: match.id });
    if (!dialog.open) return;
    if (good) pair = neardup.renderPair(content, { ...view, b: { ...view.b, id: "your text" } });
    else content.replaceChildren(el("p", { class: "note" }, view.error));
    if (good && pair) pair.next();
  }
};

neardup.search();
