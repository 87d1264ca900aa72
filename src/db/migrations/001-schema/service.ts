/** What the processes of the service tell each other. */
export const service = `
  -- Live worker pools. One that stops renewing seen_at is dead, and its jobs are requeued.
  create table worker_pools (
    pool_id text primary key,
    seen_at timestamptz not null
  );

  -- The version of the service whose functions are in the database, and the hash of their text.
  create table database_functions (
    is_only boolean primary key default true check (is_only),
    version text not null,
    sha256 bytea not null check (length(sha256) = 32)
  );
`;
