/**
 * Offers that wallets redeem for a badge (OpenID4VCI). Only the SHA-256 of codes and tokens is stored, so that nobody
 * who reads the table can redeem them.
 */
export const wallets = `
  create table wallet_offers (
    code_hash bytea primary key check (length(code_hash) = 32),
    credential_uuid uuid not null references credentials (uuid),
    -- Null if the offer needs no transaction code, because the caller has already proven that they know a secret.
    tx_code_hash bytea check (length(tx_code_hash) = 32),
    -- Number of attempts to redeem the code.
    attempts integer not null default 0,
    expires_at timestamptz not null,
    -- Hash of the access token issued for the code; null until the code is redeemed. A code can be redeemed once.
    token_hash bytea unique check (length(token_hash) = 32),
    token_expires_at timestamptz check ((token_hash is null) = (token_expires_at is null)),
    -- Whether the badge was issued in each of the two formats. A token gives one badge per format.
    has_given_ldp boolean not null default false,
    has_given_jwt boolean not null default false
  );
  create index wallet_offers_by_expiry on wallet_offers (expires_at);

  create table wallet_nonces_used (
    nonce_hash bytea primary key check (length(nonce_hash) = 32),
    expires_at timestamptz not null
  );
  create index wallet_nonces_used_by_expiry on wallet_nonces_used (expires_at);
`;
