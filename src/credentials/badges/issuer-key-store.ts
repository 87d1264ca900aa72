import type { Knex } from "knex";
import { type PublicKey, publicKeyFromJwk } from "../../badges/public-key.js";
import { type BorrowedConnection, run } from "../../db/query.js";

/** Publishes public keys permanently. Keys that are already published stay as they are. */
export async function publishKeys(db: Knex, keys: readonly PublicKey[]): Promise<void> {
  await db.raw(
    `insert into issuer_keys (fragment, jwk)
     select fragment, jwk from json_to_recordset(?::json) as given (fragment text, jwk jsonb)
     on conflict (fragment) do nothing`,
    [JSON.stringify(keys.map(({ fragment, jwk }) => ({ fragment, jwk })))],
  );
}

/** Returns every key that was ever published, oldest first. */
export async function readPublishedKeys(connection: BorrowedConnection): Promise<PublicKey[]> {
  const { rows } = await run<{ jwk: object }>(
    connection,
    "published keys",
    "select jwk from issuer_keys order by published_at, fragment",
    [],
  );
  return rows.map(({ jwk }) => publicKeyFromJwk(jwk)).filter((key) => key !== undefined);
}

/** Reads the secret from which status list indexes and opaque identifiers are derived. */
export async function readBadgeSecret(db: Knex): Promise<Buffer> {
  const { rows } = await db.raw("select secret from badge_secret");
  return rows[0].secret;
}
