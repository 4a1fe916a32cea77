// The page of threads: a new one is looked up while it is typed; has it been asked before?
"use strict";

neardup.asked = async function () {
  const { el, say } = neardup;
  const [form, fields, least, live, status, list] =
    ["ask", "fields", "least", "live", "status", "matches"].map((id) => document.getElementById(id));
  const WAIT = 300; // milliseconds without a key, after which a thread is looked up
  const inputs = new Map();
  let timer = null;
  let asking = null; // what is on its way, to be given up when the thread changes
  let last = { thread: {}, found: [] }; // what is shown
  const pages = neardup.sides({ thread: showThread });

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  form.addEventListener("input", (event) => {
    clearTimeout(timer);
    if (event.target !== live && live.checked) timer = setTimeout(ask, WAIT);
  });
  await greet();
  if (Object.keys(threadOf()).length) await ask();
  await pages.route();
  document.documentElement.dataset.ready = "yes";

  async function greet() {
    const [, found] = await neardup.send("GET", "/healthz");
    const { threads, fields: names, problem } = found.asked;
    document.getElementById("about").textContent = problem || say("threads", { threads: neardup.plural(threads, "thread") });
    const given = neardup.address.read().params;
    names.forEach((name, number) => {
      const input = el("textarea", { id: `field-${number}`, rows: number ? 4 : 2, dir: "auto", spellcheck: "false" });
      input.value = given[`is.${name}`] || neardup.remembered.get(`neardup-${name}`) || "";
      inputs.set(name, input);
      fields.append(el("label", { for: input.id }, neardup.line(name)), input);
    });
    if (inputs.size) inputs.values().next().value.focus();
  }

  function threadOf() {
    const thread = {};
    for (const [name, input] of inputs) if (/[\p{L}\p{N}]/u.test(input.value)) thread[name] = input.value;
    return thread;
  }

  async function ask() {
    clearTimeout(timer);
    if (asking) asking.abort();
    const thread = threadOf();
    for (const [name, input] of inputs) neardup.remembered.set(`neardup-${name}`, input.value.slice(0, 100_000));
    if (!Object.keys(thread).length) {
      list.replaceChildren();
      status.textContent = "";
      return;
    }
    asking = new AbortController();
    const begun = performance.now();
    status.textContent = say("looking");
    try {
      const body = { thread, top: 10, least: Number(least.value) || 0.3 };
      const [good, found] = await neardup.send("POST", "/asked", body, asking.signal);
      if (good) show(thread, found.found, performance.now() - begun);
      else fail(found);
    } catch (error) {
      if (error.name !== "AbortError") fail({ error: say("no.answer") });
    }
  }

  function fail(found) {
    list.replaceChildren();
    status.textContent = [found.error, found.hint].filter(Boolean).join(". ");
  }

  function show(thread, found, time) {
    last = { thread, found };
    const took = Math.round(time);
    status.textContent = found.length ? say("asked", { threads: neardup.plural(found.length, "threads"), time: took }) : say("asked.none", { time: took });
    list.replaceChildren(...found.map(item));
  }

  function addressOf(id) {
    const fields = Object.fromEntries(Object.entries(last.thread).map(([name, text]) => [`is.${name}`, text]));
    return neardup.address.write("thread", null, { id, ...neardup.sent(fields) });
  }

  function item(one) {
    const about = [one.title ? one.id : null, one.date].filter(Boolean).map(neardup.line).join(" · ");
    const compared = Object.entries(one.fields).filter(([, value]) => value !== null);
    return el("li", { class: "match" },
      el("div", { class: "matchhead" }, el("h2", {}, el("bdi", {}, neardup.link(one.url, neardup.line(one.title || one.id))))),
      about ? el("p", { class: "about" }, el("bdi", {}, about)) : null,
      el("dl", { class: "shares" }, neardup.share(say("similarity"), one.similarity),
        ...compared.map(([name, value]) => neardup.share(neardup.line(name), value))),
      el("p", { class: "ways" }, el("a", { class: "compare", href: addressOf(one.id) }, say("side")),
        el("a", { href: `/report${neardup.address.write("document", null, { id: one.id })}` }, say("in.report"))));
  }

  // The thread as it was asked, with its body, beside the new one.
  async function showThread(params, content) {
    const one = last.found.find((own) => own.id === params.id);
    if (!one) return { missing: last.found.length ? say("address.match", { id: neardup.line(params.id) }) : say("address.text") };
    const [good, view] = await neardup.send("POST", "/asked/view", { thread: last.thread, id: one.id });
    const title = neardup.line(one.title || one.id);
    if (good) return { title, ...neardup.renderPair(content, view, { match: view.matches.length ? 0 : null }) };
    content.replaceChildren(el("p", { class: "note" }, view.error));
    return { title };
  }
};

neardup.asked();
