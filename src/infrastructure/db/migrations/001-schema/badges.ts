/** Data that Open Badges need besides the rows of credentials. */
export const badges = `
  -- Secret from which the service derives the positions of badges in status lists, and opaque ids of holders and
  -- achievements. It must never change, because issued badges contain these positions and ids.
  create table badge_secret (
    is_only boolean primary key default true check (is_only),
    secret bytea not null check (length(secret) = 32)
  );

  -- All public keys that were ever published. Keys are never deleted, but can be revoked. DID documents then no
  -- longer contain them.
  create table issuer_keys (
    -- Fragment of the key's DID URL.
    fragment text collate "C" primary key check (length(fragment) between 1 and 100),
    jwk jsonb not null,
    published_at timestamptz not null default now(),
    revoked_at timestamptz,
    revocation_reason text check (length(revocation_reason) between 1 and 500),
    -- Organisation of the issuer, as in the keys of courses and learning paths. Null for keys of the service itself.
    organisation text collate "C" check (length(organisation) between 1 and 100),
    check ((revoked_at is null) = (revocation_reason is null))
  );
`;
