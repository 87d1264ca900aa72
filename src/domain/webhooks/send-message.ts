import type { Tracer } from "@opentelemetry/api";
import type { Payload } from "./cloud-event.js";
import type { Sign } from "./endpoint-secret.js";
import type { Posting, PostResult } from "./post.js";

/** The result of a request, with the time when it was sent. */
export interface SentMessage extends PostResult {
  readonly at: Date;
}

/** Signs a payload and posts it. Never throws. */
export async function sendMessage(
  posting: Posting,
  sign: Sign,
  { id, body, contentType }: Payload,
  tracer: Tracer | undefined,
): Promise<SentMessage> {
  const at = new Date();
  const headers = { "content-type": contentType, ...sign({ id, body, at }) };
  if (!tracer) return { ...(await posting.post(headers, body)), at };
  const { postTraced } = await import("./post-traced.js"); // loaded only for tracing, so that it doesn't slow down the start
  return { ...(await postTraced(tracer, posting, headers, body)), at };
}
