import { statusSql } from "#foundation/credential-status.js";
import type { Query } from "#infrastructure/db/database.js";
import { PLATFORM_TOTAL_SQL, percentage, roundedSql } from "./course-results.js";
import { type Criteria, lettersMeeting, type RequiredGrades } from "./criteria.js";
import type { CourseRules, EligibilityRules } from "./eligibility-rules.js";
import { isHeld } from "./held-credentials.js";
import { inAll, inAny, inAtLeast, type LearnerSet, noLearners } from "./learner-sets.js";
import type { ResolvedCredential, ResolvedRequirement } from "./resolve-requirement.js";

/**
 * Selects the usernames of all learners who are eligible under a configuration. They have a record and are actively
 * enrolled in the context. They also meet the requirement tree. Without a tree, they are actively enrolled in the
 * required number of courses (by default, in all of them) and meet the criteria of these courses.
 *
 * Must agree with `evaluateEligibility`, which evaluates a single learner.
 * @param among name of a `with` query for `username`. If given, only these learners are evaluated, and only their
 * records are read
 */
export function eligibleLearners(rules: EligibilityRules, among?: string): Query {
  const records = among === undefined ? everyRecord : recordsAmong(among);
  const { met, attained } = meeting(rules, records, true);
  const eligible = inAll([
    ...(among === undefined ? [] : [{ sql: `select username from ${among}`, bindings: [] }]),
    { sql: "select username from learners where not is_deleted", bindings: [] },
    enrolledIn(rules.learningContextKey),
    met,
  ]);
  return withAttained(attained, eligible);
}

/**
 * Selects the learners who meet the requirements with new results only. For earlier work, the possible points still
 * count, but the earned points don't. If no result is required, nobody is selected.
 * @param earlier selects `username` and `counted_from`, the time from which records are new
 */
export function learnersWithNewResults(rules: EligibilityRules, earlier: Query): Query {
  const { met, attained } = meeting(rules, newRecords, false);
  if (met === "everyone") return noLearners;
  const { sql, bindings } = withAttained(attained, met);
  return {
    sql: `with earlier as (${earlier.sql})\nselect username from (${sql}) as anew`,
    bindings: [...earlier.bindings, ...bindings],
  };
}

/**
 * Selects the learners who meet the requirements.
 * @param countsEnrolment whether learners must be enrolled in each step of a path
 */
function meeting(
  { learningContextKey, courses, requiredSteps, requirement }: EligibilityRules,
  records: CountedRecords,
  countsEnrolment: boolean,
): { readonly met: LearnerSet; readonly attained: readonly Query[] } {
  if (requirement) return meetingTree(requirement, courses, records);
  if (courses.length === 0) return { met: noLearners, attained: [] };
  const isPath = courses.length > 1 || courses[0]?.courseKey !== learningContextKey;
  const inCourses = courses.map((course) =>
    course.criteria === undefined
      ? noLearners
      : inAll([
          ...(isPath && countsEnrolment ? [enrolledIn(course.courseKey)] : []),
          ...resultsIn(course, records),
        ]),
  );
  const hasNobody = requiredSteps === undefined && inCourses.includes(noLearners);
  return {
    met: hasNobody ? noLearners : inAtLeast(requiredSteps ?? courses.length, inCourses),
    attained: [],
  };
}

/**
 * Selects the learners who meet a requirement tree. Grades in each course are read once, in a `with` query, even if
 * several parts of the tree use them.
 */
function meetingTree(tree: ResolvedRequirement, courses: readonly CourseRules[], records: CountedRecords) {
  const rulesOf = new Map(courses.map((course) => [course.courseKey, course]));
  const attained = new Map<string, { readonly name: string; readonly query: Query } & AttainedTypes>();
  const attainedIn = (courseKey: string, policy: CourseRules["policy"]) => {
    const cached = attained.get(courseKey);
    if (cached) return cached;
    const types = [...new Set(typesRequired(tree, courseKey, policy))];
    const name = `attained_${attained.size}`;
    const made = { name, types, query: attainedByType(courseKey, types, records) };
    attained.set(courseKey, made);
    return made;
  };
  function inCourse(criteria: Criteria, courseKey: string): LearnerSet {
    const course = rulesOf.get(courseKey);
    if (!course) return noLearners;
    return inAll(
      resultsIn({ ...course, criteria }, records, () => {
        const { name, types } = attainedIn(courseKey, course.policy);
        return { source: { sql: name, bindings: [] }, types };
      }),
    );
  }
  function visit(part: ResolvedRequirement): LearnerSet {
    if ("parts" in part) return inAtLeast(part.count, part.parts.map(visit));
    return part.kind === "holds"
      ? holding(part, records)
      : inAny(part.courseKeys.map((courseKey) => inCourse(part.criteria, courseKey)));
  }
  const met = visit(tree);
  return {
    met,
    attained: [...attained.values()].map(({ name, query: { sql, bindings } }) => ({
      sql: `${name} as materialized (${sql})`,
      bindings,
    })),
  };
}

function typesRequired(
  part: ResolvedRequirement,
  courseKey: string,
  policy: CourseRules["policy"],
): readonly string[] {
  if ("parts" in part) return part.parts.flatMap((each) => typesRequired(each, courseKey, policy));
  const { grades } = part.kind !== "holds" && part.courseKeys.includes(courseKey) ? part.criteria : {};
  if (!grades) return [];
  const isSummed = grades.total > 0 && !grades.usesPlatformTotal;
  return [...grades.byAssignmentType.keys(), ...(isSummed ? policy.keys() : [])];
}

function withAttained(attained: readonly Query[], met: LearnerSet): Query {
  const { sql, bindings } = met as Query; // never "everyone", because callers require a record or a new result
  if (attained.length === 0) return { sql, bindings };
  return {
    sql: `with ${attained.map((each) => each.sql).join(",\n")}\n${sql}`,
    bindings: [...attained.flatMap((each) => each.bindings), ...bindings],
  };
}

/** Selects learners who hold the credential, if it is valid. */
function holding(required: ResolvedCredential, { credentials }: CountedRecords): LearnerSet {
  const { sql, bindings } = isHeld("credentials", required);
  const { isInForce } = statusSql("credentials");
  return {
    sql: `select distinct username from ${credentials} where ${isInForce} and ${sql}`,
    bindings,
  };
}

/** The records to evaluate, as tables or subqueries. */
interface CountedRecords {
  readonly grades: string;
  /** SQL: a `having` clause for a learner's grades; may be empty. */
  readonly having: string;
  readonly completions: string;
  readonly courseGrades: string;
  readonly credentials: string;
}

const everyRecord: CountedRecords = {
  grades: "subsection_grades",
  having: "",
  completions: "completions",
  courseGrades: "course_grades",
  credentials: "credentials",
};

function recordsAmong(some: string): CountedRecords {
  const of = (table: string) =>
    `(select record.* from ${table} as record join ${some} using (username)) as ${table}`;
  return {
    grades: of("subsection_grades"),
    having: "",
    completions: of("completions"),
    courseGrades: of("course_grades"),
    credentials: of("credentials"),
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
  credentials: `(
    select record.* from credentials as record join earlier using (username)
    where coalesce(record.awarded_at, record.created_at) >= counted_from) as credentials`,
};

/**
 * Returns queries for the learners who meet each of the criteria in a course. The platform's own total is in a
 * different table from the grades.
 */
function resultsIn(
  { courseKey, criteria, policy, letterGrades }: CourseRules,
  records: CountedRecords,
  attained?: () => Attained,
): Query[] {
  const { grades, completion, passed, letter } = criteria ?? {};
  const conditions: Query[] = [];
  if (grades) {
    const { total, usesPlatformTotal } = grades;
    const summed = usesPlatformTotal ? { ...grades, total: 0 } : grades;
    if (summed.byAssignmentType.size > 0 || summed.total > 0)
      conditions.push(withGrades(courseKey, summed, policy, records, attained));
    if (usesPlatformTotal && total > 0)
      conditions.push(withVerdict(courseKey, `${PLATFORM_TOTAL_SQL} >= ?::numeric`, String(total), records));
  }
  if (completion) conditions.push(withCompletion(courseKey, completion, records));
  if (passed) conditions.push(withVerdict(courseKey, "passed = ?", true, records));
  if (letter !== undefined)
    conditions.push(
      withVerdict(
        courseKey,
        "letter = any (?::text[])",
        lettersMeeting({ ...criteria }, letterGrades),
        records,
      ),
    );
  return conditions;
}

function enrolledIn(learningContextKey: string): Query {
  return {
    sql: "select username from enrollments where learning_context_key = ? and is_active and not is_deleted",
    bindings: [learningContextKey],
  };
}

function withCompletion(courseKey: string, required: number, { completions }: CountedRecords): Query {
  return {
    // Equivalent to `round(percent, 6) >= …`, but in a form for which the planner has statistics.
    sql: `select username from ${completions}
      where course_key = ? and not is_deleted and percent >= ?::numeric - 0.0000005`,
    bindings: [courseKey, String(required)],
  };
}

/** Selects learners by the platform's result. @param condition SQL with one parameter */
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

interface Attained extends AttainedTypes {
  readonly source: Query;
}

interface AttainedTypes {
  readonly types: readonly string[];
}

/** @param attained returns percentages that are read once for all parts of the tree; undefined to read them here */
function withGrades(
  courseKey: string,
  required: RequiredGrades,
  policy: ReadonlyMap<string, string>,
  records: CountedRecords,
  attained?: () => Attained,
): Query {
  const weighted = required.total > 0 ? [...policy.keys()] : [];
  if (weighted.length === 0 && required.total > 0) return noLearners; // no assignment type has a weight
  const ownTypes = [...new Set([...required.byAssignmentType.keys(), ...weighted])];
  const { source, types } = attained?.() ?? attainedInline(courseKey, ownTypes, records);
  const column = (assignmentType: string) => percentageOf(types.indexOf(assignmentType));
  const conditions = [...required.byAssignmentType].map(([assignmentType, minimum]) => ({
    sql: `${roundedSql(column(assignmentType))} >= ?::numeric`,
    bindings: [String(minimum)] as unknown[],
  }));
  if (required.total > 0) {
    const terms = weighted.map((assignmentType) => `coalesce(${column(assignmentType)} * ?::numeric, 0)`);
    conditions.push({
      sql: `${roundedSql(terms.join(" + "))} >= ?::numeric`,
      bindings: [...weighted.map((assignmentType) => policy.get(assignmentType)), String(required.total)],
    });
  }
  return {
    sql: `select username from ${source.sql} where ${conditions.map(({ sql }) => sql).join(" and ")}`,
    bindings: [...source.bindings, ...conditions.flatMap(({ bindings }) => bindings)],
  };
}

function attainedInline(courseKey: string, types: readonly string[], records: CountedRecords): Attained {
  const { sql, bindings } = attainedByType(courseKey, types, records);
  return { types, source: { sql: `(${sql}) attained`, bindings } };
}

function percentageOf(index: number): string {
  return `percentage_${index}`;
}

/**
 * Scans the grades of the course once, with two sums per assignment type. Grouping by learner and type, and then by
 * learner, would take twice as long.
 */
function attainedByType(courseKey: string, types: readonly string[], records: CountedRecords): Query {
  const percentages = types.map((_, index) => {
    const ofType = `filter (where assignment_type = types[${index + 1}])`;
    return `${percentage(`sum(earned) ${ofType}`, `nullif(sum(possible) ${ofType}, 0)`)} as ${percentageOf(index)}`;
  });
  return {
    sql: `
        select username, ${percentages.join(", ")}
        from ${records.grades} cross join (select ?::text[] as types) as requested
        where course_key = ? and not is_deleted
        group by username ${records.having}`,
    bindings: [types, courseKey],
  };
}
