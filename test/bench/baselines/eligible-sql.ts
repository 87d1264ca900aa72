import type pg from "pg";
import { COURSE_KEY } from "../big-course.js";

/**
 * Returns SQL that selects learners with these percentages. The percentages are exact decimals rounded to 6 places, as
 * the service compares them.
 */
export const eligibleSql = (required: { exam: number; total: number }) => `
  select learner.username, learner.full_name
  from learners learner
  join enrollments enrollment using (username)
  join (
    select
      username,
      100 * sum(earned) filter (where assignment_type = 'homework')
        / nullif(sum(possible) filter (where assignment_type = 'homework'), 0) as homework,
      100 * sum(earned) filter (where assignment_type = 'lab')
        / nullif(sum(possible) filter (where assignment_type = 'lab'), 0) as lab,
      100 * sum(earned) filter (where assignment_type = 'quiz')
        / nullif(sum(possible) filter (where assignment_type = 'quiz'), 0) as quiz,
      100 * sum(earned) filter (where assignment_type = 'midterm')
        / nullif(sum(possible) filter (where assignment_type = 'midterm'), 0) as midterm,
      100 * sum(earned) filter (where assignment_type = 'exam')
        / nullif(sum(possible) filter (where assignment_type = 'exam'), 0) as exam
    from subsection_grades
    where course_key = $1 and not is_deleted
    group by username
  ) attained using (username)
  where enrollment.learning_context_key = $1 and enrollment.is_active and not enrollment.is_deleted
    and not learner.is_deleted
    and round(exam, 6) >= ${required.exam}
    and round(coalesce(homework * 0.1, 0) + coalesce(lab * 0.1, 0) + coalesce(quiz * 0.2, 0)
      + coalesce(midterm * 0.2, 0) + coalesce(exam * 0.4, 0), 6) >= ${required.total}`;

/** Selects all learners who are eligible with 65 % in the exam and 70 % in total, with handwritten SQL. */
export async function eligibleBySql(sql: pg.Client): Promise<string[]> {
  const text = `select username from (${eligibleSql({ exam: 65, total: 70 })}) eligible`;
  const { rows } = await sql.query<[string]>({ text, values: [COURSE_KEY], rowMode: "array" });
  return rows.map(([username]) => username);
}
