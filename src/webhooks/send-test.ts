import { randomUUID } from "node:crypto";
import type { Knex } from "knex";
import { insertAttempts } from "./attempt-store.js";
import { testPayload } from "./cloud-event.js";
import type { SendingDeps } from "./delivery-deps.js";
import { createSign, noSecret } from "./endpoint-secret.js";
import { findEndpoint } from "./endpoint-store.js";
import { noSuchEndpoint } from "./manage-endpoints.js";
import { openPosting, type PostResult } from "./post.js";
import { sendMessage } from "./send-message.js";

/**
 * Posts an event of type `webhook.test` to an endpoint, whatever its state, and waits for the answer. Its place
 * in the events stays.
 * @throws Problem `not-found`, `failed-precondition` if the service has no secret for webhooks
 */
export async function sendTestWebhook(
  { database, posting: postingDeps, serviceSecrets, publicUrl, tracer }: SendingDeps,
  id: string,
): Promise<PostResult> {
  const { knex } = database;
  if (serviceSecrets.length === 0) throw noSecret();
  const endpoint = (await findEndpoint(knex, id)) ?? noSuchEndpoint(id);
  const posting = openPosting(endpoint.url, postingDeps);
  try {
    const payload = testPayload(publicUrl(), id, `test_${randomUUID()}`, new Date());
    const sent = await sendMessage(posting, createSign(serviceSecrets, endpoint), payload, tracer);
    await note(knex, id, sent);
    return sent;
  } finally {
    posting.close();
  }
}

async function note(
  knex: Knex,
  id: string,
  { at, ms, outcome, status, error }: PostResult & { readonly at: Date },
): Promise<void> {
  await insertAttempts(knex, id, [{ kind: "test", attempt: 1, at, ms, outcome, status, error }]);
}
