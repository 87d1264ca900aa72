import { parseSmtpUrl } from "./smtp-url.js";

const CONNECTION_TIMEOUT_MS = 10_000;

/** Returns nodemailer's options for the server at `SMTP_URL`. */
export function smtpOptions(smtpUrl: string) {
  const { host, port, secure, requireTls, verifiesCertificate, auth } = parseSmtpUrl(smtpUrl);
  return {
    host,
    port,
    secure,
    requireTLS: requireTls,
    auth,
    tls: { rejectUnauthorized: verifiesCertificate },
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: CONNECTION_TIMEOUT_MS,
    dnsTimeout: CONNECTION_TIMEOUT_MS,
    // Log lines of nodemailer contain addresses.
    logger: false,
  };
}
