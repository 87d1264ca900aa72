import type { IncomingMessage } from "node:http";
import type { AdmittedCall, Inbound } from "#api/pipeline/inbound.js";
import { invalid, Problem } from "#foundation/errors.js";
import type { Cors } from "../http/cors.js";
import type { RequestBodies } from "../http/request-bodies.js";
import { mediaTypeOf } from "../http/small-body.js";

/** In bytes. A POST has no parameters in its body, but some clients send an empty JSON object. */
const MAX_BODY = 1024;

/**
 * A page must send one of these headers with its cookies. Forms can't set headers, and scripts of other origins need a
 * preflight. @edx/frontend-platform sends both headers.
 */
const HEADERS_OF_SCRIPTS = ["use-jwt-cookie", "x-csrftoken"];

/**
 * Returns whether a request that changes something may authenticate with cookies. Only requests from scripts of a
 * listed origin may, because browsers also send cookies with requests that other pages trigger. Pages can't change
 * `Origin`, and one of `HEADERS_OF_SCRIPTS` proves that a script sent the request and not a form. The value of
 * X-CSRFToken is not checked, because only the platform can do so.
 */
export function mayUseCookies({ headers }: IncomingMessage, cors: Cors): boolean {
  return cors.isListed(headers.origin) && HEADERS_OF_SCRIPTS.some((name) => headers[name] !== undefined);
}

/** The error for a request that has only cookies as credentials, if those aren't accepted. */
export const COOKIES_REFUSED =
  "Cookies are accepted here only from origins in CORS_ALLOWED_ORIGINS, and with the header USE-JWT-COOKIE or " +
  "X-CSRFToken: send that header, or a token in Authorization.";

/**
 * Reads a body that must be empty or an empty JSON object. Any other content is refused instead of being ignored.
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
