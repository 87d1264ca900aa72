import { Problem } from "#foundation/errors.js";
import { disabledPayload } from "./cloud-event.js";
import type { WebhookSendingDeps } from "./delivery-deps.js";
import { findEndpoint } from "./endpoint-store.js";
import { sendOnce } from "./send-once.js";

/** Tells an endpoint that another one, `disabledId`, was disabled. */
export interface DisabledNotice {
  readonly endpointId: string;
  readonly disabledId: string;
  readonly reason: string;
  /** ISO 8601. */
  readonly disabledAt: string;
  /** The same in every attempt, so that receivers recognise duplicates. */
  readonly noticeId: string;
}

/**
 * Posts `webhook.disabled` to an endpoint, unless it no longer receives events. A rejection by the endpoint has no
 * effect.
 * @throws Problem `unavailable` if the notice may be sent later
 */
export async function sendDisabledNotice(
  deps: WebhookSendingDeps,
  { endpointId, disabledId, reason, disabledAt, noticeId }: DisabledNotice,
): Promise<void> {
  const endpoint = await findEndpoint(deps.database.knex, endpointId);
  if (endpoint?.state !== "enabled") return;
  const id = `disabled_${noticeId}`;
  const payload = disabledPayload(deps.publicUrl, disabledId, id, reason, new Date(disabledAt));
  const { outcome, error } = await sendOnce(deps, endpoint, "notice", payload);
  if (outcome === "failed") throw new Problem("unavailable", `A webhook could not be notified: ${error}.`);
}
