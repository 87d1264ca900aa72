import { Problem } from "#foundation/errors.js";
import { disabledPayload } from "./cloud-event.js";
import type { SendingDeps } from "./delivery-deps.js";
import { findEndpoint } from "./endpoint-store.js";
import { sendOnce } from "./send-once.js";

/** A notice to one endpoint that the service has disabled another. */
export interface DisabledNotice {
  /** The endpoint to notify. */
  readonly endpointId: string;
  readonly disabledId: string;
  readonly reason: string;
  /** ISO 8601 */
  readonly disabledAt: string;
  /** Identifies the notice: the same in each attempt, so that receivers recognise duplicates. */
  readonly noticeId: string;
}

/**
 * Posts `webhook.disabled` to an endpoint, unless it no longer receives events. If the receiver rejects the notice,
 * that has no effect, because it is not one of the endpoint's events.
 * @throws Problem `unavailable` if the notice may be sent later
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
  if (outcome === "failed") throw new Problem("unavailable", `A webhook could not be notified: ${error}.`);
}
