import type { IncomingMessage } from "node:http";
import { readCookie } from "../http/read-cookie.js";

/** The cookie that holds the token of a session. */
export interface SessionCookie {
  readonly name: string;
  /**
   * Returns the token of a request. If there are several cookies of this name, for example because another site set
   * one, the first is used.
   */
  read(request: IncomingMessage): string | undefined;
  /** Value of `Set-Cookie` that stores the token. */
  set(token: string, seconds: number): string;
  /** Value of `Set-Cookie` that removes the cookie. */
  clear(): string;
}

/**
 * Creates a cookie of the console. Over HTTPS its name has the prefix `__Host-`, so that no neighbouring host can set
 * it, and browsers never send it unencrypted (RFC 6265bis, 4.1.3.2). Over plain HTTP the name contains the port,
 * because cookies are shared by all ports, and several services may run on one machine.
 *
 * It is `Lax`: with `Strict`, the browser wouldn't send it after the identity provider's redirect.
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
