import type { IncomingMessage } from "node:http";
import type { AdmittedCall } from "#api/pipeline/admitted-call.js";
import type { Inbound } from "#api/pipeline/inbound.js";
import { invalid, Problem } from "#foundation/errors.js";
import type { Cors } from "../http/cors.js";
import type { RequestBodies } from "../http/request-bodies.js";
import { mediaTypeOf } from "../http/small-body.js";

/** A POST has no parameters in its body. An empty JSON object, as some clients send it, has room; in bytes. */
const MAX_BODY = 1024;

/**
 * What a page has to send along for its cookies to be accepted. No form can send a header of its own, and other origins'
 * scripts only after a preflight. @edx/frontend-platform sends both.
 */
const HEADERS_OF_SCRIPTS = ["use-jwt-cookie", "x-csrftoken"];

/**
 * Returns whether a request that changes something may use its cookies: whether a script of a listed origin has sent it.
 * A browser adds cookies to whatever a page makes it post. `Origin`, which no page can set, says which page it was; the
 * header says that it was no form. The value of X-CSRFToken isn't checked: only the platform can do that.
 */
export function mayUseCookies({ headers }: IncomingMessage, cors: Cors): boolean {
  return cors.isListed(headers.origin) && HEADERS_OF_SCRIPTS.some((name) => headers[name] !== undefined);
}

/** Says what a page has to do, where a request without a token had cookies that were not accepted. */
export const COOKIES_REFUSED =
  "Cookies are accepted here only from a page whose origin CORS_ALLOWED_ORIGINS lists, with the header USE-JWT-COOKIE " +
  "or X-CSRFToken: send that, or a token in Authorization.";

/**
 * Reads a body that must be empty, or an empty JSON object: whatever else it says would be ignored.
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
