// The page of threads: a new one is looked up while it is typed; has it been asked before?
"use strict";

neardup.asked = async function () {
  const el = neardup.el;
  const [form, fields, least, live, status, list] =
    ["ask", "fields", "least", "live", "status", "matches"].map((id) => document.getElementById(id));
  const WAIT = 300; // milliseconds without a key, after which a thread is looked up
  const inputs = new Map();
  let timer = null;
  let asking = null; // what is on its way, to be given up when the thread changes

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  form.addEventListener("input", (event) => {
    clearTimeout(timer);
    if (event.target !== live && live.checked) timer = setTimeout(ask, WAIT);
  });
  await greet();
  document.documentElement.dataset.ready = "yes";

  async function greet() {
    const [, found] = await neardup.send("GET", "/healthz");
    const { threads, fields: names, problem } = found.asked;
    document.getElementById("about").textContent = problem || `${neardup.plural(threads, ["thread", "threads"])} to look in`;
    names.forEach((name, number) => {
      const input = el("textarea", { id: `field-${number}`, rows: number ? 4 : 2, dir: "auto", spellcheck: "false" });
      inputs.set(name, input);
      fields.append(el("label", { for: input.id }, neardup.line(name)), input);
    });
    if (inputs.size) inputs.values().next().value.focus();
  }

  async function ask() {
    clearTimeout(timer);
    if (asking) asking.abort();
    const thread = {};
    for (const [name, input] of inputs) if (/[\p{L}\p{N}]/u.test(input.value)) thread[name] = input.value;
    if (!Object.keys(thread).length) {
      list.replaceChildren();
      status.textContent = "";
      return;
    }
    asking = new AbortController();
    const begun = performance.now();
    status.textContent = "Looking it up …";
    try {
      const body = { thread, top: 10, least: Number(least.value) || 0.3 };
      const [good, found] = await neardup.send("POST", "/asked", body, asking.signal);
      if (good) show(found.found, performance.now() - begun);
      else fail(found);
    } catch (error) {
      if (error.name !== "AbortError") fail({ error: "The server does not answer." });
    }
  }

  function fail(found) {
    list.replaceChildren();
    status.textContent = [found.error, found.hint].filter(Boolean).join(". ");
  }

  function show(found, time) {
    const took = `(${Math.round(time)} ms)`;
    status.textContent = found.length
      ? `Yes: ${neardup.plural(found.length, ["thread is", "threads are"])} worded like it ${took}`
      : `No: no thread is worded like it ${took}`;
    list.replaceChildren(...found.map(item));
  }

  function item(one) {
    const about = [one.title ? one.id : null, one.date].filter(Boolean).map(neardup.line).join(" · ");
    const compared = Object.entries(one.fields).filter(([, value]) => value !== null);
    return el("li", { class: "match" },
      el("div", { class: "matchhead plain" }, el("h2", {}, el("bdi", {}, linked(one)))),
      about ? el("p", { class: "about" }, el("bdi", {}, about)) : null,
      el("dl", { class: "shares" }, share("similarity", one.similarity),
        ...compared.map(([name, value]) => share(neardup.line(name), value))));
  }

  // Other addresses than those of the web, such as scripts, are not links.
  function linked(one) {
    const title = neardup.line(one.title || one.id);
    return /^https?:\/\//iu.test(one.url || "") ? el("a", { href: one.url, rel: "noreferrer" }, title) : title;
  }

  function share(label, value) {
    return el("div", {},
      el("dt", {}, label),
      el("dd", {}, el("meter", { min: 0, max: 1, value, "aria-hidden": "true" }), ` ${(100 * value).toFixed(value === 1 ? 0 : 1)} %`));
  }
};

neardup.asked();
