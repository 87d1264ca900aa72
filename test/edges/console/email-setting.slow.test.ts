import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import type { DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { pino } from "pino";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { createMailer } from "#infrastructure/email/transport.js";
import { type SmtpSink, startSmtpSink } from "../../email/smtp-sink.js";
import { rowsOf } from "../../support/database.js";
import { findingsOn } from "../../support/health.js";
import { startTestService, type TestService } from "../../support/service.js";
import { callAtConsole, signIn } from "./console-session.js";

const {
  listServiceSettings,
  updateServiceSetting,
  deleteServiceSetting,
  checkServiceSetting,
  listAuditEntries,
  getHealth,
} = AdministrationService.method;
const SETTINGS_SECRET = "a secret for settings that only this test knows";
const LOGIN = { user: "sender", pass: "p4ssword only the server knows" };
const ALLOWED = { SETTINGS_SECRET, SETTINGS_ALLOWED_NETWORKS: "127.0.0.0/8" };

let sink: SmtpSink;
let service: TestService;
/** A service on the same database that connects only to public addresses. */
let guarded: TestService;
let admin: string;
const lines: string[] = [];

beforeAll(async () => {
  const log = pino({ level: "trace" }, { write: (line) => void lines.push(line) });
  service = await startTestService({ settings: ALLOWED, log });
  guarded = await startTestService({ beside: service, settings: { SETTINGS_SECRET } });
});
afterAll(async () => {
  await guarded.stop();
  await service.stop();
});
beforeEach(async () => {
  sink = await startSmtpSink("none", LOGIN);
  admin = await signIn(service, { username: "root", roles: ["admin"] });
  await call(deleteServiceSetting, { name: "email" });
});

async function call<M extends DescMethodUnary>(
  method: M,
  request: MessageInitShape<M["input"]>,
  { at = service, cookie = admin } = {},
) {
  const { status, body } = await callAtConsole(at, method, request, { cookie });
  return { status, ...JSON.parse(body) };
}

const entries = (options: object = {}, secrets: object = { password: LOGIN.pass }) =>
  ({
    name: "email",
    options: {
      host: "127.0.0.1",
      port: sink.port,
      security: "none",
      username: LOGIN.user,
      sender_address: "registry@academy.test",
      sender_name: "Registry, the",
      ...options,
    },
    secrets,
  }) as never;
const save = (...changes: Parameters<typeof entries>) => call(updateServiceSetting, entries(...changes));
const check = (request: object, at = service) => call(checkServiceSetting, request as never, { at });
const outcomes = ({ checks }: { checks: readonly Record<string, string>[] }) =>
  checks.map(
    ({ what, outcome, reason = "" }) => `${what} ${outcome?.slice("CHECK_OUTCOME_".length)} ${reason}`,
  );
const listed = async (at = service) =>
  (await call(listServiceSettings, {}, { at })).settings.find(
    (each: { name: string }) => each.name === "email",
  );

/** Returns a mailer that sends emails like the service's worker. */
function mailerOf({ app }: TestService, directory = join(app.config.dataDir, "mails")) {
  const mailer = createMailer({ setting: app.email, directory, log: app.log });
  onTestFinished(mailer.close);
  let number = 0;
  return {
    ...mailer,
    send: () =>
      mailer.send({
        subject: "Hello",
        text: "Hello",
        html: "<p>Hello</p>",
        to: { address: "vera@uni.edu" },
        messageId: `<mail-${number++}@academy.test>`,
      }),
    saved: () => readdir(directory).catch(() => []),
  };
}

test("emails go through a server that was saved, changed and deleted, without a restart", async () => {
  const mailer = mailerOf(service);
  await mailer.send();
  expect(await mailer.saved()).toHaveLength(1);
  expect(await save()).toMatchObject({ isStored: true, secrets: [{ name: "password" }] });
  expect(await mailer.send()).toEqual({ outcome: "sent" });
  expect(sink.received).toMatchObject([
    { from: "registry@academy.test", to: ["vera@uni.edu"], user: "sender" },
  ]);
  expect((await PostalMime.parse(sink.received[0]?.raw ?? "")).from).toMatchObject({
    name: "Registry, the",
    address: "registry@academy.test",
  });
  const other = await startSmtpSink("none");
  await save({ port: other.port, username: "", sender_name: "" }, { password: "" });
  expect(await mailer.send()).toEqual({ outcome: "sent" });
  expect((await PostalMime.parse(other.received[0]?.raw ?? "")).from?.name).toBe("Learning Credentials");
  expect(sink.received).toHaveLength(1);
  await call(deleteServiceSetting, { name: "email" });
  await mailer.send();
  expect(await mailer.saved()).toHaveLength(2);
  await mailer.forget("mail-0");
  expect(await mailer.saved()).toHaveLength(1);
});

test("emails that were saved before there was a server are removed, too", async () => {
  const mailer = mailerOf(service, join(service.app.config.dataDir, "mails-2"));
  await mailer.send();
  await save();
  await mailer.forget("mail-0");
  expect(await mailer.saved()).toEqual([]);
});

test("an email that is being sent when the server changes still arrives", async () => {
  let accept = () => {};
  sink.answers.data.push(
    new Promise((resolve) => {
      accept = resolve;
    }),
  );
  await save();
  const mailer = mailerOf(service);
  const sending = mailer.send();
  await expect.poll(() => sink.received.length).toBe(1);
  const other = await startSmtpSink("none", LOGIN);
  await save({ port: other.port });
  expect(await mailer.send()).toEqual({ outcome: "sent" });
  expect(other.received).toHaveLength(1);
  accept();
  expect(await sending).toEqual({ outcome: "sent" });
});

test("another process uses what was saved within seconds", async () => {
  const beside = await startTestService({ beside: service, settings: ALLOWED });
  const mailer = mailerOf(beside, join(service.app.config.dataDir, "mails-3"));
  await mailer.send();
  await save();
  await expect
    .poll(
      async () => {
        await mailer.send();
        return sink.received.length;
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(0);
  await beside.stop();
});

test("a check signs in and sends nothing; with a recipient, it sends a test email", async () => {
  const checked = await check(entries());
  expect(outcomes(checked)).toEqual(["connection OK ", "login OK ", "encryption WARNING not_encrypted"]);
  expect(checked.checks[0].detail).toBe(`127.0.0.1:${sink.port}`);
  expect(sink.received).toEqual([]);
  expect((await listed()).isStored ?? false).toBe(false);
  const sent = await check({ ...(entries() as object), recipient: "ada@academy.test" });
  expect(outcomes(sent)).toContain("message OK sent");
  expect(sink.received).toMatchObject([{ to: ["ada@academy.test"], from: "registry@academy.test" }]);
  const { subject, text } = await PostalMime.parse(sink.received[0]?.raw ?? "");
  expect(subject).toBe("Learning Credentials: test email");
  expect(text).toContain("https://credentials.test");
  await save();
  expect(outcomes(await check({ name: "email" }))).toContain("login OK ");
  for (const recipient of ["ada", "a@b.test, c@d.test", "a@b.test\r\nDATA", "Ada <a@b.test>"])
    expect(await check({ name: "email", recipient })).toMatchObject({ code: "invalid_argument" });
  expect(sink.received).toHaveLength(1);
});

test.each([
  ["login_refused", { secrets: { password: "other" } }, /^535 /],
  [
    "sender_refused",
    { mailFrom: "550 5.7.60 not allowed to send as this sender" },
    /^550 5\.7\.60 not allowed/,
  ],
  ["recipient_refused", { rcptTo: "550 5.1.1 nobody here" }, /^550 5\.1\.1 nobody here$/],
  ["message_refused", { data: "554 5.7.1 looks like spam" }, /^554 5\.7\.1 looks like spam$/],
] as const)("a server that refuses is reported with %s and its words", async (reason, how, words) => {
  const { secrets = { password: LOGIN.pass }, ...answers } = how as {
    secrets?: object;
    mailFrom?: string;
    rcptTo?: string;
    data?: string;
  };
  for (const [step, answer] of Object.entries(answers)) sink.answers[step as "data"].push(answer);
  const { checks } = await check({ ...(entries({}, secrets) as object), recipient: "ada@academy.test" });
  const last = checks.at(-1);
  expect(last).toMatchObject({ outcome: "CHECK_OUTCOME_FAILED", reason });
  expect(last.detail).toMatch(words);
  expect(last.text).toContain(last.detail);
});

/** Starts a server that is not an email server. */
async function startOther(onConnection: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    onConnection(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test.each([
  ["not_smtp", "none", (socket: Socket) => socket.write("SSH-2.0-OpenSSH_9.2 secret banner\r\n")],
  ["unreachable", "none", (socket: Socket) => socket.destroy()],
  ["unreachable", "none", (socket: Socket) => socket.end("secret banner")],
  ["no_tls", "tls", (socket: Socket) => socket.write("220 secret banner\r\n")],
  ["refused_connection", "none", (socket: Socket) => socket.write("554 no service for you\r\n")],
] as const)(
  "what answers, but isn't a server, is reported as %s by %s, without its words",
  async (reason, security, answer) => {
    const port = await startOther(answer);
    const { checks } = await check(entries({ port, security }));
    expect(checks.at(-1)).toMatchObject({ outcome: "CHECK_OUTCOME_FAILED", reason });
    expect(JSON.stringify(checks)).not.toContain("secret banner");
  },
);

test("a server without STARTTLS, with an untrusted certificate, or where nothing listens is reported", async () => {
  const of = async (options: object) => {
    const { checks } = await check(entries(options));
    return `${checks.at(-1).what} ${checks.at(-1).reason}`;
  };
  const plain = await startOther((socket) => {
    socket.write("220 hello\r\n");
    socket.on("data", (data) =>
      socket.write(/^EHLO/.test(String(data)) ? "250 hello\r\n" : "502 5.5.1 not implemented\r\n"),
    );
  });
  expect(await of({ security: "starttls", port: plain })).toBe("encryption no_starttls");
  const starttls = await startSmtpSink("starttls", LOGIN);
  expect(await of({ security: "starttls", port: starttls.port })).toBe("encryption certificate");
  const tls = await startSmtpSink("tls", LOGIN);
  expect(await of({ security: "tls", port: tls.port })).toBe("encryption certificate");
  expect([...starttls.received, ...tls.received]).toEqual([]);
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  expect(await of({ port })).toBe("connection unreachable");
  expect(await of({ host: "no-such-host.invalid" })).toBe("connection name_unknown");
});

test("a server that repeats the password doesn't make it readable", async () => {
  const port = await startOther((socket) => {
    socket.write("220 hello\r\n");
    socket.on("data", (data) => {
      const line = String(data).trim();
      if (line.startsWith("EHLO")) socket.write("250-hello\r\n250 AUTH PLAIN\r\n");
      else socket.write(`535 ${line} ${Buffer.from(line.split(" ").at(-1) ?? "", "base64")}\r\n`);
    });
  });
  const { checks } = await check(entries({ port }));
  expect(checks.at(-1)).toMatchObject({
    reason: "login_refused",
    detail: "the server repeated the password",
  });
  expect(JSON.stringify(checks)).not.toContain(LOGIN.pass);
});

test("a server that closes the connection during the login doesn't make the password look wrong", async () => {
  const port = await startOther((socket) => {
    socket.write("220 hello\r\n");
    socket.on("data", (data) =>
      String(data).startsWith("EHLO") ? socket.write("250-hello\r\n250 AUTH PLAIN\r\n") : socket.destroy(),
    );
  });
  const { checks } = await check(entries({ port }));
  expect(checks.at(-1)).toMatchObject({
    what: "login",
    reason: "unreachable",
    detail: "the server closed the connection",
  });
});

test.each([
  ["127.0.0.1", "address_not_allowed"],
  ["::1", "address_not_allowed"],
  ["169.254.169.254", "address_not_allowed"],
  ["10.0.0.1", "address_not_allowed"],
  ["localhost", "address_not_allowed"],
  ["::ffff:127.0.0.1", "address_not_allowed"],
  ["0x7f.1", "name_unknown"],
  ["0.0.0.0", "address_not_allowed"],
])("a check of %s reaches nothing, and says the same for every port: %s", async (host, reason) => {
  const texts = new Set<string>();
  for (const port of [sink.port, 1]) {
    const { checks } = await check(entries({ host, port, security: "tls" }), guarded);
    expect(checks).toHaveLength(1);
    expect(checks[0].reason).toBe(reason);
    texts.add(checks[0].text);
  }
  expect(texts.size).toBe(1);
  expect(sink.connections()).toBe(0);
});

test("emails to a server inside wait, and none is sent or saved", async () => {
  await save();
  const mailer = mailerOf(guarded, join(service.app.config.dataDir, "mails-4"));
  await expect(mailer.send()).rejects.toMatchObject({ kind: "unavailable", outage: "mail" });
  expect(await mailer.saved()).toEqual([]);
  expect(sink.connections()).toBe(0);
});

test("a stored password is never sent to another server, port, or without encryption", async () => {
  await save();
  const other = await startSmtpSink("none", LOGIN);
  for (const change of [{ port: other.port }, { host: "127.0.0.2" }, { security: "tls" }])
    for (const method of [updateServiceSetting, checkServiceSetting])
      expect(await call(method, entries(change, {}))).toMatchObject({
        code: "invalid_argument",
        message: expect.stringContaining("secrets.password is missing"),
      });
  expect(other.connections()).toBe(0);
  // The sender can be changed without entering the secret again.
  expect((await save({ sender_name: "Registrar" }, {})).status).toBe(200);
  const mailer = mailerOf(service);
  await mailer.send();
  expect(sink.received).toMatchObject([{ user: LOGIN.user }]);
});

test.each([
  [{ sender_name: "A\r\nBcc: evil@x.test" }, "options.sender_name"],
  [{ sender_name: "=?utf-8?q?A=0D=0ABcc:_evil@x.test?=" }, "options.sender_name"],
  [{ sender_name: "a".repeat(201) }, "options.sender_name"],
  [{ sender_address: "a@b.test, c@d.test" }, "options.sender_address"],
  [{ sender_address: "a@b.test\r\nBcc: c@d.test" }, "options.sender_address"],
  [{ sender_address: "registry" }, "options.sender_address"],
  [{ host: "smtp://mail.example.org" }, "options.host"],
  [{ host: "mail.example.org:587" }, "options.host"],
  [{ host: "mail example" }, "options.host"],
  [{ host: "" }, "options.host"],
  [{ port: 0 }, "options.port"],
  [{ port: "587" }, "options.port"],
  [{ security: "ssl" }, "options.security"],
  [{ password: "a" }, "options.password is a secret"],
  [{ username: "" }, "options.username must be set, because secrets.password is"],
  [{ requireTLS: false }, "options.requireTLS is unknown"],
])("%j can't be saved", async (options, message) => {
  expect(await save(options)).toMatchObject({
    code: "invalid_argument",
    message: expect.stringContaining(message),
  });
});

test("a username needs a password", async () => {
  expect((await save({}, {})).message).toBe("secrets.password must be set, because options.username is.");
});

test("the environment overrides what is saved, and is shown as such", async () => {
  await save();
  const other = await startSmtpSink();
  const given = await startTestService({
    beside: service,
    settings: { ...ALLOWED, SMTP_URL: `smtp://127.0.0.1:${other.port}`, MAIL_FROM: "env@academy.test" },
  });
  expect((await listed(given)).variables).toEqual(["SMTP_URL", "MAIL_FROM"]);
  expect(await call(updateServiceSetting, entries(), { at: given })).toMatchObject({
    code: "failed_precondition",
    message: expect.stringContaining("SMTP_URL, MAIL_FROM"),
  });
  const mailer = mailerOf(given);
  await mailer.send();
  expect(other.received).toMatchObject([{ from: "env@academy.test" }]);
  expect(outcomes(await check({ name: "email" }, given))[0]).toBe("connection OK ");
  await given.stop();
  const sender = await startTestService({
    beside: service,
    settings: { ...ALLOWED, MAIL_FROM: "env@academy.test" },
  });
  expect((await listed(sender)).variables).toEqual(["MAIL_FROM"]);
  expect(outcomes(await check({ name: "email" }, sender))).toEqual(["connection WARNING no_server"]);
  await sender.stop();
  expect(sink.received).toEqual([]);
});

test("health and doctor know the saved server, and whether it works", async () => {
  const stateOf = async () => {
    const { dependencies } = await call(getHealth, {});
    return dependencies.find((each: { name: string }) => each.name === "mail");
  };
  expect(await stateOf()).toBeUndefined();
  await save();
  expect(await stateOf()).toMatchObject({ works: true });
  expect(await findingsOn(service.app)).toEqual([]);
  await save({}, { password: "other" });
  const refused = expect.stringMatching(/^the server refused the username or password.* \(535 /);
  expect(await stateOf()).toMatchObject({ problem: refused });
  expect(await findingsOn(service.app)).toEqual([{ kind: "silent-mail-server", detail: refused }]);
});

test("only administrators of all organisations see, save or check it", async () => {
  for (const link of [
    { username: "reg", roles: ["registrar", "designer"] },
    { username: "part", roles: ["admin"], organisations: ["Uni"] },
  ] as const) {
    const cookie = await signIn(service, link);
    for (const method of [
      listServiceSettings,
      updateServiceSetting,
      checkServiceSetting,
      deleteServiceSetting,
    ])
      expect((await call(method, entries(), { cookie })).status).toBe(403);
  }
});

test("of two administrators who change it at once, one is refused", async () => {
  const { etag } = await save();
  const both = await Promise.all(
    ["One", "Two"].map((sender_name) =>
      call(updateServiceSetting, { ...(entries({ sender_name }, {}) as object), etag } as never),
    ),
  );
  expect(both.map(({ status, code }) => code ?? status).sort()).toEqual([200, "aborted"]);
});

test("the password is in no dump, answer, log or audit entry; with another key, emails wait", async () => {
  await save();
  await save({}, { password: `${LOGIN.pass} 2` });
  await check({ ...(entries() as object), recipient: "ada@academy.test" });
  await mailerOf(service)
    .send()
    .catch(() => {});
  const answers = await call(listServiceSettings, {});
  const audit = async () => JSON.stringify(await call(listAuditEntries, { object: "setting:email" }));
  await expect.poll(audit).toMatch(/"path":"secrets.password"[^}]*changed/);
  await expect.poll(audit).toContain("registry@academy.test");
  const dump = await rowsOf(
    service.app.config.databaseUrl ?? "",
    "select stored_settings::text as line from stored_settings union all select audit_outcomes::text from audit_outcomes union all select audit_entries::text from audit_entries",
  );
  for (const text of [JSON.stringify(answers), await audit(), JSON.stringify(dump), lines.join("\n")]) {
    expect(text.length).toBeGreaterThan(10);
    expect(text).not.toContain(LOGIN.pass);
    expect(text).not.toContain(Buffer.from(LOGIN.pass).toString("base64").slice(0, 20));
  }
  const other = await startTestService({
    beside: service,
    settings: { ...ALLOWED, SETTINGS_SECRET: "quite another secret for settings, unknown" },
  });
  expect((await listed(other)).problem).toContain("a different SETTINGS_SECRET");
  const mailer = mailerOf(other, join(service.app.config.dataDir, "mails-5"));
  await expect(mailer.send()).rejects.toMatchObject({ kind: "unavailable", outage: "mail" });
  expect(await mailer.saved()).toEqual([]);
  expect(JSON.stringify(await call(getHealth, {}, { at: other }))).toContain("a different SETTINGS_SECRET");
  await other.stop();
});
