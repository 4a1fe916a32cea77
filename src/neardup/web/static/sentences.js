// Text that is the same on both sides, cut where sentences and lines end.

/** @typedef {import("./text.js").Text} Text */

/** @param {Text[]} texts @param {Segment} segment @param {number} least characters of a piece
 * @returns {Segment[]} */
export function sentences([a, b], segment, least) {
  if (!a.has(...segment.a) || !b.has(...segment.b)) return [segment];
  const [textA, textB] = [Array.from(a.slice(...segment.a)), Array.from(b.slice(...segment.b))];
  const [startA, startB] = [segment.a[0], segment.b[0]];
  const places = alike(textA, textB);
  /** @type {Segment[]} */
  const found = [];
  let [fromA, fromB] = [0, 0];
  for (let i = 1; places && i < textA.length; i += 1) {
    if (!endsBefore(textA, i) || i - fromA < least) continue;
    const other = places(i);
    found.push({ a: [startA + fromA, startA + i], b: [startB + fromB, startB + other], same: true, ends: true });
    [fromA, fromB] = [i, other];
  }
  found.push({ a: [startA + fromA, segment.a[1]], b: [startB + fromB, segment.b[1]], same: true });
  return found;
}

/** Say whether a sentence or a line ends before a character, which begins another.
 * @param {string[]} text @param {number} i */
function endsBefore(text, i) {
  if (/\s/u.test(text[i])) return false;
  return /[\n。！？]/u.test(text[i - 1]) || (/\s/u.test(text[i - 1]) && /[.!?]/u.test(text[i - 2] || ""));
}

/** Return where a place of the first text is in the second: the same, or behind as many letters.
 * @param {string[]} textA @param {string[]} textB @returns {((i: number) => number) | null} */
function alike(textA, textB) {
  if (textA.length === textB.length && textA.every((letter, i) => letter === textB[i])) return (i) => i;
  /** @param {string[]} text */
  const letters = (text) => text.map((letter) => /[\p{L}\p{N}]/u.test(letter));
  const ownB = letters(textB);
  /** @type {number[]} */
  const behind = []; // where in B so many letters are passed
  ownB.forEach((is, i) => { if (is) behind.push(i + 1); });
  let count = 0;
  const counts = letters(textA).map((is) => (count += is ? 1 : 0));
  if (count !== behind.length) return null;
  return (i) => {
    let place = counts[i - 1] ? behind[counts[i - 1] - 1] : 0;
    while (place < textB.length && !ownB[place] && !/["'“‘«([]/u.test(textB[place])) place += 1; // full stops stay
    return place;
  };
}
