import { parseJson } from "#foundation/text/read-json.js";
import { fromBase64Url } from "./base64url.js";
import { claimsAgree } from "./jwt-claims.js";
import { MAX_BADGE } from "./max-badge.js";
import type { SignedBytes } from "./signed-bytes.js";

/** The contents of a JWT, and the key that it claims as its signer. Unverified. */
interface UncheckedJwt {
  readonly kid: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** undefined if the registered claims contradict the credential. */
  readonly signed: SignedBytes | undefined;
  /** Describes a member that occurs twice in the header or payload. */
  readonly repeated: string | undefined;
}

/** @returns undefined if the text is not a JWT that names a key and uses ES256 */
export function readJwt(text: string): UncheckedJwt | undefined {
  const [header, payload, signature, ...more] = text.split(".");
  if (text.length > MAX_BADGE || more.length > 0 || signature === undefined) return undefined;
  const head = decoded(header);
  const body = decoded(payload);
  const made = fromBase64Url(signature);
  if (!head || !body || !made) return undefined;
  const { alg, kid, crit } = head.value;
  if (alg !== "ES256" || typeof kid !== "string" || crit !== undefined) return undefined;
  const bytes = new TextEncoder().encode(`${header}.${payload}`);
  const signed: SignedBytes = { algorithm: "P-256", bytes, signature: made };
  return {
    kid,
    payload: body.value,
    signed: claimsAgree(body.value) ? signed : undefined,
    repeated: head.repeated ?? body.repeated,
  };
}

function decoded(part = "") {
  const bytes = fromBase64Url(part);
  try {
    const { value, repeated } = parseJson(new TextDecoder().decode(bytes));
    const isObject = bytes !== undefined && typeof value === "object" && value !== null;
    return isObject ? { value: value as Record<string, unknown>, repeated } : undefined;
  } catch {
    return undefined;
  }
}
