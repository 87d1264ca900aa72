import { type Academy, COURSE } from "../../support/academy.js";

/** Offers the credential in this number of additional courses, each with a schedule that is due. */
export async function offerDue({ service, configurationId }: Academy, count: number): Promise<void> {
  await service.app.database.knex.raw(
    `with offered as (
       insert into credential_configurations (learning_context_key, credential_type_id, custom_options)
       select 'course-v1:Uni+Many' || i || '+1', credential_type_id, '{}'
       from generate_series(1, ?) i, credential_configurations where id = ?
       returning id, learning_context_key
     ), told as (
       insert into courses
       select (jsonb_populate_record(course, jsonb_build_object('course_key', offered.learning_context_key))).*
       from offered, courses course where course.course_key = ?
     )
     insert into credential_schedules
       (configuration_id, is_enabled, interval_days, time_zone, counted_from, next_run_at)
     select id, true, 10, '', now(), now() from offered`,
    [count, configurationId, COURSE],
  );
}

/** Counts the runs of schedules, the schedules that have started a run, and those that are still due or have failed. */
export async function startedRuns({ service }: Academy): Promise<Record<string, number>> {
  const { rows } = await service.app.database.knex.raw(
    `select count(*) as runs, count(distinct configuration_id) as started,
       (select count(*) from credential_schedules where next_run_at < now()) as due,
       (select count(*) from credential_schedules where last_error <> '') as failed
     from issuance_runs join credential_schedules using (configuration_id)`,
  );
  return rows[0];
}
