import { createHmac, createSecretKey, hkdfSync } from "node:crypto";
import { failedPrecondition, type Problem } from "#foundation/errors.js";

const PREFIX = "whsec_";

/**
 * Returns the secret of an endpoint in the format of Standard Webhooks: `whsec_` and 32 bytes in base64. The bytes are
 * derived with HKDF-SHA256 from a secret of the service, with the endpoint's id as salt. No endpoint secret is stored.
 * @param generation number of the secret. It starts at 1, and each rotation increases it
 */
export function endpointSecret(serviceSecret: string, endpointId: string, generation: number): string {
  const key = hkdfSync("sha256", serviceSecret, endpointId, `webhook v1 ${generation}`, 32);
  return PREFIX + Buffer.from(key).toString("base64");
}

interface SigningEndpoint {
  readonly id: string;
  readonly secretGeneration: number;
  readonly previousUntil: Date | null;
}

/** Signs a request and returns its headers. */
export type Sign = (message: {
  readonly id: string;
  readonly body: string;
  readonly at: Date;
}) => Record<string, string>;

/**
 * Signs according to Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`, with one
 * signature per secret. A request is signed with the endpoint's current secret and, while it is
 * still valid, the previous secret. If the service has several secrets, a current and a previous
 * secret are derived from each. All secrets are derived here and not for each request, because
 * deriving them takes a tenth of the time of a delivery.
 */
export function createSign(
  serviceSecrets: readonly string[],
  { id, secretGeneration, previousUntil }: SigningEndpoint,
): Sign {
  const keysOf = (generation: number) =>
    serviceSecrets.map((serviceSecret) => {
      const secret = endpointSecret(serviceSecret, id, generation);
      return createSecretKey(secret.slice(PREFIX.length), "base64");
    });
  const current = keysOf(secretGeneration);
  const hasPrevious = previousUntil !== null && secretGeneration > 1;
  const both = hasPrevious ? [...current, ...keysOf(secretGeneration - 1)] : current;

  return (message) => {
    const timestamp = Math.floor(message.at.getTime() / 1000);
    const signed = `${message.id}.${timestamp}.${message.body}`;
    const keys = hasPrevious && previousUntil > message.at ? both : current;
    const signatures = keys.map((key) => `v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
    return {
      "webhook-id": message.id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signatures.join(" "),
    };
  };
}

export function noSecret(): Problem {
  return failedPrecondition(
    "The service has no secret from which it can derive the secrets of webhooks. If neither SETTINGS_SECRET nor WEBHOOK_SECRET is set, set one of them. If SETTINGS_SECRET is set, its value was changed: add the earlier value as a second line. Then restart the service.",
  );
}
