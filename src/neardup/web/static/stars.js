// Pairs as stars: whom most others have text from in the middle, around it all that are closest to it.

const REWRITTEN = 0.5; // what is rewritten counts half
const SAME = 0.9; // what is so much in another one that either could be the source
const EVEN = 0.02; // shares that differ by less have no direction
const FAR = -1; // how close what shares text only with another member is to the centre: outside of all rings

/** @typedef {{centre: number, members: Int32Array, rows: Int32Array, close: Float32Array, alone: boolean}} Star
 * rows: the pair of each member with the centre, or with the member that it hangs on; close: how much that is, or FAR */
/** @typedef {{stars: Star[], star: Int32Array, member: Int32Array, close: Float32Array, turn: Int8Array, links: number[],
 * alike: (one: number, second: number) => number, other: (row: number, item: number) => number}} Sky
 * star, member: of each item, -1 for none; close: of rows, how much of one is in the other; turn: 1 from a to b, -1 back;
 * links: rows that have no line of a star; other: the item on the other side of a row */

/** @param {import("./store.js").Store} store @param {import("./measured.js").Measured} measured @param {Test} isPair
 * @returns {Sky} */
export function starsOf(store, measured, isPair) {
  const [as, bs] = store.sides;
  const total = store.items.id.length;
  const rows = [];
  for (let row = 0; row < store.pairs.rows; row += 1) if (isPair(row) && as[row] !== bs[row]) rows.push(row);
  const { shares, close, turn } = weigh(store, measured, rows);
  const score = new Float64Array(total);
  for (const row of rows) {
    score[as[row]] += shares[1][row];
    score[bs[row]] += shares[0][row];
  }
  const near = neighbours(store.sides, rows, total);
  const centre = centres(near, score, (row, item) => shares[as[row] === item ? 0 : 1][row] + close[row] / 100);
  const held = holders(near, centre, close);
  const links = rows.filter((row) => held[as[row]] !== row && held[bs[row]] !== row);
  const alike = (/** @type {number} */ one, /** @type {number} */ second) => {
    for (let i = near.starts[one]; i < near.starts[one + 1]; i += 1) if (near.other[i] === second) return close[near.own[i]];
    return 0;
  };
  const other = (/** @type {number} */ row, /** @type {number} */ item) => (as[row] === item ? bs[row] : as[row]);
  return { ...gathered(score, centre, held, close, other), close, turn, links, alike, other };
}

/** Return how much of each side stands in the other, how close that makes a row, and which way it goes.
 * @param {import("./store.js").Store} store @param {import("./measured.js").Measured} measured @param {number[]} rows */
function weigh(store, measured, rows) {
  const { columns } = store.pairs;
  /** @param {string} name @returns {(number | null)[] | null} */
  const column = (name) => /** @type {any} */ (columns.find((own) => own.name === name))?.values ?? null;
  const shares = ["a", "b"].map((side) => {
    const [own, rewritten] = [column(`containment_${side}`), column(`rewritten_${side}`)];
    const found = new Float32Array(store.pairs.rows);
    for (const row of rows) {
      if (own) found[row] = Math.min((own[row] ?? 0) + REWRITTEN * (rewritten?.[row] ?? 0), 1);
      else found[row] = measured.closeness(measured.values[row] ?? 0);
    }
    return found;
  });
  const close = new Float32Array(store.pairs.rows);
  const turn = new Int8Array(store.pairs.rows);
  const { since, until } = store.docs;
  /** @param {number} one @param {number} second */
  const isOlder = (one, second) => (until?.[one] ?? Infinity) <= (since?.[second] ?? -Infinity);
  for (const row of rows) {
    const [a, b] = [shares[0][row], shares[1][row]];
    close[row] = Math.max(a, b);
    const [one, second] = store.docsOf(row);
    const own = store.newOf(row);
    if (own !== null) turn[row] = own ? 1 : -1; // from what is old
    else if (isOlder(one, second)) turn[row] = 1;
    else if (isOlder(second, one)) turn[row] = -1;
    else if (Math.abs(a - b) > EVEN) turn[row] = b > a ? 1 : -1; // more of b stands in a than of a in b
  }
  return { shares, close, turn };
}

/** Return where the rows of each item begin among all, and those; each with the other item.
 * @param {number[][]} sides @param {number[]} rows @param {number} total */
function neighbours([as, bs], rows, total) {
  const starts = new Int32Array(total + 1);
  for (const row of rows) {
    starts[as[row] + 1] += 1;
    starts[bs[row] + 1] += 1;
  }
  for (let item = 0; item < total; item += 1) starts[item + 1] += starts[item];
  const next = starts.slice();
  const [own, other] = [new Int32Array(2 * rows.length), new Int32Array(2 * rows.length)];
  /** @param {number} row @param {number} item @param {number} second */
  const add = (row, item, second) => {
    own[next[item]] = row;
    other[next[item]] = second;
    next[item] += 1;
  };
  for (const row of rows) {
    add(row, as[row], bs[row]);
    add(row, bs[row], as[row]);
  }
  return { starts, own, other };
}

/** @typedef {ReturnType<typeof neighbours>} Near */

/** Say whose star each item is in: the centres are taken greedily, whoever gives most to others first; all others
 * go to the centre that has most of them. @param {Near} near @param {Float64Array} score
 * @param {(row: number, item: number) => number} worth */
function centres({ starts, own, other }, score, worth) {
  const centre = new Int32Array(score.length).fill(-1);
  const order = Uint32Array.from(score.keys()).filter((item) => starts[item] < starts[item + 1]);
  order.sort((x, y) => score[y] - score[x] || x - y);
  for (const first of order) {
    if (centre[first] >= 0) continue;
    let item = first;
    for (let i = starts[first]; i < starts[first + 1]; i += 1) { // of two that are nearly the same, the one that has more
      const [next, row] = [other[i], own[i]];
      const more = worth(row, first) > Math.max(worth(row, next), SAME);
      if (more && centre[next] < 0 && score[next] > SAME * score[first]) item = next;
    }
    centre[item] = item;
    for (let i = starts[item]; i < starts[item + 1]; i += 1) if (centre[other[i]] < 0) centre[other[i]] = item;
  }
  for (const item of order) {
    if (centre[item] === item) continue;
    let best = -1;
    for (let i = starts[item]; i < starts[item + 1]; i += 1) {
      const value = worth(own[i], item);
      if (centre[other[i]] === other[i] && value > best) [best, centre[item]] = [value, other[i]];
    }
  }
  return centre;
}

/** Return the row that holds each item in its star: with the centre; or, of a centre that nobody else is with, with the
 * member of another star that is closest to it, whose star it joins. @param {Near} near @param {Int32Array} centre
 * @param {Float32Array} close of rows */
function holders({ starts, own, other }, centre, close) {
  const held = new Int32Array(centre.length).fill(-1);
  const followed = new Set(centre.filter((middle, item) => middle !== item));
  centre.forEach((middle, item) => {
    const joins = middle === item && !followed.has(item);
    if (middle < 0 || (middle === item && !joins)) return;
    let most = -1;
    for (let i = starts[item]; i < starts[item + 1]; i += 1) {
      if ((!joins && other[i] !== middle) || close[own[i]] <= most) continue;
      [most, held[item]] = [close[own[i]], own[i]];
      if (joins) centre[item] = centre[other[i]];
    }
  });
  return held;
}

/** @param {Float64Array} score @param {Int32Array} centre of each item @param {Int32Array} held the row of each
 * @param {Float32Array} close of rows @param {Sky["other"]} otherOf */
function gathered(score, centre, held, close, otherOf) {
  const size = new Int32Array(centre.length);
  const middles = [];
  for (let item = 0; item < centre.length; item += 1) {
    if (centre[item] === item) middles.push(item);
    else if (centre[item] >= 0) size[centre[item]] += 1;
  }
  middles.sort((x, y) => size[y] - size[x] || score[y] - score[x] || x - y);
  const [star, member] = [new Int32Array(centre.length).fill(-1), new Int32Array(centre.length).fill(-1)];
  /** @type {Star[]} */
  const stars = middles.map((middle, number) => {
    star[middle] = number;
    const [members, rows, own] = [new Int32Array(size[middle]), new Int32Array(size[middle]), new Float32Array(size[middle])];
    return { centre: middle, members, rows, close: own, alone: false };
  });
  for (let item = centre.length - 1; item >= 0; item -= 1) {
    const middle = centre[item];
    if (middle < 0 || middle === item) continue;
    star[item] = star[middle];
    const place = --size[middle];
    const own = stars[star[item]];
    member[item] = place;
    [own.members[place], own.rows[place]] = [item, held[item]];
    own.close[place] = otherOf(held[item], item) === middle ? close[held[item]] : FAR;
  }
  return { stars, star, member };
}
