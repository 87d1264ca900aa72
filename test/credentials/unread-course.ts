import type { Knex } from "knex";

/**
 * Records that a connector and an LTI platform could not read a course, and that the LTI platform could not read a
 * second course either.
 */
export async function makeUnread(knex: Knex, courseKey: string): Promise<void> {
  await knex.raw(
    `with sweep as (
       insert into connector_sweeps (connector, state, cause, finished_at) values ('sis', 'partial', 'test', now()) returning id
     )
     insert into connector_stages (sweep_id, stage, scope, state, error)
     select id, 'results', ?, 'failed', 'results: 403.' from sweep`,
    [courseKey],
  );
  await knex.raw(
    `with platform as (
       insert into lti_registrations (issuer, client_id, name, authorization_url, token_url, jwks_url, created_by)
       values ('https://lms.test', 'c', '', '', '', '', 'test') returning id
     ), place as (
       insert into lti_deployments (registration_id, deployment_id, state, frame_origins)
       select id, '5', 'accepted', '{}' from platform returning registration_id
     )
     insert into lti_contexts (registration_id, deployment_id, context_id, context_key, title, roster_problem)
     select registration_id, '5', key, key, 'One', 'The list: 403.'
     from place, unnest(array[?::text, 'course-v1:Uni+Other+1']) as key`,
    [courseKey],
  );
}
