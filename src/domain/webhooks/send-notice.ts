import type { Logger } from "pino";
import type { Database } from "#infrastructure/db/database.js";
import { messageIdOf } from "#infrastructure/email/message-id.js";
import { webhookDisabled } from "#infrastructure/email/messages/webhook-disabled.js";
import type { Mailer } from "#infrastructure/email/transport.js";
import { findEndpoint } from "./endpoint-store.js";

/** Dependencies for notifying an endpoint's contact. */
export interface NoticeDeps {
  readonly database: Database;
  readonly mailer: Mailer;
  readonly emailDomain: string;
  readonly platformName: string;
  readonly log: Logger;
}

/**
 * Emails the contact of an endpoint that it was disabled, unless it is enabled again.
 * @throws Problem `unavailable` if the email may be sent later
 */
export async function sendWebhookNotice(
  { database, mailer, emailDomain, platformName, log }: NoticeDeps,
  { endpointId, noticeId }: { readonly endpointId: string; readonly noticeId: string },
): Promise<void> {
  const endpoint = await findEndpoint(database.knex, endpointId);
  if (endpoint?.state !== "disabled" || endpoint.contact === "") return;
  const { host } = new URL(endpoint.url);
  const outcome = await mailer.send({
    ...webhookDisabled({ platformName, endpointId, host, reason: endpoint.stateReason }),
    to: { address: endpoint.contact },
    messageId: messageIdOf(noticeId, emailDomain),
  });
  if (outcome.outcome === "refused")
    log.warn({ endpoint: endpointId, reason: outcome.reason }, "email about a disabled webhook was refused");
}
