/** Accounts at identity providers, and the sessions of the console. */
export const accounts = `
  -- The first subject ("sub" in a token) that used a username, for each identity provider. A provider may reassign
  -- the username of a former user, but not the subject.
  create table account_subjects (
    username text collate "C" not null check (length(username) between 1 and 255),
    issuer text collate "C" not null check (length(issuer) between 1 and 255),
    subject text collate "C" not null check (length(subject) between 1 and 255),
    first_seen_at timestamptz(3) not null default now(),
    primary key (username, issuer)
  );

  -- Only the SHA-256 of session tokens and link secrets is stored, so nobody can sign in with data from these tables.
  create table console_sessions (
    token_hash bytea primary key check (length(token_hash) = 32),
    username text not null,
    -- The account at the identity provider; null if the session was started by a sign-in link.
    issuer text,
    subject text,
    roles text[] not null,
    -- Null if the session is not restricted to organisations.
    organisations text[],
    created_at timestamptz not null default now(),
    seen_at timestamptz not null default now(),
    expires_at timestamptz not null
  );
  create index console_sessions_by_username on console_sessions (username);
  create index console_sessions_by_expiry on console_sessions (expires_at);

  -- Sign-in links. A link is deleted when it is used.
  create table console_links (
    secret_hash bytea primary key check (length(secret_hash) = 32),
    username text not null,
    roles text[] not null,
    organisations text[],
    expires_at timestamptz not null
  );
  create index console_links_by_username on console_links (username);
`;
