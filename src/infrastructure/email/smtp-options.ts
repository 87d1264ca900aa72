import type { SMTPTransportGetSocket } from "nodemailer/lib/smtp-transport";
import { describeFault } from "../outbound/describe-fault.js";
import type { Guard } from "../outbound/guard.js";
import { connectGuarded } from "../outbound/guarded-socket.js";
import { portOf, type SmtpServer } from "./smtp-url.js";

/** Separate time limits for connecting, for waiting for the greeting, and for looking up a name. */
const CONNECTION_TIMEOUT_MS = 10_000;

/** Time limit for each response to a check, while an administrator waits. */
export const CHECK_SILENCE_MS = 10_000;

/** Maximum length of a server's reply, in bytes. */
const MAX_REPLY = 64 * 1024;

export function smtpOptions(server: SmtpServer) {
  return {
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: server.requireTls,
    ignoreTLS: server.ignoreTls,
    tls: { rejectUnauthorized: server.verifiesCertificate },
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: CONNECTION_TIMEOUT_MS,
    dnsTimeout: CONNECTION_TIMEOUT_MS,
    maxResponseSize: MAX_REPLY,
    // Log lines of nodemailer contain addresses.
    logger: false,
  };
}

/** @throws AddressRefusal if the guard doesn't allow the server's address, or the socket's error */
export function connectToServer(server: SmtpServer, guard: Guard | undefined) {
  return connectGuarded(guard, {
    host: server.host,
    port: portOf(server),
    isTls: server.secure || server.requireTls,
    timeoutMs: CONNECTION_TIMEOUT_MS,
  });
}

/**
 * @param guard decides which addresses are allowed. If undefined, all are allowed, because the operator chose the
 *   server in the environment
 */
export function transportOptions(server: SmtpServer, guard: Guard | undefined) {
  const getSocket: SMTPTransportGetSocket = (_, callback) => {
    connectToServer(server, guard).then(
      (connection) => callback(null, { connection }),
      (error) => callback(Object.assign(new Error(describeFault(error)), { code: "ESOCKET" }), false),
    );
  };
  return { ...smtpOptions(server), auth: server.auth, ...(guard && { getSocket }) };
}
