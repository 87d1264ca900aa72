import type { Knex } from "knex";
import { statusSql } from "#foundation/credential-status.js";
import { execute, hasRows, queryRow, queryValue } from "#infrastructure/db/query.js";

/** How a badge is handed to a wallet: `ldp_vc` is the JSON with a proof in it, `jwt_vc_json` the JWT. */
export type WalletFormat = "ldp_vc" | "jwt_vc_json";

const { isAvailable } = statusSql("credential");

const givenColumns: Record<WalletFormat, string> = {
  ldp_vc: "has_given_ldp",
  jwt_vc_json: "has_given_jwt",
};

/** Wrong transaction codes that an offer outlives are fewer. */
const MAX_ATTEMPTS = 5;

/** Keeps an offer, and removes those that nobody can use any more. */
export async function insertOffer(
  db: Knex,
  offer: {
    readonly codeHash: Buffer;
    readonly credentialUuid: string;
    /** null: it is redeemed without a transaction code. */
    readonly txCodeHash: Buffer | null;
    readonly lifetimeS: number;
  },
): Promise<Date> {
  await execute(db, "delete from wallet_offers where expires_at < now() - interval '1 hour'");
  await execute(db, "delete from wallet_nonces_used where expires_at < now()");
  return queryValue<Date>(
    db,
    `insert into wallet_offers (code_hash, credential_uuid, tx_code_hash, expires_at)
     values (?, ?, ?, now() + make_interval(secs => ?)) returning expires_at as "expiresAt"`,
    [offer.codeHash, offer.credentialUuid, offer.txCodeHash, offer.lifetimeS],
  );
}

/**
 * Counts an attempt to redeem a code.
 * @returns the hash of the transaction code that goes with it, if any does; undefined when the code can't be
 * redeemed
 */
export async function countAttempt(
  db: Knex,
  codeHash: Buffer,
): Promise<{ readonly txCodeHash: Buffer | null } | undefined> {
  return queryRow<{ txCodeHash: Buffer | null }>(
    db,
    `update wallet_offers set attempts = attempts + 1
     where code_hash = ? and token_hash is null and expires_at > now() and attempts < ?
     returning tx_code_hash as "txCodeHash"`,
    [codeHash, MAX_ATTEMPTS],
  );
}

/** Redeems a code for a token. @returns false if someone else was quicker, or the credential was withdrawn since */
export async function setToken(
  db: Knex,
  codeHash: Buffer,
  token: { readonly hash: Buffer; readonly lifetimeS: number },
): Promise<boolean> {
  return hasRows(
    db,
    `update wallet_offers set token_hash = ?, token_expires_at = now() + make_interval(secs => ?)
     where code_hash = ? and token_hash is null
       and exists (select from credentials credential where credential.uuid = credential_uuid and ${isAvailable})
     returning true`,
    [token.hash, token.lifetimeS, codeHash],
  );
}

/** @returns the `uuid` of the credential that the token is for; undefined when the token counts for nothing */
export async function findByToken(db: Knex, tokenHash: Buffer): Promise<string | undefined> {
  const row = await queryRow<{ credentialUuid: string }>(
    db,
    `select credential_uuid as "credentialUuid" from wallet_offers where token_hash = ? and token_expires_at > now()`,
    [tokenHash],
  );
  return row?.credentialUuid;
}

/** Notes that a token has given a form. @returns false when it had already, or counts for nothing any more */
export async function setUploaded(db: Knex, tokenHash: Buffer, format: WalletFormat): Promise<boolean> {
  return hasRows(
    db,
    `update wallet_offers set ?? = true where token_hash = ? and token_expires_at > now() and not ?? returning true`,
    [givenColumns[format], tokenHash, givenColumns[format]],
  );
}

/** Notes that a nonce was used. @returns false when it was already */
export async function spendNonce(db: Knex, nonceHash: Buffer, lifetimeS: number): Promise<boolean> {
  return hasRows(
    db,
    `insert into wallet_nonces_used (nonce_hash, expires_at) values (?, now() + make_interval(secs => ?))
     on conflict do nothing returning true`,
    [nonceHash, lifetimeS],
  );
}
