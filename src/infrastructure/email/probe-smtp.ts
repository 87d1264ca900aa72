import { createTransport, type NodemailerError, type SendMailOptions } from "nodemailer";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { printable } from "#foundation/errors.js";
import { describeFault } from "../outbound/describe-fault.js";
import { AddressRefusal, type Guard } from "../outbound/guard.js";
import { CHECK_SILENCE_MS, connectToServer, smtpOptions, transportOptions } from "./smtp-options.js";
import type { SmtpServer } from "./smtp-url.js";

/** Time limit for signing in, and for sending an email. */
const TOTAL_TIMEOUT_MS = 30_000;
/** Maximum length of a server's reply that is shown. */
const MAX_WORDS = 300;

/** Steps in the order in which they are tried. */
export type SmtpStep = "connection" | "encryption" | "login" | "sender" | "recipient" | "message";

export type SmtpFailure =
  | "name_unknown"
  | "address_not_allowed"
  | "unreachable"
  | "not_smtp"
  | "refused_connection"
  | "no_starttls"
  | "no_tls"
  | "certificate"
  | "login_refused"
  | "login_not_offered"
  | "sender_refused"
  | "recipient_refused"
  | "message_refused";

export interface SmtpProbe {
  readonly passed: readonly SmtpStep[];
  /** undefined if nothing failed. */
  readonly failed?: {
    readonly step: SmtpStep;
    readonly reason: SmtpFailure;
    /** The server's reply, or what happened to the connection, in English. */
    readonly detail: string;
  };
}

class Failure extends Error {
  constructor(
    readonly step: SmtpStep,
    readonly reason: SmtpFailure,
    readonly detail: string,
  ) {
    super(detail);
  }
}

/**
 * Performs the steps of sending an email, and reports the step that failed.
 * @param email sent at the end; undefined to send none
 */
export async function probeSmtp(
  server: SmtpServer,
  guard: Guard | undefined,
  email: SendMailOptions | undefined,
): Promise<SmtpProbe> {
  const passed: SmtpStep[] = [];
  try {
    await signIn(server, guard, (step) => passed.push(step));
    if (email) {
      await sendTo(server, guard, email);
      passed.push("message");
    }
    return { passed };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { step, reason, detail } = error;
    return { passed, failed: { step, reason, detail: withoutSecrets(detail, server) } };
  }
}

async function signIn(
  server: SmtpServer,
  guard: Guard | undefined,
  onPassed: (step: SmtpStep) => void,
): Promise<void> {
  const socket = await connectToServer(server, guard).catch((error) => {
    throw connectionFailure(error);
  });
  const connection = new SMTPConnection({
    ...smtpOptions(server),
    socketTimeout: CHECK_SILENCE_MS,
    connection: socket,
  });
  const timer = setTimeout(() => socket.destroy(), TOTAL_TIMEOUT_MS);
  let onError: (error: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    onError = reject;
  });
  failed.catch(() => {}); // may reject while nothing awaits it
  connection.on("error", onError);
  connection.once("end", () => onError(new Failure("connection", "unreachable", CLOSED)));
  const during = (work: (done: (error?: Error | null) => void) => void) =>
    Promise.race([failed, new Promise<void>((resolve, reject) => work((e) => (e ? reject(e) : resolve())))]);
  try {
    await during((done) => connection.connect(done)).catch((error) => {
      const failure = greetingFailure(error, server);
      if (failure.step === "encryption") onPassed("connection"); // encryption fails only after connecting
      throw failure;
    });
    onPassed("connection");
    if (connection.secure) onPassed("encryption");
    const { auth } = server;
    if (!auth) return;
    if (!connection.allowsAuth)
      throw new Failure("login", "login_not_offered", "the server offers no AUTH on this connection");
    await during((done) => connection.login(auth, done)).catch((error) => {
      const isReply = (error as NodemailerError).responseCode !== undefined;
      throw new Failure("login", isReply ? "login_refused" : "unreachable", wordsOf(error));
    });
    onPassed("login");
  } finally {
    clearTimeout(timer);
    connection.quit();
    connection.close();
  }
}

async function sendTo(server: SmtpServer, guard: Guard | undefined, email: SendMailOptions): Promise<void> {
  const options = { ...transportOptions(server, guard), socketTimeout: CHECK_SILENCE_MS };
  try {
    await createTransport(options).sendMail({ ...email, signal: AbortSignal.timeout(TOTAL_TIMEOUT_MS) });
  } catch (error) {
    const { command, responseCode } = error as NodemailerError;
    const detail = wordsOf(error);
    if (responseCode === undefined) throw new Failure("message", "unreachable", detail);
    if (command === "RCPT TO") throw new Failure("recipient", "recipient_refused", detail);
    if (/^MAIL/.test(command ?? "")) throw new Failure("sender", "sender_refused", detail);
    throw new Failure("message", "message_refused", detail);
  }
}

const CLOSED = "the server closed the connection";

const refusals = {
  "no-address": "name_unknown",
  timeout: "unreachable",
  address: "address_not_allowed",
} as const;

function connectionFailure(error: unknown): Failure {
  const detail = describeFault(error);
  if (error instanceof AddressRefusal)
    return new Failure("connection", refusals[error.reason ?? "address"], detail);
  const isUnknown = (error as NodeJS.ErrnoException).code === "ENOTFOUND";
  return new Failure("connection", isUnknown ? "name_unknown" : "unreachable", detail);
}

function greetingFailure(error: unknown, { secure }: SmtpServer): Failure {
  if (error instanceof Failure) return error;
  const { code, command, responseCode, originalCode } = error as NodemailerError & { originalCode?: string };
  const { message } = error as Error;
  if (originalCode !== undefined && isCertificateFault(originalCode))
    return new Failure("encryption", "certificate", describeFault({ code: originalCode }));
  if (command === "STARTTLS" || /STARTTLS/.test(message))
    return new Failure("encryption", "no_starttls", wordsOf(error));
  if (code === "ETLS" || originalCode === "EPROTO" || originalCode?.startsWith("ERR_SSL_"))
    return new Failure("encryption", "no_tls", describeFault({ code: originalCode ?? "EPROTO" }));
  if (responseCode !== undefined && responseCode >= 400)
    return new Failure("connection", "refused_connection", wordsOf(error));
  if (code === "EPROTOCOL") return new Failure("connection", "not_smtp", "its greeting is not SMTP");
  if (code === "ETIMEDOUT")
    return secure
      ? new Failure("encryption", "no_tls", "it did not respond in time")
      : new Failure("connection", "not_smtp", "it sent no greeting in time");
  return new Failure(
    "connection",
    "unreachable",
    originalCode ? describeFault({ code: originalCode }) : CLOSED,
  );
}

function isCertificateFault(code: string): boolean {
  return /CERT|SIGNED|ISSUER|SIGNATURE/.test(code);
}

/** Returns the server's reply, if it is an SMTP reply. Other replies would reveal which program listens there. */
function wordsOf(error: unknown): string {
  const { response, originalCode } = error as NodemailerError & { originalCode?: string };
  if (typeof response === "string" && /^[45]\d\d[ -]/.test(response))
    return printable(response.replaceAll(/\s*\r?\n(?:\d{3}[ -])?/g, " "), MAX_WORDS);
  return originalCode === undefined ? CLOSED : describeFault({ code: originalCode });
}

/** Removes the credentials from a reply, because the server could repeat what it received. */
function withoutSecrets(text: string, { auth }: SmtpServer): string {
  if (!auth) return text;
  const forms = [auth.pass, `\0${auth.user}\0${auth.pass}`].flatMap((secret) => [
    secret,
    Buffer.from(secret).toString("base64"),
  ]);
  return forms.some((form) => text.includes(form)) ? "the server repeated the password" : text;
}
