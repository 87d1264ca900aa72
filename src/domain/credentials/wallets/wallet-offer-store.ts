import { statusSql } from "#foundation/credential-status.js";
import { execute, hasRows, type Knex, queryRow, queryValue } from "#infrastructure/db/query.js";

/** `ldp_vc` is JSON with an embedded proof, and `jwt_vc_json` is a JWT. */
export type WalletFormat = "ldp_vc" | "jwt_vc_json";

const { isAvailable } = statusSql("credential");

const givenColumns: Record<WalletFormat, string> = {
  ldp_vc: "has_given_ldp",
  jwt_vc_json: "has_given_jwt",
};

/** Number of attempts after which an offer's code can't be redeemed. */
const MAX_ATTEMPTS = 5;

/** Also deletes expired offers. */
export async function insertOffer(
  db: Knex,
  offer: {
    readonly codeHash: Buffer;
    readonly credentialUuid: string;
    /** Null if no transaction code is needed. */
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
 * @returns the hash of the transaction code, or null if the offer needs none; undefined if the code can't be redeemed
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
 * Redeems a code for a token. Returns false if the code was redeemed or the credential was withdrawn in the meantime.
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

/** Returns the `uuid` of the credential, or `undefined` if the token is not valid. */
export async function findByToken(db: Knex, tokenHash: Buffer): Promise<string | undefined> {
  const row = await queryRow<{ credentialUuid: string }>(
    db,
    `select credential_uuid as "credentialUuid" from wallet_offers where token_hash = ? and token_expires_at > now()`,
    [tokenHash],
  );
  return row?.credentialUuid;
}

/** Returns false if the wallet already got the badge in this format, or if the token is no longer valid. */
export async function markIssued(db: Knex, tokenHash: Buffer, format: WalletFormat): Promise<boolean> {
  return hasRows(
    db,
    `update wallet_offers set ?? = true where token_hash = ? and token_expires_at > now() and not ?? returning true`,
    [givenColumns[format], tokenHash, givenColumns[format]],
  );
}

/** Records that a nonce was used. Returns false if it was used before. */
export async function spendNonce(db: Knex, nonceHash: Buffer, lifetimeS: number): Promise<boolean> {
  return hasRows(
    db,
    `insert into wallet_nonces_used (nonce_hash, expires_at) values (?, now() + make_interval(secs => ?))
     on conflict do nothing returning true`,
    [nonceHash, lifetimeS],
  );
}
