import type { Knex } from "knex";

/**
 * Creates the table of the platform's own course totals: the seventh kind of records. Its columns follow the
 * rules of 001-learner-records.ts.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table course_grades (
      course_key text collate "C" not null check (length(course_key) <= 255),
      username text collate "C" not null check (length(username) between 1 and 255),
      percent numeric not null check (percent between 0 and 1),
      passed boolean not null,
      observed_at timestamptz not null,
      is_deleted boolean not null,
      primary key (course_key, username)
    );
    create index course_grades_by_learner on course_grades (username);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table course_grades");
}
