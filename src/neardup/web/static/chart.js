// A map on the screen: to move, to enlarge, to point at and to click.
import { CanvasBrush, SvgBrush } from "./brush.js";
import { button, el } from "./dom.js";
import { BUBBLE } from "./picture.js";
import { saveFile } from "./saving.js";
import { say } from "./words.js";

/** @typedef {import("./picture.js").Picture} Picture */
/** @typedef {import("./picture.js").Frame} Frame */
/** @typedef {import("./picture.js").Spot} Spot */
/** @typedef {{about: (spot: Spot) => string[], open: (spot: Spot) => void}} Ways */

const QUICK = 10; // milliseconds: what takes longer is drawn when nothing moves
const WAIT = 150;
const MARGIN = 1.5; // how much more is drawn than is in sight
const NEAR = 6; // pixels that a click may move
const [SAVED_WIDTH, SAVED_HEIGHT, FOOT] = [1500, 1000, 56];

export class Chart {
  /** @param {Picture} picture @param {Ways} ways @param {[name: string, colour: number][]} legend @param {string} title */
  constructor(picture, ways, legend, title) {
    this.picture = picture;
    this.ways = ways;
    this.legend = legend;
    this.title = title;
    /** @type {Frame | null} */
    this.frame = null;
    /** @type {Spot | null} */
    this.active = null;
    this.waiting = false;
    this.cache = el("canvas", {});
    /** @type {Frame | null} */
    this.drawn = null; // what the cache has
    this.took = 0; // milliseconds
    this.timer = 0;
    const id = `map-tip-${document.querySelectorAll(".tip").length}`;
    const named = { role: "application", "aria-label": say("map.label"), "aria-describedby": id };
    this.canvas = el("canvas", { tabindex: 0, ...named });
    this.tip = el("p", { class: "tip", role: "status", id });
    this.element = el("div", { class: "chart" }, this.canvas, this.tip);
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.element);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.whole());
  }

  buttons() {
    const name = say("map.file");
    return [
      button("+", "+", () => this.zoom(1.5), { "aria-label": say("map.in") }),
      button("−", "-", () => this.zoom(1 / 1.5), { "aria-label": say("map.out") }),
      button(say("map.fit"), "0", () => this.whole()),
      button(say("map.svg"), null, () => this.saveSvg(`${name}.svg`), { class: "save" }),
      button(say("map.png"), null, () => this.savePng(`${name}.png`), { class: "save" }),
    ];
  }

  listen() {
    const { canvas } = this;
    /** @type {Map<number, PointerEvent>} */
    const down = new Map();
    let moved = 0;
    canvas.addEventListener("pointerdown", (event) => {
      down.set(event.pointerId, event);
      moved = down.size > 1 ? Infinity : 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      const last = down.get(event.pointerId);
      if (!last) {
        this.point(this.spotAt(event));
        return;
      }
      const other = [...down.values()].find((own) => own !== last);
      if (other) this.pinch(last, event, other);
      else this.shift(last.clientX - event.clientX, last.clientY - event.clientY);
      moved += Math.hypot(event.clientX - last.clientX, event.clientY - last.clientY);
      if (moved > NEAR && !canvas.hasPointerCapture(event.pointerId)) canvas.setPointerCapture(event.pointerId);
      down.set(event.pointerId, event);
    });
    for (const kind of /** @type {const} */ (["pointerup", "pointercancel"])) {
      canvas.addEventListener(kind, (event) => down.delete(event.pointerId));
    }
    canvas.addEventListener("pointerleave", () => this.point(null));
    canvas.addEventListener("click", (event) => { if (moved <= NEAR) this.choose(this.spotAt(event)); });
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) return; // the page is scrolled
      event.preventDefault();
      this.zoom(1.0015 ** -event.deltaY, this.pointOf(event));
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.pressed(event));
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    /** @type {Keys} */
    const keys = {
      ArrowRight: () => this.step(1), ArrowDown: () => this.step(1), ArrowLeft: () => this.step(-1), ArrowUp: () => this.step(-1),
      Enter: () => this.choose(this.active), "+": () => this.zoom(1.5), "-": () => this.zoom(1 / 1.5), 0: () => this.whole(),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  }

  /** Go to the next document, or the one before. @param {number} by */
  step(by) {
    const { stars } = this.picture;
    let { star, member } = this.active ?? { star: 0, member: by > 0 ? -2 : -1 };
    member += by;
    if (member >= stars[star].members.length) [star, member] = [(star + 1) % stars.length, -1];
    else if (member < -1) {
      star = (star - 1 + stars.length) % stars.length;
      member = stars[star].members.length - 1;
    }
    if (stars[star].alone && member < 0) member = 0;
    this.point({ star, member });
    const [x, y] = this.frame ? this.picture.placeOf(this.frame, { star, member }) : [0, 0];
    if (this.frame && (x < 0 || y < 0 || x > this.frame.width || y > this.frame.height)) {
      this.shift(x - this.frame.width / 2, y - this.frame.height / 2);
    }
  }

  resize() {
    const [width, height] = [this.element.clientWidth, this.element.clientHeight];
    if (!width || !height || (this.frame?.width === width && this.frame.height === height)) return;
    this.canvas.width = Math.round(width * devicePixelRatio);
    this.canvas.height = Math.round(height * devicePixelRatio);
    this.frame = this.picture.fit(width, height);
    this.drawn = null;
    this.schedule();
  }

  whole() {
    this.frame = null;
    this.resize();
  }

  /** @param {MouseEvent} event @returns {Span} */
  pointOf(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** @param {MouseEvent} event */
  spotAt(event) {
    return this.frame && this.picture.at(this.frame, ...this.pointOf(event));
  }

  /** @param {number} dx @param {number} dy */
  shift(dx, dy) {
    if (!this.frame) return;
    this.frame.x += dx / this.frame.k;
    this.frame.y += dy / this.frame.k;
    this.schedule();
  }

  /** @param {number} by @param {Span} [at] what stays where it is */
  zoom(by, at) {
    const { frame } = this;
    if (!frame) return;
    const fitting = this.picture.fit(frame.width, frame.height).k;
    const k = Math.min(Math.max(frame.k * by, 0.7 * fitting), Math.max(60, fitting));
    const [px, py] = at ?? [frame.width / 2, frame.height / 2];
    frame.x += (px - frame.width / 2) * (1 / frame.k - 1 / k);
    frame.y += (py - frame.height / 2) * (1 / frame.k - 1 / k);
    frame.k = k;
    this.canvas.classList.toggle("held", k > 1.05 * fitting); // one finger scrolls the page, unless there is more to see
    this.schedule();
  }

  /** Move and enlarge as two fingers do. @param {PointerEvent} last @param {PointerEvent} now @param {PointerEvent} other */
  pinch(last, now, other) {
    /** @param {PointerEvent} own */
    const far = (own) => Math.hypot(own.clientX - other.clientX, own.clientY - other.clientY) || 1;
    this.zoom(far(now) / far(last), this.pointOf(other));
  }

  /** @param {Spot | null} spot */
  point(spot) {
    if (spot?.star === this.active?.star && spot?.member === this.active?.member) return;
    this.active = spot;
    this.canvas.style.cursor = spot ? "pointer" : "";
    this.tip.replaceChildren(...(spot ? this.ways.about(spot).map((line) => el("bdi", {}, line)) : []));
    this.schedule();
  }

  /** Open what is clicked on; what is too small for that becomes larger. @param {Spot | null} spot */
  choose(spot) {
    if (!spot || !this.frame) return;
    const { x, y, radius, alone } = this.picture.stars[spot.star];
    if (radius * this.frame.k >= BUBBLE) {
      if (!alone) this.ways.open(spot);
      return;
    }
    [this.frame.x, this.frame.y] = [x, y];
    this.zoom((0.3 * Math.min(this.frame.width, this.frame.height)) / radius / this.frame.k);
  }

  schedule() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  /** Draw what was drawn before where it is now, and on it what is pointed at. */
  draw() {
    const context = this.canvas.getContext("2d");
    const { frame, picture } = this;
    if (!context || !frame) return;
    clearTimeout(this.timer);
    const old = this.drawn;
    if (!old || this.took < QUICK) this.drawAll(frame);
    else if (old.x !== frame.x || old.y !== frame.y || old.k !== frame.k) {
      this.timer = setTimeout(() => {
        this.drawn = null;
        this.schedule();
      }, WAIT);
    }
    const { x, y, k, width, height } = /** @type {Frame} */ (this.drawn);
    const [left, top] = picture.place(frame, x - width / 2 / k, y - height / 2 / k);
    const tints = tintsOf(this.element);
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.globalAlpha = 1;
    context.clearRect(0, 0, frame.width, frame.height);
    context.drawImage(this.cache, left, top, (width * frame.k) / k, (height * frame.k) / k);
    if (!this.active) return;
    picture.point(new CanvasBrush(context), frame, tints, this.active);
    this.placeTip(frame, picture.placeOf(frame, this.active));
  }

  /** Draw all that is in sight, and somewhat more, so that it can be moved. @param {Frame} frame */
  drawAll(frame) {
    const more = this.took < QUICK ? 1 : MARGIN;
    /** Whole pixels more at each end, so that what was drawn is not blurred where it still is. @param {number} size */
    const wider = (size) => size + 2 * Math.round(((more - 1) * size) / 2);
    const drawn = { ...frame, width: wider(frame.width), height: wider(frame.height) };
    this.cache.width = Math.round(drawn.width * devicePixelRatio);
    this.cache.height = Math.round(drawn.height * devicePixelRatio);
    const context = /** @type {CanvasRenderingContext2D} */ (this.cache.getContext("2d"));
    context.scale(devicePixelRatio, devicePixelRatio);
    const began = performance.now();
    this.picture.draw(new CanvasBrush(context), drawn, tintsOf(this.element));
    this.took = performance.now() - began;
    this.drawn = drawn;
  }

  /** @param {Frame} frame @param {Span} at */
  placeTip(frame, [x, y]) {
    const wide = this.tip.offsetWidth;
    this.tip.style.left = `${Math.min(Math.max(x - wide / 2, 4), frame.width - wide - 4)}px`;
    this.tip.style.top = `${y > frame.height / 2 ? y - this.tip.offsetHeight - 22 : y + 22}px`;
  }

  /** Draw all of it, for a file of its own. @param {import("./picture.js").Brush} brush */
  drawWhole(brush) {
    const tints = tintsOf(this.element);
    const frame = this.picture.fit(SAVED_WIDTH, SAVED_HEIGHT - FOOT);
    brush.polygon([0, 0, SAVED_WIDTH, 0, SAVED_WIDTH, SAVED_HEIGHT, 0, SAVED_HEIGHT], { fill: tints.card });
    this.picture.draw(brush, frame, tints);
    let x = 24;
    for (const [name, colour] of this.legend) {
      brush.circles([x, SAVED_HEIGHT - 22, 5], { fill: tints.series[colour] });
      brush.text(x + 10, SAVED_HEIGHT - 18, name, { colour: tints.ink, size: 13 });
      x += 34 + 7.4 * name.length;
    }
    brush.text(SAVED_WIDTH - 20, SAVED_HEIGHT - 18, this.title, { colour: tints.faint, size: 13, anchor: "end" });
  }

  /** @param {string} name */
  saveSvg(name) {
    const brush = new SvgBrush(SAVED_WIDTH, SAVED_HEIGHT, this.title);
    this.drawWhole(brush);
    saveFile(name, new Blob([new XMLSerializer().serializeToString(brush.root)], { type: "image/svg+xml" }));
  }

  /** @param {string} name */
  savePng(name) {
    const canvas = el("canvas", { width: 2 * SAVED_WIDTH, height: 2 * SAVED_HEIGHT });
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.scale(2, 2);
    this.drawWhole(new CanvasBrush(context));
    canvas.toBlob((blob) => { if (blob) saveFile(name, blob); });
  }
}

/** Return the colours of the page, which are others in the dark. @param {Element} element */
function tintsOf(element) {
  const style = getComputedStyle(element);
  /** @param {string} name */
  const tint = (name) => style.getPropertyValue(`--${name}`).trim();
  const series = [0, 1, 2, 3, 4, 5, 6, 7].map((number) => tint(`s${number}`));
  return { series, ink: tint("ink"), faint: tint("faint"), card: tint("card"), track: tint("track"), accent: tint("accent") };
}
