import { insertAttempts } from "./attempt-store.js";
import type { Payload } from "./cloud-event.js";
import type { WebhookSendingDeps } from "./delivery-deps.js";
import { createSign } from "./endpoint-secret.js";
import { openPosting, type PostResult } from "./post.js";
import { sendMessage } from "./send-message.js";
import type { WebhookEndpoint } from "./webhook-endpoint.js";

/** Posts a message that is not an event, and stores the attempt. The endpoint's position doesn't change. */
export async function sendOnce(
  { database, posting: postingDeps, serviceSecrets, tracer }: WebhookSendingDeps,
  endpoint: WebhookEndpoint,
  kind: "test" | "notice",
  payload: Payload,
): Promise<PostResult> {
  const posting = openPosting(endpoint.url, postingDeps);
  try {
    const sent = await sendMessage(posting, createSign(serviceSecrets, endpoint), payload, tracer);
    const { at, ms, outcome, status, error } = sent;
    await insertAttempts(database.knex, endpoint.id, [{ kind, attempt: 1, at, ms, outcome, status, error }]);
    return sent;
  } finally {
    posting.close();
  }
}
