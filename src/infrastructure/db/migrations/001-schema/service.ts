export const service = `
  -- The version of the service that created the database's functions, and the hash of the functions' text.
  create table database_functions (
    is_only boolean primary key default true check (is_only),
    version text not null,
    sha256 bytea not null check (length(sha256) = 32)
  );
`;
