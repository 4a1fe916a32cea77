// A report: what is embedded in the page, as tables, a slider, and pages for pairs, clusters and documents.
"use strict";

neardup.report = async function () {
  const { el, say, address } = neardup;
  const data = await neardup.unpack(document.getElementById("data"));
  const { pairs, measure } = data;
  const store = neardup.store(data);
  const [home, page, paper] = ["home", "page", "paper"].map((id) => document.getElementById(id));
  const heading = document.querySelector("h1");
  const missed = new Set(pairs.missed); // compared, and no pairs
  const shown = measure ? pairs.columns.find((c) => c.name === measure.column).values : null;
  const accepted = (at) => (row) => !missed.has(row) && (!measure || (measure.higher ? shown[row] >= at : shown[row] <= at));
  const closeness = (value) => (measure.higher ? value : 1 - value);
  const here = { step: 0, tab: null, keys: {}, params: {}, drawn: {}, trail: [location.hash] };
  const groups = data.clusters && data.clusters.members.length
    ? neardup.groups(store, (step) => (value) => (measure.higher ? value >= measure.grid[step] : 1 - value <= measure.grid[step])) : null;
  const marks = neardup.marks(store, () => marked());
  const tables = {};
  const tabs = ["pairs", ...(groups ? ["clusters"] : []), "documents", ...(store.docs.old ? ["old"] : []), "map", "figures"];
  const tabName = (name) => (name === "old" ? data.old : name === "documents" && !data.docs ? neardup.capital(data.item[1]) : say(`tab.${name}`));
  let slider = null;

  for (const column of pairs.columns) {
    if (measure && column.name === measure.column) column.bar = closeness;
    column.minor = column.type === "share" && !(measure && column.name === measure.column);
  }
  data.items.lead = data.lead;
  if (data.docs) data.docs.lead = "id";
  tools();
  navigation();
  if (measure) slide();
  window.addEventListener("hashchange", () => {
    if (here.trail.at(-2) === location.hash) here.trail.pop();
    else here.trail.push(location.hash);
    route();
  });
  window.addEventListener("beforeprint", () => printable());
  document.addEventListener("keydown", (event) => neardup.press(event, here.keys));
  route();
  requestAnimationFrame(() => requestAnimationFrame(() => {
    performance.mark("ready");
    document.documentElement.dataset.ready = "yes";
  }));

  // The head of the page

  function tools() {
    const anonymise = neardup.button(say("anonymise"), null, () => setAnonymous(anonymise.getAttribute("aria-pressed") !== "true"), { "aria-pressed": "false", id: "anonymise" });
    const save = neardup.button("", null, () => marks.save(), { id: "save-marks", hidden: true });
    const keys = el("details", { class: "keys" }, el("summary", {}, say("keys")),
      el("dl", {}, ...neardup.keys.map(([key, what]) => el("div", {}, el("dt", {}, key), el("dd", {}, what)))));
    document.getElementById("tools").append(save, anonymise, keys);
    marked();
  }

  function marked() {
    const save = document.getElementById("save-marks");
    const number = marks.size();
    save.hidden = number === 0;
    save.textContent = say(number === 1 ? "marks.save.one" : "marks.save", { number: neardup.number(number) });
    if (tables.pairs) tables.pairs.refill();
  }

  function setAnonymous(on) {
    document.getElementById("anonymise").setAttribute("aria-pressed", String(on));
    document.body.classList.toggle("anonymous", on);
    store.anonymise(on);
    heading.textContent = on ? data.heading : data.title;
    document.title = heading.textContent;
    here.params = { ...here.params, anonymous: on ? "1" : null };
    here.drawn = {};
    for (const name of Object.keys(tables)) delete tables[name];
    const { page: where, number, params } = address.read();
    replace(where, number, { ...params, anonymous: here.params.anonymous });
    route();
  }

  function navigation() {
    const found = document.getElementById("tabs");
    for (const [name, href] of data.links || []) found.append(el("a", { href, class: "elsewhere" }, name));
    for (const name of tabs) found.append(el("a", { href: `#${name}`, "data-tab": name }, tabName(name)));
    found.addEventListener("click", (event) => {
      const { tab } = event.target.dataset;
      if (!tab) return;
      event.preventDefault();
      address.go(tab, null, kept());
    });
  }

  // Say where one is, without a new step to go back to.
  function replace(where, number, params) {
    address.replace(where, number, params);
    here.trail[here.trail.length - 1] = location.hash;
  }

  // What an address keeps from page to page: the threshold, and whether names are shown.
  function kept() {
    const { t, anonymous } = here.params;
    return { t, anonymous };
  }

  function slide() {
    const near = el("details", { class: "remark", id: "near" });
    document.querySelector(".remarks").prepend(near);
    const column = pairs.columns.find((c) => c.name === measure.column);
    slider = neardup.threshold(document.getElementById("threshold-box"), near, {
      measure,
      unit: data.unit,
      item: data.item,
      open: (row) => openPair(row),
      clusters: (step) => (measure.effects ? measure.effects[step][0] : groups ? groups.at(step).length : null),
      describe(button, row) {
        const [a, b] = store.ends(row).map((item) => el("bdi", {}, neardup.line(data.items.id[item])));
        button.append(el("span", { class: "value" }, neardup.format(column, row)), a, el("span", { class: "and" }, say("near.and")), b);
      },
      nearest,
      changed: (step) => { if (step !== here.step) changeStep(step); },
    });
  }

  function nearest(at) { // rows come with the closest first
    const chosen = accepted(at);
    const [kept_, dropped] = [[], []];
    for (let row = shown.length - 1; row >= 0 && kept_.length < 6; row -= 1) if (chosen(row)) kept_.push(row);
    for (let row = 0; row < shown.length && dropped.length < 6; row += 1) if (!chosen(row)) dropped.push(row);
    return { kept: kept_, dropped };
  }

  function changeStep(step) {
    here.step = step;
    here.params.t = step ? String(measure.grid[step]) : null;
    if (tables.pairs) tables.pairs.choose(accepted(measure.grid[step]), measure.accepted);
    const { page: where, number, params } = address.read();
    replace(where, number, { ...params, t: here.params.t });
    here.drawn = { pairs: here.drawn.pairs, documents: here.drawn.documents, old: here.drawn.old };
    if (here.tab && !home.hidden) fillTab(here.tab, params);
  }

  // Where to

  function route() {
    const { page: where, number: given, params } = address.read();
    const number = given === null && params.id !== undefined ? store.real.get(store.docs).id.indexOf(params.id) : given;
    here.notice = null;
    here.params = { t: params.t, anonymous: params.anonymous };
    if (Boolean(params.anonymous) !== document.body.classList.contains("anonymous")) {
      setAnonymous(Boolean(params.anonymous));
      return;
    }
    if (params.t) takeThreshold(params.t);
    else if (slider) slider.set(0);
    const pages = { pair: showPair, cluster: showCluster, document: showDocument, two: showTwo };
    here.keys = {};
    if (pages[where] && number !== null) {
      home.hidden = true;
      page.hidden = false;
      document.body.classList.add("paged");
      pages[where](number, params);
    } else if (tabs.includes(where)) showTab(where, params);
    else unknown("pairs", params);
  }

  function takeThreshold(given) {
    const step = measure ? measure.grid.findIndex((at) => at === Number(given)) : -1;
    if (step < 0) here.notice = say("address.threshold", { value: neardup.line(given) });
    if (slider) slider.set(Math.max(step, 0));
  }

  // An address that leads nowhere: say so, and show a table.
  function unknown(tab, params = {}) {
    const { id } = address.read().params;
    here.notice = id === undefined ? say("address.unknown", { address: neardup.line(location.hash).split("?")[0] }) : say("address.document", { id: neardup.line(id) });
    showTab(tab, params);
  }

  function notice() {
    const found = document.getElementById("notice");
    found.textContent = here.notice || "";
    found.hidden = !here.notice;
  }

  function showTab(name, params) {
    const back = home.hidden;
    home.hidden = false;
    page.hidden = true;
    page.replaceChildren();
    document.body.classList.remove("paged");
    here.tab = name;
    notice();
    for (const tab of document.querySelectorAll("#tabs a")) {
      if (tab.dataset.tab === name) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    }
    for (const tab of tabs) document.getElementById(`panel-${tab}`).hidden = tab !== name;
    fillTab(name, params);
    if (back && tables[name] && here.last !== undefined) tables[name].focus(here.last);
  }

  function fillTab(name, params) {
    const key = JSON.stringify(Object.entries(params).filter(([own]) => own === "q" || own === "sort" || own.startsWith("is.")));
    if (here.drawn[name] === key) return;
    here.drawn[name] = key;
    const panel = document.getElementById(`panel-${name}`);
    const fill = { pairs: fillPairs, clusters: fillClusters, documents: fillDocuments, old: fillOld, map: fillMap }[name];
    if (fill) fill(panel, params);
  }

  function listing(name, params, options) {
    return {
      state: params, file: `${name}.csv`, label: tabName(name).toLowerCase(), ...options,
      changed(state) {
        here.drawn[name] = JSON.stringify(Object.entries(state).filter(([, value]) => value));
        replace(name, null, { ...kept(), ...state });
      },
    };
  }

  function fillPairs(panel, params) {
    const names = ["", ...neardup.LABELS];
    const mark = {
      name: "mark", label: say("mark.column"), type: "mark", names, values: [],
      value: (row) => names.indexOf(marks.get(row) || ""),
    };
    tables.pairs = neardup.table(panel, listing("pairs", params, {
      data: { rows: pairs.rows, columns: [...pairs.columns, mark] }, items: data.items, unit: data.unit, sort: data.sort,
      open: (row) => openPair(row), test: accepted(measure ? measure.grid[here.step] : 0), total: measure ? measure.accepted : pairs.rows - missed.size,
      pressed(key, row) {
        const label = { s: "same", d: "different", u: "unsure", x: "none" }[key];
        if (label) marks.set(row, label);
        return Boolean(label);
      },
    }));
  }

  function fillClusters(panel, params) {
    const found = groups.at(here.step);
    const column = (name, label, type, values, more) => ({ name, label: say(label), type, values, ...more });
    const columns = [
      column("keeper", "cluster.column", "item", found.map((one) => one.keeper)),
      column("size", "cluster.size", "count", found.map((one) => one.members.length)),
      column("lowest", "cluster.lowest", "number", found.map((one) => one.lowest), { bar: (value) => value }),
    ];
    tables.clusters = neardup.table(panel, listing("clusters", params, {
      data: { rows: found.length, columns }, items: data.items, unit: neardup.plurals.cluster,
      sort: { column: "size", descending: true }, open: (row) => { here.last = row; address.go("cluster", found[row].keeper, kept()); },
    }));
  }

  function fillOld(panel, params) {
    fillDocuments(panel, params, true);
  }

  // Documents of one side; where it is known, by how much of each stands elsewhere.
  function fillDocuments(panel, params, old = false) {
    const side = ([doc]) => !store.docs.old || store.docs.old[doc] === old;
    const rows = [...store.rowsOf()].filter(side).sort((x, y) => y[1].length - x[1].length || x[0] - y[0]);
    const { shares } = data;
    const best = (own) => (measure ? own.reduce((top, row) => Math.max(top, closeness(shown[row])), 0) : null);
    const columns = [
      { name: "document", label: old ? data.old : data.docs ? say("document.column") : neardup.capital(data.item[0]), type: "item", values: rows.map(([doc]) => doc) },
    ];
    if (shares) {
      columns.push(
        { name: "share", label: say("document.share"), type: "share", values: rows.map(([doc]) => shares.share[doc]), bar: (value) => value },
        { name: "sources", label: say("document.sources"), type: "count", values: rows.map(([doc]) => shares.sources[doc]) },
        { name: "best", label: say("document.best.source"), type: "item", values: rows.map(([doc]) => shares.best[doc]) });
    } else columns.push({ name: "pairs", label: say("document.count"), type: "count", values: rows.map(([, own]) => own.length) });
    if (measure && !shares) columns.push({ name: "closest", label: say("document.best"), type: "number", values: rows.map(([, own]) => best(own)), bar: (value) => value });
    const name = old ? "old" : "documents";
    tables[name] = neardup.table(panel, listing(name, params, {
      data: { rows: rows.length, columns }, items: store.docs, unit: data.docs ? neardup.plurals.document : data.item,
      sort: { column: shares ? "share" : "pairs", descending: true }, open: (row) => { here.last = row; openDocument(rows[row][0]); },
    }));
  }

  function fillMap(panel) {
    neardup.renderOverview(panel, {
      store, test: accepted(measure ? measure.grid[here.step] : 0), clusters: groups && groups.at(here.step), openCluster: (keeper) => address.go("cluster", keeper, kept()), openDocument,
    });
  }

  // Pages

  function openPair(row) {
    const { page: where, params } = address.read();
    here.last = row;
    address.go("pair", row + 1, where === "pairs" ? params : kept());
  }

  function openDocument(doc) {
    address.go("document", doc, kept());
  }

  // A page begins with the way back, its name, and its buttons, which stay where they are.
  function begin(title, buttons, content, pressed = {}) {
    const up = () => (here.trail.length > 1 ? history.back() : address.go(here.tab || "pairs", null, kept()));
    const name = el("h2", { tabindex: -1, class: "page-title" }, title);
    page.replaceChildren(el("div", { class: "viewbar" },
      el("div", { class: "group" }, neardup.button(`← ${say("back")}`, "Escape", up, { class: "back" })), name, ...buttons), content);
    here.keys = { Escape: up, ...pressed };
    name.focus({ preventScroll: true });
    scrollTo(0, 0);
    return name;
  }

  async function showPair(number, params) {
    const row = number - 1;
    if (!(Number.isInteger(row) && row >= 0 && row < pairs.rows)) return unknown("pairs");
    if (!tables.pairs) fillTab("pairs", params);
    const order = tables.pairs.order();
    const at = order.indexOf(row);
    const turn = (by) => { if (order[at + by] !== undefined && at >= 0) openPairAt(order[at + by], params); };
    const marking = neardup.markButtons(marks, row);
    const content = el("div", { class: "view" }, el("p", { class: "hint" }, say("waiting")));
    const turning = el("div", { class: "group" },
      neardup.button("←", "ArrowLeft", () => turn(-1), { disabled: at < 1, "aria-label": `${say("previous")}: ${data.unit[0]}` }),
      el("span", { class: "where" }, at < 0 ? "" : say("pair.of", { at: neardup.number(at + 1), total: neardup.number(order.length) })),
      neardup.button("→", "ArrowRight", () => turn(1), { disabled: at < 0 || at + 1 >= order.length, "aria-label": `${say("next")}: ${data.unit[0]}` }));
    const title = say("pair", { unit: neardup.capital(data.unit[0]), number: neardup.number(number) });
    const keys = { ...marking.keys, ArrowRight: () => turn(1), ArrowLeft: () => turn(-1) };
    begin(title, [turning, marking.element], content, keys);
    here.last = row;
    const view = await store.viewOf(row);
    if (!content.isConnected) return undefined;
    const shownPair = neardup.renderPair(content, view, {
      context: Boolean(data.docs), match: params.match ? Number(params.match) - 1 : null,
      open: (side) => openDocument(store.docOf(store.ends(row)[side])),
      chosen: (match) => replace("pair", number, { ...address.read().params, match: match + 1 }),
    });
    Object.assign(here.keys, shownPair.keys);
    return undefined;
  }

  function openPairAt(row, params) {
    const { match, ...rest } = params;
    replace("pair", row + 1, rest);
    route();
  }

  function showCluster(keeper) {
    const cluster = groups && groups.of(here.step, keeper);
    if (!cluster) return unknown(groups ? "clusters" : "pairs");
    const content = el("div", { class: "view" });
    begin(say("cluster", { number: neardup.number(cluster.members.length), items: data.item[1] }), [], content);
    neardup.renderCluster(content, {
      store, cluster, openPair, openDocument, step: here.step, passes: (step) => accepted(measure ? measure.grid[step] : 0),
      openTwo: (a, b) => address.go("two", a, { ...kept(), with: b }),
    });
    return undefined;
  }

  async function showTwo(item, params) {
    const items = [item, Number(params.with)];
    if (!items.every((own) => data.items.id[own] !== undefined)) return unknown("pairs");
    const content = el("div", { class: "view" }, el("p", { class: "hint" }, say("waiting")));
    begin(items.map((own) => neardup.line(data.items.id[own])).join(" · "), [], content);
    const texts = await Promise.all(items.map(store.docOf).map(async (doc) => await store.textOf(doc) || (store.served && await store.wholeOf(doc)())));
    if (!content.isConnected) return undefined;
    const [a, b] = items.map((own, i) => ({ ...store.doc(store.docOf(own)), text: texts[i] }));
    const known = texts[0] && texts[1];
    const matches = known ? neardup.compareTexts(new neardup.Text(texts[0], a.length), new neardup.Text(texts[1], b.length)) : [];
    const found = neardup.renderPair(content, { a, b, matches, facts: [], note: say(known ? "compared.here" : "no.member.text") }, { open: (side) => openDocument(store.docOf(items[side])) });
    Object.assign(here.keys, found.keys);
    return undefined;
  }

  async function showDocument(doc) {
    if (store.docs.id[doc] === undefined) return unknown("documents");
    const content = el("div", { class: "view" }, el("p", { class: "hint" }, say("waiting")));
    const about = store.doc(doc);
    begin(neardup.line(about.id), [], content);
    const view = await neardup.documentView(store, doc, openPair);
    if (!content.isConnected) return undefined;
    const inner = el("div", {});
    const line = [about.title === about.id ? null : about.title, about.source === about.id ? null : about.source, about.date].filter(Boolean).map(neardup.line).join(" · ");
    const below = el("div", { class: "below" });
    content.replaceChildren(el("p", { class: "about" }, el("bdi", {}, line), about.url ? el("bdi", {}, " ", neardup.link(about.url, neardup.line(about.url))) : null), inner,
      el("h3", {}, say("document.table")), below);
    neardup.renderDocument(inner, view);
    const own = new Set(store.rowsOf(doc));
    neardup.table(below, { data: pairs, items: data.items, label: say("document.table"), unit: data.unit, sort: data.sort, test: (row) => own.has(row), total: own.size, open: openPair, file: "document.csv" });
    return undefined;
  }

  // Only some rows are in the page: for paper, the first ones are written out.
  function printable() {
    const table = home.hidden ? null : tables[here.tab];
    if (!table) {
      paper.replaceChildren();
      return;
    }
    const most = 200;
    const rows = [...table.order().subarray(0, most)];
    const columns = table.columns.filter((column) => column.type !== "mark");
    const named = (number) => (number === null ? "" : neardup.line(table.items.id[number]));
    const cells = (row) => columns.map((column) =>
      el("td", { class: column.type }, column.type === "item" ? named(column.values[row]) : neardup.format(column, row)));
    const rest = table.count() - rows.length;
    paper.replaceChildren(
      el("table", {},
        el("thead", {}, el("tr", {}, ...columns.map((column) => el("th", { class: column.type }, column.label)))),
        el("tbody", {}, ...rows.map((row) => el("tr", {}, ...cells(row))))),
      rest > 0 ? el("p", {}, say("cluster.more", { number: neardup.number(rest) })) : "");
  }
};

// What is shown of a document: its text, and each of the documents that share passages with it.
neardup.documentView = async function (store, doc, openPair) {
  const MOST_ASKED = 200;
  const rows = store.rowsOf(doc);
  const bySource = new Map();
  const about = store.doc(doc);
  const whole = store.wholeOf(doc);
  const pieces = await store.textOf(doc) || (whole && await whole());
  const text = pieces && new neardup.Text(pieces, about.length);
  let [missing, asked] = [0, 0];
  for (const row of rows.slice(0, 2000)) {
    let stored = await store.matchesOf(row);
    if (!stored && store.served && asked < MOST_ASKED) {
      asked += 1;
      stored = await store.askedFor(row);
    }
    if (!stored || stored.texts || !text) {
      missing += 1;
      continue;
    }
    const [a, b] = store.ends(row).map(store.docOf);
    for (const first of a === b ? [true, false] : [a === doc]) {
      const other = first ? b : a;
      if (!bySource.has(other)) bySource.set(other, { row, spans: [] });
      for (const match of stored.matches) bySource.get(other).spans.push(...neardup.sharedSpans(text, neardup.runsOf(match).map((run) => run[first ? "a" : "b"])));
    }
  }
  const size = (spans) => neardup.stretches(spans.map(([start, end]) => [start, end, 0])).reduce((sum, own) => sum + own.end - own.start, 0);
  const sources = [...bySource].map(([other, own]) => ({ other, ...own, size: size(own.spans) })).sort((x, y) => y.size - x.size || x.other - y.other);
  return {
    side: { ...about, text: pieces, whole },
    share: store.data.shares ? store.data.shares.share[doc] : null,
    sources: sources.map(({ other, row }) => ({ name: store.doc(other).id, about: store.doc(other).title, open: () => openPair(row) })),
    spans: sources.flatMap(({ spans }, source) => spans.map(([start, end]) => [start, end, source])),
    missing: missing ? neardup.say("document.missing", { number: neardup.number(missing) }) : null,
  };
};

neardup.report();
