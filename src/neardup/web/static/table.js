// A table of any number of rows, of which only those in sight are in the page.
//
// neardup.table(container, {data, items, label, unit, open, sort}) shows
//   data   {rows, columns: [{name, label, type, values, names?, bar?}]}; types are number, share, count,
//          category (values are places in names), text, mark and item (values are places in items);
//          bar(value) says how long the bar beside a value is, from 0 to 1
//   items  {id, title, source, sources}: arrays; source holds places in sources
//   open   called with the number of the row that was chosen
//   sort   {column, descending} to begin with
//   test   which rows are shown to begin with, of `total`; as for choose
//   state  {q, sort, "is.column": name} as addresses have it; changed(state) is told of another
//   file   what a CSV file is called
//   pressed  called with a key and the active row; says whether it did something
// and returns {choose(test), columns, items, order(), count(), focus(row), refill()}.
"use strict";

neardup.table = function (container, options) {
  const { data, items } = options;
  const el = neardup.el;
  const state = {
    order: new Uint32Array(0),
    active: 0,
    sort: options.sort || { column: null, descending: false },
    test: options.test || null,
    total: options.total,
    query: "",
    categories: new Map(),
  };
  takeOver(options.state || {});
  const prefix = `t${document.querySelectorAll(".grid").length}`;
  const count = el("span", { class: "total", role: "status" });
  const body = el("div", { class: "rows", role: "rowgroup" });
  const head = el("div", { class: "row head", role: "row" });
  const empty = el("p", { class: "empty", hidden: true }, neardup.say(data.rows ? "empty" : "empty.all"));
  const grid = el("div", {
    class: data.columns.filter((c) => c.type === "item").length > 1 ? "grid" : "grid short", role: "grid", tabindex: 0, "aria-label": options.label,
    "aria-colcount": data.columns.length, onkeydown: pressed, onscroll: () => schedule(),
  }, head, body);
  const wide = { item: "minmax(9rem, 1fr)", text: "minmax(8rem, 0.6fr)", category: "9.5rem", mark: "5.5rem" };
  const widths = data.columns.map((c) => (c.bar ? "10.5rem" : wide[c.type] || "7rem"));
  grid.style.setProperty("--columns", widths.join(" "));
  grid.style.setProperty("--fewer", widths.filter((_, i) => !data.columns[i].minor).join(" "));
  container.replaceChildren(tools(), grid, empty);
  heads();

  let slots = [];
  let waiting = false;
  const sizes = new ResizeObserver(() => schedule());
  sizes.observe(grid);

  // What an address says of a table, and what a table says of itself.
  function takeOver(given) {
    if (given.q) state.query = given.q.trim().toLowerCase();
    if (given.sort) state.sort = { column: given.sort.replace(/^-/u, ""), descending: given.sort.startsWith("-") };
    for (const column of data.columns) {
      const at = column.names ? column.names.indexOf(given[`is.${column.name}`]) : -1;
      if (at >= 0) state.categories.set(column, at);
    }
  }

  function tell() {
    if (!options.changed) return;
    const told = { q: state.query };
    const first = options.sort || {};
    const { column, descending } = state.sort;
    if (column && (column !== first.column || descending !== first.descending)) told.sort = `${descending ? "-" : ""}${column}`;
    for (const [own, value] of state.categories) told[`is.${own.name}`] = own.names[value];
    options.changed(told);
  }

  function tools() {
    const box = el("div", { class: "tools" });
    const search = el("input", {
      type: "search", placeholder: neardup.say("search"), "aria-label": neardup.say("search.label", { what: options.label }),
      autocomplete: "off", spellcheck: "false", value: state.query,
    });
    let timer = 0;
    search.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        state.query = search.value.trim().toLowerCase();
        refresh();
        tell();
      }, 120);
    });
    const choices = data.columns.filter((c) => c.names && c.names.length > 1).map(filter);
    const save = neardup.button(neardup.say("save.csv"), null, saveAll, { class: "save" });
    box.append(search, ...choices, sorting(), save, count);
    return box;
  }

  function filter(column) {
    const all = el("option", { value: "" }, neardup.say("filter.all", { label: column.label }));
    const named = column.names.map((name, i) => el("option", { value: i, selected: state.categories.get(column) === i }, neardup.line(column.type === "mark" ? neardup.say(name || "none") : neardup.named(name))));
    const choice = el("select", { "aria-label": neardup.say("filter.by", { label: column.label }) }, all, ...named);
    choice.addEventListener("change", () => {
      if (choice.value === "") state.categories.delete(column);
      else state.categories.set(column, Number(choice.value));
      refresh();
      tell();
    });
    return choice;
  }

  // The rows that are shown, in their order, as a file.
  function saveAll() {
    const value = (column, row) => (column.type === "item" ? items.id[column.values[row]] ?? null
      : column.names ? column.names[valueOf(column, row)] : valueOf(column, row));
    const rows = Array.from(state.order, (row) => data.columns.map((column) => value(column, row)));
    neardup.save(options.file || "table.csv", neardup.csv([data.columns.map((c) => c.name), ...rows]));
  }

  function valueOf(column, row) {
    return column.value ? column.value(row) : column.values[row];
  }

  // On narrow screens there is no room for heads to click on.
  function sorting() {
    const choice = el("select", { class: "narrow", "aria-label": neardup.say("sort.by") });
    data.columns.forEach((column, i) => {
      for (const [value, word] of [[`${i}d`, "↓"], [`${i}a`, "↑"]]) {
        choice.append(el("option", { value }, neardup.say("sort.choice", { label: column.label, arrow: word })));
      }
    });
    const at = data.columns.findIndex((c) => c.name === state.sort.column);
    if (at >= 0) choice.value = `${at}${state.sort.descending ? "d" : "a"}`;
    choice.addEventListener("change", () => {
      const column = data.columns[Number.parseInt(choice.value, 10)];
      sortBy(column.name, choice.value.endsWith("d"));
    });
    return choice;
  }

  function heads() {
    head.replaceChildren(...data.columns.map((column) => {
      const sorted = state.sort.column === column.name;
      const direction = state.sort.descending ? "descending" : "ascending";
      const arrow = sorted ? (state.sort.descending ? " ↓" : " ↑") : "";
      const button = el("button", { type: "button", title: neardup.say("sort.title", { label: column.label }) }, column.label + arrow);
      button.addEventListener("click", () => {
        const first = column.type === "item" || column.type === "text" || column.type === "category";
        sortBy(column.name, sorted ? !state.sort.descending : !first);
        head.children[data.columns.indexOf(column)].firstChild.focus();
      });
      return el("div", {
        role: "columnheader", class: `cell ${column.type}${column.minor ? " minor" : ""}`, "aria-sort": sorted ? direction : "none",
      }, button);
    }));
  }

  function sortBy(column, descending) {
    state.sort = { column, descending };
    heads();
    refresh();
    tell();
  }

  function refresh() {
    const passes = tests();
    const chosen = new Uint32Array(data.rows);
    let size = 0;
    for (let row = 0; row < data.rows; row += 1) {
      if (passes.every((test) => test(row))) chosen[size++] = row;
    }
    state.order = sorted(chosen.subarray(0, size));
    state.active = 0;
    const all = state.total ?? data.rows;
    const unit = options.unit[size === 1 && size === all ? 0 : 1];
    count.textContent = neardup.say(size === all ? "count.all" : "count.some", { size: neardup.number(size), all: neardup.number(all), unit });
    empty.hidden = size > 0;
    grid.setAttribute("aria-rowcount", size + 1);
    grid.style.setProperty("--count", Math.max(size, 1));
    grid.scrollTop = 0;
    for (const slot of slots) slot.index = -1;
    schedule();
  }

  function tests() {
    const found = [];
    if (state.test) found.push(state.test);
    for (const [column, value] of state.categories) found.push((row) => valueOf(column, row) === value);
    if (state.query) {
      const known = data.columns.filter((c) => c.type === "item").map((c) => [c.values, matching(state.query)]);
      const texts = data.columns.filter((c) => c.type === "text").map((c) => c.values);
      found.push((row) =>
        known.some(([values, hits]) => hits[values[row]]) ||
        texts.some((values) => (values[row] || "").toLowerCase().includes(state.query)));
    }
    return found;
  }

  // Which items have all words of a query in their id, title or file.
  function matching(query) {
    const words = query.split(/\s+/u);
    const texts = neardup.searchable(items);
    return Uint8Array.from(texts, (text) => (words.every((word) => text.includes(word)) ? 1 : 0));
  }

  function sorted(rows) {
    const column = data.columns.find((c) => c.name === state.sort.column);
    if (!column) return rows;
    const keys = sortKeys(column);
    const sign = state.sort.descending ? -1 : 1;
    const compare = (x, y) => sign * (keys[x] - keys[y]) || x - y;
    for (let i = 1; i < rows.length; i += 1) {
      if (compare(rows[i - 1], rows[i]) > 0) return rows.sort(compare);
    }
    return rows; // reports come sorted, and open the faster for it
  }

  function sortKeys(column) {
    if (!column.keys) {
      const { values } = column;
      if (column.type === "item") column.keys = ranked(items.id, values);
      else if (column.value) return Float64Array.from({ length: data.rows }, (_, row) => column.value(row));
      else if (column.type === "category") column.keys = Float64Array.from(values); // names come in order
      else if (column.type === "text") column.keys = ranked(values.map((v) => v || ""), values.map((_, i) => i));
      else column.keys = Float64Array.from(values, (v) => (v === null ? -1 : v));
    }
    return column.keys;
  }

  function ranked(names, values) {
    const order = names.map((_, i) => i);
    order.sort((x, y) => (names[x] < names[y] ? -1 : names[x] > names[y] ? 1 : 0));
    const ranks = new Uint32Array(names.length);
    order.forEach((name, rank) => { ranks[name] = rank; });
    return Uint32Array.from(values, (v) => ranks[v]);
  }

  function schedule() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  }

  function draw() {
    const height = Number.parseFloat(getComputedStyle(grid).getPropertyValue("--row"));
    const needed = Math.ceil(grid.clientHeight / height) + 6;
    body.style.height = `${height * state.order.length}px`;
    if (slots.length < needed || slots.height !== height) {
      slots = Array.from({ length: Math.max(needed, slots.length) }, (_, i) => makeRow(i));
      slots.height = height;
      body.replaceChildren(...slots.map((slot) => slot.element));
    }
    const first = Math.max(Math.floor(grid.scrollTop / height) - 2, 0);
    for (let index = first; index < first + slots.length; index += 1) {
      const slot = slots[index % slots.length];
      if (slot.index !== index) fill(slot, index, height);
      slot.element.classList.toggle("active", index === state.active);
    }
    const active = slots[state.active % slots.length];
    const shown = active && active.index === state.active && state.order.length > 0;
    if (shown) grid.setAttribute("aria-activedescendant", active.element.id);
    else grid.removeAttribute("aria-activedescendant");
  }

  function makeRow(number) {
    const cells = data.columns.map((column) =>
      el("div", { class: `cell ${column.type}${column.minor ? " minor" : ""}${column.bar ? " barred" : ""}`, role: "gridcell", "data-label": column.label }));
    const element = el("div", { class: "row", role: "row", id: `${prefix}-${number}` }, ...cells);
    const slot = { element, cells, index: -1 };
    element.addEventListener("click", (event) => {
      if (event.target.closest("a")) return;
      state.active = slot.index;
      schedule();
      options.open(state.order[slot.index]);
    });
    return slot;
  }

  function fill(slot, index, height) {
    slot.index = index;
    slot.element.hidden = index >= state.order.length;
    if (slot.element.hidden) return;
    const row = state.order[index];
    slot.element.style.transform = `translateY(${index * height}px)`;
    slot.element.setAttribute("aria-rowindex", index + 2);
    slot.element.classList.toggle("odd", index % 2 === 1);
    data.columns.forEach((column, i) => {
      const cell = slot.cells[i];
      if (column.type === "item") neardup.fillItem(cell, items, column.values[row]);
      else if (column.type === "mark") fillMark(cell, column.names[column.value(row)]);
      else cell.textContent = neardup.format(column, row);
      if (column.bar && column.values[row] !== null) cell.prepend(neardup.bar(column.bar(column.values[row])));
    });
  }

  function fillMark(cell, label) {
    cell.replaceChildren(label ? el("span", { class: `tag ${label}` }, neardup.say(label)) : "");
  }

  function pressed(event) {
    if (event.target !== grid || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(Math.floor(grid.clientHeight / slots.height) - 2, 1);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const last = state.order.length - 1;
    if (event.key in moves && last >= 0) {
      state.active = Math.min(Math.max(state.active + moves[event.key], 0), last);
      scrollTo(state.active);
    } else if ((event.key === "Enter" || event.key === " ") && last >= 0) {
      options.open(state.order[state.active]);
    } else if (!(last >= 0 && options.pressed && options.pressed(event.key, state.order[state.active]))) return;
    event.preventDefault();
  }

  function scrollTo(index) {
    const { height } = slots;
    const top = index * height;
    const room = grid.clientHeight - head.offsetHeight;
    if (top < grid.scrollTop) grid.scrollTop = top;
    else if (top + height > grid.scrollTop + room) grid.scrollTop = top + height - room;
    schedule();
  }

  refresh();
  return {
    // Show only rows that pass a test; `total` is how many there are to speak of.
    choose(test, total) {
      state.test = test;
      state.total = total;
      refresh();
    },
    // A mark is another one: rows are written again, and chosen again if they are chosen by it.
    refill() {
      if (state.categories.size) {
        const { active } = state;
        refresh();
        state.active = Math.min(active, Math.max(state.order.length - 1, 0));
        return;
      }
      for (const slot of slots) slot.index = -1;
      schedule();
    },
    columns: data.columns,
    items,
    order: () => state.order,
    count: () => state.order.length,
    focus(row) {
      const index = state.order.indexOf(row);
      if (index >= 0) {
        state.active = index;
        if (slots.height) scrollTo(index);
      }
      grid.focus();
    },
  };
};

neardup.searchable = function (items) {
  if (!items.searchable) {
    items.searchable = items.id.map((id, i) =>
      `${id}\n${items.title[i] || ""}\n${items.sources[items.source[i]] || ""}`.toLowerCase());
  }
  return items.searchable;
};

// An item in two lines: what it is known by, and what else is known of it; nothing for null.
// Write the name of an item; inside of what is clicked itself, its address is no link.
neardup.fillItem = function (cell, items, number, linked = true) {
  if (number === null) {
    cell.replaceChildren();
    cell.title = "";
    return;
  }
  const id = neardup.line(items.id[number]);
  const title = neardup.line(items.title[number]);
  const url = items.url ? items.url[number] : null;
  const lead = items.lead === "title" && title ? title : id;
  const date = items.date && items.date[number] ? neardup.line(items.date[number]).slice(0, 10) : "";
  const rest = [lead === title && title !== id ? id : title === id ? "" : title, items.lead === "title" ? date : ""].filter(Boolean).join(" · ");
  if (!cell.firstChild) cell.append(neardup.el("bdi", { class: "id" }), neardup.el("bdi", { class: "title" }));
  cell.firstChild.textContent = lead;
  cell.lastChild.replaceChildren(url ? (linked ? neardup.link(url, neardup.line(url)) : neardup.line(url)) : rest);
  cell.title = [id, title, url && neardup.line(url)].filter((own, i, all) => own && all.indexOf(own) === i).join("\n");
};
