/** Data that Open Badges need besides the rows of credentials. */
export const badges = `
  -- Secret from which positions in status lists are derived, and opaque ids of holders and achievements. It
  -- must never change: bits of issued badges would move.
  create table badge_secret (
    is_only boolean primary key default true check (is_only),
    secret bytea not null check (length(secret) = 32)
  );

  -- Every public key that has ever signed; all of them stay published.
  create table issuer_keys (
    -- The fragment of its DID URL.
    fragment text collate "C" primary key check (length(fragment) between 1 and 100),
    jwk jsonb not null,
    published_at timestamptz not null default now(),
    revoked_at timestamptz,
    revocation_reason text check (length(revocation_reason) between 1 and 500),
    -- The org of context keys. null: the key is the service's own.
    organisation text collate "C" check (length(organisation) between 1 and 100),
    check ((revoked_at is null) = (revocation_reason is null))
  );
`;
