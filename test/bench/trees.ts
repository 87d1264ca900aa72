import type pg from "pg";
import { copy } from "./baselines/copy.js";
import { COURSE_KEY, tablesOf } from "./big-course.js";
import { configure, GENERATE_PDF, issue } from "./credentials.js";
import type { Stage } from "./stage.js";

/** A requirement that consists of nine parts of all kinds. About four in ten learners meet it. */
const treeOf = (held: number) => ({
  all: [
    { grade: { Exam: 0.65, Total: 0.7 } },
    {
      at_least: 2,
      of: [
        { grade: { Homework: 0.5 } },
        { completion: 0.8 },
        { passed: true },
        { letter: "B" },
        { holds: { configuration_id: held } },
      ],
    },
    { any: [{ passed: true, runs: ["course-v1:Bench+Big+2025", COURSE_KEY] }, { grade: { Total: 0.6 } }] },
  ],
});

export function learnersIn({ isShort }: Pick<Stage, "isShort">): number {
  return isShort ? 10_000 : 100_000;
}

/**
 * Fills the big course with results of all kinds, and with a credential that trees require.
 * @returns the configuration of that credential
 */
export async function fillForTrees(
  stage: Pick<Stage, "sql" | "isShort">,
  learners = learnersIn(stage),
): Promise<number> {
  const { sql } = stage;
  await copy(sql, tablesOf(learners));
  await sql.query("update courses set letter_grades = '{A,B,C}'");
  await sql.query(
    `insert into course_grades (username, course_key, percent, passed, letter, observed_at, is_deleted)
     select username, learning_context_key, 0.7, hashtext(username) % 4 <> 0, (array['A', 'B', 'C'])[abs(hashtext(username)) % 3 + 1],
       observed_at, false from enrollments`,
  );
  await sql.query(
    `insert into completions (username, course_key, percent, observed_at, is_deleted)
     select username, learning_context_key, (abs(hashtext(username)) % 100) / 100.0, observed_at, false from enrollments`,
  );
  const held = await configure(sql, "course-v1:Bench+Other+2026", { Total: 0.5 });
  await issue(sql, held, learners);
  await sql.query("vacuum analyze");
  return held;
}

/**
 * Configures a credential in the big course with a tree of requirements.
 * @returns the id of the configuration
 */
export async function configureTree(sql: pg.Client, held: number): Promise<number> {
  const { rows } = await sql.query<{ id: number }>(
    `with type as (
       insert into credential_types (name, retrieval_func, generation_func, custom_options)
       values (gen_random_uuid(), 'learning_credentials.processors.retrieve_requirements', $2,
         jsonb_build_object('requirements', $3::jsonb))
       returning id
     ), configuration as (
       insert into credential_configurations (learning_context_key, credential_type_id, custom_options)
       select $1, id, '{}' from type returning id
     ), links as (
       insert into requirement_links (configuration_id, context_key, held_configuration_id)
       select id, key, held from configuration, (values ($4::text, null::integer), ($1, null), (null, $5::integer)) as named (key, held)
     )
     select id from configuration`,
    [COURSE_KEY, GENERATE_PDF, JSON.stringify(treeOf(held)), "course-v1:Bench+Big+2025", held],
  );
  return (rows[0] as { id: number }).id;
}

/** Fills the big course with two configurations with trees of requirements. */
export async function fillTreeCourse(stage: Stage): Promise<void> {
  const held = await fillForTrees(stage);
  await configureTree(stage.sql, held);
  await configureTree(stage.sql, held);
  await stage.sql.query("vacuum analyze");
}
