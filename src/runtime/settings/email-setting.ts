import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { z } from "zod";
import { invalidField, Problem, quoted } from "#foundation/errors.js";
import { plainLine } from "#foundation/text/plain-line.js";
import { composeMime } from "#infrastructure/email/compose-mime.js";
import { domainOf, isPlainAddress, parseMailbox } from "#infrastructure/email/mailbox.js";
import { messageIdOf } from "#infrastructure/email/message-id.js";
import { testEmail } from "#infrastructure/email/messages/test-email.js";
import type { probeSmtp, SmtpFailure, SmtpProbe, SmtpStep } from "#infrastructure/email/probe-smtp.js";
import { parseSmtpUrl, portOf, type SmtpServer } from "#infrastructure/email/smtp-url.js";
import type { EmailSetting } from "#infrastructure/email/transport.js";
import type { Guard } from "#infrastructure/outbound/guard.js";
import type { Config } from "./config.js";
import {
  optional,
  type ServiceSettingType,
  type SettingCheck,
  settingOptions,
  settingText,
} from "./service-setting.js";

/** Types of encryption, each with its usual port. */
const PORTS = { starttls: 587, tls: 465, none: 25 } as const;

const host = z
  .string()
  .trim()
  .refine(
    (value) => isIP(value) !== 0 || /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(domainToASCII(value)),
    "must be a host name such as smtp.example.org, without smtp:// and without a port",
  );
const sender = z
  .string()
  .trim()
  .refine(
    (value) => isPlainAddress(value) && isMailbox(value),
    "must be one email address such as no-reply@example.org",
  );
/** Must not contain `=?…?=`, because email programs decode it even in quotes, and would display a different name. */
const senderName = z
  .string()
  .trim()
  .max(200, "must have at most 200 characters")
  .refine(
    (value) => plainLine(value) === value && !value.includes("=?"),
    "must be one line of printable characters, without =?",
  );
const port = z
  .number("must be a whole number from 1 to 65535")
  .int("must be a whole number from 1 to 65535")
  .min(1, "must be a whole number from 1 to 65535")
  .max(65_535, "must be a whole number from 1 to 65535");
const { options, read } = settingOptions({
  host: ["text", host, { isAddress: true }],
  security: [
    "choice",
    z.enum(Object.keys(PORTS) as (keyof typeof PORTS)[], "must be starttls, tls or none").default("starttls"),
    { isAddress: true, choices: Object.keys(PORTS) },
  ],
  port: ["number", port.optional(), { isAddress: true }],
  username: ["text", optional(settingText)],
  password: ["secret", settingText.optional()],
  sender_address: ["text", sender],
  sender_name: ["text", optional(senderName)],
});

/** The setting for the server that sends emails, and for their sender. */
export function emailSetting(
  config: Pick<Config, "smtpUrl" | "mailFrom" | "platformName" | "shownSettings">,
  publicUrl: string,
  guard: Guard,
): ServiceSettingType<EmailSetting> & { readonly fromEnvironment: EmailSetting } {
  const { smtpUrl, mailFrom, shownSettings } = config;
  const variables = ["SMTP_URL", "MAIL_FROM"].filter((name) => shownSettings.has(name));
  const fromOf = (address: string, name: string | undefined) => ({
    address,
    // A getter, because administrators can change the platform's name while the service runs.
    get name() {
      return name ?? config.platformName;
    },
  });
  return {
    name: "email",
    options,
    fromEnvironment: {
      server: smtpUrl === undefined ? undefined : parseSmtpUrl(smtpUrl),
      from: fromOf(mailFrom.address, mailFrom.name),
    },
    variables,
    ownUrls: [],
    read(values, secrets) {
      const { security, username, password, ...entered } = read(values, secrets);
      if ((username === undefined) !== (password === undefined))
        throw username === undefined
          ? invalidField("options.username", "options.username must be set, because secrets.password is.")
          : invalidField("secrets.password", "secrets.password must be set, because options.username is.");
      return {
        server: {
          host: entered.host,
          port: entered.port ?? PORTS[security],
          secure: security === "tls",
          requireTls: security === "starttls",
          ignoreTls: security === "none",
          verifiesCertificate: true,
          auth:
            username === undefined || password === undefined ? undefined : { user: username, pass: password },
        },
        from: fromOf(entered.sender_address, entered.sender_name),
        guard,
      };
    },
    async check({ server, from, guard: checked }, { recipient }) {
      if (recipient !== undefined && !isPlainAddress(recipient))
        throw invalidField("recipient", `recipient is ${quoted(recipient)}; it must be one email address.`);
      if (!server)
        return [
          {
            what: "connection",
            outcome: "warning",
            reason: "no_server",
            text: "no server is set: emails are saved in DATA_DIR and reach nobody",
          },
        ];
      const email =
        recipient === undefined
          ? undefined
          : composeMime(
              {
                ...testEmail(config.platformName, publicUrl),
                to: { address: recipient },
                messageId: messageIdOf(crypto.randomUUID(), domainOf(from.address)),
              },
              from,
            );
      return presentProbe(await probe(server, checked, email), server, recipient);
    },
  };
}

/** Loads the module only when a check is requested. */
async function probe(...probed: Parameters<typeof probeSmtp>): Promise<SmtpProbe> {
  return (await import("#infrastructure/email/probe-smtp.js")).probeSmtp(...probed);
}

/**
 * Signs in to the email server, if one is set, without sending an email.
 * @throws Problem `unavailable` with what failed and what to do
 */
export async function signInToServer({ server, guard }: EmailSetting): Promise<void> {
  const { failed } = server ? await probe(server, guard, undefined) : {};
  if (failed) throw new Problem("unavailable", describeFailure(failed));
}

function isMailbox(address: string): boolean {
  try {
    return parseMailbox(address).address === address;
  } catch {
    return false;
  }
}

/** What failed and what to do, for error messages. */
const remedies: Readonly<Record<SmtpFailure, string>> = {
  name_unknown: "the server's name was not found. Check its spelling",
  address_not_allowed:
    "the server is not allowed. If it is in your own network, add the network to SETTINGS_ALLOWED_NETWORKS",
  unreachable: "the server can't be reached. Check its name and port, and whether a firewall blocks them",
  not_smtp: "no email server responds on this port. Check the port and the encryption",
  refused_connection: "the server refuses connections from this service. Ask its administrator to allow them",
  no_starttls: "the server offers no STARTTLS on this port. Try TLS with port 465, or ask its administrator",
  no_tls: "the server doesn't speak TLS on this port. Try STARTTLS with port 587, or ask its administrator",
  certificate:
    "the server's certificate is not trusted. Enter the name that the certificate is for, or have the certificate renewed",
  login_refused:
    "the server refused the username or password. Enter both again; many providers require an app password or an API key",
  login_not_offered:
    "the server offers no sign-in on this port. Try another port or encryption, or leave the username empty",
  sender_refused: "the server refused the sender address. Use an address that this account may send from",
  recipient_refused:
    "the server refused the recipient of the test email. Check the address, and whether you must sign in",
  message_refused: "the server refused the test email",
};

function describeFailure({ reason, detail }: NonNullable<SmtpProbe["failed"]>): string {
  return `${remedies[reason]} (${detail})`;
}

function presentProbe(
  { passed, failed }: SmtpProbe,
  server: SmtpServer,
  recipient: string | undefined,
): SettingCheck[] {
  const checks: SettingCheck[] = passed.map((step) => ({
    what: step,
    outcome: "ok",
    reason: step === "message" ? "sent" : "",
    ...describePassed(step, server, recipient),
  }));
  if (failed) {
    const { step, reason, detail } = failed;
    return [...checks, { what: step, outcome: "failed", reason, detail, text: describeFailure(failed) }];
  }
  if (!passed.includes("encryption"))
    checks.push({
      what: "encryption",
      outcome: "warning",
      reason: "not_encrypted",
      text: "emails and the password are sent without encryption",
    });
  if (!passed.includes("login"))
    checks.push({
      what: "login",
      outcome: "warning",
      reason: "no_login",
      text: "no username is set: the server must accept emails from this service without one",
    });
  return checks;
}

function describePassed(
  step: SmtpStep,
  server: SmtpServer,
  recipient = "",
): { text: string; detail: string } {
  const { host: name, secure, auth } = server;
  switch (step) {
    case "connection":
      return both(`${name}:${portOf(server)}`, "connected to ");
    case "encryption":
      return both(secure ? "TLS" : "STARTTLS", "started with ");
    case "login":
      return both(auth?.user ?? "", "signed in as ");
    default:
      return both(recipient, "accepted for ");
  }
}

const both = (detail: string, before: string) => ({ detail, text: `${before}${detail}` });
