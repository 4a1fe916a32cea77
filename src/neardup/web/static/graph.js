// Drawings of clusters: who is like whom, how alike, and when.
"use strict";

// neardup.circle({names, edges, passes, open, choose}): members in a circle, a line for each pair.
neardup.circle = function ({ names, edges, keeper, open, choose }) {
  const { svg } = neardup;
  const [size, middle] = [360, 180];
  const radius = names.length > 1 ? 140 : 1;
  const central = names.length > 6; // the kept one is in the middle
  const place = (i) => {
    if (i === keeper && central) return [middle, middle];
    const turn = (2 * Math.PI * (central ? i - 1 : i)) / (names.length - (central ? 1 : 0)) - Math.PI / 2;
    return [middle + radius * Math.cos(turn), middle + radius * Math.sin(turn)];
  };
  const picture = svg("svg", { class: "graph", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": neardup.say("cluster.graph") });
  for (const { from, to, value, off } of edges) {
    const [[x1, y1], [x2, y2]] = [place(from), place(to)];
    picture.append(svg("line", {
      x1, y1, x2, y2, class: off ? "edge off" : "edge", "stroke-width": (0.5 + 3 * value).toFixed(2), onclick: () => open(from, to),
    }, svg("title", {}, `${neardup.line(names[from])} – ${neardup.line(names[to])}: ${value.toFixed(3)}`)));
  }
  names.forEach((name, i) => {
    const [cx, cy] = place(i);
    picture.append(svg("circle", { cx, cy, r: i === keeper ? 9 : 6, class: i === keeper ? "node kept" : "node", onclick: () => choose(i) },
      svg("title", {}, neardup.line(name))));
    const [dx, dy] = i === keeper && cx === middle ? [0, -1] : [(cx - middle) / radius, (cy - middle) / radius];
    picture.append(svg("text", { x: cx + 17 * dx, y: cy + 17 * dy + 4, "text-anchor": "middle" }, String(i + 1)));
  });
  return picture;
};

// neardup.heat({names, value, open}): a field for each two members.
neardup.heat = function ({ names, value, open }) {
  const { svg } = neardup;
  const total = names.length;
  const field = Math.max(Math.min(26, 360 / total), 8);
  const margin = 26;
  const size = margin + field * total;
  const picture = svg("svg", { class: "heat", viewBox: `0 0 ${size} ${size}`, width: size, height: size, role: "img", "aria-label": neardup.say("cluster.heat") });
  for (let i = 0; i < total; i += 1) {
    if (total <= 20 || i % 5 === 4) {
      picture.append(svg("text", { x: margin - 5, y: margin + field * (i + 0.5) + 4, "text-anchor": "end" }, String(i + 1)),
        svg("text", { x: margin + field * (i + 0.5), y: margin - 7, "text-anchor": "middle" }, String(i + 1)));
    }
    for (let j = 0; j < total; j += 1) {
      if (i === j) continue;
      const own = value(i, j);
      const step = own === null ? "none" : `h${Math.min(Math.max(Math.ceil(own * 5), 1), 5)}`;
      const said = own === null ? "" : `: ${own.toFixed(3)}`;
      picture.append(svg("rect", {
        x: margin + field * j, y: margin + field * i, width: field - 1, height: field - 1, class: step, onclick: () => open(i, j),
      }, svg("title", {}, `${neardup.line(names[i])} – ${neardup.line(names[j])}${said}`)));
    }
  }
  return picture;
};

neardup.heatLegend = () => neardup.el("div", { class: "legend" }, ...[1, 2, 3, 4, 5].map((step) =>
  neardup.el("span", {}, neardup.svg("svg", { width: 14, height: 14, "aria-hidden": "true" }, neardup.svg("rect", { width: 14, height: 14, class: `h${step}` })),
    ` ${(step - 1) / 5}–${step / 5}`)));

// neardup.timeline({names, dates, choose}): a dot for each date.
neardup.timeline = function ({ names, dates, choose }) {
  const { svg } = neardup;
  const times = dates.map((date) => Date.parse(date));
  const known = times.filter((time) => !Number.isNaN(time));
  if (known.length < 2) return null;
  const [first, last] = [Math.min(...known), Math.max(...known)];
  const [width, height, left] = [720, 78, 40];
  const x = (time) => left + ((width - 2 * left) * (time - first)) / Math.max(last - first, 1);
  const picture = svg("svg", { class: "timeline", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": neardup.say("cluster.time") },
    svg("line", { class: "axis", x1: left, x2: width - left, y1: 50, y2: 50 }));
  const ticks = first === last ? [first] : [0, 1, 2, 3, 4].map((n) => first + ((last - first) * n) / 4);
  for (const tick of ticks) {
    picture.append(svg("line", { class: "axis", x1: x(tick), x2: x(tick), y1: 50, y2: 55 }),
      svg("text", { x: x(tick), y: 70, "text-anchor": "middle" }, new Date(tick).toISOString().slice(0, 10)));
  }
  const stacked = new Map();
  times.forEach((time, i) => {
    if (Number.isNaN(time)) return;
    const column = Math.round(x(time) / 12);
    const above = stacked.get(column) || 0;
    stacked.set(column, above + 1);
    if (above > 3) return;
    picture.append(svg("circle", { class: i ? "node" : "node kept", cx: x(time), cy: 44 - 11 * above, r: 5, onclick: () => choose(i) },
      svg("title", {}, `${i + 1}: ${neardup.line(names[i])}, ${dates[i]}`)));
  });
  return picture;
};
