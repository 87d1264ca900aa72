import { copy } from "./baselines/copy.js";
import { COURSE_KEY, requiredGrades, tablesOf } from "./big-course.js";
import { configure, issue } from "./credentials.js";
import { tokenOf } from "./service.js";
import type { Stage } from "./stage.js";

/** A learner of the big course who calls the service. */
export interface Caller {
  readonly username: string;
  readonly headers: { readonly authorization: string };
}

const CALLERS = 1000;

/** Fills the big course with two configurations. Every learner has a credential under the first. */
export async function fillBigCourse({ sql, isShort }: Stage): Promise<void> {
  const learners = isShort ? 10_000 : 100_000;
  await copy(sql, tablesOf(learners));
  await issue(sql, await configure(sql, COURSE_KEY, requiredGrades), learners);
  await configure(sql, COURSE_KEY, { Total: 0.5 });
  await sql.query("vacuum analyze");
}

/** Selects some of the learners enrolled in the big course. */
export async function callersIn({ sql }: Stage): Promise<Caller[]> {
  const { rows } = await sql.query<{ username: string }>(
    "select username from enrollments where learning_context_key = $1 order by random() limit $2",
    [COURSE_KEY, CALLERS],
  );
  return Promise.all(
    rows.map(async ({ username }) => ({
      username,
      headers: { authorization: `Bearer ${await tokenOf(username)}` },
    })),
  );
}
