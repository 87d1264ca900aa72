import { parseSmtpUrl } from "./smtp-url.js";

const CONNECTION_TIMEOUT_MS = 10_000;

/** How to reach the server at `SMTP_URL`, as nodemailer takes it. */
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
    // Its log lines contain addresses.
    logger: false,
  };
}
