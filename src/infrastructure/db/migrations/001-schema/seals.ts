export const seals = `
  -- No foreign key: credentials are never deleted, and a check would lock the row of each.
  create table credential_seals (
    credential_uuid uuid primary key,
    -- As the file says.
    sealed_at timestamptz not null check (sealed_at = date_trunc('second', sealed_at)),
    -- Bytes that the file leaves for the seal.
    room integer not null,
    -- What was put there. With it, doctor makes the file again without the key.
    cms bytea not null check (length(cms) <= room),
    -- The name in the certificate.
    sealer text not null check (length(sealer) between 1 and 200),
    -- null: there is no timestamp.
    timestamped_at timestamptz,
    -- When the certificate ends, or that of the timestamp.
    valid_until timestamptz not null
  );
  create index credential_seals_by_validity on credential_seals (valid_until);
`;
