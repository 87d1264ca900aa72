import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, openApp } from "#app/app.js";
import { startScheduledRuns } from "#domain/credentials/runs/start-scheduled-runs.js";
import { noteExpired } from "#domain/credentials/validity/note-expiry.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { NEVER_ABORTS } from "#infrastructure/db/database.js";
import { type Academy, exam, openAcademy } from "../../support/academy.js";
import { tokenOf } from "../../support/service.js";
import { type Receiver, startReceiver } from "../../webhooks/receiver.js";
import { type MovableClock, openMovableClock } from "./movable-clock.js";

/**
 * A year in which a schedule renews credentials, and an endpoint receives the events. The database's clock is advanced
 * while a worker runs.
 */
let clock: MovableClock;
let academy: Academy;
/** Simulates another process, on the same database. */
let other: App;
let receiver: Receiver;

beforeAll(async () => {
  clock = await openMovableClock();
  const settings = {
    DATABASE_URL: clock.url,
    WEBHOOK_SECRET: "a secret of webhooks that only tests know",
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
  };
  academy = await openAcademy({ worker: true, settings });
  other = await openApp(academy.service.app.config, pino({ level: "silent" }), "own");
  receiver = await startReceiver();
  const platform = await tokenOf({ username: "lms", service: "write" });
  const webhooks = academy.service.client(WebhookService, platform);
  await webhooks.createWebhookEndpoint({ webhookEndpoint: { url: receiver.url } });
}, 120_000);
afterAll(async () => {
  await receiver?.close();
  await other?.close();
  await academy?.service.stop();
  await clock?.drop();
});

const sweep = (app: App) => startScheduledRuns({ ...app, settings: app.config }, NEVER_ABORTS);

/**
 * Returns the types of a credential's events, each event once. Events that were being posted when the clock was
 * advanced are posted again.
 */
const reportedAbout = (uuid: string) => {
  const events = new Map(receiver.received.map(({ parsed }) => [parsed.id, parsed]));
  return [...events.values()].filter(({ subject }) => subject === uuid).map(({ type }) => type);
};

const credentialsOf = async (username: string) =>
  (await academy.credentials.listCredentials({ username })).credentials;

const runs = async () =>
  (await academy.credentials.listIssuanceRuns({ configurationId: academy.configurationId })).runs;

async function available(username: string, count: number) {
  const states = async () => (await credentialsOf(username)).map(({ status }) => status);
  await expect
    .poll(states, { timeout: 120_000 })
    .toEqual(Array.from({ length: count }, () => CredentialStatus.AVAILABLE));
}

test("a schedule renews within its window what was earned again, and webhooks report the renewal and the expiry", {
  timeout: 300_000,
}, async () => {
  await academy.configurations.updateCredentialConfiguration({
    credentialConfiguration: {
      id: academy.configurationId,
      customOptions: { validity: "P1Y", renewal_window: "P30D", renew_on: "new_record" },
      schedule: { enabled: true, recurrence: { case: "intervalDays", value: 1 } },
    },
  });
  await academy.enrol("ana", "ben");
  await clock.putOn("1 day");
  await sweep(academy.service.app);
  await Promise.all([available("ana", 1), available("ben", 1)]);
  const [[ana], [ben]] = [await credentialsOf("ana"), await credentialsOf("ben")];

  await clock.putOn("330 days"); // 35 or 36 days are left
  await academy.report(exam("ana", 10));
  await Promise.all([sweep(academy.service.app), sweep(other)]);
  expect((await runs()).map(({ issuedCount }) => issuedCount)).toEqual([0, 2]);

  await clock.putOn("10 days");
  await Promise.all([sweep(academy.service.app), sweep(other)]);
  const [latest, ...before] = await runs();
  expect(before).toHaveLength(2);
  expect(latest).toMatchObject({ startedBy: "schedule", issuedCount: 1, skipped: [{ count: 1 }] });
  await available("ana", 2);
  const [, renewal] = await credentialsOf("ana");
  expect(renewal?.replacesUuid).toBe(ana?.uuid);

  await clock.putOn("26 days");
  const { database } = academy.service.app;
  await Promise.all([database, other.database].map((each) => noteExpired(each, NEVER_ABORTS)));
  const [old] = await credentialsOf("ana");
  expect(old).toMatchObject({ isExpired: true, replacedByUuid: renewal?.uuid });

  const [issued, made] = ["credential.issued", "credential.available"];
  await expect
    .poll(() => [ana, renewal, ben].map((credential) => reportedAbout(credential?.uuid ?? "")), {
      timeout: 120_000,
    })
    .toEqual([
      [issued, made, "credential.renewed", "credential.expired"],
      [issued, made],
      [issued, made, "credential.expired"],
    ]);
  const [reported] = receiver.received.filter(({ parsed }) => parsed.type === "credential.expired");
  expect(reported?.parsed.data).toMatchObject({ status_before: "available", status_after: "available" });
  expect(JSON.stringify(receiver.received)).not.toMatch(/Learner|"ana"|"ben"/);
});
