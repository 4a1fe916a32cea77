// Clusters at any threshold of the slider: who is whose keeper.

const MOST_VALUES = 100_000; // that can be arguments of a function

export class Groups {
  /** @param {import("./store.js").Store} store @param {import("./measured.js").Measured} measured */
  constructor(store, measured) {
    const { clusters, items } = store.data;
    this.store = store;
    this.measured = measured;
    this.changes = clusters?.changes;
    this.keepers = new Int32Array(items.id.length).fill(-1); // at the run's threshold
    /** @type {Map<number, number | null>} */
    this.likeness = new Map();
    clusters?.members.forEach((member, i) => {
      this.keepers[member] = clusters.keepers[i];
      this.likeness.set(member, clusters.similarity[i]);
    });
    /** @type {Map<number, Cluster[]>} */
    this.known = new Map();
  }

  /** Return the clusters of two members or more, the largest first. @param {number} step */
  at(step) {
    const known = this.known.get(step);
    if (known) return known;
    /** @type {Map<number, number[]>} */
    const byKeeper = new Map();
    this.keepersAt(step).forEach((keeper, member) => {
      if (keeper < 0) return;
      const others = byKeeper.get(keeper) ?? [];
      byKeeper.set(keeper, others);
      if (member !== keeper) others.push(member);
    });
    const found = [...byKeeper].filter(([, others]) => others.length).map(([keeper, others]) => this.cluster(keeper, others));
    found.sort((x, y) => y.members.length - x.members.length || x.keeper - y.keeper);
    this.known.set(step, found);
    return found;
  }

  /** @param {number} step @param {number} keeper */
  of(step, keeper) {
    return this.at(step).find((one) => one.keeper === keeper);
  }

  /** @param {number} step */
  keepersAt(step) {
    const found = Int32Array.from(this.keepers);
    if (this.changes) {
      for (const changes of this.changes.slice(1, step + 1)) {
        for (let i = 0; i < changes.length; i += 2) found[changes[i]] = changes[i + 1];
      }
    } else if (step) { // nothing exact is known
      for (const [member, similarity] of this.likeness) {
        if (found[member] !== member && similarity !== null && !this.measured.stays(similarity, step)) found[member] = -1;
      }
    }
    return found;
  }

  /** @param {number} keeper @param {number[]} others @returns {Cluster} */
  cluster(keeper, others) {
    const similarity = others.map((member) => this.similarityOf(member, keeper));
    const order = others.map((_, i) => i).sort((x, y) => (similarity[y] ?? -1) - (similarity[x] ?? -1) || others[x] - others[y]);
    const values = similarity.filter((value) => value !== null);
    return {
      keeper, members: [keeper, ...order.map((i) => others[i])], similarity: [1, ...order.map((i) => similarity[i])],
      lowest: values.length ? Math.min(...values.slice(0, MOST_VALUES)) : null,
    };
  }

  /** @param {number} member @param {number} keeper */
  similarityOf(member, keeper) {
    if (this.keepers[member] === keeper) return this.likeness.get(member) ?? null;
    const row = this.measured.measure ? this.store.rowOf(member, keeper) : -1;
    return row < 0 ? null : this.measured.values[row];
  }
}
