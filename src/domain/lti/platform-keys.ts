import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { Problem } from "#foundation/errors.js";
import { createRemoteKeys, type RemoteKeys } from "#infrastructure/identity/remote-keys.js";
import type { Ask } from "#infrastructure/outbound/ask.js";

/** Minimum time between two requests for a platform's keys, whatever key has signed a launch. */
const COOLDOWN_MS = 60_000;

/** Maximum number of platforms whose keys are kept in memory. */
const HELD = 1000;

/** Returns the public keys at a platform's JWKS URL. */
export type PlatformKeys = (jwksUrl: string) => RemoteKeys;

export function createPlatformKeys(ask: Ask): PlatformKeys {
  const keysAt = createBoundedCache<RemoteKeys>(HELD);
  const fetchText = async (href: string) => {
    const { status, text } = await ask("The platform's key set", href, {
      headers: { accept: "application/json" },
    });
    if (status === 200) return text;
    throw new Problem("unavailable", `The platform's key set returned status ${status}.`);
  };
  return (url) =>
    keysAt(url, () => createRemoteKeys({ url, now: Date.now, fetchText, cooldownMs: COOLDOWN_MS }));
}
