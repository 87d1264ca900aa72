import type { Knex } from "knex";
import { statusSql } from "#foundation/credential-status.js";
import { execute, hasRows, queryRow, queryValue } from "#infrastructure/db/query.js";

/** Format of a badge in a wallet: `ldp_vc` is JSON with an embedded proof, `jwt_vc_json` a JWT. */
export type WalletFormat = "ldp_vc" | "jwt_vc_json";

const { isAvailable } = statusSql("credential");

const givenColumns: Record<WalletFormat, string> = {
  ldp_vc: "has_given_ldp",
  jwt_vc_json: "has_given_jwt",
};

/** Number of wrong transaction codes after which an offer becomes invalid. */
const MAX_ATTEMPTS = 5;

/** Stores an offer, and removes expired ones. */
export async function insertOffer(
  db: Knex,
  offer: {
    readonly codeHash: Buffer;
    readonly credentialUuid: string;
    /** null if no transaction code is needed. */
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
 * Records an attempt to redeem a code.
 * @returns the hash of its transaction code, if it has one; undefined if the code can't be redeemed
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

/**
 * Redeems a code for a token. @returns false if the code has been redeemed meanwhile, or the credential was withdrawn
 */
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

/** @returns the `uuid` of the token's credential; undefined if the token is not valid */
export async function findByToken(db: Knex, tokenHash: Buffer): Promise<string | undefined> {
  const row = await queryRow<{ credentialUuid: string }>(
    db,
    `select credential_uuid as "credentialUuid" from wallet_offers where token_hash = ? and token_expires_at > now()`,
    [tokenHash],
  );
  return row?.credentialUuid;
}

/** Records that a token was used for a format. @returns false if it was used before, or is no longer valid */
export async function setUploaded(db: Knex, tokenHash: Buffer, format: WalletFormat): Promise<boolean> {
  return hasRows(
    db,
    `update wallet_offers set ?? = true where token_hash = ? and token_expires_at > now() and not ?? returning true`,
    [givenColumns[format], tokenHash, givenColumns[format]],
  );
}

/** Records that a nonce was used. @returns false if it was used before */
export async function spendNonce(db: Knex, nonceHash: Buffer, lifetimeS: number): Promise<boolean> {
  return hasRows(
    db,
    `insert into wallet_nonces_used (nonce_hash, expires_at) values (?, now() + make_interval(secs => ?))
     on conflict do nothing returning true`,
    [nonceHash, lifetimeS],
  );
}
