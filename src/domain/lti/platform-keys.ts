import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { Problem } from "#foundation/errors.js";
import { createRemoteKeys, type RemoteKeys } from "#infrastructure/identity/remote-keys.js";
import type { Ask } from "#infrastructure/outbound/ask.js";

/** Keys of a platform are fetched again no more often than this, whatever signs a launch. */
const COOLDOWN_MS = 60_000;

/** Platforms whose keys are held in memory. */
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
