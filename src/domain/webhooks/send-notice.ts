import type { Logger } from "pino";
import type { Database } from "#infrastructure/db/database.js";
import { messageIdOf } from "#infrastructure/email/message-id.js";
import { webhookDisabled } from "#infrastructure/email/messages/webhook-disabled.js";
import type { Mailer } from "#infrastructure/email/transport.js";
import { findEndpoint } from "./endpoint-store.js";

interface NoticeDeps {
  readonly database: Database;
  readonly mailer: Mailer;
  readonly platformName: string;
  readonly log: Logger;
}

/**
 * Notifies an endpoint's contact by email that the endpoint was disabled, unless it was enabled again meanwhile.
 * @throws Problem `unavailable` if the email may be sent later
 */
export async function sendWebhookNotice(
  { database, mailer, platformName, log }: NoticeDeps,
  { endpointId, noticeId }: { readonly endpointId: string; readonly noticeId: string },
): Promise<void> {
  const endpoint = await findEndpoint(database.knex, endpointId);
  if (endpoint?.state !== "disabled" || endpoint.contact === "") return;
  const { host } = new URL(endpoint.url);
  const outcome = await mailer.send({
    ...webhookDisabled({ platformName, endpointId, host, reason: endpoint.stateReason }),
    to: { address: endpoint.contact },
    messageId: messageIdOf(noticeId, await mailer.domain()),
  });
  if (outcome.outcome === "refused")
    log.warn({ endpoint: endpointId, reason: outcome.reason }, "email about a disabled webhook was refused");
}
