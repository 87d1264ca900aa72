import { createHash } from "node:crypto";
import { asciiJson } from "#formats/badges/ascii-json.js";
import { signDocument } from "#formats/badges/data-integrity.js";
import { issuerUrl } from "#formats/badges/issuer-url.js";
import { signListJwt } from "#formats/badges/jwt.js";
import { createStatusIndexes, LIST_SIZE, type StatusIndexes } from "#formats/badges/status-index.js";
import { statusBits, statusListCredential } from "#formats/badges/status-list.js";
import { statusSql } from "#foundation/credential-status.js";
import { createBatchLoader, type LookUp } from "#infrastructure/db/batch-loader.js";
import { describeOutage } from "#infrastructure/db/outage.js";
import { type BorrowedConnection, query } from "#infrastructure/db/query.js";
import type { IssuerKeys } from "../../keys/signing-keys.js";
import { type BadgeDeps, issuerOf } from "./issuer.js";
import { readBadgeSecret } from "./issuer-key-store.js";

const { isInvalidated } = statusSql();

/** @param organisation the issuer of the badges in the list; undefined for the service itself */
export function statusListUrl(publicUrl: string, list: number, organisation: string | undefined): string {
  return `${issuerUrl(publicUrl, organisation)}/status/${list}`;
}

/** How long caches may keep a list. During this time, they may hide an invalidation. */
export const STATUS_MAX_AGE_S = 10;

/**
 * How long a signed copy of a list is valid. Verifiers reject older copies, so nobody can keep presenting an outdated
 * one.
 */
const VALIDITY_MS = 24 * 3600_000;

/**
 * Time after which an unchanged list is signed again, so that every copy is valid for at least half of `VALIDITY_MS`.
 */
const RENEWAL_MS = VALIDITY_MS / 2;

/** The validity starts this much earlier, for verifiers whose clocks are slow. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** Number of signed lists in memory. Each takes up to 40 KB. */
const MAX_CACHED = 64;

const MAX_BATCH = 20;

interface StatusListName {
  readonly list: number;
  /** The issuer; undefined for the service itself. */
  readonly organisation: string | undefined;
  /** A JWT requires a P-256 key, and an issuer with an HTTPS URL. */
  readonly isJwt?: boolean;
}

/**
 * Returns a signed status list as JSON or JWT. Returns `undefined` if the list covers no credentials, or if this
 * process has none of the issuer's keys for that format.
 *
 * Verifiers require that a badge and its list have the same issuer, so each issuer signs its own copy. All copies cover
 * the credentials of all organisations, because a list with few credentials would reveal more about each.
 *
 * Each call reads the database. During a database outage, the last copy is returned while it is valid.
 */
export type StatusLists = LookUp<StatusListName, string | undefined>;

interface Signed {
  readonly digest: string;
  readonly text: string;
  readonly signedAt: number;
}

export function createStatusLists({ database, signingKeys, publicUrl }: BadgeDeps): StatusLists | undefined {
  if (!signingKeys) return undefined;
  const cache = new Map<string, Signed>();
  let statusIndexes: StatusIndexes | undefined;

  async function sign(name: StatusListName, own: IssuerKeys, bits: Uint8Array): Promise<string | undefined> {
    const { list, organisation, isJwt } = name;
    const { did, keyUrl, keys, isWeb } = issuerOf(own, publicUrl, { organisation });
    const key = isJwt ? keys.p256 : keys.ed25519;
    if (!key || (isJwt && !isWeb)) return undefined;
    // The digest includes the key, because verifiers reject a copy whose key was revoked after signing.
    const digest = createHash("sha256").update(key.fragment).update(bits).digest("base64");
    const now = Date.now();
    const cacheKey = cacheKeyOf(name);
    const cached = cache.get(cacheKey);
    if (cached?.digest === digest && now - cached.signedAt < RENEWAL_MS) return cached.text;
    const document = statusListCredential({
      url: statusListUrl(publicUrl, list, organisation),
      issuer: did,
      bits,
      validFrom: new Date(now - CLOCK_TOLERANCE_MS),
      validUntil: new Date(now + VALIDITY_MS),
      maxAge: STATUS_MAX_AGE_S,
    });
    const kid = keyUrl(key);
    const text = isJwt
      ? await signListJwt(document, { key, kid })
      : asciiJson(
          await signDocument(document, { key, verificationMethod: kid, created: document.validFrom }),
        );
    cache.delete(cacheKey);
    for (const oldest of cache.keys()) if (cache.size >= MAX_CACHED) cache.delete(oldest);
    cache.set(cacheKey, { digest, text, signedAt: now });
    return text;
  }

  const lookUp = createBatchLoader(database.reads, MAX_BATCH, async (connection, names: StatusListName[]) => {
    const bits = new Map<number, Uint8Array | undefined>();
    for (const list of new Set(names.map(({ list }) => list))) {
      const numbers = await readInvalidated(connection, list);
      statusIndexes ??= createStatusIndexes(await readBadgeSecret(database.knex));
      const { of } = statusIndexes;
      const indexes = numbers?.map((number) => of(list * LIST_SIZE + number).index);
      bits.set(list, indexes && statusBits(indexes));
    }
    const found = new Map<string, Promise<string | undefined>>();
    for (const name of names) {
      const own = signingKeys.of(name.organisation);
      const set = bits.get(name.list);
      if (own && set && !found.has(cacheKeyOf(name))) found.set(cacheKeyOf(name), sign(name, own, set));
    }
    return Promise.all(names.map((name) => found.get(cacheKeyOf(name))));
  });

  return async (name, cancellation) => {
    const keys = await signingKeys.find(name.organisation);
    if (!keys || keys.all.length === 0) return undefined;
    try {
      return await lookUp(name, cancellation);
    } catch (error) {
      const cached = cache.get(cacheKeyOf(name));
      if (cached && describeOutage(error) !== undefined && Date.now() - cached.signedAt < VALIDITY_MS)
        return cached.text;
      throw error;
    }
  };
}

function cacheKeyOf({ list, organisation = "", isJwt = false }: StatusListName): string {
  return `${list} ${isJwt ? "jwt" : "json"} ${organisation}`;
}

/** Returns the positions of invalidated credentials in the list, or `undefined` if the list covers no credentials. */
async function readInvalidated(connection: BorrowedConnection, list: number): Promise<number[] | undefined> {
  // If many credentials are invalidated, reading their numbers as bytes is ten times as fast as reading a row for each.
  const { rows } = await query<{ numbers: Buffer | null; isThere: boolean }>(
    connection,
    "status list",
    `select coalesce((select max(id) from credentials), -1) >= ?::bigint as "isThere",
       string_agg(int4send((id - ?::bigint)::integer), ''::bytea) as numbers
     from credentials where ${isInvalidated} and id >= ?::bigint and id < ?::bigint`,
    [list * LIST_SIZE, list * LIST_SIZE, list * LIST_SIZE, (list + 1) * LIST_SIZE],
  );
  const [row] = rows;
  if (!row?.isThere) return undefined;
  const { numbers } = row;
  return numbers ? Array.from({ length: numbers.length / 4 }, (_, at) => numbers.readInt32BE(4 * at)) : [];
}
