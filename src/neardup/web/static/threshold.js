// What another threshold would do: a histogram with a slider below it, and the pairs nearest to it.
//
// neardup.threshold(container, {measure, unit, changed, nearest, open, describe})
//   measure   {column, label, threshold, higher, grid, effects, counts, span, rerun}
//             grid are the thresholds to choose from, the run's first; effects[i] is
//             {pairs, clusters, duplicates} at grid[i]; counts are pairs by equal steps of the span
//   changed   called with the new threshold
//   nearest   called with a threshold, returns {kept, dropped}: rows
//   describe  writes a row into an element
"use strict";

neardup.threshold = function (container, options) {
  const { measure } = options;
  const el = neardup.el;
  const last = measure.grid.length - 1; // the run's threshold is the first: on the left, or on the right
  const slider = el("input", {
    type: "range", min: 0, max: last, step: 1, value: measure.higher ? 0 : last, id: "threshold",
    "aria-describedby": "effect",
  });
  const value = el("output", { for: "threshold" });
  const effect = el("p", { id: "effect", class: "effect", role: "status" });
  const reset = el("button", { type: "button", onclick: () => { slider.value = measure.higher ? 0 : last; update(); } }, "Reset");
  const chart = histogram();
  const kept = el("ol", { class: "near" });
  const dropped = el("ol", { class: "near" });
  const nothing = el("p", { class: "hint" });

  container.replaceChildren(
    el("div", { class: "slide" },
      chart.element,
      slider,
      el("div", { class: "slidebar" },
        el("label", { for: "threshold" }, `${measure.higher ? "Least" : "Largest"} ${measure.label} `, value), reset),
      effect,
      measure.rerun ? el("p", { class: "hint" }, measure.rerun) : "",
    ),
    el("div", { class: "nearest" },
      el("section", {}, el("h3", {}, `Still a pair: the ${measure.higher ? "least similar" : "most different"}`), kept),
      el("section", {}, el("h3", {}, `No pair: the ${measure.higher ? "most similar" : "least different"}`), dropped, nothing),
    ),
  );
  slider.addEventListener("input", update);
  update();

  function histogram() {
    const [low, high] = measure.span;
    const width = 600;
    const height = 120;
    const most = Math.max(...measure.counts, 1);
    const bars = measure.counts.map((count, i) => {
      const size = width / measure.counts.length;
      const tall = count ? Math.max((height * Math.log1p(count)) / Math.log1p(most), 2) : 0;
      const from = low + ((high - low) * i) / measure.counts.length;
      const to = low + ((high - low) * (i + 1)) / measure.counts.length;
      const tip = `${from.toFixed(3)} to ${to.toFixed(3)}: ${neardup.number(count)}`;
      return neardup.svg("rect", {
        x: i * size + 0.5, y: height - tall, width: Math.max(size - 1, 0.5), height: tall,
      }, neardup.svg("title", {}, tip));
    });
    const line = neardup.svg("line", { class: "limit", y1: 0, y2: height });
    const element = neardup.svg("svg", {
      class: "bars", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img",
      "aria-label": `How many ${options.unit[1]} have which ${measure.label}, on a logarithmic scale`,
    }, ...bars, line);
    const ends = el("div", { class: "ends" }, el("span", {}, low.toFixed(2)),
      el("span", {}, `${options.unit[1]} by ${measure.label} (log scale)`), el("span", {}, high.toFixed(2)));
    return {
      element: el("figure", {}, element, ends),
      mark(at) {
        const x = (width * (at - low)) / (high - low || 1);
        line.setAttribute("x1", x);
        line.setAttribute("x2", x);
        bars.forEach((bar, i) => {
          const middle = ((i + 0.5) * width) / bars.length;
          bar.classList.toggle("off", measure.higher ? middle < x : middle > x);
        });
      },
    };
  }

  function update() {
    const step = measure.higher ? Number(slider.value) : last - Number(slider.value);
    const at = measure.grid[step];
    const now = measure.effects[step];
    const then = measure.effects[0];
    value.textContent = Math.abs(100 * at - Math.round(100 * at)) < 1e-9 ? at.toFixed(2) : String(at);
    const first = step === 0 && measure.threshold !== null;
    const said = [first ? `As in the run: ${neardup.plural(now.pairs, options.unit)}`
      : `${neardup.number(now.pairs)} of ${neardup.plural(then.pairs, options.unit)} remain`];
    if (now.clusters !== null) {
      said.push(`${neardup.plural(now.clusters, ["cluster", "clusters"])}`);
      const fewer = then.duplicates - now.duplicates;
      said.push(`${neardup.plural(now.duplicates, ["document", "documents"])} could be removed` +
        (fewer ? ` (${neardup.number(fewer)} fewer than in the run)` : ""));
    }
    slider.setAttribute("aria-valuetext", `${value.textContent}: ${said[0]}`);
    effect.textContent = `${said.join(", ")}.`;
    chart.mark(at);
    const near = options.nearest(at);
    list(kept, near.kept);
    list(dropped, near.dropped);
    nothing.textContent = near.dropped.length ? "" : measure.none;
    options.changed(at);
  }

  function list(into, rows) {
    into.replaceChildren(...rows.map((row) => {
      const button = el("button", { type: "button", onclick: () => options.open(row) });
      options.describe(button, row);
      return el("li", {}, button);
    }));
  }
};
