import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { createLocalJWKSet } from "jose/jwks/local";
import { withinTime } from "#foundation/concurrency/within-time.js";
import { Problem } from "#foundation/errors.js";
import { withoutByteOrderMark } from "#foundation/text/byte-order-mark.js";
import { type AnswerBounds, readBoundedJson } from "#foundation/text/read-bounded-json.js";

/** Public keys for verifying tokens. jose finds the key for a token's header. */
export type KeySet = ReturnType<typeof createLocalJWKSet>;

/** A key set, fetched when it is first needed. All methods throw Problem `unavailable`. */
export interface RemoteKeys {
  /** Fetches the keys again when they are no longer fresh. While fetching fails, the last keys are used for an hour. */
  current(): Promise<KeySet>;
  /** Returns newer keys than the given keys; undefined if the given keys were fetched a moment ago. */
  newerThan(insufficient: KeySet): Promise<KeySet | undefined>;
}

/** Keys are used for this time before they are fetched again. A withdrawn key is still accepted meanwhile. */
const CACHE_MS = 5 * 60_000;
/**
 * Maximum age of keys that are used while the platform does not respond, so that its outage doesn't cause an outage of
 * this service.
 */
const MAX_STALE_MS = 60 * 60_000;
/** Minimum time between requests that are caused by tokens with unknown keys. */
const COOLDOWN_MS = 10_000;
const TIMEOUT_MS = 3_000;
/** A file is cheap to read, so changes to it apply soon. */
const FILE = { freshMs: 10_000, cooldownMs: 1_000 };
/** Maximum time for which callers wait for the keys. All of them wait for the same request. */
const WAIT_TIMEOUT_MS = 15_000;
const BOUNDS: AnswerBounds = { bytes: 256 * 1024, values: 5_000 };

/**
 * Creates a key set.
 * @param options.now milliseconds since 1970
 * @param options.fetchText reads the key set as JSON from another source, or throws
 * @param options.freshMs time for which keys are used before they are fetched again; default: 5 minutes
 * @param options.cooldownMs default: 10 s
 */
export function createRemoteKeys({
  url,
  now,
  fetchText = fetchKeySet,
  freshMs = CACHE_MS,
  cooldownMs = COOLDOWN_MS,
}: {
  url: string;
  now: () => number;
  fetchText?: (href: string) => Promise<string>;
  freshMs?: number;
  cooldownMs?: number;
}): RemoteKeys {
  const href = new URL(url).href;
  let cached: { readonly keys: KeySet; readonly fetchedAt: number } | undefined;
  let failure: Problem | undefined;
  let requestedAt = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;

  async function fetchAgain(): Promise<void> {
    try {
      const late = () => new Error(`the key set did not arrive within ${WAIT_TIMEOUT_MS} ms`);
      const text = await withinTime(fetchText(href), WAIT_TIMEOUT_MS, late);
      cached = { keys: createLocalJWKSet(JSON.parse(text)), fetchedAt: now() };
      failure = undefined;
    } catch (cause) {
      failure = new Problem("unavailable", "The keys that verify tokens are unavailable; try again.", {
        cause,
      });
    } finally {
      requestedAt = now();
      pending = undefined;
    }
  }

  function refresh(): Promise<void> {
    pending ??= fetchAgain();
    return pending;
  }

  function ageMs(): number {
    return cached ? now() - cached.fetchedAt : Number.POSITIVE_INFINITY;
  }

  function isCoolingDown(): boolean {
    return now() - requestedAt < cooldownMs;
  }

  return {
    async current() {
      if (ageMs() > MAX_STALE_MS || (ageMs() > freshMs && !isCoolingDown())) await refresh();
      if (cached && ageMs() <= MAX_STALE_MS) return cached.keys;
      throw failure;
    },

    async newerThan(insufficient) {
      if (cached?.keys === insufficient && !isCoolingDown()) await refresh();
      if (failure) throw failure;
      return cached?.keys === insufficient ? undefined : cached?.keys;
    },
  };
}

/** Keys from a JWK Set in a file, which may be replaced while the service runs. */
export function keysInFile(path: string, now: () => number): RemoteKeys {
  const fetchText = async () => withoutByteOrderMark(await readFile(path, "utf8"));
  return createRemoteKeys({ url: pathToFileURL(path).href, now, fetchText, ...FILE });
}

/** Keys from a JWK Set that never changes. */
export function fixedKeys(jwks: string): RemoteKeys {
  const keys = createLocalJWKSet(JSON.parse(jwks));
  return { current: async () => keys, newerThan: async () => undefined };
}

/** Redirects are not followed, because they would let the responding server choose another source of keys. */
async function fetchKeySet(href: string): Promise<string> {
  const response = await fetch(href, {
    headers: { accept: "application/jwk-set+json, application/json" },
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`the request for the key set returned status ${response.status}`);
  }
  return readBoundedJson(response.body, BOUNDS, (bound) => new Error(`the key set has more than ${bound}`));
}
