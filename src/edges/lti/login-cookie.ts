import type { IncomingMessage } from "node:http";
import { LOGIN_LIFETIME_S } from "#domain/lti/login-state.js";
import { readCookie } from "../http/read-cookie.js";

/**
 * The cookie that binds an LTI login to the browser that started it. The cookie is partitioned by the platform's site.
 * This makes it work in frames even if the browser blocks third-party cookies.
 */
export function loginCookie(id: string) {
  const name = `__Host-lc_lti_${id}`;
  const attributes = "Secure; HttpOnly; SameSite=None; Partitioned; Path=/";
  return {
    read: (request: IncomingMessage) => readCookie(request, name),
    set: (secret: string) => `${name}=${secret}; ${attributes}; Max-Age=${LOGIN_LIFETIME_S}`,
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
  };
}
