import type { Knex } from "knex";
import { expect } from "vitest";
import type { Bench } from "./bench.js";

/**
 * Returns what the database contains, in the form of `projected`. Omits learners who are in no course, and withdrawn
 * enrolments in paths, because the platform lists only active ones.
 */
export async function known(knex: Knex): Promise<string[]> {
  const { rows } = await knex.raw(`
    with enrolled as (
      select learning_context_key as key, username, is_active from enrollments where not is_deleted
    )
    select line from (
      select format('course %s %s %s', course_key, display_name,
        (select string_agg(format('%s=%s', type, trim_scale(weight)), ',' order by position)
         from unnest(assignment_types, weights) with ordinality as policy (type, weight, position))) as line
      from courses where not is_deleted
      union all
      select format('path %s %s %s %s', path_key, display_name, invite_only::boolean::text,
        array_to_string(step_course_keys, ',')) from learning_paths where not is_deleted
      union all
      select format('enrolment %s %s %s', key, username, is_active::text) from enrolled
      where is_active or key like 'course-v1:%'
      union all
      select format('learner %s %s %s %s', username, email, full_name, is_active::text) from learners
      where not is_deleted and exists (
        select from enrolled
        where enrolled.username = learners.username and (enrolled.is_active or key like 'course-v1:%')
      )
      union all
      select format('grade %s %s %s %s %s/%s', course_key, grade.username, usage_key, assignment_type,
        trim_scale(earned), trim_scale(possible))
      from subsection_grades grade
      join enrolled on key = course_key and enrolled.username = grade.username and enrolled.is_active
      where not is_deleted
      union all
      select format('total %s %s %s %s', course_key, grade.username, trim_scale(percent), coalesce(passed::text, 'unsaid') || letter)
      from course_grades grade
      join enrolled on key = course_key and enrolled.username = grade.username and enrolled.is_active
      where not is_deleted
      union all
      select format('completion %s %s %s', course_key, done.username, trim_scale(percent))
      from completions done
      join enrolled on key = course_key and enrolled.username = done.username and enrolled.is_active
      where not is_deleted
    ) as it`);
  return rows.map(({ line }: { line: string }) => line).sort();
}

/** Returns a mark for every row of the learner tables. The mark changes whenever the row is written. */
export async function written(knex: Knex): Promise<string[]> {
  const tables =
    "learners courses learning_paths enrollments subsection_grades completions course_grades".split(" ");
  const all = tables.map(
    (table) => `select '${table} ' || ctid::text || ' ' || xmin::text as row from ${table}`,
  );
  const { rows } = await knex.raw(all.join(" union all "));
  return rows.map(({ row }: { row: string }) => row).sort();
}

/** Returns the known grades as `username type earned/possible`. */
export async function grades(knex: Knex): Promise<string[]> {
  const rows = await knex("subsection_grades").where({ is_deleted: false });
  return rows.map((row) => `${row.username} ${row.assignment_type} ${+row.earned}/${+row.possible}`).sort();
}

/** Returns by username whether learners are actively enrolled. */
export async function enrolled(knex: Knex): Promise<Record<string, boolean>> {
  const rows = await knex("enrollments").where({ is_deleted: false });
  return Object.fromEntries(rows.map(({ username, is_active }) => [username, is_active]));
}

/** Expects that neither a dry run nor a sweep finds anything to write. */
export async function expectNothingNew(bench: Bench): Promise<void> {
  const before = await written(bench.database.knex);
  for (const dryRun of [true, false]) expect((await bench.sweep({ dryRun })).state).toBe("complete");
  expect(await written(bench.database.knex)).toEqual(before);
}
