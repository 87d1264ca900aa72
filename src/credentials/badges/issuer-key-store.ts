import type { Knex } from "knex";
import { type PublicKey, publicKeyFromJwk } from "../../badges/public-key.js";
import { type Lease, run } from "../../db/query.js";

/** Publishes keys, for ever. Those that are published already stay as they are. */
export async function publishKeys(db: Knex, keys: readonly PublicKey[]): Promise<void> {
  await db.raw(
    `insert into issuer_keys (fragment, jwk)
     select fragment, jwk from json_to_recordset(?::json) as given (fragment text, jwk jsonb)
     on conflict (fragment) do nothing`,
    [JSON.stringify(keys.map(({ fragment, jwk }) => ({ fragment, jwk })))],
  );
}

/** Every key that was ever published, the first one first. */
export async function readPublishedKeys(lease: Lease): Promise<PublicKey[]> {
  const { rows } = await run<{ jwk: object }>(
    lease,
    "published keys",
    "select jwk from issuer_keys order by published_at, fragment",
    [],
  );
  return rows.map(({ jwk }) => publicKeyFromJwk(jwk)).filter((key) => key !== undefined);
}

/** What places in status lists, and names that tell nothing, are derived from. */
export async function readBadgeSecret(db: Knex): Promise<Buffer> {
  const { rows } = await db.raw("select secret from badge_secret");
  return rows[0].secret;
}
