// A map of the whole result: its clusters, what is between sites, and the passages that most documents have.
"use strict";

neardup.renderOverview = function (container, { store, test, clusters, openCluster, openDocument }) {
  const { el, say, svg } = neardup;
  const MOST_CLUSTERS = 240;
  const MOST_SITES = 16;
  const parts = [clusters && clusters.length ? stars() : null, sites(), reused()].filter(Boolean);
  container.replaceChildren(...(parts.length ? parts : [el("p", { class: "empty" }, say("map.none"))]));

  function part(title, about, ...content) {
    return el("section", { class: "part" }, el("h2", {}, title), about ? el("p", { class: "hint" }, about) : null, ...content);
  }

  // Each cluster a little star; its size grows with its members.
  function stars() {
    const shown = clusters.slice(0, MOST_CLUSTERS);
    const more = clusters.length > shown.length
      ? el("p", { class: "hint" }, say("map.more", { shown: neardup.number(shown.length), all: neardup.number(clusters.length) })) : null;
    return part(say("map.clusters"), say("map.clusters.about"), el("div", { class: "stars" }, ...shown.map(star)), more);
  }

  function star(cluster) {
    const rays = Math.min(cluster.members.length - 1, 36);
    const size = 34 + 7 * Math.min(Math.sqrt(cluster.members.length), 12);
    const middle = size / 2;
    const name = `${neardup.line(store.item(cluster.keeper).id)}: ${neardup.plural(cluster.members.length, store.data.item)}`;
    const picture = svg("svg", { viewBox: `0 0 ${size} ${size}`, width: size, height: size, "aria-hidden": "true" });
    for (let i = 0; i < rays; i += 1) {
      const turn = (2 * Math.PI * i) / rays - Math.PI / 2;
      const [x, y] = [middle + (middle - 5) * Math.cos(turn), middle + (middle - 5) * Math.sin(turn)];
      const strength = cluster.similarity[i + 1] ?? 0.3;
      picture.append(svg("line", { x1: middle, y1: middle, x2: x, y2: y, class: "edge", "stroke-opacity": (0.2 + 0.8 * strength).toFixed(2) }),
        svg("circle", { cx: x, cy: y, r: 2.5, class: "node" }));
    }
    picture.append(svg("circle", { cx: middle, cy: middle, r: 5, class: "node kept" }));
    return el("button", { type: "button", class: "star", title: name, "aria-label": name, onclick: () => openCluster(cluster.keeper) },
      picture, el("span", {}, neardup.number(cluster.members.length)));
  }

  // Sites of addresses, or else files, in a circle; a line for the pairs between two.
  function sites() {
    const { docs } = store;
    const bySite = Boolean(docs.url);
    const name = (doc) => (bySite ? host(docs.url[doc]) : docs.sources[docs.source[doc]]) || "–";
    const [counts, between] = [new Map(), new Map()];
    for (let row = 0; row < store.pairs.rows; row += 1) {
      if (!test(row)) continue;
      const [a, b] = store.ends(row).map(store.docOf).map(name).sort();
      for (const own of new Set([a, b])) counts.set(own, (counts.get(own) || 0) + 1);
      const key = JSON.stringify([a, b]);
      between.set(key, (between.get(key) || 0) + 1);
    }
    if (counts.size < 2) return null;
    const top = [...counts].sort((x, y) => y[1] - x[1] || (x[0] < y[0] ? -1 : 1)).slice(0, MOST_SITES);
    return part(say(bySite ? "map.sites" : "map.files"), say("map.sites.about"), wheel(top, between));
  }

  function host(address) {
    try { return new URL(address).hostname.replace(/^www\./u, ""); } catch { return null; }
  }

  function wheel(top, between) {
    const [width, height, wide, high] = [960, 440, 190, 195];
    const places = new Map(top.map(([name], i) => {
      const turn = (2 * Math.PI * i) / top.length - Math.PI / 2;
      return [name, [width / 2 + wide * Math.cos(turn), height / 2 + high * Math.sin(turn), Math.cos(turn)]];
    }));
    const picture = svg("svg", { class: "graph sites", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": say("map.sites.about") });
    const most = Math.max(...between.values());
    for (const [key, count] of between) {
      const [a, b] = JSON.parse(key);
      if (a === b || !places.has(a) || !places.has(b)) continue;
      const [[x1, y1], [x2, y2]] = [places.get(a), places.get(b)];
      picture.append(svg("path", {
        class: "edge", d: `M${x1},${y1}Q${width / 2},${height / 2} ${x2},${y2}`, "stroke-width": (0.8 + (6 * (count - 1)) / Math.max(most - 1, 1)).toFixed(2),
      }, svg("title", {}, `${neardup.line(a)} – ${neardup.line(b)}: ${neardup.plural(count, store.data.unit)}`)));
    }
    for (const [name, count] of top) {
      const [x, y, side] = places.get(name);
      const shown = neardup.line(name);
      const label = shown.length > 32 ? `${shown.slice(0, 15)}…${shown.slice(-15)}` : shown;
      picture.append(svg("circle", { cx: x, cy: y, r: 4 + 6 * Math.sqrt(count / top[0][1]), class: "node" },
        svg("title", {}, `${shown}: ${neardup.plural(count, store.data.unit)}`)),
      svg("text", { x: x + (side < -0.1 ? -14 : 14), y: y + 4, "text-anchor": side < -0.1 ? "end" : "start" }, `${label} (${neardup.number(count)})`));
    }
    return picture;
  }

  function reused() {
    const found = store.data.texts.reused;
    if (!found.length) return null;
    const places = new Map(store.docs.number.map((number, i) => [number, i]));
    const most = found[0][3];
    return part(say("map.reused"), null, el("ol", { class: "reused" }, ...found.map(([doc, , , others, text]) => {
      const quote = el("blockquote", { dir: "auto" });
      neardup.appendText(quote, text);
      const place = places.get(doc);
      return el("li", {}, el("p", { class: "about" }, el("strong", {}, say("map.reused.count", { number: neardup.number(others) })), neardup.bar(others / most)),
        quote,
        place === undefined ? null : el("button", { type: "button", class: "plain", onclick: () => openDocument(place) }, el("bdi", {}, neardup.line(store.doc(place).id))));
    })));
  }
};
