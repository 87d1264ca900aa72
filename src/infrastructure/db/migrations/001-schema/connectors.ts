/**
 * Data of connectors besides the records: the progress of sweeps, reported data, and which account belongs to which
 * learner. A connector withdraws only data that it has reported itself.
 */
export const connectors = `
  create table connector_sweeps (
    id bigint generated always as identity primary key,
    connector text not null,
    state text not null check (state in ('running', 'complete', 'partial', 'held', 'failed')),
    -- Why the sweep was started, and why it ended in its state. Neither text names a person.
    cause text not null,
    reason text not null default '',
    -- Counts by name: of records by kind and outcome (for example "enrollment.written"), and of omitted objects by
    -- reason.
    tally jsonb not null default '{}' check (jsonb_typeof(tally) = 'object'),
    started_at timestamptz not null default now(),
    finished_at timestamptz check ((finished_at is null) = (state = 'running'))
  );
  create unique index connector_sweeps_running on connector_sweeps (connector) where state = 'running';
  create index connector_sweeps_by_connector on connector_sweeps (connector, id);

  create table connector_stages (
    sweep_id bigint not null references connector_sweeps on delete cascade,
    stage text not null,
    -- Key of the course or learning path; empty if the stage reads the whole platform.
    scope text not null,
    state text not null check (state in ('open', 'complete', 'failed')),
    -- Where the next page begins. Null before the first page and after the last one.
    cursor text,
    pages integer not null default 0,
    error text not null default '',
    primary key (sweep_id, stage, scope)
  );

  create table connector_contexts (
    connector text not null,
    context_key text collate "C" not null check (length(context_key) <= 255),
    -- The platform's id of the course or learning path.
    external_id text not null,
    display_name text not null,
    -- Id of the last sweep in which the platform listed the course or learning path.
    seen_sweep bigint not null,
    -- Start of the last sweep that read everything about the course or path, or the time at which the connector
    -- released it to other sources. Null if it was never read completely, is no longer listed, or is excluded by the
    -- settings. While it is null, no credentials are issued there.
    complete_at timestamptz,
    -- Time after complete_at during which credentials are issued; null for no limit.
    fresh_for interval,
    primary key (connector, context_key)
  );
  create index connector_contexts_by_key on connector_contexts (context_key);

  create table connector_people (
    connector text not null,
    external_id text not null,
    username text collate "C" not null check (length(username) between 1 and 255),
    -- Username before the last renaming; empty if the account was never renamed.
    previous_username text collate "C" not null default '',
    -- Id of the account that now uses the username of this account; empty if none does. The connector writes no
    -- records for such a username.
    taken_by text not null default '',
    -- Id of the last sweep that read the account.
    seen_sweep bigint not null default 0,
    primary key (connector, external_id),
    unique (connector, username)
  );

  create table connector_enrollments (
    connector text not null,
    context_key text collate "C" not null check (length(context_key) <= 255),
    username text collate "C" not null check (length(username) between 1 and 255),
    is_active boolean not null,
    seen_sweep bigint not null,
    primary key (connector, context_key, username)
  );
  create index connector_enrollments_by_learner on connector_enrollments (username);

  create table connector_subsections (
    connector text not null,
    course_key text collate "C" not null check (length(course_key) <= 255),
    usage_key text collate "C" not null check (length(usage_key) between 1 and 255),
    assignment_type text not null,
    -- Possible points, for learners who have not attempted the subsection. Null if not known yet.
    possible numeric check (possible between 0 and 1e9),
    seen_sweep bigint not null,
    primary key (connector, course_key, usage_key)
  );

  create table connector_hints (
    id bigint generated always as identity primary key,
    connector text not null,
    -- The learner's username, and the platform's id of the learner. One of them may be empty and is then looked up.
    username text collate "C" not null,
    external_id text not null,
    -- Course in which the learner's data may have changed; empty if the hint is about the learner's account.
    course_key text collate "C" not null,
    due_at timestamptz not null,
    attempts integer not null default 0,
    -- Each hint is stored twice, because the platform may not have committed its change when the learner is read for
    -- the first time. True in the row for the second reading.
    is_second boolean not null default false,
    check (username <> '' or external_id <> '')
  );
  create unique index connector_hints_once
    on connector_hints (connector, course_key, username, external_id, is_second);
  create index connector_hints_by_time on connector_hints (connector, due_at);

  create table connector_hint_failures (
    connector text not null,
    -- The error. It names no person.
    reason text not null check (length(reason) <= 300),
    failed integer not null,
    given_up integer not null,
    last_at timestamptz not null default now(),
    primary key (connector, reason)
  );

  create table connector_streams (
    connector text not null,
    stream text not null,
    last_id text not null,
    primary key (connector, stream)
  );

  create table connector_clashes (
    connector text not null,
    username text collate "C" not null check (length(username) between 1 and 255),
    -- Fields for which the connector reports a different value from the learner's record, which another source owns:
    -- name, address, active. Contains "retired" if the platform has retired the learner.
    differs text[] not null,
    primary key (connector, username)
  );
  create index connector_clashes_by_learner on connector_clashes (username);

  create table connector_pauses (
    connector text primary key,
    -- Number of consecutive readings that crashed the process or failed unexpectedly. Includes a reading in progress.
    failures integer not null,
    -- No worker reads the platform until this time. Null if a worker is reading the platform, or has crashed while
    -- reading it.
    until timestamptz,
    reason text not null
  );
`;
