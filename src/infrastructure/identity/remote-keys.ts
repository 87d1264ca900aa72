import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { createLocalJWKSet } from "jose/jwks/local";
import { withinTime } from "#foundation/concurrency/within-time.js";
import { Problem } from "#foundation/errors.js";
import { withoutByteOrderMark } from "#foundation/text/byte-order-mark.js";
import { type AnswerBounds, readBoundedJson } from "#foundation/text/read-bounded-json.js";

/** Public keys for verifying tokens, as jose takes them. It finds the key that a token's header asks for. */
export type KeySet = ReturnType<typeof createLocalJWKSet>;

/** A key set, fetched when it is first needed. All methods throw Problem `unavailable`. */
export interface RemoteKeys {
  /**
   * Returns the keys. They are fetched again every five minutes; while that fails, keys of at most an hour
   * ago are used.
   */
  current(): Promise<KeySet>;
  /** Returns keys that are newer than insufficient ones; `undefined` if those were fetched a moment ago. */
  newerThan(insufficient: KeySet): Promise<KeySet | undefined>;
}

/** A withdrawn key is still accepted for this long. */
const FRESH_MS = 5 * 60_000;
/** If the platform does not answer, keys are used for this long: an outage there need not become one here. */
const USABLE_MS = 60 * 60_000;
/** Tokens with unknown keys cause a request to the platform no more often than this. */
const COOLDOWN_MS = 10_000;
const TIMEOUT_MS = 3_000;
/** A file costs little to read, so changes to it apply soon. */
const FILE = { freshMs: 10_000, cooldownMs: 1_000 };
/** Whoever fetches the keys, all callers that need them wait for one request, and no longer than this. */
const PATIENCE_MS = 15_000;
const BOUNDS: AnswerBounds = { bytes: 256 * 1024, values: 5_000 };

/**
 * Creates the key set of a JWKS URL. `now` returns milliseconds since 1970.
 * @param options.fetchText returns the key set of another place in JSON, or throws
 * @param options.freshMs for how long keys are used without asking again; default: 5 minutes
 * @param options.cooldownMs default: 10 s
 */
export function createRemoteKeys({
  url,
  now,
  fetchText = fetchKeySet,
  freshMs = FRESH_MS,
  cooldownMs = COOLDOWN_MS,
}: {
  url: string;
  now: () => number;
  fetchText?: (href: string) => Promise<string>;
  freshMs?: number;
  cooldownMs?: number;
}): RemoteKeys {
  const href = new URL(url).href;
  let held: { readonly keys: KeySet; readonly fetchedAt: number } | undefined;
  let failure: Problem | undefined;
  let requestedAt = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;

  async function fetchAgain(): Promise<void> {
    try {
      const late = () => new Error(`the key set did not arrive within ${PATIENCE_MS} ms`);
      const text = await withinTime(fetchText(href), PATIENCE_MS, late);
      held = { keys: createLocalJWKSet(JSON.parse(text)), fetchedAt: now() };
      failure = undefined;
    } catch (cause) {
      failure = new Problem("unavailable", "The keys for checking tokens can't be reached; try again.", {
        cause,
      });
    } finally {
      requestedAt = now();
      pending = undefined;
    }
  }

  /** Calls that need the keys at the same time share one request. */
  function refresh(): Promise<void> {
    pending ??= fetchAgain();
    return pending;
  }

  function ageMs(): number {
    return held ? now() - held.fetchedAt : Number.POSITIVE_INFINITY;
  }

  function isCoolingDown(): boolean {
    return now() - requestedAt < cooldownMs;
  }

  return {
    async current() {
      if (ageMs() > USABLE_MS || (ageMs() > freshMs && !isCoolingDown())) await refresh();
      if (held && ageMs() <= USABLE_MS) return held.keys;
      throw failure;
    },

    async newerThan(insufficient) {
      if (held?.keys === insufficient && !isCoolingDown()) await refresh();
      if (failure) throw failure;
      return held?.keys === insufficient ? undefined : held?.keys;
    },
  };
}

/** The keys in a file, which may be replaced while the service runs. */
export function keysInFile(path: string, now: () => number): RemoteKeys {
  const fetchText = async () => withoutByteOrderMark(await readFile(path, "utf8"));
  return createRemoteKeys({ url: pathToFileURL(path).href, now, fetchText, ...FILE });
}

/** The keys of a JWK Set that never changes. */
export function fixedKeys(jwks: string): RemoteKeys {
  const keys = createLocalJWKSet(JSON.parse(jwks));
  return { current: async () => keys, newerThan: async () => undefined };
}

/**
 * Fetches the keys. Redirects are not followed, because they would let the answering server choose another
 * source of keys.
 */
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
