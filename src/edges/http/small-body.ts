import type { IncomingMessage } from "node:http";
import { Problem } from "#foundation/errors.js";
import { readBounded } from "#foundation/text/read-bounded.js";

/** Maximum size of a request body in bytes, for routes that don't call a method. */
const MAX_BODY = 32 * 1024;

const READ_TIMEOUT_MS = 10_000;

/**
 * Reads a small body as text.
 * @throws Problem if the body is too large or arrives too slowly
 */
export async function readSmallBody(request: IncomingMessage): Promise<string> {
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY) throw tooLarge();
  const timer = setTimeout(
    () => request.destroy(new Problem("deadline-exceeded", "The request took too long to arrive.")),
    READ_TIMEOUT_MS,
  );
  try {
    return (await readBounded(request, MAX_BODY, tooLarge)).toString("utf8");
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the media type of a request's body in lower case, without parameters. */
export function mediaTypeOf({ headers }: IncomingMessage): string {
  const [type = ""] = (headers["content-type"] ?? "").toLowerCase().split(";", 1);
  return type.trim();
}

function tooLarge(): Problem {
  return new Problem("too-large", `The body has more than ${MAX_BODY} bytes.`);
}
