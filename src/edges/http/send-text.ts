import type { ServerResponse } from "node:http";
import { type Coding, chooseCoding } from "./accept-encoding.js";
import { compress, MAX_COMPRESSED, MIN_COMPRESSED } from "./compress.js";
import { etagOf, namesEtag } from "./etag.js";

/** A complete text response. */
export interface TextAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body: string;
  /** Whether it gets an ETag, so that a client that has it already is answered with 304. */
  readonly isConditional?: boolean;
}

/**
 * Sends the response unless the client is gone, compressed if the client accepts it and it pays. Node omits
 * the body for HEAD.
 *
 * A compressed response may contain both the client's input and private data. But nobody else can choose the
 * input and measure the size (BREACH). A context key is echoed beside grades and download links only if its
 * learner can access that context. Signatures change every second. Pages set no cookie and contain no CSRF
 * token.
 */
export function sendText(response: ServerResponse, answer: TextAnswer): void {
  if (response.destroyed || response.headersSent) return;
  const { length } = answer.body;
  const mayCompress = length >= MIN_COMPRESSED && length <= MAX_COMPRESSED;
  const { headers } = response.req;
  const coding = mayCompress ? chooseCoding(headers["accept-encoding"]) : undefined;
  const head = [...answer.headers];
  if (mayCompress) head.push("Vary", "Accept-Encoding");
  if (answer.isConditional) {
    const etag = etagOf(answer.body, coding);
    head.push("ETag", etag);
    const held = headers["if-none-match"];
    if (held !== undefined && namesEtag(held, etag)) {
      response.writeHead(304, head).end();
      return;
    }
  }
  if (coding === undefined) write(response, answer, head, answer.body);
  else void sendCompressed(response, answer, head, coding);
}

/** Never rejects. */
async function sendCompressed(
  response: ServerResponse,
  answer: TextAnswer,
  head: string[],
  coding: Coding,
): Promise<void> {
  const bytes = await compress(coding, answer.body).catch(() => undefined);
  if (!bytes) response.destroy(); // zlib fails only without memory
  if (!bytes || response.destroyed || response.headersSent) return;
  write(response, answer, [...head, "Content-Encoding", coding], bytes);
}

function write(
  response: ServerResponse,
  { status, contentType }: TextAnswer,
  head: string[],
  body: string | Buffer,
): void {
  head.push("Content-Type", contentType, "Content-Length", String(Buffer.byteLength(body)));
  response.writeHead(status, head).end(body);
}
