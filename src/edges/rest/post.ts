import type { IncomingMessage } from "node:http";
import type { AdmittedCall } from "#api/pipeline/admitted-call.js";
import type { Inbound } from "#api/pipeline/inbound.js";
import { invalid, Problem } from "#foundation/errors.js";
import type { Cors } from "../http/cors.js";
import type { RequestBodies } from "../http/request-bodies.js";
import { mediaTypeOf } from "../http/small-body.js";

/**
 * In bytes. A POST has no parameters in its body; this leaves room for an empty JSON object, which some clients send.
 */
const MAX_BODY = 1024;

/**
 * Headers, one of which a page must send for its cookies to be accepted. An HTML form can't set headers, and scripts of
 * other origins can only after a preflight. @edx/frontend-platform sends both.
 */
const HEADERS_OF_SCRIPTS = ["use-jwt-cookie", "x-csrftoken"];

/**
 * Returns whether a request that changes something may authenticate with cookies: only if it was sent by a script of a
 * listed origin. Browsers also add cookies to requests that other pages make them send. `Origin`, which no page can
 * set, identifies the page; the header proves that it was a script and not a form. The value of X-CSRFToken isn't
 * checked, since only the platform could do that.
 */
export function mayUseCookies({ headers }: IncomingMessage, cors: Cors): boolean {
  return cors.isListed(headers.origin) && HEADERS_OF_SCRIPTS.some((name) => headers[name] !== undefined);
}

/** Error for a request that has no token, only cookies that are not accepted; it says what the page has to send. */
export const COOKIES_REFUSED =
  "Cookies are accepted here only from a page whose origin CORS_ALLOWED_ORIGINS lists, with the header USE-JWT-COOKIE " +
  "or X-CSRFToken: send that, or a token in Authorization.";

/**
 * Reads a body that must be empty or an empty JSON object, since any other content would be ignored.
 * @throws Problem `invalid` or `too-large`
 */
export async function readEmptyBody(
  request: IncomingMessage,
  call: AdmittedCall,
  inbound: Inbound,
  bodies: RequestBodies,
): Promise<void> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of bodies.read(request.iterator({ destroyOnReturn: false }), call, inbound)) {
    bytes += chunk.length;
    if (bytes > MAX_BODY) throw new Problem("too-large", `The body has more than ${MAX_BODY} bytes.`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8").trim();
  if (text === "") return;
  if (mediaTypeOf(request) === "application/json" && /^\{\s*\}$/.test(text)) return;
  throw invalid(
    "The body must be empty, or {} as application/json: parameters belong in the query of the URL.",
  );
}
