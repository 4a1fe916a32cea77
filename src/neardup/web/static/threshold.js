// What another threshold would do: a histogram with a slider below it, and the pairs nearest to it.
//
// neardup.threshold(container, near, {measure, unit, changed, nearest, open, describe, clusters})
//   measure   {column, label, threshold, higher, grid, pairs, effects, counts, span, rerun}
//             grid are the thresholds to choose from, the run's first; pairs[i] are those at grid[i], and effects[i]
//             [clusters, duplicates]; counts are pairs by equal steps of the span
//   item      what can be removed: one, several
//   changed   called with the new step
//   nearest   called with a threshold, returns {kept, dropped}: rows
//   describe  writes a row into an element
//   clusters  called with a step, says how many clusters remain, where there are any
// It returns {set(step)}.
"use strict";

neardup.threshold = function (container, near, options) {
  const { measure } = options;
  const { el, say } = neardup;
  const last = measure.grid.length - 1; // the run's threshold is the first: on the left, or on the right
  const slider = el("input", {
    type: "range", min: 0, max: last, step: 1, value: measure.higher ? 0 : last, id: "threshold", "aria-describedby": "effect",
  });
  const value = el("output", { for: "threshold" });
  const effect = el("p", { id: "effect", class: "effect", role: "status" });
  const reset = neardup.button(say("reset"), null, () => choose(0));
  const chart = histogram();
  const lists = { kept: el("ol", { class: "near" }), dropped: el("ol", { class: "near" }) };
  const nothing = el("p", { class: "hint" });

  container.replaceChildren(
    el("div", { class: "slidebar" },
      el("label", { for: "threshold" }, `${say(measure.higher ? "least" : "largest", { label: measure.label })} `, value), reset),
    chart.element, slider, effect);
  near.replaceChildren(el("summary", {}, say("near")),
    el("div", { class: "nearest" },
      el("section", {}, el("h2", {}, say("near.kept")), lists.kept),
      el("section", {}, el("h2", {}, say("near.dropped")), lists.dropped, nothing)),
    measure.rerun ? el("p", { class: "hint" }, measure.rerun) : "");
  near.addEventListener("toggle", () => listNearest());
  slider.addEventListener("input", () => update());
  update();
  return { set: (step) => { if (step !== current()) choose(step); } };

  function current() {
    return measure.higher ? Number(slider.value) : last - Number(slider.value);
  }

  function choose(step) {
    slider.value = measure.higher ? step : last - step;
    update();
  }

  function histogram() {
    const [low, high] = measure.span;
    const [width, height] = [600, 60];
    const most = Math.max(...measure.counts, 1);
    const bars = measure.counts.map((count, i) => {
      const size = width / measure.counts.length;
      const tall = count ? Math.max((height * Math.log1p(count)) / Math.log1p(most), 2) : 0;
      const [from, to] = [0, 1].map((n) => (low + ((high - low) * (i + n)) / measure.counts.length).toFixed(3));
      return neardup.svg("rect", {
        x: i * size + 0.5, y: height - tall, width: Math.max(size - 1, 0.5), height: tall,
      }, neardup.svg("title", {}, say("range", { from, to, count: neardup.number(count) })));
    });
    const line = neardup.svg("line", { class: "limit", y1: 0, y2: height });
    const words = { units: options.unit[1], label: measure.label };
    const picture = neardup.svg("svg", {
      class: "bars", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": say("histogram", words),
    }, ...bars, line);
    const ends = el("div", { class: "ends" }, el("span", {}, low.toFixed(2)), el("span", {}, say("histogram.caption", words)), el("span", {}, high.toFixed(2)));
    return { element: el("figure", {}, picture, ends), mark };

    function mark(at) {
      const x = (width * (at - low)) / (high - low || 1);
      line.setAttribute("x1", x);
      line.setAttribute("x2", x);
      bars.forEach((bar, i) => {
        const middle = ((i + 0.5) * width) / bars.length;
        bar.classList.toggle("off", measure.higher ? middle < x : middle > x);
      });
    }
  }

  function update() {
    const step = current();
    const at = measure.grid[step];
    value.textContent = Math.abs(100 * at - Math.round(100 * at)) < 1e-9 ? at.toFixed(2) : String(at);
    const said = sentence(step);
    slider.setAttribute("aria-valuetext", `${value.textContent}: ${said[0]}`);
    effect.textContent = `${said.join(", ")}.`;
    reset.disabled = step === 0;
    chart.mark(at);
    listNearest();
    options.changed(step);
  }

  function sentence(step) {
    const first = step === 0 && measure.threshold !== null;
    const all = neardup.plural(measure.pairs[0], options.unit);
    const said = [first ? say("as.run", { pairs: all }) : say("remain", { now: neardup.number(measure.pairs[step]), pairs: all })];
    const clusters = options.clusters(step);
    if (clusters !== null) said.push(neardup.plural(clusters, "cluster"));
    if (measure.effects) {
      const fewer = measure.effects[0][1] - measure.effects[step][1];
      said.push(say("removable", { docs: neardup.plural(measure.effects[step][1], options.item) }) +
        (fewer ? say("fewer", { number: neardup.number(fewer) }) : ""));
    }
    return said;
  }

  function listNearest() {
    if (!near.open) return;
    const found = options.nearest(measure.grid[current()]);
    for (const side of ["kept", "dropped"]) {
      lists[side].replaceChildren(...found[side].map((row) => {
        const button = el("button", { type: "button", onclick: () => options.open(row) });
        options.describe(button, row);
        return el("li", {}, button);
      }));
    }
    nothing.textContent = found.dropped.length ? "" : measure.none;
  }
};
