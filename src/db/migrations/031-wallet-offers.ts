import type { Knex } from "knex";

/** What wallets redeem for a badge (OpenID4VCI). Codes and tokens are here as SHA-256 alone: nobody can use what is read here. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table wallet_offers (
      code_hash bytea primary key check (length(code_hash) = 32),
      credential_uuid uuid not null references credentials (uuid),
      tx_code_hash bytea not null check (length(tx_code_hash) = 32),
      -- How often somebody has tried to redeem the code.
      attempts integer not null default 0,
      expires_at timestamptz not null,
      -- Of the access token that the code was redeemed for, once.
      token_hash bytea unique check (length(token_hash) = 32),
      token_expires_at timestamptz check ((token_hash is null) = (token_expires_at is null)),
      -- A token gives each form once.
      has_given_ldp boolean not null default false,
      has_given_jwt boolean not null default false
    );
    create index wallet_offers_by_expiry on wallet_offers (expires_at);
    create table wallet_nonces_used (
      nonce_hash bytea primary key check (length(nonce_hash) = 32),
      expires_at timestamptz not null
    );
    create index wallet_nonces_used_by_expiry on wallet_nonces_used (expires_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table wallet_nonces_used, wallet_offers");
}
