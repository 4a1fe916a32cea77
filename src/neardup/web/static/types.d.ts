// The shapes of what scripts are given: by a report (reports/tables.py, packing.py), by the server, and by each other.

type Words = (typeof import("./words.json"))["words"];
type Word = keyof Words;
type Counted = keyof (typeof import("./words.json"))["plurals"];
type Plural = readonly string[]; // what one is called, and several
type Params = Record<string, string | number | null | undefined>; // of an address
type Label = "same" | "different" | "unsure"; // marks of a pair
interface Said { label: Label; judge: string; note: string; when: string } // what somebody says of a pair
type Tab = "pairs" | "clusters" | "documents" | "old" | "map" | "quotations" | "figures";
type Keys = Record<string, () => void>; // what keys do
type Test = (row: number) => boolean;
type Span = [start: number, end: number];
type Pale = [start: number, end: number, kind: number]; // what does not count
type Piece = [start: number, text: string];
type Attribute = string | number | boolean | null | undefined | ((event: any) => unknown);
type Attributes = Record<string, Attribute>;
type Child = Node | string | null | undefined;

// runs: what is the same, as [before A, size A, before B, size B, …]; none if all of it is
type Match = [
  kind: string, similarity: number, words: number, startA: number, endA: number, startB: number, endB: number, runs: number[],
  pages?: (string | null)[],
];

// Documents, or parts of them, by columns; source has places in sources.
interface Items {
  id: string[];
  title: (string | null)[];
  source: number[];
  sources: (string | null)[];
  url?: (string | null)[] | null;
  date?: (string | null)[];
  since?: (number | null)[]; // from when that is, in milliseconds since 1970
  until?: (number | null)[]; // to when, which is not within
  length?: (number | null)[];
  old?: boolean[];
  number?: number[];
  doc?: number[]; // of an item that is only a part of a document
  lead?: string; // what it is known by: id or title
  searchable?: string[];
  starts?: Record<string, number>; // characters that all names begin with
  tails?: Record<string, number>; // characters at the ends of names that stay in sight
}

interface AnyColumn {
  name: string;
  label: string;
  minor?: boolean; // left out on narrow screens
  rare?: boolean; // left out on all but wide ones
  empty?: boolean; // nothing but zeros: not shown
  keys?: Float64Array | Uint32Array; // to sort by
  bar?: (value: number) => number; // how long the bar beside a value is, from 0 to 1
}
interface NumberColumn extends AnyColumn { type: "number" | "share" | "count"; values: (number | null)[] }
interface CategoryColumn extends AnyColumn { type: "category"; names: string[]; values: number[] }
interface TextColumn extends AnyColumn { type: "text"; values: (string | null)[] }
interface ItemColumn extends AnyColumn { type: "item"; values: (number | null)[] }
interface MarkColumn extends AnyColumn { type: "mark"; names: string[]; value: (row: number) => number }
type Column = NumberColumn | CategoryColumn | TextColumn | ItemColumn | MarkColumn;
interface Rows { rows: number; columns: Column[] }
interface Sort { column: string | null; descending: boolean }

// grid: the thresholds to choose from, the run's first; pairs[i] are those at grid[i], and effects[i] is
// [clusters, duplicates]; counts are pairs by equal steps of the span
interface Measure {
  column: string;
  label: string;
  threshold: number | null;
  higher: boolean;
  accepted: number;
  grid: number[];
  pairs: number[];
  effects: Span[] | null;
  counts: number[];
  span: Span;
  rerun: string | null;
  none: string;
}

interface ReportData {
  title: string;
  heading: string;
  lead: string;
  unit: Plural;
  item: Plural;
  old: string; // what old documents are called
  items: Items;
  docs: Items | null;
  shares: Record<"share" | "verbatim" | "rewritten" | "sources" | "best", (number | null)[]> | null;
  pairs: Rows & { missed: number[] }; // missed: compared, and no pairs
  sort: Sort | null;
  measure: Measure | null;
  clusters: { members: number[]; keepers: number[]; similarity: (number | null)[]; changes: number[][] | null } | null;
  pale: Record<number, Pale[]>; // by the numbers of documents
  texts: {
    row: number[]; block: number[]; doc: number[]; blocks: number[][]; cut: number[]; rests: number[][];
    strip: string[]; // of each row, which parts of both texts match
    reused: [doc: number, start: number, end: number, others: number, text: string][];
  };
  alone: { shown: string[]; total: number } | null; // documents in no pair
  no_text: string;
  drawn_by: string | null;
  rows?: number[]; // how the server numbers them
  links?: [name: string, address: string][];
}

interface Block { docs: Record<number, Piece[]>; rows: Record<number, [matches: Match[], curve?: Curve, texts?: Piece[][]]> }
interface Curve { points: [place: number, edits: number][]; region: Span }

// A document, or a side of two: text is null where there is none; whole() brings all of one that is cut.
interface Side {
  id: string;
  title: string | null;
  name?: string; // what people know it by, unless that is its id
  source: string | null;
  url: string | null;
  date?: string | null;
  length: number | null;
  text?: Piece[] | null;
  pale?: Pale[];
  whole?: (() => Promise<Piece[] | null>) | null;
}
interface PairView {
  a: Side;
  b: Side;
  matches: Match[];
  facts: [label: string, value: string][];
  verdict?: { figure: string; said: string } | null; // how much of one stands in the other
  curve?: Curve | null;
  note?: string | null;
}
interface Cluster { keeper: number; members: number[]; similarity: (number | null)[]; lowest: number | null } // keeper first

// Two texts in rows: match is a number, or -1 between matches; a row that is the same has no difference.
interface Segment { a: Span; b: Span; same: boolean; difference?: number; ends?: boolean }
interface Row { match: number; segments: Segment[]; same: boolean; context?: boolean }
interface Stretch { start: number; end: number; sources: number[] }

// What the server finds of a text, and of a thread.
interface Run { start_query: number; end_query: number; start_document: number; end_document: number }
interface Passage extends Run { common: Run[] }
interface Found {
  id: string;
  title: string | null;
  date: string | null;
  url: string | null;
  kind: string;
  words_query: number;
  words_document: number;
  resemblance: number;
  passages: Passage[];
  passages_found: number;
  common: Run[];
}
interface ThreadAbout {
  id: string;
  title: string | null;
  date: string | null;
  url: string | null;
}
interface NearThread extends ThreadAbout {
  nearness: number;
  words: string[];
}
interface FoundThread extends ThreadAbout {
  similarity: number;
  fields: Record<string, number | null>;
}
