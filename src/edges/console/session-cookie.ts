import type { IncomingMessage } from "node:http";
import { readCookie } from "../http/read-cookie.js";

export interface SessionCookie {
  readonly name: string;
  /** Returns the token. If another site has set a second cookie of this name, the first one is used. */
  read(request: IncomingMessage): string | undefined;
  set(token: string, seconds: number): string;
  clear(): string;
}

/**
 * Creates a cookie of the console. Over HTTPS, its name has the prefix `__Host-`, so sibling hosts can't set it (RFC
 * 6265bis, 4.1.3.2). Over plain HTTP, its name contains the port, because services on different ports of a machine
 * share cookies.
 *
 * The cookie is `Lax`: a `Strict` cookie would not be sent after the identity provider's redirect.
 * @param purpose last part of the name
 */
export function createSessionCookie(publicUrl: string, purpose = "console"): SessionCookie {
  const { protocol, port } = new URL(publicUrl);
  const isHttps = protocol === "https:";
  const name = isHttps ? `__Host-lc_${purpose}` : `lc_${purpose}_${port || "80"}`;
  const attributes = `${isHttps ? "Secure; " : ""}HttpOnly; SameSite=Lax; Path=/`;
  const prefix = `${name}=`;
  return {
    name,
    read: (request) => readCookie(request, name) || undefined,
    set: (token, seconds) => `${prefix}${token}; ${attributes}; Max-Age=${seconds}`,
    clear: () => `${prefix}; ${attributes}; Max-Age=0`,
  };
}
