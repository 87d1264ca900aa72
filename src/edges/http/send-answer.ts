import type { ServerResponse } from "node:http";
import { type Coding, chooseCoding } from "./accept-encoding.js";
import { compress, MAX_COMPRESSED, MIN_COMPRESSED } from "./compress.js";
import { etagOf, namesEtag } from "./etag.js";

/** A complete HTTP response. */
export interface HttpAnswer {
  /** Default: 200 */
  readonly status?: number;
  readonly contentType: string;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  /** Text is compressed; bytes are not. */
  readonly body: string | Uint8Array;
  /**
   * Whether to send an ETag and respond with 304 if the client has the current version. A string is used as the tag.
   */
  readonly isConditional?: boolean | string;
}

/**
 * Sends the response, unless the client has disconnected. Text is compressed if the client accepts that and it is
 * worthwhile. Node omits the body for HEAD.
 *
 * A compressed response may contain both input from the client and private data. But nobody else can control that input
 * and measure the size (the BREACH attack): a context key is echoed beside grades and download links only if the
 * learner can access that context; signatures change every second; pages set no cookie and contain no CSRF token.
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
    const held = headers["if-none-match"];
    if (held !== undefined && namesEtag(held, etag)) {
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
  if (!bytes) response.destroy(); // zlib fails only if memory runs out.
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
