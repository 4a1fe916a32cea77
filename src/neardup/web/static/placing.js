// Where stars and their members stand: the same pairs give the same picture.

const INNER = 1.9; // how far from the centre what is wholly in it stands
const FEW = 48; // stars that are put in rows; more are wound in a spiral
const MOST_TURNED = 300; // members that stand as far as they are close; more are wound in a spiral, too
const [WIDTHS, PASSES] = [96, 12]; // widths of rows that are tried, and how often
const TITLE = 0.9; // room for its name above and below a star
const MOST_CHAINED = 80; // members that are put beside those that they are like
const WIDE = 100_003; // fields in a row of a spiral’s
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** @typedef {import("./stars.js").Star} Star */
/** @typedef {Star & {x: number, y: number, radius: number, outer: number, ringed: number,
 * dx: Float32Array, dy: Float32Array}} Placed */

/** Place the members of a star: the closer, the nearer to the centre. @param {Star} star
 * @param {(one: number, other: number) => number} alike @param {number} [widest] of what is in no pair @returns {Placed} */
export function placeMembers(star, alike, widest = 0) {
  const { close } = star;
  const total = star.members.length;
  const [dx, dy] = [new Float32Array(total), new Float32Array(total)];
  const outer = INNER + 1.2 + 1.45 * Math.sqrt(Math.min(total, MOST_TURNED));
  const many = total > MOST_TURNED;
  const inOrder = [...star.rows.keys()].sort((x, y) => close[y] - close[x] || x - y);
  const spacing = Math.max(Math.min(0.6, widest / Math.sqrt(total)), 0.4);
  const chains = total <= MOST_CHAINED && !star.alone;
  const turned = chains ? chained(inOrder, (x, y) => alike(star.members[x], star.members[y])) : inOrder;
  const angle = new Float32Array(total);
  turned.forEach((member, i) => { angle[member] = (2 * Math.PI * i) / total - Math.PI / 2.6; });
  /** @type {number[]} */
  const before = [];
  let [radius, ringed] = [1, 0]; // ringed: the ring around all that share text with the centre
  inOrder.forEach((member, i) => {
    let reach = close[member] < 0 ? Math.max(radius + 1.4, ringed + 0.8) : reachOf(close[member], outer);
    let turn = angle[member];
    if (star.alone || many) {
      reach = star.alone ? spacing * Math.sqrt(i + 0.5) : INNER + 0.95 * Math.sqrt(i + 0.5);
      turn = i * GOLDEN;
    } else {
      for (let n = 0; n < 400 && crowded(reach, turn, before, dx, dy); n += 1) {
        turn += (n % 2 ? -1 : 1) * (n % 8 + 1) * (0.35 / reach);
        if (n % 8 === 7) [reach, turn] = [reach + 0.3, angle[member]];
      }
    }
    dx[member] = reach * Math.cos(turn);
    dy[member] = reach * Math.sin(turn);
    before.push(member);
    radius = Math.max(radius, reach);
    if (close[member] >= 0) ringed = reachOf(Math.floor((4 * (outer - radius)) / (outer - INNER)) / 4, outer);
  });
  return { ...star, x: 0, y: 0, radius: radius + 1, outer: many ? 0 : outer, ringed, dx, dy };
}

/** Return how far from the centre something stands. @param {number} close @param {number} outer */
export function reachOf(close, outer) {
  return INNER + (1 - close) * (outer - INNER);
}

/** @param {number} reach @param {number} turn @param {number[]} before @param {Float32Array} dx @param {Float32Array} dy */
function crowded(reach, turn, before, dx, dy) {
  const [x, y] = [reach * Math.cos(turn), reach * Math.sin(turn)];
  return before.some((member) => (dx[member] - x) ** 2 + (dy[member] - y) ** 2 < 1.3);
}

/** Put members beside those that they are like: each is followed by the one that is most like it.
 * @param {number[]} given @param {(x: number, y: number) => number} alike */
function chained(given, alike) {
  const rest = new Set(given);
  const found = [];
  let last = given[0];
  while (rest.size) {
    found.push(last);
    rest.delete(last);
    let [best, next] = [-1, -1];
    for (const other of rest) {
      const value = alike(last, other);
      if (value > best) [best, next] = [value, other];
    }
    last = next;
  }
  return found;
}

/** Place stars: a few in rows, as they fill a room of this size best, more of them in a spiral, those that are
 * linked beside each other. @param {Placed[]} stars @param {Map<number, Map<number, number>>} links between stars
 * @param {Span} room width and height in pixels @param {number[]} titles how wide the names of stars are, in pixels */
export function placeStars(stars, links, room, titles) {
  if (stars.length > FEW) new Spiral(stars, links, Math.min(Math.max(room[0] / room[1], 0.6), 2)).wind();
  else inRows(stars, room, titles);
}

/** @param {Placed[]} stars @param {Span} room @param {number[]} titles */
function inRows(stars, [width, height], titles) {
  let halves = stars.map(({ radius }) => radius + 1);
  /** @type {number[][]} */
  let chosen = [];
  for (let pass = 0; pass < PASSES; pass += 1) { // how much room a name needs depends on how large stars are
    let best = 0;
    const widthOf = (/** @type {number[]} */ row) => row.reduce((sum, star) => sum + 2 * halves[star], 0);
    const [least, most] = [2 * Math.max(...halves), widthOf([...halves.keys()])];
    for (let n = 0; n <= WIDTHS; n += 1) {
      const rows = wrapped(halves, least + (n * (most - least)) / WIDTHS);
      const high = rows.reduce((sum, row) => sum + heightOf(stars, row), 0);
      const scale = Math.min(width / Math.max(...rows.map(widthOf)), height / high);
      if (scale > best) [best, chosen] = [scale, rows];
    }
    const scale = best;
    if (pass < PASSES - 1) halves = stars.map(({ radius }, star) => Math.max(radius + 1, titles[star] / scale / 2 + 0.3));
  }
  let y = 0;
  for (const row of chosen) {
    let x = -row.reduce((sum, star) => sum + halves[star], 0);
    const high = heightOf(stars, row);
    for (const star of row) {
      [stars[star].x, stars[star].y] = [x + halves[star], y + high / 2];
      x += 2 * halves[star];
    }
    y += high;
  }
}

/** Put stars in rows that are no wider than this. @param {number[]} halves how wide half of each is @param {number} most */
function wrapped(halves, most) {
  /** @type {number[][]} */
  const rows = [[]];
  let wide = 0;
  halves.forEach((half, star) => {
    wide += 2 * half;
    if (wide > most + 1e-6 && rows[rows.length - 1].length) {
      rows.push([]);
      wide = 2 * half;
    }
    rows[rows.length - 1].push(star);
  });
  return rows;
}

/** @param {Placed[]} stars @param {number[]} row */
function heightOf(stars, row) {
  return 2 * (Math.max(...row.map((star) => stars[star].radius)) + TITLE);
}

class Spiral {
  /** @param {Placed[]} stars @param {Map<number, Map<number, number>>} links @param {number} shape */
  constructor(stars, links, shape) {
    this.stars = stars;
    this.links = links;
    this.shape = Math.sqrt(shape);
    this.cell = 2 * stars[stars.length >> 1].radius;
    /** @type {Map<number, number[]>} */
    this.cells = new Map();
    this.done = new Uint8Array(stars.length);
    this.at = { reach: 0, turn: 0 };
  }

  /** Place the largest first, and with each all that are linked to it. */
  wind() {
    const queue = [];
    for (let seed = 0; seed < this.stars.length; seed += 1) {
      if (this.done[seed]) continue;
      this.walk(seed, 0, 0, this.at, Infinity);
      queue.push(seed);
      for (let own = queue.pop(); own !== undefined; own = queue.pop()) {
        const next = [...this.links.get(own) ?? []].sort((x, y) => y[1] - x[1] || x[0] - y[0]);
        for (const [other] of next) {
          if (this.done[other]) continue;
          const { x, y, radius } = this.stars[own];
          const at = { reach: (radius + this.stars[other].radius) / this.shape, turn: other * GOLDEN };
          if (!this.walk(other, x, y, at, 200)) this.walk(other, 0, 0, this.at, Infinity);
          queue.push(other);
        }
      }
    }
  }

  /** Go round a point until there is room for a star; say whether there was. @param {number} number @param {number} x0
   * @param {number} y0 @param {{reach: number, turn: number}} at @param {number} most steps */
  walk(number, x0, y0, at, most) {
    const star = this.stars[number];
    for (let n = 0; n < most; n += 1) {
      star.x = x0 + this.shape * at.reach * Math.cos(at.turn);
      star.y = y0 + (at.reach * Math.sin(at.turn)) / this.shape;
      if (this.free(star, number)) return true;
      const step = Math.min((0.6 * star.radius) / Math.max(at.reach, star.radius / 2), 1);
      at.turn += step;
      at.reach += (1.1 * star.radius * step) / Math.PI / 2;
    }
    return false;
  }

  /** Take a place, if it is free. @param {Placed} star @param {number} number */
  free({ x, y, radius }, number) {
    const { cell, cells, stars } = this;
    const [left, right] = [Math.floor((x - radius) / cell), Math.floor((x + radius) / cell)];
    const [top, bottom] = [Math.floor((y - radius) / cell), Math.floor((y + radius) / cell)];
    for (let i = left; i <= right; i += 1) {
      for (let j = top; j <= bottom; j += 1) {
        const known = cells.get(i * WIDE + j);
        for (let n = 0; known && n < known.length; n += 1) {
          const own = stars[known[n]];
          if ((own.x - x) ** 2 + (own.y - y) ** 2 < (own.radius + radius + 0.3) ** 2) return false;
        }
      }
    }
    for (let i = left; i <= right; i += 1) {
      for (let j = top; j <= bottom; j += 1) {
        const known = cells.get(i * WIDE + j);
        if (known) known.push(number);
        else cells.set(i * WIDE + j, [number]);
      }
    }
    this.done[number] = 1;
    return true;
  }
}
