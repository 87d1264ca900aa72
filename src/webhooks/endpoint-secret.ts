import { createHmac, hkdfSync } from "node:crypto";
import { Problem } from "../errors.js";

const PREFIX = "whsec_";

/**
 * Derives the secret of an endpoint, in the form of Standard Webhooks: `whsec_` and 32 bytes in base64. It is
 * HKDF-SHA256 over a secret of the service, with the endpoint's id as salt. Thus no secret is stored.
 * @param generation counts the rotations, from 1
 */
export function endpointSecret(serviceSecret: string, endpointId: string, generation: number): string {
  const key = hkdfSync("sha256", serviceSecret, endpointId, `webhook v1 ${generation}`, 32);
  return PREFIX + Buffer.from(key).toString("base64");
}

/** What decides which secrets sign for an endpoint. */
export interface SigningEndpoint {
  readonly id: string;
  readonly secretGeneration: number;
  readonly previousUntil: Date | null;
}

/**
 * Returns the secrets that sign now: the current one, the one before while it is still valid, and the same of
 * each earlier secret of the service.
 */
export function signingSecrets(
  serviceSecrets: readonly string[],
  { id, secretGeneration, previousUntil }: SigningEndpoint,
  now: Date,
): string[] {
  const isBothValid = previousUntil !== null && previousUntil > now && secretGeneration > 1;
  const generations = isBothValid ? [secretGeneration, secretGeneration - 1] : [secretGeneration];
  return generations.flatMap((generation) =>
    serviceSecrets.map((serviceSecret) => endpointSecret(serviceSecret, id, generation)),
  );
}

/**
 * Returns the headers of a signed request, as Standard Webhooks 1.0 has them: HMAC-SHA256 over
 * `id.timestamp.body`, one signature for each secret.
 */
export function signedHeaders(
  secrets: readonly string[],
  message: { readonly id: string; readonly body: string; readonly at: Date },
): Record<string, string> {
  const timestamp = Math.floor(message.at.getTime() / 1000);
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  });
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}

export function noSecret(): Problem {
  return new Problem(
    "failed-precondition",
    "WEBHOOK_SECRET is not set: the secrets of webhook endpoints are derived from it.",
  );
}
