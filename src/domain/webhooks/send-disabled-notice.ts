import { Problem } from "#foundation/errors.js";
import { disabledPayload } from "./cloud-event.js";
import type { SendingDeps } from "./delivery-deps.js";
import { findEndpoint } from "./endpoint-store.js";
import { sendOnce } from "./send-once.js";

/** One endpoint is to be told that the service has disabled another. */
export interface DisabledNotice {
  /** Who is notified. */
  readonly endpointId: string;
  readonly disabledId: string;
  readonly reason: string;
  /** ISO 8601 */
  readonly disabledAt: string;
  /** Tells duplicates: it stays the same in each attempt. */
  readonly noticeId: string;
}

/**
 * Posts `webhook.disabled` to an endpoint, unless that does not get events any more. A receiver that rejects it
 * is left alone: the notice is not about its own events.
 * @throws Problem `unavailable` if it may be sent later
 */
export async function sendDisabledNotice(
  deps: SendingDeps,
  { endpointId, disabledId, reason, disabledAt, noticeId }: DisabledNotice,
): Promise<void> {
  const endpoint = await findEndpoint(deps.database.knex, endpointId);
  if (endpoint?.state !== "enabled") return;
  const id = `disabled_${noticeId}`;
  const payload = disabledPayload(deps.publicUrl, disabledId, id, reason, new Date(disabledAt));
  const { outcome, error } = await sendOnce(deps, endpoint, "notice", payload);
  if (outcome === "failed") throw new Problem("unavailable", `A webhook was not told: ${error}.`);
}
