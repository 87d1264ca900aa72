import type { Knex } from "knex";

/** The platform's results for a course besides its total: whether it is passed, if known, and a letter grade. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table courses
      add column letter_grades text[] not null default '{}'
        check (array_position(letter_grades, null) is null);
    alter table course_grades
      alter column percent drop not null,
      alter column passed drop not null,
      add column letter text not null default '' check (length(letter) <= 64);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table courses drop column letter_grades;
    update course_grades set percent = coalesce(percent, 0), passed = coalesce(passed, false)
    where percent is null or passed is null;
    alter table course_grades
      alter column percent set not null,
      alter column passed set not null,
      drop column letter;
  `);
}
