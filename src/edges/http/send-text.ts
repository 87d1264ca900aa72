import type { ServerResponse } from "node:http";
import { type Coding, chooseCoding } from "./accept-encoding.js";
import { compress, MAX_COMPRESSED, MIN_COMPRESSED } from "./compress.js";
import { etagOf, namesEtag } from "./etag.js";

/** An answer in text, whole. */
export interface TextAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string;
  /** It has an ETag, and whoever has it already is answered 304. */
  readonly isConditional?: boolean;
}

/**
 * Sends it, unless the client is gone; compressed where the client takes that and it pays. Node leaves the body out on HEAD.
 *
 * Compressed answers may hold what the client sent beside what he may read alone, but nobody else can choose the one and
 * measure the other (BREACH): a context key is echoed beside grades and download links only if it names a context that
 * its learner can access, signatures change with every second, and pages set no cookie and hold no token against forgery.
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
  if (!bytes) response.destroy(); // zlib fails only when there is no memory left
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
