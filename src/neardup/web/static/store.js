// What a report holds: items, documents, pairs, and texts that are unpacked when they are needed.
"use strict";

neardup.store = function (data) {
  const { items, pairs } = data;
  const docs = data.docs || items;
  const [columnA, columnB] = pairs.columns;
  const blockOf = new Map(data.texts.row.map((row, i) => [row, data.texts.block[i]]));
  const blocksOf = new Map(data.texts.doc.map((doc, i) => [doc, data.texts.blocks[i]]));
  const restsOf = new Map(data.texts.cut.map((doc, i) => [doc, data.texts.rests[i]]));
  const blocks = new Map();
  const real = new Map([[items, { ...items }], [docs, { ...docs }]]);
  const own = { served: /^https?:$/u.test(location.protocol) && data.rows ? data.rows : null };
  let rowsByPair = null;
  let rowsByDoc = null;

  const docOf = (item) => (items.doc ? items.doc[item] : item);

  function about(list, number) {
    return {
      id: list.id[number], title: list.title[number], source: list.sources[list.source[number]],
      url: list.url ? list.url[number] : null, date: list.date ? list.date[number] : null,
      length: list.length ? list.length[number] : null,
    };
  }

  // Names that say nothing, for showing a report to others.
  function anonymise(on) {
    for (const [list, known] of real) {
      Object.assign(list, known);
      delete list.searchable;
      if (!on) continue;
      const item = neardup.capital(data.docs ? neardup.plurals.document[0] : data.item[0]);
      const name = (number) => neardup.say("anonymous", { item, number: number + 1 });
      const part = list === items && data.docs; // sentences are what they say
      if (part) list.title = list.doc.map(name);
      else Object.assign(list, { id: list.id.map((_, i) => name(i)), title: list.title.map(() => null) });
      list.sources = list.sources.map((_, i) => neardup.say("anonymous.file", { number: i + 1 }));
      list.url = null;
    }
    for (const column of pairs.columns) delete column.keys;
  }

  function unpacked(number) {
    if (!blocks.has(number)) {
      if (blocks.size > 20) blocks.clear();
      blocks.set(number, neardup.unpack(document.getElementById(`texts-${number}`)));
    }
    return blocks.get(number);
  }

  // The pieces of a document's text, null if it is not in the file.
  async function textOf(doc) {
    const found = await piecesIn(blocksOf, docs.number[doc]);
    return found.length ? found : null;
  }

  async function piecesIn(places, number) {
    const found = [];
    for (const block of places.get(number) || []) found.push(...(await unpacked(block)).docs[number]);
    return found;
  }

  // What brings the pieces of a text that is cut and can be had whole; else null.
  function wholeOf(doc) {
    const number = docs.number[doc];
    if (restsOf.has(number)) return async () => [...await piecesIn(blocksOf, number), ...await piecesIn(restsOf, number)];
    if (!own.served) return null;
    return async () => {
      const [good, found] = await neardup.send("GET", `/report/texts/${number}`);
      return good && found.text.length ? found.text : textOf(doc);
    };
  }

  // {matches, curve, texts} of a row, null if they are not in the file.
  async function matchesOf(row) {
    if (!blockOf.has(row)) return null;
    const [matches, curve, texts] = (await unpacked(blockOf.get(row))).rows[row];
    return { matches, curve, texts };
  }

  async function viewOf(row) {
    const ends = [columnA.values[row], columnB.values[row]];
    const sides = ends.map((item) => ({ ...about(items, item), text: null }));
    if (items.doc) sides.forEach((side, i) => Object.assign(side, about(docs, docOf(ends[i]))));
    const view = {
      a: sides[0], b: sides[1], matches: [],
      facts: pairs.columns.slice(2).map((column) => [column.label, neardup.format(column, row)]).filter((fact) => fact[1]),
    };
    const stored = await matchesOf(row);
    if (stored) {
      const texts = stored.texts || await Promise.all(ends.map((item) => textOf(docOf(item))));
      [view.a.text, view.b.text] = texts;
      Object.assign(view, { matches: stored.matches, curve: stored.curve });
      if (stored.texts) sides.forEach((side) => { side.length = null; });
      else sides.forEach((side, i) => { side.whole = wholeOf(docOf(ends[i])); });
      if (!view.matches.length) view.note = neardup.say("no.matches");
    } else if (own.served) Object.assign(view, await asked(row, view));
    else view.note = data.no_text;
    return view;
  }

  const fromServer = (row) => neardup.send("GET", `/report/pairs/${own.served[row]}`);

  // What the server says of a row that the file lacks, null if that is nothing.
  async function askedFor(row) {
    const [good, found] = await fromServer(row);
    return good && found.a.text ? { matches: found.matches } : null;
  }

  async function asked(row, view) {
    const [good, found] = await fromServer(row);
    if (!good) return { note: found.error };
    return {
      a: { ...view.a, text: found.a.text }, b: { ...view.b, text: found.b.text }, matches: found.matches, curve: found.curve, note: found.note,
    };
  }

  function rowOf(one, other) {
    const key = (a, b) => a * items.id.length + b;
    if (!rowsByPair) {
      rowsByPair = new Map();
      for (let row = 0; row < pairs.rows; row += 1) rowsByPair.set(key(columnA.values[row], columnB.values[row]), row);
    }
    return rowsByPair.get(key(one, other)) ?? rowsByPair.get(key(other, one)) ?? -1;
  }

  // The rows of each document, once each.
  function rowsOf(doc) {
    if (!rowsByDoc) {
      rowsByDoc = new Map();
      const missed = new Set(pairs.missed);
      const add = (own, row) => {
        const known = rowsByDoc.get(own);
        if (!known) rowsByDoc.set(own, [row]);
        else if (known.at(-1) !== row) known.push(row);
      };
      for (let row = 0; row < pairs.rows; row += 1) {
        if (missed.has(row)) continue;
        add(docOf(columnA.values[row]), row);
        add(docOf(columnB.values[row]), row);
      }
    }
    return doc === undefined ? rowsByDoc : rowsByDoc.get(doc) || [];
  }

  return Object.assign(own, {
    data, items, docs, pairs, docOf, anonymise, textOf, wholeOf, askedFor, matchesOf, viewOf, rowOf, rowsOf, real,
    item: (number) => about(items, number), doc: (number) => about(docs, number),
    ends: (row) => [columnA.values[row], columnB.values[row]],
  });
};
