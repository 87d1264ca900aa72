import { expect, onTestFinished, test } from "vitest";
import {
  AdministrationService,
  HealthState,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { checkSmtp } from "#infrastructure/email/check-smtp.js";
import { findingsOn } from "../support/health.js";
import { startTestService, tokenOf } from "../support/service.js";
import { startSmtpSink } from "./smtp-sink.js";

const LOGIN = { user: "sender", pass: "p4ssword" };

test.each([
  ["without TLS", "none", undefined, "", undefined],
  ["with TLS from the first byte", "tls", LOGIN, "?tls.rejectUnauthorized=false", undefined],
  ["with STARTTLS and login", "starttls", LOGIN, "?tls.rejectUnauthorized=false", undefined],
  ["with a certificate that nobody vouches for", "starttls", LOGIN, "", /^E[A-Z]+: .*certificate/],
  ["without the TLS that a password wants", "none", LOGIN, "", /^(?!.*p4ssword).+/],
  [
    "with another password",
    "starttls",
    { ...LOGIN, pass: "other" },
    "?tls.rejectUnauthorized=false",
    /^AUTH PLAIN answered 535$/,
  ],
] as const)(
  "a server %s is tested with a login, and receives no email",
  async (_what, tls, login, query, problem) => {
    const sink = await startSmtpSink(tls, login);
    const scheme = tls === "tls" ? "smtps" : "smtp";
    const user = login ? `${LOGIN.user}:${LOGIN.pass}@` : "";
    const checked = checkSmtp(`${scheme}://${user}127.0.0.1:${sink.port}${query}`);
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
  const telling = (state: HealthState, problem: string) => ({
    state,
    dependencies: expect.arrayContaining([
      expect.objectContaining({ name: "mail", works: problem === "", problem }),
    ]),
  });
  const good = await serve(LOGIN.pass);
  for (let turn = 0; turn < 2; turn++)
    expect(await good.look()).toMatchObject(telling(HealthState.READY, ""));
  expect(sink.connections()).toBe(1);
  expect(await findingsOn(good.app)).toEqual([]);

  const bad = await serve("wrong");
  for (let turn = 0; turn < 2; turn++)
    expect(await bad.look()).toMatchObject(telling(HealthState.DEGRADED, "AUTH PLAIN answered 535"));
  expect(sink.connections()).toBe(3);
  expect(await findingsOn(bad.app)).toEqual([
    { kind: "silent-mail-server", detail: "AUTH PLAIN answered 535" },
  ]);
  expect((await bad.app.readiness.look()).status).toBe("ready");
});
