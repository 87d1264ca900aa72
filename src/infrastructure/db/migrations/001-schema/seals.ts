export const seals = `
  -- There is no foreign key, because credentials are never deleted, and the check would lock each credential's row.
  create table credential_seals (
    credential_uuid uuid primary key,
    -- Time of sealing, as stated in the file.
    sealed_at timestamptz not null check (sealed_at = date_trunc('second', sealed_at)),
    -- Size of the space that the file reserves for the seal, in bytes.
    room integer not null,
    -- The seal itself. With it, the doctor command can generate the file again without the key.
    cms bytea not null check (length(cms) <= room),
    -- Name of the signer in the seal's certificate.
    sealer text not null check (length(sealer) between 1 and 200),
    -- Null if the seal has no timestamp.
    timestamped_at timestamptz,
    -- When the certificate of the timestamp expires or, without a timestamp, the certificate of the seal.
    valid_until timestamptz not null
  );
  create index credential_seals_by_validity on credential_seals (valid_until);
`;
