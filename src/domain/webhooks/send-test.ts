import { randomUUID } from "node:crypto";
import { testPayload } from "./cloud-event.js";
import type { WebhookSendingDeps } from "./delivery-deps.js";
import { noSecret } from "./endpoint-secret.js";
import { findEndpoint } from "./endpoint-store.js";
import { throwNoSuchEndpoint } from "./manage-endpoints.js";
import type { PostResult } from "./post.js";
import { sendOnce } from "./send-once.js";

/**
 * Posts an event `webhook.test` to an endpoint in any state.
 * @throws Problem `not-found`, `failed-precondition` if the service has no secret for webhooks
 */
export async function sendTestWebhook(deps: WebhookSendingDeps, id: string): Promise<PostResult> {
  if (deps.serviceSecrets.length === 0) throw noSecret();
  const endpoint = (await findEndpoint(deps.database.knex, id)) ?? throwNoSuchEndpoint(id);
  const payload = testPayload(deps.publicUrl, id, `test_${randomUUID()}`, new Date());
  return sendOnce(deps, endpoint, "test", payload);
}
