export const service = `
  -- The version of the service whose functions are in the database, and the hash of their text.
  create table database_functions (
    is_only boolean primary key default true check (is_only),
    version text not null,
    sha256 bytea not null check (length(sha256) = 32)
  );
`;
