import type { Knex } from "knex";
import { queryRowOrThrow } from "../../db/query.js";
import type { Query } from "../../db/transaction.js";
import type { Criteria, RequiredGrades } from "../../eligibility/criteria.js";
import type { EligibilityRules } from "../../eligibility/eligible-under.js";
import { percentage, rounded } from "../../eligibility/exact-percentage.js";
import type { Results } from "../results.js";

/** The requirements in each course, and what counts towards its total. */
type Rules = Pick<EligibilityRules, "learningContextKey" | "courses" | "policies">;

/** The number of pairs or elements that one call builds. Postgres takes at most 100 arguments. */
const ARGUMENTS = 40;

/**
 * Returns a query for what a learner has attained in the courses that count. Its result is jsonb in the form
 * of `Results`, or null if nothing is required in any course.
 *
 * Runs ask it for each learner. So a course costs one index scan that sums all assignment types of its policy
 * at once: half of what grouping by type costs.
 * @param username SQL that gives the learner's username
 */
export function resultsOf(username: string, { learningContextKey, courses, policies }: Rules): Query {
  const results = courses.flatMap(({ courseKey, criteria }) => {
    const isStep = courseKey !== learningContextKey;
    return criteria
      ? [resultOf(username, courseKey, criteria, policies.get(courseKey) ?? new Map(), isStep)]
      : [];
  });
  if (results.length === 0) return { sql: "null::jsonb", bindings: [] };
  const all = built("jsonb_build_array", results);
  return { sql: `jsonb_build_object('courses', ${all.sql})`, bindings: all.bindings };
}

/** The result of one course. */
function resultOf(
  username: string,
  courseKey: string,
  { grades, completion }: Criteria,
  policy: ReadonlyMap<string, string>,
  isStep: boolean,
): Query {
  const fields: Query[] = [
    { sql: "'course_key', ?::text", bindings: [courseKey] },
    {
      sql: "'name', (select display_name from courses where course_key = ? and not is_deleted)",
      bindings: [courseKey],
    },
  ];
  if (grades) {
    const attained = gradesOf(username, courseKey, grades, policy);
    fields.push({ sql: `'grades', (${attained.sql})`, bindings: attained.bindings });
    const order = JSON.stringify([...policy.keys()]);
    if (!isStep) fields.push({ sql: "'grade_order', ?::jsonb", bindings: [order] });
  }
  if (completion !== undefined) {
    fields.push({
      sql: `'completion', coalesce((
        select trim_scale(round(percent, 6)) from completions as told
        where told.course_key = ? and told.username = ${username} and not told.is_deleted), 0)`,
      bindings: [courseKey],
    });
  }
  const result = built("jsonb_build_object", fields);
  return { sql: `jsonb_strip_nulls(${result.sql})`, bindings: result.bindings };
}

/** Percentages by assignment type, null where nothing was possible, and the total. */
function gradesOf(
  username: string,
  courseKey: string,
  { usesPlatformTotal }: RequiredGrades,
  policy: ReadonlyMap<string, string>,
): Query {
  const weights = [...policy];
  const column = (index: number) => `attained.percentage_${index}`;
  const weighted = weights.map((_, index) => `coalesce(${column(index)} * ?::numeric, 0)`);
  const total: Query = usesPlatformTotal
    ? {
        sql: `(select trim_scale(round(100 * told.percent, 6)) from course_grades as told
          where told.course_key = ? and told.username = ${username} and not told.is_deleted)`,
        bindings: [courseKey],
      }
    : {
        sql: `trim_scale(${rounded(["0", ...weighted].join(" + "))})`,
        bindings: weights.map(([, weight]) => weight),
      };
  const counted = built("jsonb_build_object", [
    ...weights.map(([type], index) => ({
      sql: `?::text, trim_scale(${rounded(column(index))})`,
      bindings: [type],
    })),
    { sql: `'total', coalesce(${total.sql}, 0)`, bindings: total.bindings },
  ]);
  const ofType = percentage(
    "sum(told.earned) filter (where told.assignment_type = ?)",
    "nullif(sum(told.possible) filter (where told.assignment_type = ?), 0)",
  );
  const types = weights.map(([type]) => type);
  return {
    sql: `
      select case when attained.has_others then coalesce((
          select jsonb_object_agg(other.assignment_type, trim_scale(${rounded("other.percentage")}))
          from (
            select told.assignment_type, ${percentage("sum(told.earned)", "sum(told.possible)")} as percentage
            from subsection_grades as told
            where told.course_key = ? and told.username = ${username} and not told.is_deleted
            group by told.assignment_type
            having sum(told.possible) > 0
          ) as other), '{}') else '{}' end || ${counted.sql}
      from (
        select bool_or(told.assignment_type <> all (?::text[])) as has_others
          ${types.map((_, index) => `, ${ofType} as percentage_${index}`).join("")}
        from subsection_grades as told
        where told.course_key = ? and told.username = ${username} and not told.is_deleted
      ) as attained`,
    bindings: [courseKey, ...counted.bindings, types, ...types.flatMap((type) => [type, type]), courseKey],
  };
}

/** Calls a function with any number of arguments: the results of several calls are joined. */
function built(buildingFunction: string, parts: readonly Query[]): Query {
  const calls: string[] = [];
  for (let start = 0; start < parts.length; start += ARGUMENTS) {
    const chunk = parts.slice(start, start + ARGUMENTS);
    calls.push(`${buildingFunction}(${chunk.map(({ sql }) => sql).join(", ")})`);
  }
  return { sql: `(${calls.join(" || ")})`, bindings: parts.flatMap(({ bindings }) => bindings) };
}

/** Reads what a learner has attained in these courses. */
export async function readResults(
  transaction: Knex.Transaction,
  username: string,
  rules: Rules,
): Promise<Results | null> {
  const { sql, bindings } = resultsOf("asked.username", rules);
  const { results } = await queryRowOrThrow<{ results: Results | null }>(
    transaction,
    `select ${sql} as results from (select ?::text as username) as asked`,
    [...bindings, username],
  );
  return results;
}
