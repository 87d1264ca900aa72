import { authenticationCode, isAuthentic, readBase64Url } from "./authentic.js";

/** Something that counts for a limited time. */
interface Limited {
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * Writes a content as text that only this service can write.
 * @param purpose separates it from others that are signed with the same secret
 */
export function writeSigned(secret: string, purpose: string, content: Limited): string {
  const body = Buffer.from(JSON.stringify(content));
  const code = authenticationCode(secret, purpose, body);
  return `${body.toString("base64url")}.${code.toString("base64url")}`;
}

/** Reads it again; undefined if it was not written here, under any of the secrets, or has expired. */
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
