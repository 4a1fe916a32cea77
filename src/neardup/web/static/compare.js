// Any two texts compared in the browser: matches as a result has them, by the words that stand in both in order.
import { points, WORD } from "./text.js";

/** @typedef {import("./text.js").Text} Text */
/** @typedef {[i: number, j: number, size: number]} Common */

const MOST = 4000; // words of a side
const NEAR = 40; // words between runs of one match

/** @param {Text} a @param {Text} b @returns {Match[]} */
export function compareTexts(a, b) {
  const [x, y] = [wordsOf(a), wordsOf(b)];
  const runs = commonRuns(x.map((word) => word[0]), y.map((word) => word[0]));
  return joinedRuns(runs).map((own) => {
    const [i, j] = own[0];
    const last = own[own.length - 1];
    const common = own.reduce((sum, run) => sum + run[2], 0);
    const likeness = (2 * common) / (last[0] + last[2] - i + last[1] + last[2] - j);
    const [startA, startB] = [x[i][1], y[j][1]];
    /** @type {number[]} */
    const flat = [];
    let at = [startA, startB];
    for (const [k, l, size] of own) {
      const [a0, a1, b0, b1] = [x[k][1], x[k + size - 1][2], y[l][1], y[l + size - 1][2]];
      flat.push(a0 - at[0], a1 - a0, b0 - at[1], b1 - b0);
      at = [a1, b1];
    }
    return [likeness === 1 ? "identical" : "edited", likeness, common, startA, at[0], startB, at[1], flat];
  });
}

/** Return the first words of a text, and where they are. @param {Text} text */
function wordsOf(text) {
  /** @type {[word: string, start: number, end: number][]} */
  const found = [];
  for (const piece of text.pieces) {
    let units = 0;
    let at = piece.start;
    for (const word of piece.text.matchAll(WORD)) {
      at += points(piece.text.slice(units, word.index));
      const size = points(word[0]);
      found.push([word[0].toLowerCase(), at, at + size]);
      at += size;
      units = word.index + word[0].length;
    }
  }
  return found.slice(0, MOST);
}

/** Take runs that are near each other as one match, which begins and ends with more than a word, and has a run of three.
 * @param {Common[]} runs */
function joinedRuns(runs) {
  /** @type {Common[][]} */
  const found = [];
  for (const run of runs) {
    const last = found.at(-1)?.at(-1);
    if (last && run[0] - last[0] - last[2] < NEAR && run[1] - last[1] - last[2] < NEAR) found[found.length - 1].push(run);
    else found.push([run]);
  }
  for (const own of found) {
    while (own.length && own[0][2] < 2) own.shift();
    while (own.length && own[own.length - 1][2] < 2) own.pop();
  }
  return found.filter((own) => own.some((run) => run[2] > 2));
}

/** Return runs of equal words in order: the longest first, then what is before and behind it.
 * @param {string[]} x @param {string[]} y */
function commonRuns(x, y) {
  /** @type {Map<string, number[]>} */
  const places = new Map();
  y.forEach((word, j) => {
    const own = places.get(word);
    if (own) own.push(j);
    else places.set(word, [j]);
  });
  /** @type {Common[]} */
  const found = [];
  const stack = [[0, x.length, 0, y.length]];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [x0, x1, y0, y1] = next;
    const best = longestRun(x, places, next);
    if (!best[2]) continue;
    found.push(best);
    stack.push([x0, best[0], y0, best[1]], [best[0] + best[2], x1, best[1] + best[2], y1]);
  }
  return found.sort((p, q) => p[0] - q[0]);
}

/** Return the longest run inside of two spans. @param {string[]} x @param {Map<string, number[]>} places of words in y
 * @param {number[]} spans */
function longestRun(x, places, [x0, x1, y0, y1]) {
  /** @type {Common} */
  let best = [0, 0, 0];
  let lengths = new Map();
  for (let i = x0; i < x1; i += 1) {
    const now = new Map();
    for (const j of places.get(x[i]) || []) {
      if (j < y0) continue;
      if (j >= y1) break;
      const size = (lengths.get(j - 1) || 0) + 1;
      now.set(j, size);
      if (size > best[2]) best = [i - size + 1, j - size + 1, size];
    }
    lengths = now;
  }
  return best;
}
