/**
 * Data of connectors besides the records: the progress of sweeps, reported data, and which account belongs to which
 * learner. A connector withdraws only data that it has reported itself.
 */
export const connectors = `
  create table connector_sweeps (
    id bigint generated always as identity primary key,
    connector text not null,
    state text not null check (state in ('running', 'complete', 'partial', 'held', 'failed')),
    -- Why it was started, and why it ended so; neither names a person.
    cause text not null,
    reason text not null default '',
    -- Numbers of records by kind and outcome, and of what was left out by reason.
    tally jsonb not null default '{}' check (jsonb_typeof(tally) = 'object'),
    started_at timestamptz not null default now(),
    finished_at timestamptz check ((finished_at is null) = (state = 'running'))
  );
  create unique index connector_sweeps_running on connector_sweeps (connector) where state = 'running';
  create index connector_sweeps_by_connector on connector_sweeps (connector, id);

  create table connector_stages (
    sweep_id bigint not null references connector_sweeps on delete cascade,
    stage text not null,
    -- The course or path; empty for the whole platform.
    scope text not null,
    state text not null check (state in ('open', 'complete', 'failed')),
    -- Where the next page begins. Null: at the beginning.
    cursor text,
    pages integer not null default 0,
    error text not null default '',
    primary key (sweep_id, stage, scope)
  );

  create table connector_contexts (
    connector text not null,
    context_key text collate "C" not null check (length(context_key) <= 255),
    -- What the platform calls it.
    external_id text not null,
    display_name text not null,
    -- The last sweep that listed it.
    seen_sweep bigint not null,
    -- When the last sweep began that has read all of it.
    complete_at timestamptz,
    -- Nothing is issued from facts that are older.
    fresh_for interval,
    primary key (connector, context_key)
  );
  create index connector_contexts_by_key on connector_contexts (context_key);

  create table connector_people (
    connector text not null,
    external_id text not null,
    username text collate "C" not null check (length(username) between 1 and 255),
    -- The name before the last one.
    previous_username text collate "C" not null default '',
    -- The account that has taken over the name of this one. Nothing is told under that name.
    taken_by text not null default '',
    -- The last sweep that has read the account.
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
    -- Points of those who have not attempted it. Null: not known yet.
    possible numeric check (possible between 0 and 1e9),
    seen_sweep bigint not null,
    primary key (connector, course_key, usage_key)
  );

  create table connector_hints (
    id bigint generated always as identity primary key,
    connector text not null,
    -- One of them may be empty: it is looked up.
    username text collate "C" not null,
    external_id text not null,
    -- Empty: the account alone.
    course_key text collate "C" not null,
    due_at timestamptz not null,
    attempts integer not null default 0,
    -- Whether it is looked at a second time: the first may have come before the platform's commit.
    is_second boolean not null default false,
    check (username <> '' or external_id <> '')
  );
  create unique index connector_hints_once
    on connector_hints (connector, course_key, username, external_id, is_second);
  create index connector_hints_by_time on connector_hints (connector, due_at);

  create table connector_hint_failures (
    connector text not null,
    -- It names no person.
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
    -- What it tells otherwise than the owner: name, address, active, or retired.
    differs text[] not null,
    primary key (connector, username)
  );
  create index connector_clashes_by_learner on connector_clashes (username);

  create table connector_pauses (
    connector text primary key,
    -- How often in a row reading has ended the process, or has failed unexpectedly.
    failures integer not null,
    -- No worker reads the platform until then. Null: one does, or has died while it did.
    until timestamptz,
    reason text not null
  );
`;
