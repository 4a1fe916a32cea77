// What the tables of a report's tabs list: pairs, clusters, documents.
import { capital } from "./formats.js";
import { LABELS } from "./marks.js";
import { plurals, say } from "./words.js";

/** @typedef {import("./here.js").Here} Here */
/** @typedef {Omit<import("./table.js").Options, "label">} Listing */

const MOST_NAMED = 8; // members of a cluster

/** @param {number} value as long as its bar */
const bar = (value) => value;

/** @param {Here} here @returns {Listing} */
export function pairs(here) {
  const { data, marks, measured } = here;
  const names = ["", ...LABELS, "disputed"];
  /** @type {MarkColumn} */
  const mark = {
    name: "mark", label: say("mark.column"), type: "mark", names, value: (row) => names.indexOf(marks.agreed(row)),
  };
  return {
    data: { rows: data.pairs.rows, columns: [...data.pairs.columns, mark] }, items: data.items, unit: data.unit, sort: data.sort,
    test: here.isPair(), total: measured.total(here.step), strips: here.store.stripOf,
    open: (row) => here.openPair(row), pressed: (key, row) => marks.press(key, row),
  };
}

/** @param {Here} here @returns {Listing} */
export function clusters(here) {
  const found = here.clusters();
  /** @param {Cluster} cluster */
  const others = ({ members }) => members.slice(1, MOST_NAMED).map((item) => here.store.item(item).name).join(", ");
  return {
    data: {
      rows: found.length,
      columns: [
        { name: "keeper", label: say("cluster.column"), type: "item", values: found.map((one) => one.keeper) },
        { name: "others", label: say("cluster.others"), type: "text", minor: true, values: found.map(others) },
        { name: "size", label: say("cluster.size"), type: "count", values: found.map((one) => one.members.length) },
        { name: "lowest", label: say("cluster.lowest"), type: "number", values: found.map((one) => one.lowest), bar },
      ],
    },
    items: here.data.items, unit: plurals.cluster, sort: { column: "size", descending: true },
    open(row) {
      here.last = row;
      here.openCluster(found[row].keeper);
    },
  };
}

/** List the documents of one side; where it is known, by how much of each stands elsewhere.
 * @param {Here} here @param {boolean} old @returns {Listing} */
export function documents(here, old) {
  const { data, store } = here;
  const rows = [...store.rowsByDocs()].filter(([doc]) => !store.docs.old || store.docs.old[doc] === old)
    .sort((x, y) => y[1].length - x[1].length || x[0] - y[0]);
  const label = old ? data.old : data.docs ? say("document.column") : capital(data.item[0]);
  const docs = rows.map(([doc]) => doc);
  return {
    data: {
      rows: rows.length,
      columns: [
        { name: "document", label, type: "item", values: docs },
        ...(data.shares ? shareColumns(data.shares, docs) : pairColumns(here, rows.map(([, own]) => own))),
      ],
    },
    items: store.docs, unit: data.docs ? plurals.document : data.item,
    sort: { column: data.shares ? "share" : "pairs", descending: true },
    open(row) {
      here.last = row;
      here.openDocument(docs[row]);
    },
  };
}

/** @param {NonNullable<ReportData["shares"]>} shares @param {number[]} docs @returns {Column[]} */
function shareColumns({ share, verbatim, rewritten, sources, best }, docs) {
  return [
    { name: "share", label: say("document.share"), type: "share", values: docs.map((doc) => share[doc]), bar },
    { name: "verbatim", label: say("document.verbatim"), type: "share", values: docs.map((doc) => verbatim[doc]) },
    { name: "rewritten", label: say("document.rewritten"), type: "share", values: docs.map((doc) => rewritten[doc]) },
    { name: "sources", label: say("document.sources"), type: "count", values: docs.map((doc) => sources[doc]) },
    { name: "best", label: say("document.best.source"), type: "item", values: docs.map((doc) => best[doc]) },
  ];
}

/** @param {Here} here @param {number[][]} rows of each document @returns {Column[]} */
function pairColumns({ measured }, rows) {
  /** @type {Column} */
  const count = { name: "pairs", label: say("document.count"), type: "count", values: rows.map((own) => own.length) };
  if (!measured.measure) return [count];
  const best = rows.map((own) => own.reduce((top, row) => Math.max(top, measured.closeness(measured.values[row])), 0));
  return [count, { name: "closest", label: say("document.best"), type: "number", values: best, bar }];
}
