import { type PublicKey, publicKeyFromJwk } from "#formats/badges/public-key.js";
import { statusSql } from "#foundation/credential-status.js";
import { failedPrecondition } from "#foundation/errors.js";
import { createBatchLoader, type LookUp } from "#infrastructure/db/batch-loader.js";
import type { Database } from "#infrastructure/db/database.js";
import {
  type BorrowedConnection,
  execute,
  hasRows,
  type Knex,
  query,
  queryRow,
  queryRows,
  queryValue,
  queryValues,
} from "#infrastructure/db/query.js";
import { type SigningKeys, settingOf } from "../../keys/signing-keys.js";

const { isAvailable } = statusSql();

/**
 * Publishes public keys permanently. Published keys never change.
 * @param organisation the owner of the keys; undefined for the service itself
 * @throws Problem `failed-precondition` if a key was published for another issuer
 */
export async function publishKeys(
  db: Knex,
  keys: readonly PublicKey[],
  organisation: string | undefined,
): Promise<void> {
  const fragments = keys.map(({ fragment }) => fragment);
  await execute(
    db,
    `insert into issuer_keys (fragment, jwk, organisation)
     select fragment, jwk, ? from json_to_recordset(?::json) as given (fragment text, jwk jsonb)
     on conflict (fragment) do nothing`,
    [organisation ?? null, JSON.stringify(keys.map(({ fragment, jwk }) => ({ fragment, jwk })))],
  );
  const foreign = await queryRow<{ fragment: string; organisation: string | null }>(
    db,
    "select fragment, organisation from issuer_keys where fragment = any (?) and organisation is distinct from ?",
    [fragments, organisation ?? null],
  );
  if (!foreign) return;
  throw failedPrecondition(
    `The key ${foreign.fragment} was published as a key of ${foreign.organisation ?? "the service itself"}, so ` +
      `it can't sign for ${organisation ?? "the service itself"}: put a new key into ${settingOf(organisation)}.`,
  );
}

/** Publishes all keys of this process. @throws Problem like `publishKeys` */
export async function publishAllKeys(db: Knex, { issuers }: SigningKeys): Promise<void> {
  for (const [organisation, { all }] of issuers) await publishKeys(db, all, organisation || undefined);
}

export interface PublishedKey extends PublicKey {
  /** Undefined for the service itself. */
  readonly organisation: string | undefined;
}

/** Returns all published keys except revoked ones, oldest first. */
async function readPublishedKeys(connection: BorrowedConnection): Promise<PublishedKey[]> {
  const { rows } = await query<{ jwk: object; organisation: string | null }>(
    connection,
    "published keys",
    "select jwk, organisation from issuer_keys where revoked_at is null order by published_at, fragment",
    [],
  );
  return rows.flatMap(({ jwk, organisation }) => {
    const key = publicKeyFromJwk(jwk);
    return key ? [{ ...key, organisation: organisation ?? undefined }] : [];
  });
}

export interface IssuerKey {
  readonly key: PublishedKey;
  readonly publishedAt: Date;
  readonly revokedAt: Date | null;
  readonly revocationReason: string | null;
}

/** Lists all published keys, including revoked ones, oldest first. */
export async function listIssuerKeys(db: Knex): Promise<IssuerKey[]> {
  const rows = await queryRows<Omit<IssuerKey, "key"> & { jwk: object; organisation: string | null }>(
    db,
    `select jwk, organisation, published_at as "publishedAt", revoked_at as "revokedAt", revocation_reason as "revocationReason"
     from issuer_keys order by published_at, fragment`,
  );
  return rows.flatMap(({ jwk, organisation, ...row }) => {
    const key = publicKeyFromJwk(jwk);
    return key ? [{ key: { ...key, organisation: organisation ?? undefined }, ...row }] : [];
  });
}

/** Returns false if there is no such key, or it was already revoked. */
export async function revokeKey(db: Knex, fragment: string, reason: string): Promise<boolean> {
  return hasRows(
    db,
    `update issuer_keys set revoked_at = now(), revocation_reason = ? where fragment = ? and revoked_at is null`,
    [reason, fragment],
  );
}

/** Counts available credentials whose file contains a badge signed by this key. */
export async function countSignedBy(db: Knex, fragment: string): Promise<number> {
  return queryValue<number>(
    db,
    `select count(*)::float8 as count from credentials where badge_key = ? and ${isAvailable}`,
    [fragment],
  );
}

export async function readRevokedKeys(db: Knex): Promise<string[]> {
  return queryValues<string>(db, "select fragment from issuer_keys where revoked_at is not null");
}

/** The secret from which status list indexes and opaque identifiers are derived. */
export async function readBadgeSecret(db: Knex): Promise<Buffer> {
  return queryValue<Buffer>(db, "select secret from badge_secret");
}

/** Reads the published keys that are not revoked. The result is not cached. */
export type PublishedKeys = LookUp<null, readonly PublishedKey[]>;

const MAX_BATCH = 100;

export function createPublishedKeys(database: Database): PublishedKeys {
  return createBatchLoader(database.reads, MAX_BATCH, async (lease, questions: null[]) => {
    const keys = await readPublishedKeys(lease);
    return questions.map(() => keys);
  });
}
