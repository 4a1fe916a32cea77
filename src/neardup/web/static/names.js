// The names on a map: as many as have room, and none over another.
import { digits } from "./formats.js";
import { say } from "./words.js";

/** @typedef {import("./picture.js").Spot} Spot */

const MOST = 600;
const MOST_SMALL = 12; // of stars that are only a circle
const NAMED = 30; // pixels: members of smaller stars have no names,
const NAMED_SMALL = 11; // and those none at all
const [LETTERING, TITLE] = [12, 14]; // pixels
const LONGEST = 30; // characters

export class Names {
  /** @param {import("./picture.js").Picture} picture @param {import("./picture.js").Brush} brush
   * @param {import("./picture.js").Frame} frame @param {import("./picture.js").Tints} tints */
  constructor(picture, brush, frame, tints) {
    this.picture = picture;
    this.brush = brush;
    this.frame = frame;
    this.tints = tints;
    this.taken = new Taken();
  }

  /** Write names, first of centres, where there is room. @param {number[]} open @param {number[]} small the largest first */
  put(open, small) {
    const { frame, picture, taken } = this;
    /** @type {Spot[]} */
    const spots = [];
    for (const star of open) {
      const own = picture.stars[star];
      const title = own.alone ? "" : picture.nameOf(own.centre); // is not said twice
      for (let member = own.alone ? 0 : -1; member < own.members.length; member += 1) {
        const spot = { star, member };
        const [[x, y], r] = [picture.placeOf(frame, spot), picture.radiusOf(frame, spot)];
        if (own.members.length < 400) taken.add([x - r, y - r, x + r, y + r]);
        const named = member < 0 || (own.radius * frame.k > NAMED && picture.nameOf(own.members[member]) !== title);
        if (!own.alone && named) spots.push(spot);
      }
      if (own.alone) spots.push({ star, member: -1 });
    }
    small.forEach((star, i) => {
      const { x, y, radius } = picture.stars[star];
      const [[px, py], r] = [picture.place(frame, x, y), radius * frame.k];
      if (r <= NAMED_SMALL) return;
      taken.add([px - r, py - r, px + r, py + r]);
      if (i < MOST_SMALL) spots.push({ star, member: -1 });
    });
    spots.sort((p, q) => Math.sign(p.member + 1) - Math.sign(q.member + 1));
    for (const spot of spots.slice(0, MOST)) this.name(spot);
    for (const star of open) this.shares(star);
  }

  /** @param {Spot} spot */
  name(spot) {
    const { brush, frame, picture, taken, tints } = this;
    const { radius, alone, members } = picture.stars[spot.star];
    const [[x, y], r, central] = [picture.placeOf(frame, spot), picture.radiusOf(frame, spot), spot.member < 0];
    const text = alone ? say("map.alone", { number: digits(picture.alone) }) : shortened(picture.nameOf(picture.itemOf(spot)));
    const size = central ? TITLE : LETTERING;
    const wide = widthOf(text, size, central);
    const [middle] = picture.placeOf(frame, { ...spot, member: -1 });
    const above = central && members.length ? radius * frame.k : r;
    /** @type {["start" | "middle" | "end", number, number][]} */
    const beside = [["start", x + r + 4, y + 4], ["end", x - r - 4, y + 4]];
    /** @type {typeof beside} */
    const over = [["middle", x, y - above - 5], ["middle", x, y + above + size]];
    const choices = central ? [...over, ...beside] : [...(x < middle ? beside.reverse() : beside), ...over];
    for (const [anchor, tx, ty] of choices) {
      const left = anchor === "start" ? tx : anchor === "end" ? tx - wide : tx - wide / 2;
      if (left < 2 || left + wide > frame.width - 2 || ty > frame.height - 3 || ty < size) continue;
      if (!taken.add([left, ty - size + 1, left + wide, ty + 3], true)) continue;
      brush.text(tx, ty, text, { anchor, bold: central, size, colour: tints.ink, halo: tints.card });
      return;
    }
  }

  /** Say what rings mean, where there is room. @param {number} number */
  shares(number) {
    const { brush, frame, picture, taken, tints } = this;
    const { x, y, dx } = picture.stars[number];
    const [cx, cy] = picture.place(frame, x, y);
    for (const [share, r] of picture.reaches(frame, number)) {
      const [tx, ty] = [cx + (dx[0] > 0 ? -0.38 : 0.38) * r, cy - 0.925 * r];
      if (r < 34 || !taken.add([tx - 12, ty - 6, tx + 12, ty + 6], true)) continue;
      brush.text(tx, ty + 3.5, `${100 * share} %`, { anchor: "middle", size: 10, colour: tints.faint, halo: tints.track });
    }
  }
}

/** Boxes that are taken, in fields of the screen. */
class Taken {
  constructor() {
    /** @type {Map<number, number[][]>} */
    this.fields = new Map();
  }

  /** Take a box; if asked, only where nothing is: say whether. @param {number[]} box @param {boolean} [free] */
  add(box, free = false) {
    const keys = [];
    for (let i = Math.floor(box[0] / 80); i <= Math.floor(box[2] / 80); i += 1) {
      for (let j = Math.floor(box[1] / 40); j <= Math.floor(box[3] / 40); j += 1) keys.push(i * 4001 + j);
    }
    const meets = (/** @type {number[]} */ own) => own[0] < box[2] && own[2] > box[0] && own[1] < box[3] && own[3] > box[1];
    if (free && keys.some((key) => this.fields.get(key)?.some(meets))) return false;
    for (const key of keys) {
      const known = this.fields.get(key);
      if (known) known.push(box);
      else this.fields.set(key, [box]);
    }
    return true;
  }
}

/** Of a long name, both ends: they differ at either. @param {string} name */
export function shortened(name) {
  return name.length > LONGEST ? `${name.slice(0, 17)}…${name.slice(-11)}` : name;
}

const measuring = document.createElement("canvas").getContext("2d");

/** @param {string} text @param {number} size @param {boolean} bold */
function widthOf(text, size, bold) {
  if (!measuring) return 7 * text.length;
  measuring.font = `${bold ? 650 : 400} ${size}px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif`;
  return measuring.measureText(text).width + 2;
}

/** Return how wide the name of a star is. @param {string} name */
export function titleWidth(name) {
  return widthOf(shortened(name), TITLE, true);
}
