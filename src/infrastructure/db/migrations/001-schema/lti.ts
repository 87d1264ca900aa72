/** Platforms that launch this service by LTI 1.3, with their deployments, courses and people. */
export const lti = `
  -- Platforms sign launches with keys of their own; requests to them are signed with these.
  create table lti_keys (
    kid text primary key,
    public_jwk jsonb not null check (jsonb_typeof(public_jwk) = 'object'),
    -- The private key, encrypted with LTI_SECRET.
    sealed_key bytea not null,
    created_at timestamptz not null default now()
  );

  -- Only the SHA-256 of the secret in a link for administrators of platforms. One that was used is deleted.
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
    -- For the operator's own records.
    name text not null check (length(name) <= 255),
    authorization_url text not null check (length(authorization_url) <= 2000),
    token_url text not null check (length(token_url) <= 2000),
    -- The "aud" of requests for tokens; empty: the token URL
    token_audience text not null default '' check (length(token_audience) <= 2000),
    jwks_url text not null check (length(jwks_url) <= 2000),
    -- Courses of the platform belong to the first; keys of others are taken as they are.
    organisations text[] not null default '{}',
    -- The role of teachers in the console; empty: none
    teacher_role text not null default '' check (teacher_role in ('', 'viewer', 'registrar', 'designer')),
    -- The connector that reads the same platform; empty: none
    connector text not null default '',
    -- What its lists of members count for: those who are listed are enrolled, and in 'whole' ones absent learners are
    -- withdrawn. Empty: they are not read.
    rosters text not null default '' check (rosters in ('', 'listed', 'whole')),
    -- Whether who has a credential is told in the grade book.
    has_columns boolean not null default false,
    created_by text not null,
    created_at timestamptz not null default now(),
    unique (issuer, client_id)
  );

  create table lti_deployments (
    registration_id integer not null references lti_registrations on delete cascade,
    deployment_id text collate "C" not null check (length(deployment_id) between 1 and 255),
    state text not null check (state in ('pending', 'accepted', 'refused')),
    -- Origins whose pages may hold ours in a frame.
    frame_origins text[] not null,
    first_seen_at timestamptz not null default now(),
    primary key (registration_id, deployment_id)
  );

  -- Courses from which somebody was launched.
  create table lti_contexts (
    registration_id integer not null,
    deployment_id text collate "C" not null,
    context_id text collate "C" not null check (length(context_id) between 1 and 255),
    context_key text collate "C" not null check (length(context_key) <= 255),
    title text not null check (length(title) <= 255),
    last_launch_at timestamptz not null default now(),
    -- Where the platform lists the members; empty: it does not
    memberships_url text not null default '' check (length(memberships_url) <= 2000),
    -- When the list is read next.
    roster_due_at timestamptz,
    roster_tried_at timestamptz,
    -- When it was last read to its end, and how many learners it had.
    roster_read_at timestamptz,
    roster_learners integer,
    -- Readings in a row that have failed, or are under way.
    roster_failures integer not null default 0,
    -- What is wrong with it; it names nobody.
    roster_problem text not null default '' check (length(roster_problem) <= 500),
    -- Where columns of the grade book are made; empty: the platform does not permit it
    line_items_url text not null default '' check (length(line_items_url) <= 2000),
    primary key (registration_id, deployment_id, context_id),
    foreign key (registration_id, deployment_id) references lti_deployments on delete cascade
  );
  create index lti_contexts_by_key on lti_contexts (context_key);
  create index lti_contexts_by_roster on lti_contexts (roster_due_at) where memberships_url <> '';

  -- Accounts of the platforms, and the learners that they are here.
  create table lti_people (
    registration_id integer not null references lti_registrations on delete cascade,
    subject text collate "C" not null check (length(subject) between 1 and 255),
    username text collate "C" not null check (length(username) between 1 and 255),
    primary key (registration_id, subject)
  );
  create index lti_people_by_learner on lti_people (username);

  -- Columns of grade books, one for each credential of a course, by their addresses there.
  create table lti_columns (
    registration_id integer not null,
    deployment_id text collate "C" not null,
    context_id text collate "C" not null,
    configuration_id integer not null references credential_configurations on delete cascade,
    line_item_url text not null check (length(line_item_url) between 1 and 2000),
    primary key (registration_id, deployment_id, context_id, configuration_id),
    foreign key (registration_id, deployment_id, context_id) references lti_contexts on delete cascade
  );

  -- What grade books say of people, and when it is looked at again. An erasure removes the person, and this with them.
  create table lti_scores (
    registration_id integer not null,
    deployment_id text collate "C" not null,
    context_id text collate "C" not null,
    configuration_id integer not null references credential_configurations on delete cascade,
    subject text collate "C" not null check (length(subject) between 1 and 255),
    -- 1: the credential is available, 0: no longer. Null: nothing was written.
    written smallint check (written in (0, 1)),
    -- Null: until something happens to the credential.
    due_at timestamptz,
    failures integer not null default 0,
    -- Why it could not be written; it names nobody.
    problem text not null default '' check (length(problem) <= 500),
    primary key (registration_id, deployment_id, context_id, configuration_id, subject),
    foreign key (registration_id, deployment_id, context_id) references lti_contexts on delete cascade,
    foreign key (registration_id, subject) references lti_people on delete cascade
  );
  create index lti_scores_by_time on lti_scores (due_at);
  create index lti_scores_by_person on lti_scores (registration_id, subject);

  -- How far events have been followed for grade books.
  create table lti_score_cursor (
    is_only boolean primary key default true check (is_only),
    position bigint not null
  );
  insert into lti_score_cursor (position) values (0);

  -- Launches that were taken, until their time is over.
  create table lti_nonces_used (
    nonce_hash bytea primary key check (length(nonce_hash) = 32),
    expires_at timestamptz not null
  );
  create index lti_nonces_used_by_expiry on lti_nonces_used (expires_at);
`;
