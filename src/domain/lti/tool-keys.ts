import { createPrivateKey, type KeyObject, randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import { failedPrecondition } from "#foundation/errors.js";
import { type Database, inTransaction } from "#infrastructure/db/database.js";
import { execute, type Knex, queryRows } from "#infrastructure/db/query.js";
import { createSealedBox } from "#infrastructure/stored-settings/sealed-box.js";

/** Keys with which this service signs requests to platforms. */
export interface ToolKeys {
  /** Returns the public keys. If there is no key, the call creates the first one. */
  published(signal: AbortSignal): Promise<{ keys: JWK[] }>;
  signing(signal: AbortSignal): Promise<{ readonly kid: string; readonly key: KeyObject }>;
  /**
   * Creates a key, which is published immediately. It is used for signing an hour later, or immediately if no other key
   * can be decrypted. Returns the key's id.
   */
  rotate(signal: AbortSignal): Promise<string>;
}

/** Time after which a new key is used for signing, because platforms cache keys. */
const ACTIVATION_DELAY_MS = 3_600_000;

/**
 * Time for which a key stays published after the next key starts signing, because messages that were signed with the
 * old key may still be in transit.
 */
const RETIREMENT_DELAY_MS = 24 * 3_600_000;

const BITS = 2048;
const MAX_KEYS = 10;

interface KeyRow {
  readonly kid: string;
  readonly publicJwk: JWK;
  readonly sealedKey: Buffer;
  readonly createdAt: Date;
}

/**
 * @param secrets the first one encrypts private keys, and all of them decrypt
 * @param now returns milliseconds since 1970
 */
export function createToolKeys(
  database: Database,
  secrets: readonly string[],
  now: () => number = Date.now,
): ToolKeys {
  const box = createSealedBox(secrets, "learning-credentials lti key v1");

  async function readKeys(signal: AbortSignal): Promise<KeyRow[]> {
    const keys = await listKeys(database.knex);
    if (keys.length > 0) return keys;
    await insertKey(signal, true);
    return listKeys(database.knex);
  }

  /** @param isFirst if true, inserts the key only if there is still no other key */
  async function insertKey(signal: AbortSignal, isFirst: boolean): Promise<string> {
    const { privateKey, publicKey } = await generateKeyPair("RS256", {
      modulusLength: BITS,
      extractable: true,
    });
    const kid = randomBytes(12).toString("base64url");
    const publicJwk = { ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" };
    const sealedKey = box.seal(kid, Buffer.from(JSON.stringify(await exportJWK(privateKey))));
    await inTransaction(database, signal, async (transaction) => {
      await execute(transaction, "lock table lti_keys in share row exclusive mode");
      const storedKeys = await listKeys(transaction);
      if (isFirst && storedKeys.length > 0) return;
      const publishedIds = new Set(publishedOf(storedKeys, now()).map((key) => key.kid));
      if (publishedIds.size >= MAX_KEYS)
        throw failedPrecondition(
          `There are ${publishedIds.size} keys already: wait until the oldest expire.`,
        );
      const expiredIds = storedKeys.filter((key) => !publishedIds.has(key.kid)).map((key) => key.kid);
      await execute(transaction, "delete from lti_keys where kid = any (?::text[])", [expiredIds]);
      await execute(
        transaction,
        "insert into lti_keys (kid, public_jwk, sealed_key, created_at) values (?, ?::jsonb, ?, ?)",
        [kid, JSON.stringify(publicJwk), sealedKey, new Date(now())],
      );
    });
    return kid;
  }

  return {
    async published(signal) {
      const keys = publishedOf(await readKeys(signal), now());
      return { keys: keys.map(({ publicJwk }) => publicJwk) };
    },
    async signing(signal) {
      const time = now();
      const keys = publishedOf(await readKeys(signal), time).flatMap(({ kid, createdAt, sealedKey }) => {
        const unsealed = box.unseal(kid, sealedKey);
        return unsealed ? [{ kid, createdAt, jwk: JSON.parse(unsealed.content.toString()) }] : [];
      });
      const { kid, jwk } = signingOf(keys, time) ?? unknownSecret();
      return { kid, key: createPrivateKey({ key: jwk, format: "jwk" }) };
    },
    rotate: (signal) => insertKey(signal, false),
  };
}

/** Returns the newest key that has been published long enough, or else the oldest key. @param keys newest first */
function signingOf<Key extends Pick<KeyRow, "createdAt">>(
  keys: readonly Key[],
  now: number,
): Key | undefined {
  return keys.find(({ createdAt }) => createdAt.getTime() <= now - ACTIVATION_DELAY_MS) ?? keys.at(-1);
}

/** Returns the keys whose signatures may still have to be verified. @param keys newest first */
function publishedOf(keys: readonly KeyRow[], now: number): readonly KeyRow[] {
  return keys.filter((_, index) => {
    const next = keys[index - 1];
    return next === undefined || next.createdAt.getTime() > now - ACTIVATION_DELAY_MS - RETIREMENT_DELAY_MS;
  });
}

function listKeys(db: Knex): Promise<KeyRow[]> {
  return queryRows<KeyRow>(
    db,
    `select kid, public_jwk as "publicJwk", sealed_key as "sealedKey", created_at as "createdAt"
     from lti_keys order by created_at desc, kid`,
  );
}

function unknownSecret(): never {
  throw failedPrecondition(
    "None of the secrets of LTI can decrypt a signing key: add the previous secret to LTI_SECRET, or create a new key with `lti rotate-key`.",
  );
}
