// A map as it is drawn: stars, in more detail the larger they are on the screen.
import { digits } from "./formats.js";
import { Names } from "./names.js";
import { reachOf } from "./placing.js";

export const BUBBLE = 16; // pixels: smaller stars are drawn as one circle
const RINGS = 80; // pixels from which on a star has rings that say how close its members are
const MOST_LINKS = 3000;

/** @typedef {{x: number, y: number, k: number, width: number, height: number}} Frame what is in sight */
/** @typedef {{star: number, member: number}} Spot member: -1 for the centre */
/** @typedef {{series: string[], ink: string, faint: string, card: string, track: string, accent: string}} Tints */
/** @typedef {import("./brush.js").CanvasBrush | import("./brush.js").SvgBrush} Brush */
/** @typedef {import("./placing.js").Placed} Placed */

export class Picture {
  /** @param {import("./stars.js").Sky} sky @param {Placed[]} stars placed @param {import("./store.js").Store} store
   * @param {Int8Array} colour of each item @param {(item: number) => string} nameOf */
  constructor(sky, stars, store, colour, nameOf) {
    this.sky = sky;
    this.stars = stars;
    this.store = store;
    this.colour = colour;
    this.nameOf = nameOf;
    this.alone = store.data.alone?.total ?? 0;
    this.size = sizes(store);
    this.box = boxOf(stars);
    this.main = stars.map((star) => mainColour(star, colour));
  }

  /** Return the frame that shows all. @param {number} width @param {number} height @returns {Frame} */
  fit(width, height) {
    const { left, right, top, bottom } = this.box;
    const room = this.stars.length < 100 ? Math.min(0.2 * width, 70) : 10; // for names
    const k = Math.min((width - 2 * room) / (right - left), (height - 48) / (bottom - top), 46);
    return { x: (left + right) / 2, y: (top + bottom) / 2, k, width, height };
  }

  /** Return how high it is if it has this width. @param {number} width */
  heightFor(width) {
    return this.fit(width, Infinity).k * (this.box.bottom - this.box.top) + 60;
  }

  /** @param {Frame} frame @param {number} x @param {number} y @returns {Span} in pixels */
  place({ x: x0, y: y0, k, width, height }, x, y) {
    return [(x - x0) * k + width / 2, (y - y0) * k + height / 2];
  }

  /** @param {Frame} frame @param {Spot} spot @returns {Span} */
  placeOf(frame, { star, member }) {
    const { x, y, dx, dy } = this.stars[star];
    return member < 0 ? this.place(frame, x, y) : this.place(frame, x + dx[member], y + dy[member]);
  }

  /** @param {Spot} spot */
  itemOf({ star, member }) {
    const own = this.stars[star];
    return member < 0 ? own.centre : own.members[member];
  }

  /** Return how large a member, or a centre, is. @param {Frame} frame @param {Spot} spot */
  radiusOf({ k }, spot) {
    const item = this.itemOf(spot);
    const own = this.stars[spot.star].alone ? 0.2 : (spot.member < 0 ? 1.5 : 1) * this.size[item];
    return Math.min(Math.max(own * k, 2), 15);
  }

  /** Return what is at a point. @param {Frame} frame @param {number} px @param {number} py @returns {Spot | null} */
  at(frame, px, py) {
    const [x, y] = [(px - frame.width / 2) / frame.k + frame.x, (py - frame.height / 2) / frame.k + frame.y];
    for (let star = 0; star < this.stars.length; star += 1) {
      const own = this.stars[star];
      if ((own.x - x) ** 2 + (own.y - y) ** 2 > (own.radius + 8 / frame.k) ** 2) continue;
      if (own.radius * frame.k < BUBBLE) return { star, member: -1 };
      let [best, found] = [12, /** @type {Spot | null} */ (null)];
      for (let member = own.alone ? 0 : -1; member < own.members.length; member += 1) {
        const [cx, cy] = this.placeOf(frame, { star, member });
        const far = Math.hypot(cx - px, cy - py) - this.radiusOf(frame, { star, member });
        if (far < best) [best, found] = [far, { star, member }];
      }
      if (found) return found;
    }
    return null;
  }

  /** @param {Brush} brush @param {Frame} frame @param {Tints} tints */
  draw(brush, frame, tints) {
    const [open, small] = this.inSight(frame);
    for (const star of open) this.rings(brush, frame, star, tints);
    const links = this.links(frame);
    brush.lines(links, { stroke: tints.faint, width: 0.7, alpha: Math.min(0.2, 6 / Math.sqrt(links.length)) });
    this.bubbles(brush, frame, small, tints);
    for (const star of open) this.rays(brush, frame, star, tints);
    for (const star of open) this.nodes(brush, frame, star, tints);
    new Names(this, brush, frame, tints).put(open, small);
  }

  /** Draw what is pointed at, and all its pairs. @param {Brush} brush @param {Frame} frame @param {Tints} tints
   * @param {Spot} spot */
  point(brush, frame, tints, spot) {
    const item = this.stars[spot.star].alone ? -1 : this.itemOf(spot);
    brush.lines(this.links(frame, item), { stroke: tints.ink, width: 1.2, alpha: 0.75 });
    brush.circles([...this.placeOf(frame, spot), this.radiusOf(frame, spot) + 3], { stroke: tints.ink, width: 2 });
  }

  /** Return the stars that are in sight: those that are drawn with all they have, and those that are too small.
   * @param {Frame} frame */
  inSight(frame) {
    const [open, small] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
    for (let star = 0; star < this.stars.length; star += 1) {
      const { x, y, radius } = this.stars[star];
      const r = radius * frame.k;
      const [px, py] = this.place(frame, x, y);
      if (px + r < 0 || py + r < 0 || px - r > frame.width || py - r > frame.height) continue;
      (r >= BUBBLE ? open : small).push(star);
    }
    return [open, small];
  }

  /** Draw stars as circles, with the number of their members. @param {Brush} brush @param {Frame} frame @param {number[]} small
   * @param {Tints} tints */
  bubbles(brush, frame, small, tints) {
    /** @type {number[][]} */
    const circles = tints.series.map(() => []);
    for (const star of small) {
      const { x, y, radius } = this.stars[star];
      circles[this.main[star]].push(...this.place(frame, x, y), Math.max(0.82 * radius * frame.k, 0.7));
    }
    circles.forEach((own, i) => { if (own.length) brush.circles(own, { fill: tints.series[i], alpha: 0.85 }); });
    for (const star of small) {
      const { x, y, radius, members, alone } = this.stars[star];
      if (radius * frame.k < 10 || members.length < 2) continue;
      const [px, py] = this.place(frame, x, y);
      const count = digits(members.length + (alone ? 0 : 1));
      brush.text(px, py + 4, count, { anchor: "middle", size: 11, bold: true, colour: tints.card });
    }
  }

  /** @param {Brush} brush @param {Frame} frame @param {number} number @param {Tints} tints */
  rings(brush, frame, number, tints) {
    const { x, y, radius } = this.stars[number];
    const [cx, cy] = this.place(frame, x, y);
    brush.circles([cx, cy, (radius - 0.2) * frame.k], { fill: tints.track, alpha: 0.55 });
    for (const [, r] of this.reaches(frame, number)) brush.circles([cx, cy, r], { fill: tints.accent, alpha: 0.06 });
  }

  /** Return lines for pairs that are of two members, or of two stars; none if they are too many to be told apart.
   * @param {Frame} frame @param {number} [item] only of this one */
  links(frame, item) {
    const { sky: { links }, store: { sides: [as, bs] } } = this;
    /** @type {number[]} */
    const found = [];
    for (const row of links) {
      if (item !== undefined && as[row] !== item && bs[row] !== item) continue;
      const [a, b] = [this.placeOf(frame, this.spotOf(as[row])), this.placeOf(frame, this.spotOf(bs[row]))];
      if (!outside(a, b, frame)) found.push(...a, ...b);
      if (found.length > 4 * MOST_LINKS) return [];
    }
    return found;
  }

  /** @param {number} item @returns {Spot} */
  spotOf(item) {
    return { star: this.sky.star[item], member: this.sky.member[item] };
  }

  /** Draw the lines of a star, with arrows from where a text comes. @param {Brush} brush @param {Frame} frame
   * @param {number} number @param {Tints} tints */
  rays(brush, frame, number, tints) {
    const star = this.stars[number];
    if (star.alone) return;
    const { close, turn, other } = this.sky;
    const arrows = star.members.length < 400 && star.radius * frame.k > 34;
    star.members.forEach((item, member) => {
      const row = star.rows[member];
      const holder = this.spotOf(other(row, item)); // the centre, mostly
      const [middle, end] = [this.placeOf(frame, holder), this.placeOf(frame, { star: number, member })];
      const look = { stroke: tints.series[this.colour[item]], width: 0.8 + 1.4 * close[row], alpha: 0.6 };
      const [from, to] = [this.radiusOf(frame, holder), this.radiusOf(frame, { star: number, member })];
      const far = Math.hypot(end[0] - middle[0], end[1] - middle[1]) || 1;
      const [ux, uy] = [(end[0] - middle[0]) / far, (end[1] - middle[1]) / far];
      const [x1, y1, x2, y2] = [middle[0] + ux * from, middle[1] + uy * from, end[0] - ux * (to + 1), end[1] - uy * (to + 1)];
      brush.lines([x1, y1, x2, y2], look);
      if (!arrows || !turn[row] || far - from - to < 9) return;
      const outwards = (this.store.sides[1][row] === item) === (turn[row] > 0);
      const [hx, hy, sx, sy] = outwards ? [x2, y2, ux, uy] : [x1, y1, -ux, -uy];
      brush.polygon([hx, hy, hx - 7 * sx + 3.2 * sy, hy - 7 * sy - 3.2 * sx, hx - 7 * sx - 3.2 * sy, hy - 7 * sy + 3.2 * sx],
        { fill: look.stroke, alpha: 0.95 });
    });
  }

  /** @param {Brush} brush @param {Frame} frame @param {number} number @param {Tints} tints */
  nodes(brush, frame, number, tints) {
    const star = this.stars[number];
    /** @type {number[][]} */
    const found = tints.series.map(() => []);
    star.members.forEach((item, member) => {
      const spot = { star: number, member };
      found[star.alone ? 0 : this.colour[item]].push(...this.placeOf(frame, spot), this.radiusOf(frame, spot));
    });
    found.forEach((own, i) => {
      if (!own.length) return;
      if (star.alone) brush.circles(own, { fill: tints.card, stroke: tints.faint, width: 1.2 });
      else brush.circles(own, { fill: tints.series[i], stroke: tints.card, width: 1.2 });
    });
    if (star.alone) return;
    const spot = { star: number, member: -1 };
    const [x, y] = this.placeOf(frame, spot);
    const r = this.radiusOf(frame, spot);
    brush.circles([x, y, r], { fill: tints.ink, stroke: tints.card, width: 1.5 });
    const own = this.colour[star.centre];
    if (own >= 0) brush.circles([x, y, 0.42 * r], { fill: tints.series[own] });
  }

  /** Return the shares that have rings, and how large these are. @param {Frame} frame @param {number} number */
  reaches({ k }, number) {
    const { outer, ringed, alone, members } = this.stars[number];
    if (alone || !outer || members.length < 3 || outer * k < RINGS) return [];
    return [1, 0.75, 0.5, 0.25].map((share) => [share, reachOf(share, outer) * k]).filter(([, r]) => r <= ringed * k + 0.1);
  }
}

/** Return how large documents are drawn: by the roots of their lengths. @param {import("./store.js").Store} store */
function sizes(store) {
  const { items, docs } = store;
  const lengths = items.id.map((_, item) => Math.sqrt(docs.length?.[store.docOf(item)] ?? 1));
  let most = 1;
  for (const length of lengths) if (length > most) most = length;
  return Float32Array.from(lengths, (length) => 0.3 + 0.32 * (length / most));
}

/** @param {Placed[]} stars */
function boxOf(stars) {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y, radius } of stars) {
    [left, right] = [Math.min(left, x - radius), Math.max(right, x + radius)];
    [top, bottom] = [Math.min(top, y - radius), Math.max(bottom, y + radius)];
  }
  return { left, right, top, bottom };
}

/** Return the colour that most members of a star have. @param {Placed} star @param {Int8Array} colour */
function mainColour(star, colour) {
  if (star.alone) return 7;
  const counts = new Uint32Array(8);
  for (const item of star.members) counts[colour[item]] += 1;
  if (!star.members.length) return Math.max(colour[star.centre], 0);
  return counts.indexOf(Math.max(...counts));
}

/** @param {Span} a @param {Span} b @param {Frame} frame */
function outside(a, b, { width, height }) {
  return Math.max(a[0], b[0]) < 0 || Math.min(a[0], b[0]) > width || Math.max(a[1], b[1]) < 0 || Math.min(a[1], b[1]) > height;
}
