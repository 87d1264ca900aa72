import { plainLine } from "#foundation/text/plain-line.js";
import type { EmailContent } from "./message.js";
import { plainEmail } from "./plain-email.js";

interface WebhookDisabledFacts {
  readonly platformName: string;
  readonly endpointId: string;
  /** Host of the endpoint. The rest of its URL may be secret. */
  readonly host: string;
  readonly reason: string;
}

/** Returns the email about a disabled webhook. It is in English, like commands, because its readers are developers. */
export function webhookDisabled(facts: WebhookDisabledFacts): EmailContent {
  const { endpointId } = facts;
  const subject = `${plainLine(facts.platformName)}: the webhook to ${plainLine(facts.host)} was disabled`;
  return plainEmail(subject, [
    `Events are no longer posted to ${plainLine(facts.host)} (endpoint ${endpointId}).`,
    plainLine(facts.reason),
    "Nothing is lost: the endpoint keeps its place. When the receiver works again, run",
    `learning-credentials webhooks enable ${endpointId}`,
    "or call EnableWebhookEndpoint. Events that have waited are then delivered in order, unless they are older than the service keeps them.",
  ]);
}
