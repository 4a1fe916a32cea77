// A report: what is embedded in the page, as tables, a slider, and pairs to open.
"use strict";

neardup.report = async function () {
  const el = neardup.el;
  const data = await neardup.unpack(document.getElementById("data"));
  const { items, pairs, clusters, measure } = data;
  const [columnA, columnB] = pairs.columns;
  const dialog = document.getElementById("viewer");
  const content = el("div", { class: "view" });
  const heading = el("h2", { id: "viewer-title", tabindex: -1 });
  const blockOf = new Map(data.texts.row.map((row, i) => [row, data.texts.block[i]]));
  const blocks = new Map();
  const tables = {};
  let open = null; // what the dialog shows: {rows, at, back}
  let pair = null;
  let rowsByPair = null;

  dialog.append(
    el("div", { class: "viewbar" }, heading,
      el("div", { class: "turn" },
        el("button", { type: "button", title: "The previous pair (←)", onclick: () => turn(-1) }, "← Previous"),
        el("button", { type: "button", title: "The next pair (→)", onclick: () => turn(1) }, "Next →"),
        el("button", { type: "button", title: "Close (Esc)", class: "close", onclick: () => dialog.close() }, "Close"))),
    content,
  );
  dialog.addEventListener("close", () => {
    if (open && open.back) open.back();
    open = null;
    history.replaceState(null, "", "#");
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select")) return;
    const keys = { n: () => pair && pair.next(), p: () => pair && pair.previous(), ArrowRight: () => turn(1), ArrowLeft: () => turn(-1) };
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  });

  const missed = new Set(pairs.missed); // compared, and no pairs
  const accepted = (at) => (row) => !missed.has(row) && (measure.higher ? shown[row] >= at : shown[row] <= at);
  const shown = measure ? pairs.columns.find((c) => c.name === measure.column).values : null;
  tables.pairs = neardup.table(document.getElementById("pairs"), {
    data: pairs, items, label: "pairs", unit: data.unit, sort: data.sort, open: (row) => openPair(row, tables.pairs),
    test: measure && accepted(measure.grid[0]), total: measure && measure.accepted,
  });
  if (measure) slide();
  tabs();
  window.addEventListener("beforeprint", () => printable());
  fromAddress();
  window.addEventListener("hashchange", fromAddress);
  requestAnimationFrame(() => requestAnimationFrame(() => {
    performance.mark("ready");
    document.documentElement.dataset.ready = "yes";
  }));

  function slide() {
    let last = measure.grid[0];
    neardup.threshold(document.getElementById("threshold-box"), {
      measure,
      unit: data.unit,
      open: (row) => openPair(row, tables.pairs),
      describe(button, row) {
        const value = neardup.format(pairs.columns.find((c) => c.name === measure.column), row);
        button.append(el("span", { class: "value" }, value),
          el("bdi", {}, neardup.line(items.id[columnA.values[row]])), el("span", { class: "and" }, " and "),
          el("bdi", {}, neardup.line(items.id[columnB.values[row]])));
      },
      nearest(at) { // rows come with the closest first
        const chosen = accepted(at);
        const kept = [];
        const dropped = [];
        for (let row = shown.length - 1; row >= 0 && kept.length < 6; row -= 1) if (chosen(row)) kept.push(row);
        for (let row = 0; row < shown.length && dropped.length < 6; row += 1) if (!chosen(row)) dropped.push(row);
        return { kept, dropped };
      },
      changed(at) {
        if (at !== last) tables.pairs.choose(accepted(at), measure.accepted);
        last = at;
      },
    });
  }

  function tabs() {
    const buttons = [...document.querySelectorAll("[role=tab]")];
    const choose = (button) => {
      if (button.id === "tab-clusters") listClusters();
      for (const other of buttons) {
        const chosen = other === button;
        other.setAttribute("aria-selected", chosen);
        other.tabIndex = chosen ? 0 : -1;
        document.getElementById(other.getAttribute("aria-controls")).hidden = !chosen;
      }
    };
    buttons.forEach((button, i) => {
      button.addEventListener("click", () => choose(button));
      button.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const next = buttons[(i + step + buttons.length) % buttons.length];
        choose(next);
        next.focus();
      });
    });
  }

  function listClusters() {
    tables.clusters ||= neardup.table(document.getElementById("clusters"), {
      data: clusters, items, label: "clusters", unit: ["cluster", "clusters"],
      sort: { column: "size", descending: true }, open: openCluster,
    });
  }

  function item(number) {
    return {
      id: items.id[number], title: items.title[number], source: items.sources[items.source[number]],
      length: items.length ? items.length[number] : null,
    };
  }

  async function openPair(row, table, back) {
    const rows = table ? table.order() : [row];
    open = { rows, at: rows.indexOf(row), back: back || (table ? () => table.focus(row) : null), table };
    await showPair(row);
  }

  async function showPair(row) {
    const view = {
      a: { ...item(columnA.values[row]), parts: null },
      b: { ...item(columnB.values[row]), parts: null },
      facts: pairs.columns.slice(2).map((column) => [column.label, neardup.format(column, row)]).filter((fact) => fact[1]),
    };
    const stored = await textsOf(row);
    if (stored) {
      [view.a.parts, view.b.parts, view.matches, view.curve] = stored;
      if (!view.matches.length) view.note = "These two texts share no run of words that is long enough to show.";
    } else view.note = data.no_text;
    heading.textContent = `${data.unit[0][0].toUpperCase()}${data.unit[0].slice(1)} ${neardup.number(row + 1)}`;
    dialog.classList.remove("listing");
    content.replaceChildren();
    show();
    pair = neardup.renderPair(content, view);
    history.replaceState(null, "", `#pair-${row + 1}`);
  }

  function show() {
    if (dialog.open) return;
    dialog.showModal();
    heading.focus();
  }

  async function textsOf(row) {
    const number = blockOf.get(row);
    if (number === undefined) return null;
    if (!blocks.has(number)) {
      if (blocks.size > 20) blocks.clear();
      blocks.set(number, neardup.unpack(document.getElementById(`texts-${number}`)));
    }
    const block = await blocks.get(number);
    return block[String(row)];
  }

  function turn(step) {
    if (!open || open.at < 0) return;
    const next = open.at + step;
    if (next < 0 || next >= open.rows.length) return;
    const { table } = open;
    const row = open.rows[next];
    open = { ...open, at: next, back: table ? () => table.focus(row) : open.back };
    showPair(row);
  }

  function openCluster(number) {
    const [first, behind] = [clusters.bounds[number], clusters.bounds[number + 1]];
    const keeper = clusters.columns.find((c) => c.name === "keeper").values[number];
    const list = el("ol", { class: "members" });
    for (let i = first; i < behind && i < clusters.members.length; i += 1) {
      const member = clusters.members[i];
      const about = el("span", { class: "value" });
      const name = el("span", { class: "name" });
      neardup.fillItem(name, items, member);
      const row = member === keeper ? -1 : rowOf(keeper, member);
      const similarity = clusters.similarity[i];
      about.textContent = member === keeper ? "kept" : similarity === null ? "connected" : similarity.toFixed(3);
      list.append(el("li", {}, row < 0 ? el("div", {}, about, name)
        : el("button", { type: "button", title: "Compare with the one that is kept", onclick: () => openPair(row, null, () => tables.clusters.focus(number)) }, about, name)));
    }
    const left = clusters.columns.find((c) => c.name === "size").values[number] - (behind - first);
    heading.textContent = `Cluster ${neardup.number(number + 1)}: ${neardup.plural(behind - first + left, data.item)}`;
    content.replaceChildren(
      el("p", { class: "hint" }, "Each member with its similarity to the one that is kept. Choose one to compare the two."),
      list, left ? el("p", { class: "note" }, `… and ${neardup.number(left)} more that are not in this file.`) : "");
    pair = null;
    open = { rows: [], at: -1, back: () => tables.clusters.focus(number) };
    dialog.classList.add("listing");
    show();
  }

  function rowOf(one, other) {
    const key = (a, b) => a * items.id.length + b;
    if (!rowsByPair) {
      rowsByPair = new Map();
      for (let row = 0; row < pairs.rows; row += 1) rowsByPair.set(key(columnA.values[row], columnB.values[row]), row);
    }
    const found = rowsByPair.get(key(one, other)) ?? rowsByPair.get(key(other, one));
    return found === undefined ? -1 : found;
  }

  function fromAddress() {
    const found = /^#pair-(\d+)$/u.exec(location.hash);
    const row = found ? Number(found[1]) - 1 : -1;
    if (row >= 0 && row < pairs.rows && !dialog.open) openPair(row, tables.pairs);
  }

  // Only some rows are in the page: for paper, the first ones are written out.
  function printable() {
    const most = 200;
    const rows = [...tables.pairs.order().subarray(0, most)];
    const cells = (row) => pairs.columns.map((column) =>
      el("td", {}, column.type === "item" ? neardup.line(items.id[column.values[row]]) : neardup.format(column, row)));
    const rest = tables.pairs.count() - rows.length;
    document.getElementById("paper").replaceChildren(
      el("table", {},
        el("thead", {}, el("tr", {}, ...pairs.columns.map((column) => el("th", {}, column.label)))),
        el("tbody", {}, ...rows.map((row) => el("tr", {}, ...cells(row))))),
      rest > 0 ? el("p", {}, `… and ${neardup.number(rest)} more.`) : "");
  }
};

neardup.report();
