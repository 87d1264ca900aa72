/** Accounts at identity providers, and the sessions of the console. */
export const accounts = `
  -- Usernames and their subjects: the "sub" with which an identity provider's tokens first named each. A
  -- provider may give a former user's name to somebody else, but never the "sub".
  create table account_subjects (
    username text collate "C" not null check (length(username) between 1 and 255),
    issuer text collate "C" not null check (length(issuer) between 1 and 255),
    subject text collate "C" not null check (length(subject) between 1 and 255),
    first_seen_at timestamptz(3) not null default now(),
    primary key (username, issuer)
  );

  -- Sessions and links hold only the SHA-256 of tokens and secrets: reading them lets nobody in.
  create table console_sessions (
    token_hash bytea primary key check (length(token_hash) = 32),
    username text not null,
    -- As the identity provider named the account; null if a link was used.
    issuer text,
    subject text,
    roles text[] not null,
    -- null: not bounded to organisations
    organisations text[],
    created_at timestamptz not null default now(),
    seen_at timestamptz not null default now(),
    expires_at timestamptz not null
  );
  create index console_sessions_by_username on console_sessions (username);
  create index console_sessions_by_expiry on console_sessions (expires_at);

  -- A link that was used is deleted.
  create table console_links (
    secret_hash bytea primary key check (length(secret_hash) = 32),
    username text not null,
    roles text[] not null,
    organisations text[],
    expires_at timestamptz not null
  );
  create index console_links_by_username on console_links (username);
`;
