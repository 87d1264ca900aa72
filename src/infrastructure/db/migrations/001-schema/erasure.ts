/**
 * Erased learners, so that older records don't bring them back. Each is recorded as a hash of the username, under a key
 * of this database. A copy of this table alone does not reveal usernames. With the whole database, anyone can test
 * whether a name that they know was erased.
 */
export const erasure = `
  create table erasure_key (
    is_only boolean primary key default true check (is_only),
    key bytea not null check (length(key) = 32)
  );

  create table erased_learners (
    -- SHA-256 of the key, followed by the username.
    username_hash bytea primary key check (length(username_hash) = 32),
    erased_at timestamptz not null
  );
`;
