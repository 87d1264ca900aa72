import type { ServerResponse } from "node:http";
import { type Coding, chooseCoding } from "./accept-encoding.js";
import { compress, MAX_COMPRESSED, MIN_COMPRESSED } from "./compress.js";
import { etagOf, namesEtag } from "./etag.js";

export const JSON_TYPE = "application/json";

export interface HttpAnswer {
  /** By default 200. */
  readonly status?: number;
  readonly contentType: string;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  /** Text may be compressed. Bytes are sent unchanged. */
  readonly body: string | Uint8Array;
  /** Whether to send an ETag, and 304 if the client has the current version. A text is used as the tag. */
  readonly isConditional?: boolean | string;
}

/**
 * Sends the response, unless the client has disconnected. Compresses text if the client supports that, and if the text
 * is neither short nor very long. Node omits the body for HEAD.
 *
 * A compressed response may contain both input from the client and private data. The BREACH attack is still impossible,
 * because it requires that an attacker can choose the input and that the private data stays the same. Grades and links
 * are sent only together with the key of a context that the learner can access, and the signatures of links change
 * every second. Pages set no cookie and contain no CSRF token.
 */
export function sendAnswer(response: ServerResponse, answer: HttpAnswer): void {
  if (response.destroyed || response.headersSent) return;
  const { body, isConditional } = answer;
  const mayCompress =
    typeof body === "string" && body.length >= MIN_COMPRESSED && body.length <= MAX_COMPRESSED;
  const { headers } = response.req;
  const coding = mayCompress ? chooseCoding(headers["accept-encoding"]) : undefined;
  const head = [...answer.headers];
  if (mayCompress) head.push("Vary", "Accept-Encoding");
  if (isConditional) {
    const etag = typeof isConditional === "string" ? isConditional : etagOf(body, coding);
    head.push("ETag", etag);
    const presented = headers["if-none-match"];
    if (presented !== undefined && namesEtag(presented, etag)) {
      response.writeHead(304, head).end();
      return;
    }
  }
  if (coding === undefined || typeof body !== "string") write(response, answer, head, body);
  else void sendCompressed(response, answer, body, head, coding);
}

/** Never rejects. */
async function sendCompressed(
  response: ServerResponse,
  answer: HttpAnswer,
  text: string,
  head: string[],
  coding: Coding,
): Promise<void> {
  const bytes = await compress(coding, text).catch(() => undefined);
  if (!bytes) response.destroy(); // zlib fails only if memory is exhausted
  if (!bytes || response.destroyed || response.headersSent) return;
  write(response, answer, [...head, "Content-Encoding", coding], bytes);
}

function write(
  response: ServerResponse,
  { status = 200, contentType }: HttpAnswer,
  head: string[],
  body: string | Uint8Array,
): void {
  head.push("Content-Type", contentType, "Content-Length", String(Buffer.byteLength(body)));
  response.writeHead(status, head).end(body);
}
