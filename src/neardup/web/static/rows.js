// Two texts in rows: in each, what stands beside each other, so that equal text stays level.
import { sentences } from "./sentences.js";
import { runsOf } from "./spans.js";
import { hasWords } from "./text.js";

/** @typedef {import("./text.js").Text} Text */

const ROW = 160; // characters from which on a row may end with a sentence
const REACH = 400; // matches: how far back is looked for one that stands before another

// Matches that are moved are not in rows of their own: `moved` are those, to be marked where they stand.
export class Rows {
  /** @param {Text} a @param {Text} b @param {Match[]} matches */
  constructor(a, b, matches) {
    this.texts = [a, b];
    /** @type {Row[]} */
    this.rows = [];
    this.differences = 0;
    this.at = [0, 0];
    const level = inOrder(matches);
    for (const number of level) {
      const [, , , startA, endA, startB, endB] = matches[number];
      this.between(startA, startB);
      for (const segments of this.split(segmentsOf(matches[number]))) this.add(number, segments);
      this.at = [endA, endB];
    }
    this.between(a.length, b.length);
    this.moved = matches.map((_, i) => i).filter((i) => !level.includes(i));
  }

  /** What is in no match is around it, and no difference. */
  withoutContext() {
    this.differences = 0;
    for (const row of this.rows) {
      for (const segment of row.segments) {
        if (row.match < 0) delete segment.difference;
        else if (segment.difference !== undefined) segment.difference = this.differences++;
      }
      if (row.match < 0) row.context = true;
    }
  }

  /** Return where each difference begins in both texts. */
  places() {
    /** @type {Span[]} */
    const found = [];
    for (const { segments } of this.rows) {
      for (const { a, b, difference } of segments) if (difference !== undefined) found[difference] = [a[0], b[0]];
    }
    return found;
  }

  /** Return which share of both texts is in matches. */
  covered() {
    const [inside, all] = this.rows.reduce(([part, whole], { match, segments }) => {
      const size = segments.reduce((sum, { a, b }) => sum + a[1] - a[0] + b[1] - b[0], 0);
      return [match < 0 ? part : part + size, whole + size];
    }, [0, 0]);
    return all ? inside / all : 1;
  }

  /** Return what both texts have at each difference, or at those inside of matches.
   * @param {boolean} matched @returns {[string, string][]} */
  changes(matched) {
    const rows = matched ? this.rows.filter(({ match }) => match >= 0) : this.rows;
    return rows.flatMap(({ segments }) => segments.filter((own) => own.difference !== undefined)
      .map(({ a, b }) => /** @type {[string, string]} */ ([this.texts[0].slice(...a), this.texts[1].slice(...b)])));
  }

  /** @param {number} endA @param {number} endB */
  between(endA, endB) {
    const [atA, atB] = this.at;
    if (endA <= atA && endB <= atB) return;
    /** @type {Segment} */
    const own = { a: [atA, Math.max(endA, atA)], b: [atB, Math.max(endB, atB)], same: false };
    const last = this.rows.at(-1);
    if (last && !this.hasWords(own)) last.segments.push(own); // a full stop behind the last word
    else this.add(-1, [own]);
  }

  /** @param {number} match @param {Segment[]} segments */
  add(match, segments) {
    const differing = segments.filter((segment) => !segment.same && this.hasWords(segment));
    for (const segment of differing) segment.difference = this.differences++;
    this.rows.push({ match, segments, same: !differing.length });
  }

  /** @param {Segment} segment */
  hasWords({ a, b }) {
    return hasWords(this.texts[0].slice(...a)) || hasWords(this.texts[1].slice(...b));
  }

  /** Rows end with a sentence or a line that both texts have. @param {Segment[]} segments */
  split(segments) {
    /** @type {Segment[][]} */
    const found = [[]];
    let size = 0;
    for (const segment of segments) {
      for (const piece of segment.same ? sentences(this.texts, segment, ROW / 4) : [segment]) {
        found[found.length - 1].push(piece);
        size += piece.a[1] - piece.a[0];
        if (!piece.ends || size <= ROW) continue;
        found.push([]);
        size = 0;
      }
    }
    return found.filter((row) => row.length);
  }
}

/** Return the matches that stand in the same order in both texts, as much text of them as there can be.
 * @param {Match[]} matches */
function inOrder(matches) {
  const order = matches.map((_, i) => i).sort((x, y) => matches[x][3] - matches[y][3] || matches[x][5] - matches[y][5]);
  /** @type {{size: number, before: number}[]} */
  const best = [];
  order.forEach((number, i) => {
    const [, , , startA, endA, startB] = matches[number];
    const size = endA - startA + 1;
    best[i] = { size, before: -1 };
    for (let j = i - 1; j >= 0 && j >= i - REACH; j -= 1) {
      const other = matches[order[j]];
      const behind = other[4] <= startA && other[6] <= startB;
      if (behind && best[j].size + size > best[i].size) best[i] = { size: best[j].size + size, before: j };
    }
  });
  let last = best.reduce((top, own, i) => (top < 0 || own.size > best[top].size ? i : top), -1);
  /** @type {number[]} */
  const found = [];
  for (; last >= 0; last = best[last].before) found.unshift(order[last]);
  return found;
}

/** Return the runs of a match that are the same, and what is between them. @param {Match} match */
function segmentsOf(match) {
  const [, , , startA, endA, startB, endB] = match;
  /** @type {Segment[]} */
  const found = [];
  let [atA, atB] = [startA, startB];
  /** @param {number} toA @param {number} toB @param {boolean} same */
  const put = (toA, toB, same) => {
    if (toA > atA || toB > atB) found.push({ a: [atA, toA], b: [atB, toB], same });
    [atA, atB] = [toA, toB];
  };
  for (const { a, b } of runsOf(match)) {
    put(a[0], b[0], false);
    put(a[1], b[1], true);
  }
  put(endA, endB, false);
  return found;
}
