import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { Problem } from "#foundation/errors.js";
import { createRemoteKeys, type RemoteKeys } from "#infrastructure/identity/remote-keys.js";
import type { SendRequest } from "#infrastructure/outbound/send-request.js";

/**
 * Minimum time between requests for a platform's keys. It also applies to launches that were signed with an unknown
 * key.
 */
const COOLDOWN_MS = 60_000;

const MAX_CACHED_PLATFORMS = 1000;

export type PlatformKeys = (jwksUrl: string) => RemoteKeys;

export function createPlatformKeys(sendRequest: SendRequest): PlatformKeys {
  const keysAt = createBoundedCache<RemoteKeys>(MAX_CACHED_PLATFORMS);
  const fetchText = async (href: string) => {
    const { status, text } = await sendRequest("The platform's key set", href, {
      headers: { accept: "application/json" },
    });
    if (status === 200) return text;
    throw new Problem("unavailable", `The platform's key set returned status ${status}.`);
  };
  return (url) =>
    keysAt(url, () => createRemoteKeys({ url, now: Date.now, fetchText, cooldownMs: COOLDOWN_MS }));
}
