// A page for a cluster: keeper first, its graph, how alike all are, and any two side by side.
"use strict";

// neardup.renderCluster(container, {store, cluster, step, passes(step), openPair(row), openTwo(a, b), openDocument(doc)})
neardup.renderCluster = function (container, { store, cluster, step, passes, openPair, openTwo, openDocument }) {
  const { el, say } = neardup;
  const MOST_DRAWN = 40;
  const MANY = 12; // members from which on not all lines are drawn
  const STRONGEST = 2; // lines of each that are, besides that to the kept one
  const MOST_LISTED = 500;
  const { data, pairs } = store;
  const members = cluster.members.slice(0, MOST_LISTED);
  const names = members.map((member) => store.item(member).id);
  const column = data.measure ? pairs.columns.find((c) => c.name === data.measure.column) : null;
  const closeness = (value) => (!data.measure || data.measure.higher ? value : 1 - value);
  const chosen = new Set();
  const compare = neardup.button(say("cluster.compare"), null, () => openChosen(), { disabled: true });
  const drawn = members.slice(0, MOST_DRAWN);

  container.replaceChildren(
    el("p", { class: "hint" }, say("cluster.hint")),
    el("div", { class: "split" },
      el("section", {}, el("div", { class: "heading" }, el("h3", {}, say("cluster.members")), compare), list(), rest()),
      el("section", { class: "drawings" }, ...drawings())));

  function rest() {
    const more = cluster.members.length - members.length;
    return more > 0 ? el("p", { class: "hint" }, say("cluster.more", { number: neardup.number(more) })) : null;
  }

  function list() {
    return el("ol", { class: "members" }, ...members.map((member, i) => {
      const similarity = cluster.similarity[i];
      const name = el("span", { class: "name" });
      neardup.fillItem(name, store.items, member, false);
      const value = i === 0 ? say("kept") : similarity === null ? say("connected") : similarity.toFixed(3);
      const check = el("input", { type: "checkbox", "aria-label": say("cluster.choose", { name: neardup.line(names[i]) }) });
      check.addEventListener("change", () => choose(i, check.checked));
      return el("li", {}, check, el("span", { class: "number" }, String(i + 1)),
        el("button", { type: "button", class: "member", onclick: () => (i === 0 ? openDocument(store.docOf(member)) : open(0, i)) },
          el("span", { class: "value" }, value, similarity === null ? "" : neardup.bar(similarity)), name));
    }));
  }

  function choose(i, on) {
    if (on) chosen.add(i);
    else chosen.delete(i);
    compare.disabled = chosen.size !== 2;
  }

  function openChosen() {
    if (chosen.size === 2) open(...[...chosen].sort((x, y) => x - y));
  }

  function open(i, j) {
    const row = store.rowOf(members[i], members[j]);
    if (row >= 0) openPair(row);
    else openTwo(members[i], members[j]);
  }

  function valueOf(i, j) {
    const row = column ? store.rowOf(members[i], members[j]) : -1;
    return row < 0 ? null : closeness(column.values[row]);
  }

  // A slider of its own: lines beyond another threshold fade.
  function fading(graph, edges) {
    const { measure } = data;
    if (!measure || !edges.length) return [];
    const last = measure.grid.length - 1;
    const slider = el("input", { type: "range", min: 0, max: last, step: 1, id: "fade" });
    const value = el("output", { for: "fade" });
    const update = () => {
      const at = measure.higher ? Number(slider.value) : last - Number(slider.value);
      const stays = passes(at);
      value.textContent = measure.grid[at].toFixed(2);
      graph.querySelectorAll(".edge").forEach((line, i) => line.classList.toggle("off", !stays(edges[i].row)));
    };
    slider.value = measure.higher ? step : last - step;
    slider.addEventListener("input", update);
    update();
    const label = say(measure.higher ? "least" : "largest", { label: measure.label });
    return [el("p", { class: "fade" }, el("label", { for: "fade" }, `${label} `, value), slider)];
  }

  // Of many, the lines to the kept one, and the strongest of each; the rest would be a ball of wool.
  function readable(edges) {
    if (drawn.length <= MANY) return edges;
    const chosen = new Set(edges.filter((edge) => edge.from === 0));
    const own = Array.from(drawn, () => []);
    for (const edge of edges) if (edge.from !== 0) for (const end of [edge.from, edge.to]) own[end].push(edge);
    for (const some of own) for (const edge of some.sort((x, y) => y.value - x.value).slice(0, STRONGEST)) chosen.add(edge);
    return edges.filter((edge) => chosen.has(edge));
  }

  function drawings() {
    const edges = [];
    for (let i = 0; i < drawn.length; i += 1) {
      for (let j = i + 1; j < drawn.length; j += 1) {
        const value = valueOf(i, j);
        const row = store.rowOf(members[i], members[j]);
        if (value !== null) edges.push({ from: i, to: j, value, row, off: !passes(step)(row) });
      }
    }
    const figure = (title, hint, ...pictures) => el("figure", {}, el("h3", {}, title), ...pictures, hint ? el("figcaption", {}, hint) : null);
    const drawnOnly = cluster.members.length > MOST_DRAWN ? ` ${say("cluster.drawn", { shown: MOST_DRAWN, all: neardup.number(cluster.members.length) })}` : "";
    const shown = readable(edges);
    const fewer = shown.length < edges.length ? ` ${say("cluster.graph.strongest", { number: STRONGEST })}` : "";
    const about = say("cluster.graph.about") + fewer + drawnOnly;
    const toDocument = (i) => openDocument(store.docOf(members[i]));
    const graph = neardup.circle({ names: names.slice(0, MOST_DRAWN), edges: shown, keeper: 0, open, choose: toDocument });
    const found = [figure(say("cluster.graph"), about, graph, ...fading(graph, shown))];
    if (members.length >= 4 && cluster.members.length <= MOST_DRAWN) {
      found.push(figure(say("cluster.heat"), say("cluster.heat.about"),
        el("div", { class: "wide", tabindex: 0, role: "region", "aria-label": say("cluster.heat") }, neardup.heat({ names, value: valueOf, open })), neardup.heatLegend()));
    }
    const dates = members.map((member) => store.doc(store.docOf(member)).date);
    const line = dates.some(Boolean) ? neardup.timeline({ names, dates, choose: toDocument }) : null;
    if (line) found.unshift(figure(say("cluster.time"), null, line));
    return found;
  }
};
