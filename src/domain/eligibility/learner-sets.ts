import type { Query } from "#infrastructure/db/database.js";

/** A set of learners who meet a condition: a query that selects each `username` once, or everyone. */
export type LearnerSet = Query | "everyone";

export const noLearners: Query = { sql: "select ''::text as username where false", bindings: [] };

/**
 * Returns the learners in all sets. `intersect` is as fast as joins, and takes no time to plan. Planning joins for a
 * path of 200 steps takes minutes.
 */
export function inAll(sets: readonly LearnerSet[]): LearnerSet {
  return combined("intersect", queriesIn(sets), "everyone");
}

export function inAny(sets: readonly LearnerSet[]): LearnerSet {
  return sets.includes("everyone") ? "everyone" : combined("union", queriesIn(sets), noLearners);
}

export function inAtLeast(count: number, sets: readonly LearnerSet[]): LearnerSet {
  const queries = queriesIn(sets);
  const left = count - (sets.length - queries.length);
  if (left <= 0) return "everyone";
  if (left > queries.length) return noLearners;
  if (left === queries.length) return inAll(queries);
  if (left === 1) return inAny(queries);
  const { sql, bindings } = combined("union all", queries, noLearners) as Query;
  return {
    sql: `select username from (${sql}) as met group by username having count(*) >= ?::integer`,
    bindings: [...bindings, left],
  };
}

function queriesIn(sets: readonly LearnerSet[]): Query[] {
  return sets.filter((set) => set !== "everyone");
}

function combined(operator: string, queries: readonly Query[], none: LearnerSet): LearnerSet {
  const [first, second] = queries;
  if (!first) return none;
  if (!second) return first;
  return {
    sql: queries.map(({ sql }) => `(${sql})`).join(`\n${operator}\n`),
    bindings: queries.flatMap(({ bindings }) => bindings),
  };
}
