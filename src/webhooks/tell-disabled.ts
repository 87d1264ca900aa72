import { Problem } from "../errors.js";
import { insertAttempts } from "./attempt-store.js";
import { disabledPayload } from "./cloud-event.js";
import type { SendingDeps } from "./delivery-deps.js";
import { createSign } from "./endpoint-secret.js";
import { findEndpoint } from "./endpoint-store.js";
import { openPosting } from "./post.js";
import { sendMessage } from "./send-message.js";

/** One endpoint is to be told that the service has disabled another. */
export interface DisabledNotice {
  /** Who is told. */
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
export async function tellDisabled(
  { database, posting: postingDeps, serviceSecrets, publicUrl, tracer }: SendingDeps,
  { endpointId, disabledId, reason, disabledAt, noticeId }: DisabledNotice,
): Promise<void> {
  const endpoint = await findEndpoint(database.knex, endpointId);
  if (endpoint?.state !== "enabled") return;
  const id = `disabled_${noticeId}`;
  const payload = disabledPayload(publicUrl(), disabledId, id, reason, new Date(disabledAt));
  const posting = openPosting(endpoint.url, postingDeps);
  try {
    const sent = await sendMessage(posting, createSign(serviceSecrets, endpoint), payload, tracer);
    const { at, ms, outcome, status, error } = sent;
    await insertAttempts(database.knex, endpointId, [
      { kind: "notice", attempt: 1, at, ms, outcome, status, error },
    ]);
    if (outcome === "failed") throw new Problem("unavailable", `A webhook was not told: ${error}.`);
  } finally {
    posting.close();
  }
}
