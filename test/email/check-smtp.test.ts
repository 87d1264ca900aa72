import { expect, onTestFinished, test } from "vitest";
import {
  AdministrationService,
  HealthState,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { parseSmtpUrl } from "#infrastructure/email/smtp-url.js";
import { signInToServer } from "#runtime/settings/email-setting.js";
import { findingsOn } from "../support/health.js";
import { startTestService, tokenOf } from "../support/service.js";
import { startSmtpSink } from "./smtp-sink.js";

const LOGIN = { user: "sender", pass: "p4ssword" };

test.each([
  ["without TLS", "none", undefined, "", undefined],
  ["with TLS from the first byte", "tls", LOGIN, "?tls.rejectUnauthorized=false", undefined],
  ["with STARTTLS and login", "starttls", LOGIN, "?tls.rejectUnauthorized=false", undefined],
  ["with a certificate that nobody vouches for", "starttls", LOGIN, "", /certificate is not trusted/],
  ["without the TLS that a password wants", "none", LOGIN, "", /^(?!.*p4ssword).*certificate is not trusted/],
  [
    "with another password",
    "starttls",
    { ...LOGIN, pass: "other" },
    "?tls.rejectUnauthorized=false",
    /^the server refused the username or password.* \(535 /,
  ],
] as const)(
  "a server %s is tested with a login, and receives no email",
  async (_what, tls, login, query, problem) => {
    const sink = await startSmtpSink(tls, login);
    const scheme = tls === "tls" ? "smtps" : "smtp";
    const user = login ? `${LOGIN.user}:${LOGIN.pass}@` : "";
    const server = parseSmtpUrl(`${scheme}://${user}127.0.0.1:${sink.port}${query}`);
    const checked = signInToServer({ server, from: { address: "no-reply@example.org" } });
    await (problem ? expect(checked).rejects.toThrow(problem) : expect(checked).resolves.toBeUndefined());
    expect(sink.connections()).toBeGreaterThan(0);
    expect(sink.received).toEqual([]);
  },
);

test("administration and doctor report whether emails can be sent, and check again after a failure", async () => {
  const sink = await startSmtpSink("none", LOGIN);
  const url = (pass: string) => `smtp://sender:${pass}@127.0.0.1:${sink.port}?requireTLS=false`;
  const serve = async (pass: string) => {
    const service = await startTestService({
      settings: { SMTP_URL: url(pass), MAIL_FROM: "no-reply@example.org" },
    });
    onTestFinished(() => service.stop());
    const token = await tokenOf({ username: "lms", service: "write" });
    const client = service.client(AdministrationService, token);
    return { app: service.app, look: () => client.getHealth({}) };
  };
  const reporting = (state: HealthState, problem: unknown) => ({
    state,
    dependencies: expect.arrayContaining([
      expect.objectContaining({ name: "mail", works: problem === "", problem }),
    ]),
  });
  const REFUSED = expect.stringMatching(/^the server refused the username or password.* \(535 /);
  const good = await serve(LOGIN.pass);
  for (let turn = 0; turn < 2; turn++)
    expect(await good.look()).toMatchObject(reporting(HealthState.READY, ""));
  expect(sink.connections()).toBe(1);
  expect(await findingsOn(good.app)).toEqual([]);

  const bad = await serve("wrong");
  for (let turn = 0; turn < 2; turn++)
    expect(await bad.look()).toMatchObject(reporting(HealthState.DEGRADED, REFUSED));
  expect(sink.connections()).toBe(3);
  expect(await findingsOn(bad.app)).toEqual([{ kind: "silent-mail-server", detail: REFUSED }]);
  expect((await bad.app.readiness.check()).status).toBe("ready");
});
