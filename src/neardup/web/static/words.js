// All words of the interface, in one place: to translate it, translate this file.
// neardup.say("pair.of", {at: 3, total: 9}) fills in what stands in braces.
"use strict";
const neardup = {};

neardup.words = {
  // what there is to look at
  "tab.pairs": "Pairs", "tab.clusters": "Clusters", "tab.documents": "Documents", "tab.map": "Map",
  "tab.figures": "Figures and settings",
  // tables
  "search": "Search ids, titles, files", "search.label": "Search {what}", "filter.by": "Filter by {label}",
  "filter.all": "{label}: all", "sort.by": "Sort by", "sort.choice": "Sort: {label} {arrow}",
  "sort.title": "Sort by {label}", "empty": "Nothing matches. Clear the search or a filter.",
  "empty.all": "Nothing was found.", "count.all": "{size} {unit}", "count.some": "{size} of {all} {unit}",
  "save.csv": "Save as CSV", "mark.column": "Mark",
  // the slider
  "least": "Least {label}", "largest": "Largest {label}", "reset": "Reset",
  "as.run": "As in the run: {pairs}", "remain": "{now} of {pairs} remain", "removable": "{docs} could be removed",
  "fewer": " ({number} fewer than in the run)", "histogram": "How many {units} have which {label}, on a logarithmic scale",
  "histogram.caption": "{units} by {label}, logarithmic", "near": "Nearest to the threshold",
  "near.kept": "Still a pair", "near.dropped": "No pair any more", "near.and": " and ", "range": "{from} to {to}: {count}",
  // a pair
  "pair": "{unit} {number}", "pair.of": "{at} of {total}", "previous": "Previous", "next": "Next",
  "back": "Back", "difference": "Differences", "difference.of": "{at} of {total}",
  "difference.count": "{total}", "match": "Matches", "match.here": "{at} of {total}: {kind}{alike}, {words} in common",
  "match.alike": ", {percent} % alike", "match.tip": "match {number}: {kind}", "matches.list": "List of matches",
  "match.kind": "Kind", "match.words": "Words in common", "match.similarity": "Alike", "match.a": "Characters in A",
  "match.b": "Characters in B", "fold": "Differences only", "columns": "One column", "fixed": "Fixed width",
  "folded": "{number} characters that are the same", "cut": "{number} characters are not in this file", "cluster.drawn": "The first {shown} of {all} are drawn.", "cut.open": "Show {number} characters more",
  "no.text": "This text is not in the file.", "no.matches": "These two texts share no run of words that is long enough to show.",
 "texts": "The two texts", "only.a": "Only in A", "only.b": "Only in B",
  "ribbon": "Where the matches and differences are", "compared.here": "These two are no pair of the result; they were compared in the browser.",
  "no.member.text": "The texts of these two are not in the file.", "waiting": "Loading …",
  "curve": "Edit curve", "curve.about": "{edits} along the shorter page; the trustable region, characters {from} to {to}, is shaded",
  "sign": "the character {name}", "letters": "Side {letter}",
  // marks
  "mark": "Mark", "same": "Same", "different": "Different", "unsure": "Unsure", "none": "No mark",
  "marks.save": "Save {number} marks", "marks.save.one": "Save 1 mark",
  "anonymise": "Anonymise", "anonymous": "{item} {number}", "anonymous.file": "File {number}",
  "keys": "Keys",
  // a document
  "document.found": "of it is found elsewhere", "document.missing": "{number} of its pairs have no texts in this file and are not counted.",
  "document.by": "Who shares it", "document.map": "What of it is covered, and by whom",
  "document.text": "Its text", "document.open": "Side by side", "document.table": "Its pairs",
 "document.column": "Document",
  "document.count": "Pairs", "document.best": "Closest", "document.share": "Found elsewhere",
  "document.sources": "Sources", "document.best.source": "Best source",
  // a cluster
  "cluster": "Cluster of {number} {items}", "kept": "kept", "connected": "connected", "cluster.column": "Kept",
  "cluster.size": "Members", "cluster.lowest": "Lowest", "cluster.hint": "Choose any two to see them side by side.",
  "cluster.compare": "Compare the two", "cluster.members": "Members", "cluster.graph": "Who is like whom",
  "cluster.graph.about": "A line for each pair: the stronger, the more alike. What is beyond the threshold fades.",
  "cluster.heat": "How alike", "cluster.heat.about": "A field for each two members; empty: no pair.", "cluster.time": "When",
  "cluster.more": "{number} more are not in this file.", "cluster.choose": "Choose {name}",
  // the map
  "map.clusters": "The clusters", "map.clusters.about": "Each a star: the one that is kept in the middle. Choose one to open it.",
  "map.more": "The {shown} largest of {all} are drawn.", "map.sites": "Between sites", "map.files": "Between files",
  "map.sites.about": "A line for each two that share pairs: the wider, the more pairs.", "map.reused": "Most reused passages",
  "map.reused.count": "in {number} other documents", "map.none": "Nothing to draw: no clusters, and one file only.",
  // the server's pages
  "looking": "Looking it up …", "no.answer": "The server does not answer.", "one.word": "Type at least one word.",
  "index.size": "{documents} in the index", "index.empty": "The index is empty", "found": "Yes: {documents} text with it{rest} ({time} ms)",
  "found.rest": ", the best {number} are shown", "found.none": "No: nothing in the index is like this text ({time} ms)",
  "your.text": "your text", "and.yours": "{id} and your text", "comparing": "Comparing …",
  "shared.words": "of your text is in it word for word", "shared.passages": "of your text lies in shared passages",
  "shared.document": "of the document is in your text word for word", "resemblance": "resemblance", "similarity": "similarity",
  "more.passages": "and {passages}", "place": "characters {from}–{to} of your text, {start}–{end} of the document",
  "threads": "{threads} to look in", "asked": "Yes: {threads} worded like it ({time} ms)",
  "asked.none": "No: no thread is worded like it ({time} ms)", "sources": "Your text, and where it is found", "side": "Side by side",
  "in.report": "In the report",
};

// Words that depend on a number: one, many.
neardup.plurals = {
  character: ["character", "characters"], cluster: ["cluster", "clusters"], document: ["document", "documents"],
  edit: ["edit", "edits"], word: ["word", "words"], match: ["match", "matches"], difference: ["difference", "differences"],
  passage: ["more passage", "more passages"], shares: ["document shares", "documents share"], thread: ["thread", "threads"],
  threads: ["thread is", "threads are"], pair: ["pair", "pairs"],
};

neardup.keys = [
  ["j k", "next and previous difference"], ["n p", "next and previous match"], ["→ ←", "next and previous pair of the table"],
  ["s d u x", "mark as same, different, unsure; no mark"], ["f c w", "differences only, one column, fixed width"],
  ["Esc", "back"], ["↑ ↓ Enter", "in a table: choose a row, open it"],
];

neardup.say = (key, values) => {
  const found = neardup.words[key];
  if (found === undefined) throw new Error(`no words for ${key}`);
  return values ? found.replace(/\{(\w+)\}/gu, (_, name) => String(values[name])) : found;
};
