// The column by which pairs are chosen, and which of them remain at a step of the slider.

const MOST_NEAR = 6; // rows of each side

export class Measured {
  /** @param {ReportData} data */
  constructor({ measure, pairs }) {
    this.measure = measure;
    this.rows = pairs.rows;
    this.missed = new Set(pairs.missed);
    this.column = pairs.columns.find((column) => column.name === measure?.column);
    /** @type {number[]} */
    this.values = this.column ? /** @type {any} */ (this.column).values : [];
    this.accepted = pairs.rows - this.missed.size;
  }

  /** Return which rows are pairs. @param {number} step @returns {Test} */
  pairsAt(step) {
    const { measure, missed, values } = this;
    if (!measure) return (row) => !missed.has(row);
    const at = measure.grid[step];
    return (row) => !missed.has(row) && (measure.higher ? values[row] >= at : values[row] <= at);
  }

  /** Return how many pairs there are at a step, also such as the file does not have. @param {number} step */
  total(step) {
    return this.measure ? this.measure.pairs[step] : this.accepted;
  }

  /** Say whether two that are so similar remain a pair. @param {number} similarity @param {number} step */
  stays(similarity, step) {
    const { measure } = this;
    if (!measure) return true;
    return measure.higher ? similarity >= measure.grid[step] : 1 - similarity <= measure.grid[step];
  }

  /** Return how close a value is, from 0 to 1. @param {number} value */
  closeness(value) {
    return !this.measure || this.measure.higher ? value : 1 - value;
  }

  /** Return the rows on both sides of a threshold; rows come with the closest first. @param {number} step */
  nearest(step) {
    const isPair = this.pairsAt(step);
    /** @type {{kept: number[], dropped: number[]}} */
    const found = { kept: [], dropped: [] };
    for (let row = this.rows - 1; row >= 0 && found.kept.length < MOST_NEAR; row -= 1) if (isPair(row)) found.kept.push(row);
    for (let row = 0; row < this.rows && found.dropped.length < MOST_NEAR; row += 1) if (!isPair(row)) found.dropped.push(row);
    return found;
  }
}
