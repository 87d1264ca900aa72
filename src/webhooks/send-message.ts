import type { Payload } from "./cloud-event.js";
import { type SigningEndpoint, signedHeaders, signingSecrets } from "./endpoint-secret.js";
import type { Posting, PostResult } from "./post.js";

/** A request that has ended, and when it was sent. */
export interface SentMessage extends PostResult {
  readonly at: Date;
}

/** Signs a payload for an endpoint and posts it. It does not throw. */
export async function sendMessage(
  posting: Posting,
  serviceSecrets: readonly string[],
  endpoint: SigningEndpoint,
  { id, body, contentType }: Payload,
): Promise<SentMessage> {
  const at = new Date();
  const secrets = signingSecrets(serviceSecrets, endpoint, at);
  const headers = { "content-type": contentType, ...signedHeaders(secrets, { id, body, at }) };
  return { ...(await posting.post(headers, body)), at };
}
