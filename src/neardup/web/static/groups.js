// Clusters at any threshold of the slider: who is whose keeper.
"use strict";

// neardup.groups(store, passes): passes(step)(similarity) says whether a member stays, where nothing exact is known.
neardup.groups = function (store, passes) {
  const { clusters, items, measure } = store.data;
  const total = items.id.length;
  const first = new Int32Array(total).fill(-1);
  const likeness = new Map();
  clusters.members.forEach((member, i) => {
    first[member] = clusters.keepers[i];
    likeness.set(member, clusters.similarity[i]);
  });
  const known = new Map();

  function keepersAt(step) {
    const found = Int32Array.from(first);
    if (clusters.changes) {
      for (let at = 1; at <= step; at += 1) {
        const changes = clusters.changes[at];
        for (let i = 0; i < changes.length; i += 2) found[changes[i]] = changes[i + 1];
      }
      return found;
    }
    if (!step) return found;
    const stays = passes(step);
    for (const [member, similarity] of likeness) {
      if (found[member] !== member && similarity !== null && !stays(similarity)) found[member] = -1;
    }
    return found;
  }

  // Clusters of two members or more, the largest first: {keeper, members, similarity}, keeper first.
  function at(step) {
    if (known.has(step)) return known.get(step);
    const keepers = keepersAt(step);
    const byKeeper = new Map();
    keepers.forEach((keeper, member) => {
      if (keeper < 0) return;
      if (!byKeeper.has(keeper)) byKeeper.set(keeper, []);
      if (member !== keeper) byKeeper.get(keeper).push(member);
    });
    const found = [];
    for (const [keeper, others] of byKeeper) if (others.length) found.push(cluster(keeper, others));
    found.sort((x, y) => y.members.length - x.members.length || x.keeper - y.keeper);
    known.set(step, found);
    return found;
  }

  function cluster(keeper, others) {
    const similarity = others.map((member) => similarityOf(member, keeper));
    const order = others.map((_, i) => i).sort((x, y) => (similarity[y] ?? -1) - (similarity[x] ?? -1) || others[x] - others[y]);
    const values = similarity.filter((value) => value !== null);
    return {
      keeper, members: [keeper, ...order.map((i) => others[i])], similarity: [1, ...order.map((i) => similarity[i])],
      lowest: values.length ? Math.min(...values.slice(0, 100_000)) : null,
    };
  }

  function similarityOf(member, keeper) {
    if (first[member] === keeper) return likeness.get(member);
    const row = measure ? store.rowOf(member, keeper) : -1;
    return row < 0 ? null : store.pairs.columns.find((c) => c.name === measure.column).values[row];
  }

  return { at, of: (step, keeper) => at(step).find((one) => one.keeper === keeper) };
};
