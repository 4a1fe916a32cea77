// Two texts in rows: in each, what stands beside each other, so that equal text stays level.
//
// neardup.rowsOf(a, b, matches) returns {rows, differences}
//   rows         [{match, segments, same}]; match is a number, or -1 between matches; a row that is the same has
//                no difference
//   segments     [{a: [start, end], b: [start, end], same, difference}]
// Matches that are moved are not in rows of their own: `moved` are those, to be marked where they stand.
"use strict";

neardup.rowsOf = function (a, b, matches) {
  const ROW = 160; // characters from which on a row may end with a sentence
  const level = inOrder();
  const rows = [];
  let differences = 0;
  let [atA, atB] = [0, 0];
  for (const number of level) {
    const match = matches[number];
    between(match[3], match[5]);
    for (const segments of split(segmentsOf(match))) addRow(number, segments);
    [atA, atB] = [match[4], match[6]];
  }
  between(a.length, b.length);
  const moved = matches.map((_, i) => i).filter((i) => !level.includes(i));
  return { rows, differences, moved };

  // The matches that stand in the same order in both texts, as much text of them as there can be.
  function inOrder() {
    const order = matches.map((_, i) => i).sort((x, y) => matches[x][3] - matches[y][3] || matches[x][5] - matches[y][5]);
    const reach = 400; // how far back is looked
    const best = [];
    order.forEach((number, i) => {
      const match = matches[number];
      best[i] = { size: match[4] - match[3] + 1, before: -1 };
      for (let j = i - 1; j >= 0 && j >= i - reach; j -= 1) {
        const other = matches[order[j]];
        if (other[4] <= match[3] && other[6] <= match[5] && best[j].size + match[4] - match[3] + 1 > best[i].size) {
          best[i] = { size: best[j].size + match[4] - match[3] + 1, before: j };
        }
      }
    });
    let last = best.reduce((top, own, i) => (top < 0 || own.size > best[top].size ? i : top), -1);
    const found = [];
    for (; last >= 0; last = best[last].before) found.unshift(order[last]);
    return found;
  }

  function between(endA, endB) {
    if (endA <= atA && endB <= atB) return;
    const own = { a: [atA, Math.max(endA, atA)], b: [atB, Math.max(endB, atB)], same: false };
    const last = rows.at(-1);
    if (last && !hasWords(own)) last.segments.push(own); // a full stop behind the last word
    else addRow(-1, [own]);
  }

  function addRow(match, segments) {
    let same = true;
    for (const segment of segments) {
      if (segment.same || !hasWords(segment)) continue;
      segment.difference = differences;
      differences += 1;
      same = false;
    }
    rows.push({ match, segments, same });
  }

  function hasWords(segment) {
    return neardup.hasWords(a.slice(...segment.a)) || neardup.hasWords(b.slice(...segment.b));
  }

  // The runs of a match that are the same, and what is between them.
  function segmentsOf(match) {
    const found = [];
    let [placeA, placeB] = [match[3], match[5]];
    const put = (endA, endB, same) => {
      if (endA > placeA || endB > placeB) found.push({ a: [placeA, endA], b: [placeB, endB], same });
      [placeA, placeB] = [endA, endB];
    };
    for (const { a: [startA, endA], b: [startB, endB] } of neardup.runsOf(match)) {
      put(startA, startB, false);
      put(endA, endB, true);
    }
    put(match[4], match[6], false);
    return found;
  }

  // Rows end with a sentence or a line that both texts have.
  function split(segments) {
    const found = [[]];
    let size = 0;
    for (const segment of segments) {
      for (const piece of segment.same ? sentences(segment) : [segment]) {
        found.at(-1).push(piece);
        size += piece.a[1] - piece.a[0];
        if (piece.ends && size > ROW) {
          found.push([]);
          size = 0;
        }
      }
    }
    return found.filter((row) => row.length);
  }

  function sentences(segment) {
    if (!a.has(...segment.a) || !b.has(...segment.b)) return [segment];
    const [textA, textB] = [Array.from(a.slice(...segment.a)), Array.from(b.slice(...segment.b))];
    const places = alike(textA, textB);
    const found = [];
    let [fromA, fromB] = [0, 0];
    if (places) {
      for (let i = 1; i < textA.length; i += 1) {
        const stop = /[\n。！？]/u.test(textA[i - 1]) || (/\s/u.test(textA[i - 1]) && /[.!?]/u.test(textA[i - 2] || ""));
        if (!stop || /\s/u.test(textA[i]) || i - fromA < ROW / 4) continue;
        const other = places(i);
        found.push({ a: [segment.a[0] + fromA, segment.a[0] + i], b: [segment.b[0] + fromB, segment.b[0] + other], same: true, ends: true });
        [fromA, fromB] = [i, other];
      }
    }
    found.push({ a: [segment.a[0] + fromA, segment.a[1]], b: [segment.b[0] + fromB, segment.b[1]], same: true });
    return found;
  }

  // Where a place of the first text is in the second: the same, or behind as many letters.
  function alike(textA, textB) {
    if (textA.length === textB.length && textA.every((letter, i) => letter === textB[i])) return (i) => i;
    const letters = (text) => text.map((letter) => /[\p{L}\p{N}]/u.test(letter));
    const [ownA, ownB] = [letters(textA), letters(textB)];
    const behind = []; // where in B so many letters are passed
    ownB.forEach((is, i) => { if (is) behind.push(i + 1); });
    const counts = [];
    let count = 0;
    for (const is of ownA) counts.push(count += is ? 1 : 0);
    if (count !== behind.length) return null;
    return (i) => {
      let place = counts[i - 1] ? behind[counts[i - 1] - 1] : 0;
      while (place < textB.length && !ownB[place] && !/["'“‘«(\[]/u.test(textB[place])) place += 1; // full stops stay
      return place;
    };
  }
};

// Where a match is the same in both texts: [{a: [start, end], b: [start, end]}, …].
neardup.runsOf = function (match) {
  const flat = match[7].length ? match[7] : [0, match[4] - match[3], 0, match[6] - match[5]];
  const found = [];
  let [atA, atB] = [match[3], match[5]];
  for (let i = 0; i < flat.length; i += 4) {
    const [startA, startB] = [atA + flat[i], atB + flat[i + 2]];
    [atA, atB] = [startA + flat[i + 1], startB + flat[i + 3]];
    found.push({ a: [startA, atA], b: [startB, atB] });
  }
  return found;
};

// Spans of a text that are shared; two with no word between them are one.
neardup.sharedSpans = function (text, spans) {
  const found = [];
  for (const [start, end] of [...spans].sort((x, y) => x[0] - y[0])) {
    const last = found.at(-1);
    if (last && (start <= last[1] || (text.has(last[1], start) && !neardup.hasWords(text.slice(last[1], start))))) last[1] = Math.max(last[1], end);
    else found.push([start, end]);
  }
  return found;
};

// Compare any two texts in the browser: matches as a result has them, by the words that stand in both in order.
neardup.compareTexts = function (a, b) {
  const MOST = 4000; // words of a side
  const words = (text) => {
    const found = [];
    for (const piece of text.pieces) {
      const own = piece.text;
      let units = 0;
      let points = piece.start;
      for (const word of own.matchAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}]+/gu)) {
        points += neardup.points(own.slice(units, word.index));
        const size = neardup.points(word[0]);
        found.push([word[0].toLowerCase(), points, points + size]);
        points += size;
        units = word.index + word[0].length;
      }
    }
    return found.slice(0, MOST);
  };
  const [x, y] = [words(a), words(b)];
  const runs = neardup.commonRuns(x.map((word) => word[0]), y.map((word) => word[0]));
  return neardup.joinedRuns(runs).map((own) => {
    const [first, last] = [own[0], own.at(-1)];
    const [i, j, endI, endJ] = [first[0], first[1], last[0] + last[2], last[1] + last[2]];
    const flat = [];
    let at = [x[i][1], y[j][1]];
    for (const [k, l, size] of own) {
      const [a0, a1, b0, b1] = [x[k][1], x[k + size - 1][2], y[l][1], y[l + size - 1][2]];
      flat.push(a0 - at[0], a1 - a0, b0 - at[1], b1 - b0);
      at = [a1, b1];
    }
    const common = own.reduce((sum, run) => sum + run[2], 0);
    const likeness = (2 * common) / (endI - i + endJ - j);
    return [likeness === 1 ? "identical" : "edited", likeness, common, x[i][1], at[0], y[j][1], at[1], flat];
  });
};

// Runs that are near each other as one match, which begins and ends with more than a word, and has a run of three.
neardup.joinedRuns = function (runs) {
  const NEAR = 40; // words
  const found = [];
  for (const run of runs) {
    const last = found.at(-1) && found.at(-1).at(-1);
    if (last && run[0] - last[0] - last[2] < NEAR && run[1] - last[1] - last[2] < NEAR) found.at(-1).push(run);
    else found.push([run]);
  }
  for (const own of found) {
    while (own.length && own[0][2] < 2) own.shift();
    while (own.length && own.at(-1)[2] < 2) own.pop();
  }
  return found.filter((own) => own.some((run) => run[2] > 2));
};

// Runs of equal words in order, [[i, j, size], …]: the longest first, then what is before and behind it.
neardup.commonRuns = function (x, y) {
  const places = new Map();
  y.forEach((word, j) => { if (!places.has(word)) places.set(word, []); places.get(word).push(j); });
  const found = [];
  const stack = [[0, x.length, 0, y.length]];
  while (stack.length) {
    const [x0, x1, y0, y1] = stack.pop();
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
    if (!best[2]) continue;
    found.push(best);
    stack.push([x0, best[0], y0, best[1]], [best[0] + best[2], x1, best[1] + best[2], y1]);
  }
  return found.sort((p, q) => p[0] - q[0]);
};
