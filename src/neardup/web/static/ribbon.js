// Pictures above two texts: where matches and differences are, and the edit curve of pages.
"use strict";

// neardup.ribbon({lengths, matches, differences, show, walk}): bands from text to text, a tick for each difference.
neardup.ribbon = function ({ lengths, matches, ticks, show, walk }) {
  const svg = neardup.svg;
  const [width, height, thick] = [1000, 44, 9];
  const at = (value, side) => (width * value) / Math.max(lengths[side], 1);
  const picture = svg("svg", {
    class: "ribbon", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": neardup.say("ribbon"),
  },
  svg("rect", { class: "track", x: 0, y: 0, width, height: thick }),
  svg("rect", { class: "track", x: 0, y: height - thick, width, height: thick }));
  matches.forEach((match, number) => {
    const [a0, a1, b0, b1] = [at(match[3], 0), at(match[4], 0), at(match[5], 1), at(match[6], 1)];
    const [a2, b2] = [Math.max(a1, a0 + 2), Math.max(b1, b0 + 2)];
    const points = `${a0},0 ${a2},0 ${a2},${thick} ${b2},${height - thick} ${b2},${height} ${b0},${height} ${b0},${height - thick} ${a0},${thick}`;
    picture.append(svg("polygon", { points, class: `c${number % neardup.COLOURS}`, onclick: () => show(number) }));
  });
  const marks = [0, 1].map((side) => {
    const y = side ? height - thick : 0;
    return ticks.map((tick) => `M${at(tick[side], side).toFixed(1)},${y}v${thick}`).join("");
  });
  picture.append(svg("path", { class: "ticks", d: marks.join("") }));
  picture.addEventListener("click", (event) => {
    if (event.target.tagName === "polygon" || !ticks.length) return;
    const box = picture.getBoundingClientRect();
    const side = event.clientY - box.top < box.height / 2 ? 0 : 1;
    const place = ((event.clientX - box.left) / box.width) * lengths[side];
    let best = 0;
    ticks.forEach((tick, i) => { if (Math.abs(tick[side] - place) < Math.abs(ticks[best][side] - place)) best = i; });
    walk(best);
  });
  return picture;
};

// The edits up to each place of the shorter page: where the line is flat, both are the same.
neardup.curve = function ({ points, region }) {
  const { el, svg } = neardup;
  const [width, height, left, bottom] = [Math.max(Math.min(innerWidth, 1400) - 40, 300), 130, 56, 24];
  const last = points[points.length - 1];
  const x = (place) => left + ((width - left - 6) * place) / Math.max(last[0], 1);
  const y = (edits) => (height - bottom) - ((height - bottom - 10) * edits) / Math.max(last[1], 1);
  const text = (at, up, words, anchor) => svg("text", { x: at, y: up, "text-anchor": anchor }, words);
  const [from, to] = region.map(neardup.number);
  const name = neardup.say("curve.about", { edits: neardup.plural(last[1], "edit"), from, to });
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${neardup.say("curve")}: ${name}` },
    svg("rect", { class: "region", x: x(region[0]), y: 4, width: Math.max(x(region[1]) - x(region[0]), 2), height: height - bottom - 4 }),
    svg("path", { class: "axis", d: `M${left},4V${height - bottom}H${width - 6}` }),
    svg("polyline", { points: points.map(([place, edits]) => `${x(place).toFixed(1)},${y(edits).toFixed(1)}`).join(" ") }),
    text(left - 6, 16, last[1] ? neardup.number(last[1]) : "", "end"), text(left - 6, 34, last[1] ? neardup.plurals.edit[1] : "", "end"),
    text(left - 6, height - bottom, "0", "end"), text(left, height - 6, "0", "start"),
    text(width - 6, height - 6, neardup.number(last[0]), "end"), text((left + width) / 2, height - 6, neardup.plurals.character[1], "middle"));
  return el("details", { class: "curve" },
    el("summary", {}, `${neardup.say("curve")} `, el("span", { class: "hint" }, name)), picture);
};
