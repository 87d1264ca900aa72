import type pg from "pg";
import { copy } from "../baselines/copy.js";
import { COURSE_KEY, requiredGrades, tablesOf } from "../big-course.js";
import { callersIn } from "../callers.js";
import { perServersCpuSecond } from "../cpu.js";
import { configure } from "../credentials.js";
import { enrollEverybody } from "../enroll-everybody.js";
import type { Figure } from "../figure.js";
import { httpLoad } from "../http-load.js";
import { startService } from "../service.js";

/**
 * Compares the cost of one part of a long response, for service and Postgres together, with that of a short one. It may
 * not be higher.
 */
const long = (
  parts: { name: string; unit: string; few: number; many: number },
  prepareContext: (sql: pg.Client, count: number) => Promise<string>,
): Figure => ({
  name: parts.name,
  subject: `eligibility route, ${parts.many} ${parts.unit}`,
  baseline: `${parts.few} ${parts.unit}`,
  unit: `${parts.unit}/CPU s`,
  reach: 1,

  async prepare(stage) {
    await copy(stage.sql, tablesOf(1000));
    const service = await startService(stage, "server");
    const side = async (count: number) => {
      const key = await prepareContext(stage.sql, count);
      const callers = await callersIn(stage);
      const load = httpLoad(
        stage,
        callers.map(({ headers }) => ({ path: `/api/learning_credentials/v1/eligibility/${key}/`, headers })),
      );
      const answers = Math.ceil((stage.isShort ? 2000 : 20_000) / (count + 4));
      const ask = () => load.ask(service.httpPort, [200], answers);
      return () => perServersCpuSecond(stage, service.pid, count * answers, ask);
    };
    const contest = { subject: await side(parts.many), baseline: await side(parts.few) };
    await stage.sql.query("vacuum analyze");
    return contest;
  },
});

export const growthOfAnswers: readonly Figure[] = [
  long(
    { name: "configurations-200", unit: "configurations", few: 2, many: 200 },
    async (sql, configurations) => {
      const key = `${COURSE_KEY}-${configurations}`;
      for (let count = 0; count < configurations; count++) await configure(sql, key, requiredGrades);
      await enrollEverybody(sql, key);
      return key;
    },
  ),
  long({ name: "courses-50", unit: "courses of a path", few: 1, many: 50 }, async (sql, courses) => {
    const key = `path-v1:Bench+Path+2026+${courses}`;
    const steps = [];
    for (let course = 0; course < courses; course++)
      steps.push(await copyBigCourse(sql, `course-v1:Bench+Step+${courses}-${course}`));
    await sql.query(
      `insert into learning_paths (path_key, display_name, invite_only, step_course_keys, observed_at, is_deleted)
       values ($1, 'A path', true, $2, now(), false)`,
      [key, steps],
    );
    await enrollEverybody(sql, key);
    await configure(sql, key, requiredGrades);
    return key;
  }),
];

/** Enrols all learners in a copy of the course, with the same grades. */
async function copyBigCourse(sql: pg.Client, key: string): Promise<string> {
  await sql.query(
    `insert into courses (course_key, display_name, assignment_types, weights, observed_at, is_deleted)
     select $1, display_name, assignment_types, weights, observed_at, is_deleted from courses where course_key = $2`,
    [key, COURSE_KEY],
  );
  await sql.query(
    `insert into subsection_grades
       (course_key, username, usage_key, assignment_type, earned, possible, observed_at, is_deleted)
     select $1, username, usage_key, assignment_type, earned, possible, observed_at, is_deleted
     from subsection_grades where course_key = $2`,
    [key, COURSE_KEY],
  );
  await enrollEverybody(sql, key);
  return key;
}
