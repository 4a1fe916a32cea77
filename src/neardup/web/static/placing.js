// Where stars and their members stand: the same pairs give the same picture.

const INNER = 1.9; // how far from the centre what is wholly in it stands
const FEW = 48; // stars that are put in rows; more are wound in a spiral
const MOST_TURNED = 300; // members that stand as far as they are close; more are wound in a spiral, too
const WIDTHS = 96; // of rows that are tried
const TITLE = 0.9; // room for its name above and below a star
const MOST_CHAINED = 80; // members that are put beside those that they are like
const WIDE = 100_003; // fields in a row of a spiral’s
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** @typedef {import("./stars.js").Star} Star */
/** @typedef {Star & {x: number, y: number, radius: number, outer: number, dx: Float32Array, dy: Float32Array}} Placed */

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
  let radius = 1;
  inOrder.forEach((member, i) => {
    let reach = close[member] < 0 ? radius + 1.4 : reachOf(close[member], outer);
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
  });
  return { ...star, x: 0, y: 0, radius: radius + 1, outer: many ? 0 : outer, dx, dy };
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

/** Place stars: a few in rows, as they fill a room of this shape best, more of them in a spiral, those that are
 * linked beside each other. @param {Placed[]} stars @param {Map<number, Map<number, number>>} links between stars
 * @param {number} shape width by height */
export function placeStars(stars, links, shape) {
  if (stars.length <= FEW) inRows(stars, shape);
  else new Spiral(stars, links, Math.min(Math.max(shape, 0.6), 2)).wind();
}

/** @param {Placed[]} stars @param {number} shape */
function inRows(stars, shape) {
  let [best, chosen] = [0, /** @type {Placed[][]} */ ([])];
  const [least, most] = [Math.max(...stars.map((star) => widthOf([star]))), widthOf(stars)];
  for (let n = 0; n <= WIDTHS; n += 1) {
    const rows = wrapped(stars, least + (n * (most - least)) / WIDTHS);
    const wide = Math.max(...rows.map(widthOf));
    const high = rows.reduce((sum, row) => sum + heightOf(row), 0);
    const scale = Math.min(shape / wide, 1 / high);
    if (scale > best) [best, chosen] = [scale, rows];
  }
  let y = 0;
  for (const row of chosen) {
    let x = -widthOf(row) / 2;
    for (const star of row) {
      star.x = x + star.radius + 1;
      star.y = y + heightOf(row) / 2;
      x += 2 * (star.radius + 1);
    }
    y += heightOf(row);
  }
}

/** Put stars in rows that are no wider than this. @param {Placed[]} stars @param {number} most */
function wrapped(stars, most) {
  /** @type {Placed[][]} */
  const rows = [[]];
  for (const star of stars) {
    const row = rows[rows.length - 1];
    if (row.length && widthOf([...row, star]) > most + 1e-6) rows.push([star]);
    else row.push(star);
  }
  return rows;
}

/** @param {Placed[]} row */
function widthOf(row) {
  return row.reduce((sum, star) => sum + 2 * (star.radius + 1), 0);
}

/** @param {Placed[]} row */
function heightOf(row) {
  return 2 * (Math.max(...row.map((star) => star.radius)) + TITLE);
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
