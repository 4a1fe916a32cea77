// The search page: a text is looked up while it is typed, and shown beside what was found.
"use strict";

neardup.search = function () {
  const { el, say } = neardup;
  const [form, field, threshold, live, status, list, covered] =
    ["ask", "text", "threshold", "live", "status", "matches", "covered"].map((id) => document.getElementById(id));
  const WAIT = 300; // milliseconds without a key, after which a text is looked up
  const SNIPPETS = 3; // passages of a match that are shown in the list
  const LONGEST = 320; // characters of one
  let timer = null;
  let asking = null; // what is on its way, to be given up when the text changes
  let last = { text: "", matches: [] }; // what is shown
  let result = false; // whether the server has a report, too
  const pages = neardup.sides({ match: showMatch, sources: showSources });

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
  field.value = neardup.address.read().params.text || field.value || neardup.remembered.get("neardup-text") || "";
  begin();

  async function begin() {
    await greet();
    if (field.value.trim()) await ask(); // a browser may keep what was typed
    await pages.route();
    document.documentElement.dataset.ready = "yes";
  }

  async function greet() {
    const [, found] = await neardup.send("GET", "/healthz");
    const documents = found.index ? found.index.documents : 0;
    result = Boolean(found.result);
    document.getElementById("about").textContent =
      documents ? say("index.size", { documents: neardup.plural(documents, "document") }) : say("index.empty");
  }

  async function ask() {
    clearTimeout(timer);
    if (asking) asking.abort();
    const text = field.value;
    if (!/[\p{L}\p{N}]/u.test(text)) {
      clear();
      status.textContent = text.trim() ? say("one.word") : "";
      return;
    }
    asking = new AbortController();
    const own = asking;
    neardup.remembered.set("neardup-text", text.slice(0, 1_000_000));
    status.textContent = say("looking");
    const begun = performance.now();
    try {
      const body = { text, threshold: Number(threshold.value) || 0.7, differences: true };
      const [good, found] = await neardup.send("POST", "/query", body, own.signal);
      if (good) show(text, found, performance.now() - begun);
      else fail(found);
    } catch (error) {
      if (error.name !== "AbortError") fail({ error: say("no.answer") });
    }
  }

  function clear() {
    last = { text: "", matches: [] };
    list.replaceChildren();
    covered.replaceChildren();
  }

  function fail(found) {
    clear();
    status.textContent = [found.error, found.hint].filter(Boolean).join(". ");
  }

  function show(text, found, time) {
    const points = Array.from(text); // offsets count characters, not what a browser counts
    const rest = found.total - found.matches.length;
    last = { text, matches: found.matches };
    status.textContent = found.total
      ? say("found", {
        documents: neardup.plural(found.total, "shares"), time: Math.round(time),
        rest: rest ? say("found.rest", { number: found.matches.length }) : "",
      })
      : say("found.none", { time: Math.round(time) });
    covered.replaceChildren(...(found.total ? [el("p", {}, el("a", { href: neardup.address.write("sources", null, neardup.sent({ text })) }, say("sources")))] : []));
    list.replaceChildren(...found.matches.map((match) => item(points, match)));
  }

  function addressOf(id) {
    return neardup.address.write("match", null, { id, ...neardup.sent({ text: last.text }) });
  }

  function item(points, match) {
    const about = [match.title, match.date].filter(Boolean).map(neardup.line).join(" · ");
    const runs = match.passages.length ? match.passages : joined(match.common);
    const more = Math.max(match.passages_found, runs.length) - SNIPPETS;
    return el("li", { class: "match" },
      el("div", { class: "matchhead" },
        el("h2", {}, el("bdi", {}, neardup.line(match.id))),
        el("span", { class: "kind" }, neardup.named(match.kind))),
      about || match.url ? el("p", { class: "about" }, el("bdi", {}, about, " ", neardup.link(match.url, neardup.line(match.url || "")))) : null,
      el("dl", { class: "shares" },
        neardup.share(say("shared.words"), match.words_query),
        neardup.share(say("shared.document"), match.words_document),
        neardup.share(say("resemblance"), match.resemblance)),
      ...runs.slice(0, SNIPPETS).map((passage) => snippet(points, passage)),
      more > 0 ? el("p", { class: "hint" }, say("more.passages", { passages: neardup.plural(more, "passage") })) : null,
      el("p", { class: "ways" }, el("a", { class: "compare", href: addressOf(match.id) }, say("side")),
        result ? el("a", { href: `/report${neardup.address.write("document", null, { id: match.id })}` }, say("in.report")) : null),
    );
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
    const [from, to, start, stop] = [passage.start_query, passage.end_query, passage.start_document, passage.end_document].map(neardup.number);
    const place = say("place", { from, to, start, end: stop });
    return el("figure", { class: "snippet" }, quote, el("figcaption", {}, place));
  }

  // Where a passage is cut if it is long: not inside a word, if there are spaces.
  function wordEnd(points, start, end) {
    if (end - start <= LONGEST) return end;
    let at = start + LONGEST;
    while (at > start + LONGEST / 2 && /\S/u.test(points[at])) at -= 1;
    return at > start + LONGEST / 2 ? at : start + LONGEST;
  }

  // Of an address that was sent, or of one before: the text that it has is looked up, if it is another one.
  async function taken({ text }) {
    if (text === undefined || text === last.text) return;
    field.value = text;
    await ask();
  }

  function missing(id) {
    return { missing: last.text && id !== undefined ? say("address.match", { id: neardup.line(id) }) : say("address.text") };
  }

  async function showMatch(params, content) {
    await taken(params);
    const match = last.matches.find((own) => own.id === params.id);
    if (!match) return missing(params.id);
    const [good, view] = await neardup.send("POST", "/view", { text: last.text, id: match.id });
    const title = say("and.yours", { id: neardup.line(match.id) });
    if (!good) {
      content.replaceChildren(el("p", { class: "note" }, view.error));
      return { title };
    }
    const yours = { ...view.b, id: say("your.text") };
    const shares = [match.words_document, match.words_query].map(neardup.percent); // as in the list
    const facts = view.facts.map(([label, value], i) => [label, i ? shares[i - 1] : value]);
    return { title, ...neardup.renderPair(content, { ...view, facts, b: yours }, { match: 0 }) };
  }

  // The text once, with all passages that documents of the index share with it.
  async function showSources(params, content) {
    await taken(params);
    if (!last.matches.length) return missing(params.id);
    const text = new neardup.Text([[0, last.text]], neardup.points(last.text));
    const spans = last.matches.flatMap((match, source) => {
      const runs = match.passages.length ? match.passages.flatMap((passage) => passage.common) : match.common;
      return neardup.sharedSpans(text, runs.map((run) => [run.start_query, run.end_query])).map((span) => [...span, source]);
    });
    const sources = last.matches.map((match) => ({ name: match.id, about: match.title, open: () => { location.hash = addressOf(match.id); } }));
    neardup.renderDocument(content, { side: { text: [[0, last.text]], length: neardup.points(last.text) }, spans, sources });
    return { title: say("sources") };
  }
};

neardup.search();
