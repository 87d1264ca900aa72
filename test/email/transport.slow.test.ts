import { once } from "node:events";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { pino } from "pino";
import PostalMime from "postal-mime";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { Problem } from "#foundation/errors.js";
import { plainLine } from "#foundation/text/plain-line.js";
import type { Email } from "#infrastructure/email/compose-mime.js";
import { domainOf } from "#infrastructure/email/mailbox.js";
import { messageIdOf } from "#infrastructure/email/message-id.js";
import { credentialAvailable } from "#infrastructure/email/messages/credential-emails.js";
import { emailLanguages } from "#infrastructure/email/messages/languages.js";
import { parseSmtpUrl } from "#infrastructure/email/smtp-url.js";
import { createMailer } from "#infrastructure/email/transport.js";
import { newDirectory } from "../support/directory.js";
import { hostileText, hostileTexts } from "./hostile-texts.js";
import { notPlain } from "./not-plain.js";
import { startSmtpSink } from "./smtp-sink.js";

const FROM = { address: "no-reply@example.org", name: "Example Academy" };
const UUID = "0a3f6c1e-5b7d-4e2a-9c48-d1f0b6a7e935";
const LINK = "https://credentials.example.org/d/secret-link";
const facts = {
  platformName: "Example Academy",
  credentialType: "Certificate of Achievement",
  learningContextName: "Bridges & Tunnels",
  userFullName: "Ana Kovač",
  link: LINK,
  page: "https://credentials.example.org/verify/f58a4a10-67c4-42c7-9081-22078fceac85/",
  isReplacement: false,
};
/** Must not appear in any log or error. */
const PERSONAL = /vera|uni\.edu|Lovelace|secret-link|p4ssword/i;
const HEADERS = [
  "auto-submitted",
  "content-type",
  "date",
  "from",
  "message-id",
  "mime-version",
  "subject",
  "to",
  "x-auto-response-suppress",
];

let directory: string;
let logged: string;

beforeEach(async () => {
  logged = "";
  directory = newDirectory("mail");
  onTestFinished(() => expect(logged).not.toMatch(PERSONAL));
});

function mailer(smtpUrl?: string, at = directory) {
  const write = (line: string) => {
    logged += line;
  };
  const log = pino({ level: "trace" }, { write });
  const setting = { server: smtpUrl === undefined ? undefined : parseSmtpUrl(smtpUrl), from: FROM };
  const created = createMailer({ setting: async () => setting, directory: at, log });
  onTestFinished(created.close);
  return created;
}

function email(change: Partial<Email> = {}): Email {
  return {
    ...credentialAvailable(facts, ["en"]),
    to: { address: "vera@uni.edu", name: "Vera Lovelace" },
    messageId: messageIdOf(UUID, domainOf(FROM.address)),
    ...change,
  };
}

/** Returns the Problem with which the promise rejects. */
async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const problem = await work.then(
    () => expect.fail("it was sent"),
    (error: unknown) => error,
  );
  if (!(problem instanceof Problem)) throw problem;
  expect(problem.kind).toBe("unavailable");
  expect(`${problem.message} ${problem.cause}`).not.toMatch(PERSONAL);
  return problem;
}

const causeOf = async (work: Promise<unknown>) => String((await problemOf(work)).cause);

/** Expects that another program parses the email to the same values. */
async function expectReceived(raw: Uint8Array, { to, subject, text, html, messageId }: Email): Promise<void> {
  const read = await PostalMime.parse(raw);
  const name = to.name?.includes("=?") ? "" : plainLine(to.name ?? "");
  expect(read.headers.map(({ key }) => key).sort()).toEqual(HEADERS);
  expect(read.from).toMatchObject(FROM);
  expect(read.to).toHaveLength(1);
  expect(read.to?.[0]).toMatchObject({ address: to.address, name });
  expect(read.subject).toBe(subject);
  // The composer adds line breaks at the end of a part.
  expect(read.text?.trimEnd()).toBe(text.trimEnd());
  expect(read.html?.trimEnd()).toBe(html.trimEnd());
  expect(read.messageId).toBe(messageId);
  expect(read.attachments).toEqual([]);
}

async function onlyFile(): Promise<Buffer> {
  const [name, ...others] = await readdir(directory);
  expect(others).toEqual([]);
  return readFile(join(directory, name ?? ""));
}

describe("over SMTP", () => {
  test.each(emailLanguages.all)("an email in $tag arrives as composed, in one mailbox", async ({ tag }) => {
    const sink = await startSmtpSink();
    const written = email(credentialAvailable(facts, [tag]));
    expect(await mailer(`smtp://127.0.0.1:${sink.port}`).send(written)).toEqual({ outcome: "sent" });
    const [received] = sink.received;
    expect(received).toMatchObject({ from: FROM.address, to: ["vera@uni.edu"] });
    await expectReceived(received?.raw ?? Buffer.alloc(0), written);
  });

  test("the headers identify it as automatic, and reveal nothing about the service", async () => {
    const sink = await startSmtpSink();
    await mailer(`smtp://127.0.0.1:${sink.port}`).send(email());
    const { headers, date } = await PostalMime.parse(sink.received[0]?.raw ?? "");
    const value = (key: string) => headers.find((header) => header.key === key)?.value;
    expect(value("auto-submitted")).toBe("auto-generated");
    expect(value("message-id")).toBe(`<${UUID}@example.org>`);
    expect(Math.abs(Date.now() - Date.parse(date ?? ""))).toBeLessThan(10_000);
    expect(String(sink.received[0]?.raw)).not.toMatch(/nodemailer/i);
  });

  test("many emails share a few connections", async () => {
    const sink = await startSmtpSink();
    const { send } = mailer(`smtp://127.0.0.1:${sink.port}`);
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => send(email({ to: { address: `vera${n}@uni.edu` } }))),
    );
    expect(new Set(sink.received.flatMap(({ to }) => to)).size).toBe(40);
    expect(sink.received.every(({ to }) => to.length === 1)).toBe(true);
    expect(sink.connections()).toBeLessThanOrEqual(5);
  });

  test("a non-ASCII address is used unchanged", async () => {
    const sink = await startSmtpSink();
    const written = email({ to: { address: "віра@uni.edu" } });
    await mailer(`smtp://127.0.0.1:${sink.port}`).send(written);
    expect(sink.received[0]?.to).toEqual(["віра@uni.edu"]);
  });

  test.each(notPlain)("nothing goes to %j", async (address) => {
    const sink = await startSmtpSink();
    expect(await mailer(`smtp://127.0.0.1:${sink.port}`).send(email({ to: { address } }))).toEqual({
      outcome: "refused",
      reason: "the address is not one plain mailbox",
    });
    expect(sink.connections()).toBe(0);
  });
});

describe("an email is refused permanently", () => {
  test.each([
    ["rcptTo", "550 5.1.1 <vera@uni.edu> nobody here", "RCPT TO failed with 550 5.1.1"],
    ["rcptTo", "552 5.2.2 mailbox of vera@uni.edu is full", "RCPT TO failed with 552 5.2.2"],
    ["rcptTo", "553 5.1.3 vera@uni.edu is not understood", "RCPT TO failed with 553 5.1.3"],
    ["data", "554 5.6.0 vera@uni.edu does not like it", "DATA failed with 554 5.6.0"],
  ] as const)("at %s by %s", async (step, answer, reason) => {
    const sink = await startSmtpSink();
    const { send } = mailer(`smtp://127.0.0.1:${sink.port}`);
    sink.answers[step].push(answer);
    expect(await send(email())).toEqual({ outcome: "refused", reason });
    expect(sink.received).toEqual([]);
    expect(await send(email({ to: { address: "other@uni.edu" } }))).toEqual({ outcome: "sent" });
  });
});

describe("an email can be retried", () => {
  test.each([
    ["rcptTo", "450 4.2.1 vera@uni.edu is busy", "RCPT TO failed with 450 4.2.1"],
    ["rcptTo", "451 4.7.1 greylisted vera@uni.edu", "RCPT TO failed with 451 4.7.1"],
    ["rcptTo", "421 4.3.2 vera@uni.edu: going down", "failed with 421 4.3.2"],
    ["mailFrom", "421 4.3.2 going down", "failed with 421 4.3.2"],
    ["data", "451 4.3.0 vera@uni.edu: try later", "DATA failed with 451 4.3.0"],
    // The cause is this service's settings, not the recipient.
    ["mailFrom", "550 5.1.0 sender refused", "MAIL FROM failed with 550 5.1.0"],
    ["rcptTo", "530 5.7.0 log in first", "RCPT TO failed with 530 5.7.0"],
    ["rcptTo", "554 5.7.1 <vera@uni.edu>: relay access denied", "RCPT TO failed with 554 5.7.1"],
    ["rcptTo", "550 5.1.8 sender's domain not found", "RCPT TO failed with 550 5.1.8"],
  ] as const)("after %s: %s", async (step, answer, cause) => {
    const sink = await startSmtpSink();
    const { send } = mailer(`smtp://127.0.0.1:${sink.port}`);
    sink.answers[step].push(answer);
    expect(await causeOf(send(email()))).toContain(cause);
    expect(sink.received).toEqual([]);
    expect(await send(email())).toEqual({ outcome: "sent" });
    expect(sink.received).toHaveLength(1);
  });

  test("after the connection was lost once the data was sent, with the same Message-ID", async () => {
    const sink = await startSmtpSink();
    const { send } = mailer(`smtp://127.0.0.1:${sink.port}`);
    await send(email({ to: { address: "first@uni.edu" } })); // opens the connection that the next email reuses
    sink.answers.data.push("drop");
    expect(await causeOf(send(email()))).toContain("ECONNECTION");
    expect(sink.received).toHaveLength(2);
    expect(await send(email())).toEqual({ outcome: "sent" });
    const ids = await Promise.all(
      sink.received.slice(1).map(async ({ raw }) => (await PostalMime.parse(raw)).messageId),
    );
    expect(ids).toEqual([`<${UUID}@example.org>`, `<${UUID}@example.org>`]);
  });

  test("over another connection at once, if a pooled one turns out to be dead", async () => {
    const sink = await startSmtpSink();
    const { send } = mailer(`smtp://127.0.0.1:${sink.port}`);
    await send(email());
    sink.answers.mailFrom.push("drop");
    expect(await send(email())).toEqual({ outcome: "sent" });
    expect(sink.received).toHaveLength(2);
    expect(sink.connections()).toBe(2);
  });

  test("if nothing listens on the port", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(await causeOf(mailer(`smtp://127.0.0.1:${port}`).send(email()))).toContain("ECONNREFUSED");
  });

  test("with all others that wait for a connection, if the server hangs up", async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.destroy();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { send } = mailer(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const failures = await Promise.all(Array.from({ length: 50 }, () => problemOf(send(email()))));
    expect(failures.map(({ outage }) => outage)).toEqual(Array(50).fill("mail"));
    expect(connections).toBeLessThan(50);
  });

  test("if the mailer closes while the server is silent", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { send, close } = mailer(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const sending = problemOf(send(email()));
    await once(server, "connection");
    await close();
    await sending;
    await problemOf(send(email()));
  });
});

describe("TLS", () => {
  test.each(["tls", "starttls"] as const)("by %s is used, and protects the login", async (kind) => {
    const login = { user: "sender", pass: "p4ssword/%" };
    const sink = await startSmtpSink(kind, login);
    const scheme = kind === "tls" ? "smtps" : "smtp";
    const url = `${scheme}://sender:p4ssword%2F%25@127.0.0.1:${sink.port}?tls.rejectUnauthorized=false`;
    expect(await mailer(url).send(email())).toEqual({ outcome: "sent" });
    expect(sink.received).toMatchObject([{ isSecure: true, user: "sender" }]);
  });

  test.each(["tls", "starttls"] as const)(
    "by %s with an untrusted certificate sends nothing",
    async (kind) => {
      const sink = await startSmtpSink(kind);
      const scheme = kind === "tls" ? "smtps" : "smtp";
      const { send } = mailer(`${scheme}://127.0.0.1:${sink.port}`);
      expect(await causeOf(send(email()))).toMatch(/certificate/);
      expect(sink.received).toEqual([]);
    },
  );

  test.each([
    ["asked for", "smtp://127.0.0.1", "?requireTLS=true"],
    ["implied by a password", "smtp://sender:p4ssword@127.0.0.1", ""],
  ])("%s but not offered: nothing is sent", async (_why, address, query) => {
    const sink = await startSmtpSink("none");
    await problemOf(mailer(`${address}:${sink.port}${query}`).send(email()));
    expect(sink.received).toEqual([]);
  });

  test("can be switched off for a login with password", async () => {
    const sink = await startSmtpSink("none", { user: "sender", pass: "p4ssword" });
    const url = `smtp://sender:p4ssword@127.0.0.1:${sink.port}?requireTLS=false`;
    expect(await mailer(url).send(email())).toEqual({ outcome: "sent" });
    expect(sink.received).toMatchObject([{ isSecure: false, user: "sender" }]);
  });

  test("a wrong password is not held against the recipient", async () => {
    const sink = await startSmtpSink("starttls", { user: "sender", pass: "another" });
    const url = `smtp://sender:p4ssword@127.0.0.1:${sink.port}?tls.rejectUnauthorized=false`;
    expect(await causeOf(mailer(url).send(email()))).toContain("failed with 535");
  });
});

describe("without a server", () => {
  test("an email is a file named by its Message-ID, for this user only; a resend replaces it", async () => {
    const at = join(directory, "emails");
    const { send } = mailer(undefined, at);
    expect(await send(email())).toEqual({ outcome: "sent" });
    await send(email());
    await send(email({ messageId: messageIdOf("other", "example.org") }));
    expect((await readdir(at)).sort()).toEqual([`${UUID}@example.org.eml`, "other@example.org.eml"]);
    const path = join(at, `${UUID}@example.org.eml`);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const raw = await readFile(path);
    await expectReceived(raw, email());
    expect(raw.toString()).not.toMatch(/[^\r]\n/);
  });

  test("an unusable directory leads to a retry", async () => {
    await writeFile(join(directory, "file"), "");
    await problemOf(mailer(undefined, join(directory, "file", "emails")).send(email()));
  });
});

describe("input from the service's own code", () => {
  test.each([
    [{ messageId: "" }],
    [{ messageId: `${UUID}@example.org` }],
    [{ messageId: "<../../evil@example.org>" }],
    [{ messageId: "<a@x.y>\r\nBcc: evil@x.y" }],
    [{ subject: "Hello\r\nBcc: evil@x.y" }],
  ])("is checked: %j", async (change) => {
    await expect(mailer().send(email(change))).rejects.toThrow(/not a Message-ID|control character/);
    expect(await readdir(directory)).toEqual([]);
  });
});

describe("hostile names", () => {
  async function expectHarmless(name: string, title: string, tag: string): Promise<void> {
    const message = credentialAvailable({ ...facts, learningContextName: title, platformName: title }, [tag]);
    const written = email({ ...message, to: { address: "vera@uni.edu", name } });
    await mailer().send(written);
    const raw = await onlyFile();
    await expectReceived(raw, written);
    // Checks the bytes, too: ASCII lines of acceptable length, each of them a header or its continuation.
    const [head = ""] = raw.toString("latin1").split("\r\n\r\n");
    for (const line of head.split("\r\n")) {
      expect(line).toMatch(/^([A-Za-z-]+:( |$)| )[\x20-\x7e]*$/);
      expect(line.length).toBeLessThanOrEqual(998);
    }
  }

  test.each(hostileTexts)("%j adds no header and no recipient", async (text) => {
    await expectHarmless(text, text, "en");
  });

  test("of any kind add no header and no recipient", async () => {
    await fc.assert(
      fc.asyncProperty(
        hostileText,
        hostileText,
        fc.constantFrom(...emailLanguages.all.map(({ tag }) => tag)),
        expectHarmless,
      ),
      { numRuns: 150 },
    );
  });
});
