/** Platforms that launch this service by LTI 1.3, with their deployments, courses and people. */
export const lti = `
  -- Keys with which the service signs its requests to platforms. Platforms sign launches with their own keys.
  create table lti_keys (
    kid text primary key,
    public_jwk jsonb not null check (jsonb_typeof(public_jwk) = 'object'),
    -- The private key, encrypted with the secret of LTI.
    sealed_key bytea not null,
    created_at timestamptz not null default now()
  );

  -- Links with which administrators of platforms register their platform. Only the SHA-256 of a link's secret is
  -- stored. A link is deleted when it is used.
  create table lti_invitations (
    secret_hash bytea primary key check (length(secret_hash) = 32),
    created_by text not null,
    expires_at timestamptz not null
  );

  create table lti_registrations (
    id integer generated always as identity primary key,
    issuer text collate "C" not null check (length(issuer) between 1 and 2000),
    client_id text collate "C" not null check (length(client_id) between 1 and 255),
    state text not null default 'pending' check (state in ('pending', 'accepted', 'refused')),
    -- Name of the platform in this service.
    name text not null check (length(name) <= 255),
    authorization_url text not null check (length(authorization_url) <= 2000),
    token_url text not null check (length(token_url) <= 2000),
    -- The "aud" of token requests; empty for the token URL.
    token_audience text not null default '' check (length(token_audience) <= 2000),
    jwks_url text not null check (length(jwks_url) <= 2000),
    -- Organisations whose course keys the platform may use. If the platform's id of a course is a course key, the key
    -- must belong to one of them. Other courses get a key in the first organisation.
    organisations text[] not null default '{}',
    -- Role of the platform's teachers in the console; empty if they have none.
    teacher_role text not null default '' check (teacher_role in ('', 'viewer', 'registrar', 'designer')),
    -- Connector that reads the same platform; empty if there is none.
    connector text not null default '',
    -- How lists of members are used. With 'listed', listed members are enrolled; with 'whole', learners who are not
    -- listed are also withdrawn. If empty, the lists are not read.
    rosters text not null default '' check (rosters in ('', 'listed', 'whole')),
    -- Whether the platform's grade book shows which learners have a credential.
    has_columns boolean not null default false,
    created_by text not null,
    created_at timestamptz not null default now(),
    unique (issuer, client_id)
  );

  create table lti_deployments (
    registration_id integer not null references lti_registrations on delete cascade,
    deployment_id text collate "C" not null check (length(deployment_id) between 1 and 255),
    state text not null check (state in ('pending', 'accepted', 'refused')),
    -- Origins of pages that may embed ours in a frame.
    frame_origins text[] not null,
    first_seen_at timestamptz not null default now(),
    primary key (registration_id, deployment_id)
  );

  -- Courses from which someone has launched this service.
  create table lti_contexts (
    registration_id integer not null,
    deployment_id text collate "C" not null,
    context_id text collate "C" not null check (length(context_id) between 1 and 255),
    context_key text collate "C" not null check (length(context_key) <= 255),
    title text not null check (length(title) <= 255),
    last_launch_at timestamptz not null default now(),
    -- URL of the platform's list of members; empty if there is none.
    memberships_url text not null default '' check (length(memberships_url) <= 2000),
    -- When the list of members is due to be read again.
    roster_due_at timestamptz,
    roster_tried_at timestamptz,
    -- When the list was last read to its end, and the number of learners that it contained. Null if it was never read
    -- to its end.
    roster_read_at timestamptz,
    roster_learners integer,
    -- Number of consecutive failed readings of the list, including a reading in progress.
    roster_failures integer not null default 0,
    -- Why the list is incomplete or can't be read; empty if there is no problem. Names no person.
    roster_problem text not null default '' check (length(roster_problem) <= 500),
    -- URL for creating columns in the grade book; empty if the platform does not permit it.
    line_items_url text not null default '' check (length(line_items_url) <= 2000),
    primary key (registration_id, deployment_id, context_id),
    foreign key (registration_id, deployment_id) references lti_deployments on delete cascade
  );
  create index lti_contexts_by_key on lti_contexts (context_key);
  create index lti_contexts_by_roster on lti_contexts (roster_due_at) where memberships_url <> '';

  -- Accounts at the platforms, and the usernames of their learners in this service.
  create table lti_people (
    registration_id integer not null references lti_registrations on delete cascade,
    subject text collate "C" not null check (length(subject) between 1 and 255),
    username text collate "C" not null check (length(username) between 1 and 255),
    primary key (registration_id, subject)
  );
  create index lti_people_by_learner on lti_people (username);

  -- Columns of grade books, one for each course and credential configuration, with their URLs at the platform.
  create table lti_columns (
    registration_id integer not null,
    deployment_id text collate "C" not null,
    context_id text collate "C" not null,
    configuration_id integer not null references credential_configurations on delete cascade,
    line_item_url text not null check (length(line_item_url) between 1 and 2000),
    primary key (registration_id, deployment_id, context_id, configuration_id),
    foreign key (registration_id, deployment_id, context_id) references lti_contexts on delete cascade
  );

  -- Scores in grade books, and when they are due to be written. Erasing a learner deletes their accounts, and thereby
  -- also their scores.
  create table lti_scores (
    registration_id integer not null,
    deployment_id text collate "C" not null,
    context_id text collate "C" not null,
    configuration_id integer not null references credential_configurations on delete cascade,
    subject text collate "C" not null check (length(subject) between 1 and 255),
    -- The score that was last written: 1 if the credential was available, 0 if it no longer was. Null if there is no
    -- score in the grade book.
    written smallint check (written in (0, 1)),
    -- When to write the score next. Null if it is not due until the credential changes.
    due_at timestamptz,
    failures integer not null default 0,
    -- Why the score could not be written; empty if there was no problem. Names no person.
    problem text not null default '' check (length(problem) <= 500),
    primary key (registration_id, deployment_id, context_id, configuration_id, subject),
    foreign key (registration_id, deployment_id, context_id) references lti_contexts on delete cascade,
    foreign key (registration_id, subject) references lti_people on delete cascade
  );
  create index lti_scores_by_time on lti_scores (due_at);
  create index lti_scores_by_person on lti_scores (registration_id, subject);

  -- Position of the last credential event that was checked for changes of scores.
  create table lti_score_cursor (
    is_only boolean primary key default true check (is_only),
    position bigint not null
  );
  insert into lti_score_cursor (position) values (0);

  -- Hashed nonces of accepted launches, so that no launch is accepted twice. They are kept until the launch would
  -- have expired.
  create table lti_nonces_used (
    nonce_hash bytea primary key check (length(nonce_hash) = 32),
    expires_at timestamptz not null
  );
  create index lti_nonces_used_by_expiry on lti_nonces_used (expires_at);
`;
