import type pg from "pg";
import { copy } from "./baselines/copy.js";
import { COURSE_KEY, requiredGrades, tablesOf } from "./big-course.js";
import { configure, issue } from "./credentials.js";

/**
 * Number of failed credentials. Academies of all sizes have this number, so failed credentials are rarer in larger
 * academies.
 */
const FAILED = 100;
const COURSES = 10;

/** The key of the last course, whose credentials come after all others. */
export const LAST_COURSE_KEY = courseKey(COURSES - 1);

/**
 * Fills the big course and nine more courses. Every learner is enrolled in all ten, and has a credential in each. A
 * hundred credentials have failed. The big course has a second configuration, which has no credentials.
 */
export async function fillCourses(sql: pg.Client, credentials: number): Promise<void> {
  const learners = credentials / COURSES;
  await copy(sql, tablesOf(learners));
  for (let course = 1; course < COURSES; course++) await enrollEverybody(sql, courseKey(course));
  for (let course = 0; course < COURSES; course++)
    await issue(sql, await configure(sql, courseKey(course), requiredGrades), learners);
  await configure(sql, COURSE_KEY, { Total: 0.5 });
  await sql.query(
    `update credentials set status = 'error', error_reason = 'The store was full.', file_key = null, file_sha256 = null,
       file_size = null
     where id % $1 = 0`,
    [credentials / FAILED],
  );
  await sql.query("vacuum analyze");
}

function courseKey(course: number): string {
  return course === 0 ? COURSE_KEY : `${COURSE_KEY}-${course}`;
}

async function enrollEverybody(sql: pg.Client, learningContextKey: string): Promise<void> {
  await sql.query(
    `insert into enrollments (learning_context_key, username, is_active, observed_at, is_deleted)
     select $1, username, is_active, observed_at, is_deleted from enrollments where learning_context_key = $2`,
    [learningContextKey, COURSE_KEY],
  );
}
