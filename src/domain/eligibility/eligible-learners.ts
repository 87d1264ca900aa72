import type { Query } from "#infrastructure/db/transaction.js";
import { PLATFORM_TOTAL, percentage, rounded } from "./course-results.js";
import { lettersMeeting, type RequiredGrades } from "./criteria.js";
import type { CourseRules, EligibilityRules } from "./eligibility-rules.js";

/**
 * Returns the query for the usernames of all learners who are eligible under a configuration. They have a record
 * and are actively enrolled in the context. In each course, they are actively enrolled and meet its criteria.
 *
 * It must agree with `evaluateEligibility`, which evaluates a single learner.
 * @param among the name of a `with` query that gives `username`: only these are judged, and only their records are read
 */
export function eligibleLearners({ learningContextKey, courses }: EligibilityRules, among?: string): Query {
  if (courses.length === 0 || courses.some(({ criteria }) => criteria === undefined)) {
    return nobody;
  }
  const isPath = courses.length > 1 || courses[0]?.courseKey !== learningContextKey;
  const records = among === undefined ? everyRecord : recordsAmong(among);
  const conditions: Query[] = [
    ...(among === undefined ? [] : [{ sql: `select username from ${among}`, bindings: [] }]),
    { sql: "select username from learners where not is_deleted", bindings: [] },
    enrolledIn(learningContextKey),
    ...courses.flatMap((course) => [
      ...(isPath ? [enrolledIn(course.courseKey)] : []),
      ...resultsIn(course, records),
    ]),
  ];
  return intersected(conditions);
}

/**
 * Returns the query for the usernames of those who meet the criteria of all courses anew. Results that were
 * observed earlier count as not attained: their points as possible, but not as earned. Where no result is
 * required, nobody earns anything anew.
 * @param earlier gives `username` and `counted_from`, the time from which records are new
 */
export function learnersWithNewResults({ courses }: EligibilityRules, earlier: Query): Query {
  const conditions = courses.flatMap((course) => resultsIn(course, newRecords));
  if (conditions.length === 0 || courses.some(({ criteria }) => criteria === undefined)) return nobody;
  const { sql, bindings } = intersected(conditions);
  return { sql: `with earlier as (${earlier.sql})\n${sql}`, bindings: [...earlier.bindings, ...bindings] };
}

/** The records of results that count, as SQL for `from`. */
interface CountedRecords {
  readonly grades: string;
  /** SQL: a condition on the grades of a learner, or nothing. */
  readonly having: string;
  readonly completions: string;
  readonly courseGrades: string;
}

const everyRecord: CountedRecords = {
  grades: "subsection_grades",
  having: "",
  completions: "completions",
  courseGrades: "course_grades",
};

function recordsAmong(some: string): CountedRecords {
  const of = (table: string) =>
    `(select record.* from ${table} as record join ${some} using (username)) as ${table}`;
  return {
    grades: of("subsection_grades"),
    having: "",
    completions: of("completions"),
    courseGrades: of("course_grades"),
  };
}

const newOf = (table: string) =>
  `(select record.* from ${table} as record join earlier using (username) where record.observed_at >= counted_from) as new`;

const newRecords: CountedRecords = {
  grades: `(
    select username, course_key, is_deleted, assignment_type, possible, observed_at >= counted_from as is_new,
      case when observed_at >= counted_from then earned else 0 end as earned
    from subsection_grades join earlier using (username)) as counted`,
  having: "having bool_or(is_new)",
  completions: newOf("completions"),
  courseGrades: newOf("course_grades"),
};

/** The conditions on results in one course. A total of the platform is in a table of its own. */
function resultsIn(
  { courseKey, criteria, policy, letterGrades }: CourseRules,
  records: CountedRecords,
): Query[] {
  const { grades, completion, passed, letter } = criteria ?? {};
  const conditions: Query[] = [];
  if (grades) {
    const { total, usesPlatformTotal } = grades;
    const summed = usesPlatformTotal ? { ...grades, total: 0 } : grades;
    // A required total of 0 is met even without any grades.
    if (summed.byAssignmentType.size > 0 || summed.total > 0)
      conditions.push(withGrades(courseKey, summed, policy, records));
    if (usesPlatformTotal && total > 0)
      conditions.push(withVerdict(courseKey, `${PLATFORM_TOTAL} >= ?::numeric`, String(total), records));
  }
  if (completion) conditions.push(withCompletion(courseKey, completion, records));
  if (passed) conditions.push(withVerdict(courseKey, "passed = ?", true, records));
  if (letter !== undefined)
    conditions.push(
      withVerdict(courseKey, "letter = any (?::text[])", lettersMeeting(letter, letterGrades), records),
    );
  return conditions;
}

/**
 * `intersect` is as fast as joins, and is planned at once however many conditions there are. Joins for a path
 * of 200 steps take minutes to plan.
 */
function intersected(conditions: readonly Query[]): Query {
  return {
    sql: conditions.map(({ sql }) => sql).join("\nintersect\n"),
    bindings: conditions.flatMap(({ bindings }) => bindings),
  };
}

const nobody: Query = { sql: "select ''::text as username where false", bindings: [] };

function enrolledIn(learningContextKey: string): Query {
  return {
    sql: "select username from enrollments where learning_context_key = ? and is_active and not is_deleted",
    bindings: [learningContextKey],
  };
}

function withCompletion(courseKey: string, required: number, { completions }: CountedRecords): Query {
  return {
    // `round(percent, 6) >= …` in a form for which the planner has statistics
    sql: `select username from ${completions}
      where course_key = ? and not is_deleted and percent >= ?::numeric - 0.0000005`,
    bindings: [courseKey, String(required)],
  };
}

/** @param condition SQL on the platform's own result, with one value */
function withVerdict(
  courseKey: string,
  condition: string,
  value: unknown,
  { courseGrades }: CountedRecords,
): Query {
  return {
    sql: `select username from ${courseGrades}
      where course_key = ? and not is_deleted and ${condition}`,
    bindings: [courseKey, value],
  };
}

/**
 * Scans the grades of the course once, with a pair of sums for each assignment type that counts. That takes
 * half the time of grouping by learner and type, then by learner.
 */
function withGrades(
  courseKey: string,
  required: RequiredGrades,
  policy: ReadonlyMap<string, string>,
  records: CountedRecords,
): Query {
  const weighted = required.total > 0 ? [...policy.keys()] : [];
  const assignmentTypes = [...new Set([...required.byAssignmentType.keys(), ...weighted])];
  if (weighted.length === 0 && required.total > 0) return nobody; // nothing counts towards the total
  const column = (assignmentType: string) => `percentage_${assignmentTypes.indexOf(assignmentType)}`;
  const conditions = [...required.byAssignmentType].map(([assignmentType, minimum]) => ({
    sql: `${rounded(column(assignmentType))} >= ?::numeric`,
    bindings: [String(minimum)] as unknown[],
  }));
  if (required.total > 0) {
    const terms = weighted.map((assignmentType) => `coalesce(${column(assignmentType)} * ?::numeric, 0)`);
    conditions.push({
      sql: `${rounded(terms.join(" + "))} >= ?::numeric`,
      bindings: [...weighted.map((assignmentType) => policy.get(assignmentType)), String(required.total)],
    });
  }
  const percentages = assignmentTypes.map((type, index) => {
    const ofType = `filter (where assignment_type = types[${index + 1}])`;
    return `${percentage(`sum(earned) ${ofType}`, `nullif(sum(possible) ${ofType}, 0)`)} as ${column(type)}`;
  });
  return {
    sql: `
      select username from (
        select username, ${percentages.join(", ")}
        from ${records.grades} cross join (select ?::text[] as types) as asked
        where course_key = ? and not is_deleted
        group by username ${records.having}
      ) attained
      where ${conditions.map(({ sql }) => sql).join(" and ")}`,
    bindings: [assignmentTypes, courseKey, ...conditions.flatMap(({ bindings }) => bindings)],
  };
}
