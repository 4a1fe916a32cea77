// What another threshold would do: a histogram with a slider below it, and the pairs nearest to it.
import { button, el } from "./dom.js";
import { digits, plural } from "./formats.js";
import { histogram } from "./histogram.js";
import { say } from "./words.js";

/**
 * @typedef {object} Options
 * @property {Measure} measure
 * @property {Plural} unit
 * @property {Plural} item what can be removed
 * @property {(step: number) => number | null} clusters says how many clusters remain, where there are any
 * @property {(step: number) => {kept: number[], dropped: number[]}} nearest
 * @property {(row: number) => Child[]} describe what is shown of a row
 * @property {(row: number) => void} open
 * @property {(step: number) => void} changed
 */

export class Threshold {
  /** @param {HTMLElement} container @param {HTMLDetailsElement} near @param {Options} options */
  constructor(container, near, options) {
    const { measure, unit } = options;
    this.options = options;
    this.near = near;
    this.slider = stepSlider(measure, 0, { id: "threshold", "aria-describedby": "effect" });
    this.value = el("output", { for: "threshold" });
    this.effect = el("p", { id: "effect", class: "effect", role: "status" });
    this.reset = button(say("reset"), null, () => this.choose(0));
    this.chart = histogram(measure, unit);
    this.kept = el("ol", { class: "near" });
    this.dropped = el("ol", { class: "near" });
    this.nothing = el("p", { class: "hint" });
    container.replaceChildren(
      el("div", { class: "slidebar" }, el("label", { for: "threshold" }, `${limitOf(measure)} `, this.value), this.reset),
      this.chart.element, this.slider, this.effect);
    near.replaceChildren(el("summary", {}, say("near")),
      el("div", { class: "nearest" },
        el("section", {}, el("h2", {}, say("near.kept")), this.kept),
        el("section", {}, el("h2", {}, say("near.dropped")), this.dropped, this.nothing)),
      measure.rerun ? el("p", { class: "hint" }, measure.rerun) : "");
    near.addEventListener("toggle", () => this.listNearest());
    this.slider.addEventListener("input", () => this.update());
    this.update();
  }

  get step() {
    return stepOf(this.options.measure, this.slider);
  }

  /** @param {number} step */
  set(step) {
    if (step !== this.step) this.choose(step);
  }

  /** @param {number} step */
  choose(step) {
    this.slider.value = String(valueOf(this.options.measure, step));
    this.update();
  }

  update() {
    const { step } = this;
    const at = this.options.measure.grid[step];
    const shown = Math.abs(100 * at - Math.round(100 * at)) < 1e-9 ? at.toFixed(2) : String(at);
    const said = this.sentence(step);
    this.value.textContent = shown;
    this.slider.setAttribute("aria-valuetext", `${shown}: ${said[0]}`);
    this.effect.textContent = `${said.join(", ")}.`;
    this.reset.disabled = step === 0;
    this.chart.mark(at);
    this.listNearest();
    this.options.changed(step);
  }

  /** @param {number} step */
  sentence(step) {
    const { measure, unit, item } = this.options;
    const first = step === 0 && measure.threshold !== null;
    const pairs = plural(measure.pairs[0], unit);
    const said = [first ? say("as.run", { pairs }) : say("remain", { now: digits(measure.pairs[step]), pairs })];
    const clusters = this.options.clusters(step);
    if (clusters !== null) said.push(plural(clusters, "cluster"));
    if (measure.effects) {
      const removable = measure.effects[step][1];
      const fewer = measure.effects[0][1] - removable;
      said.push(say("removable", { docs: plural(removable, item) }) + (fewer ? say("fewer", { number: digits(fewer) }) : ""));
    }
    return said;
  }

  listNearest() {
    if (!this.near.open) return;
    const { measure, nearest, describe, open } = this.options;
    const { kept, dropped } = nearest(this.step);
    /** @param {number} row */
    const line = (row) => el("li", {}, el("button", { type: "button", onclick: () => open(row) }, ...describe(row)));
    this.kept.replaceChildren(...kept.map(line));
    this.dropped.replaceChildren(...dropped.map(line));
    this.nothing.textContent = dropped.length ? "" : measure.none;
  }
}

/** Make a slider over the thresholds; the run's is the first: on the left, or on the right.
 * @param {Measure} measure @param {number} step @param {Attributes} more */
function stepSlider(measure, step, more) {
  return el("input", { type: "range", min: 0, max: measure.grid.length - 1, step: 1, value: valueOf(measure, step), ...more });
}

/** Return which step a slider is at. @param {Measure} measure @param {HTMLInputElement} slider */
function stepOf(measure, slider) {
  return valueOf(measure, Number(slider.value));
}

/** Return what is limited. @param {Measure} measure */
function limitOf({ higher, label }) {
  return say(higher ? "least" : "largest", { label });
}

/** Return the value of a slider at a step, and the other way round. @param {Measure} measure @param {number} step */
function valueOf({ higher, grid }, step) {
  return higher ? step : grid.length - 1 - step;
}
