// What somebody says of pairs: same, different, unsure. Kept in the browser, and by the server if there is one.
"use strict";

neardup.LABELS = ["same", "different", "unsure"];

neardup.marks = function (store, changed) {
  const { data, items } = store;
  const known = new Map();
  const place = `neardup-marks:${data.title}:${data.pairs.rows}:${fingerprint()}`;
  const own = { get: (row) => known.get(row) || null, set, size: () => known.size, save, labels: known };
  load();
  if (store.served) fetchThem();
  return own;

  // What the server keeps comes first: somebody else may have marked pairs, too.
  async function fetchThem() {
    const [good, found] = await neardup.send("GET", "/report/marks");
    if (!good) return;
    if (!found.read_only) known.clear(); // what was taken back there is not marked here either
    const places = new Map(store.real.get(items).id.map((id, i) => [id, i]));
    for (const { left, right, label } of found.marks) {
      const row = places.has(left) && places.has(right) ? store.rowOf(places.get(left), places.get(right)) : -1;
      if (row >= 0 && neardup.LABELS.includes(label)) known.set(row, label);
    }
    keep();
    changed();
  }

  // So that another result under the same name has marks of its own.
  function fingerprint() {
    let sum = 0;
    for (const id of items.id.slice(0, 2000)) for (let i = 0; i < id.length; i += 7) sum = (sum * 31 + id.charCodeAt(i)) % 2147483647;
    return sum.toString(36);
  }

  function names(row) {
    const { id } = store.real.get(items);
    return store.ends(row).map((item) => id[item]);
  }

  function load() {
    try { // a browser may keep nothing for files
      for (const [row, label] of JSON.parse(localStorage.getItem(place) || "[]")) {
        if (Number.isInteger(row) && row < data.pairs.rows && neardup.LABELS.includes(label)) known.set(row, label);
      }
    } catch { known.clear(); }
  }

  function keep() {
    try { localStorage.setItem(place, JSON.stringify([...known])); } catch { /* they last as long as the page */ }
  }

  function set(row, label) {
    if (label === "none" || known.get(row) === label) known.delete(row);
    else known.set(row, label);
    keep();
    changed(row);
    if (store.served) send(row);
  }

  function send(row) {
    const [left, right] = names(row);
    neardup.send("POST", "/report/marks", { left, right, label: known.get(row) || "none" }).catch(() => {});
  }

  // A file that `neardup evaluate` reads. Sentences are told by what they say.
  function save() {
    const rows = [...known].sort((x, y) => x[0] - y[0]).map(([row, label]) => [...names(row), label]);
    neardup.save("marks.csv", neardup.csv([["left", "right", "label"], ...rows]));
  }
};

// Buttons to mark a pair with; the one that holds is pressed.
neardup.markButtons = function (marks, row) {
  const keys = { same: "s", different: "d", unsure: "u" };
  const buttons = neardup.LABELS.map((label) => neardup.button(neardup.say(label), keys[label], () => {
    marks.set(row, label);
    update();
  }, { class: `mark ${label}` }));
  const update = () => buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(marks.get(row) === neardup.LABELS[i])));
  update();
  const pressed = Object.fromEntries(neardup.LABELS.map((label, i) => [keys[label], () => buttons[i].click()]));
  return {
    element: neardup.el("div", { class: "group marks", role: "group", "aria-label": neardup.say("mark") }, ...buttons),
    keys: { ...pressed, x: () => { marks.set(row, "none"); update(); } },
  };
};
