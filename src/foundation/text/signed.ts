import { authenticationCode, isAuthentic, readBase64Url } from "./authentic.js";

interface Limited {
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * Encodes content as text that only this service can create.
 * @param purpose distinguishes texts for different purposes that are signed with the same secret
 */
export function writeSigned(secret: string, purpose: string, content: Limited): string {
  const body = Buffer.from(JSON.stringify(content));
  const code = authenticationCode(secret, purpose, body);
  return `${body.toString("base64url")}.${code.toString("base64url")}`;
}

/**
 * Decodes and verifies signed content. Returns undefined if the content has expired, or wasn't signed with any of the
 * secrets.
 */
export function readSigned<Content extends Limited>(
  secrets: readonly string[],
  purpose: string,
  text: string,
  now: number,
): Content | undefined {
  const [body, code, ...more] = text.split(".").map(readBase64Url);
  if (!body || !code || more.length > 0 || !isAuthentic(secrets, purpose, body, code)) return undefined;
  const content = JSON.parse(body.toString()) as Content;
  return content.expiresAt > now ? content : undefined;
}
