import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { work } from "#app/work.js";
import { EmailKind, EmailState } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { startSmtpSink } from "../../email/smtp-sink.js";
import { type Academy, openAcademy } from "../../support/academy.js";

const LOGIN = { user: "sender", pass: "p4ssword" };

let academy: Academy;
beforeAll(async () => {
  academy = await openAcademy({ settings: { SETTINGS_ALLOWED_NETWORKS: "127.0.0.0/8" } });
});
afterAll(() => academy.service.stop());

test("an email waits while the saved password is wrong, and is sent after a correction, without a restart", async () => {
  const sink = await startSmtpSink("none", LOGIN);
  const { app } = academy.service;
  const save = (password: string) =>
    app.serviceSettings.save("email", "", {
      options: {
        host: "127.0.0.1",
        port: sink.port,
        security: "none",
        username: LOGIN.user,
        sender_address: "registry@academy.test",
      },
      secrets: { password },
    });
  await save("wrong");
  await academy.enrol("vera");
  await academy.report({
    case: "learner",
    value: { username: "vera", fullName: "Vera", email: "vera@uni.test" },
  });
  const { uuid } = await academy.made("vera");
  const worker = work(app);
  onTestFinished(() => worker.stop(5000));
  await vi.waitFor(() => expect(sink.connections()).toBeGreaterThan(0), { timeout: 60_000 });
  const stateOf = async () => {
    const { emails } = await academy.credentials.listEmails({ credentialUuid: uuid });
    return emails.find(({ kind }) => kind === EmailKind.AVAILABLE)?.state;
  };
  expect(await stateOf()).toBe(EmailState.WAITING);
  await save(LOGIN.pass);
  await vi.waitFor(async () => expect(await stateOf()).toBe(EmailState.SENT), { timeout: 90_000 });
  expect(sink.received).toMatchObject([{ from: "registry@academy.test", to: ["vera@uni.test"] }]);
  expect(String(sink.received[0]?.raw)).toContain(`<${uuid}@academy.test>`);
});
