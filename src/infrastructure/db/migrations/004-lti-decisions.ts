import type { Knex } from "knex";

/**
 * When staff change their decision about a platform, the access that its launches have granted must end. Decisions are
 * therefore numbered, and sessions and sign-in links record which deployment launched them. Also records whose name a
 * launch has reported, and who teaches a course.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table lti_registrations add column decision integer not null default 1;

    -- Deletes the existing sessions and sign-in links from LTI launches, because they don't record which deployment
    -- launched them.
    delete from console_links where username like 'lti:%';
    delete from console_sessions where username like 'lti:%';
    alter table console_links
      add column lti_registration_id integer,
      add column lti_deployment_id text collate "C",
      add foreign key (lti_registration_id, lti_deployment_id) references lti_deployments on delete cascade;
    alter table console_sessions
      add column lti_registration_id integer,
      add column lti_deployment_id text collate "C",
      add foreign key (lti_registration_id, lti_deployment_id) references lti_deployments on delete cascade;
    create index console_links_by_lti_place on console_links (lti_registration_id, lti_deployment_id)
      where lti_registration_id is not null;
    create index console_sessions_by_lti_place on console_sessions (lti_registration_id, lti_deployment_id)
      where lti_registration_id is not null;

    -- Whether a launch has reported the person's name. Names in lists of members then no longer replace it.
    alter table lti_people add column is_named boolean not null default false;

    -- People whose last launch in the course was as a teacher. Lists of members don't enrol them as learners.
    create table lti_teachers (
      registration_id integer not null,
      deployment_id text collate "C" not null,
      context_id text collate "C" not null,
      username text collate "C" not null check (length(username) between 1 and 255),
      primary key (registration_id, deployment_id, context_id, username),
      foreign key (registration_id, deployment_id, context_id) references lti_contexts on delete cascade
    );
    create index lti_teachers_by_name on lti_teachers (username);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table lti_teachers;
    alter table lti_people drop column is_named;
    alter table console_sessions drop column lti_registration_id, drop column lti_deployment_id;
    alter table console_links drop column lti_registration_id, drop column lti_deployment_id;
    alter table lti_registrations drop column decision;
  `);
}
