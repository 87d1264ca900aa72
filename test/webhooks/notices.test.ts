import { afterAll, beforeAll, expect, test } from "vitest";
import { listAttempts } from "#domain/webhooks/attempt-store.js";
import { pauseEndpoint } from "#domain/webhooks/manage-endpoints.js";
import { type DisabledNotice, sendDisabledNotice } from "#domain/webhooks/send-disabled-notice.js";
import { givenDatabase } from "../support/database.js";
import { type Receiver, startReceiver } from "./receiver.js";
import { openSenders, sealNumbered } from "./senders.js";

const db = givenDatabase();
let senders: ReturnType<typeof openSenders>;
let gone: Receiver;
let other: Receiver;
let status = 204;

beforeAll(async () => {
  senders = openSenders(db);
  gone = await startReceiver(() => 410);
  other = await startReceiver(() => status);
  await sealNumbered(db.database.knex, 1);
});
afterAll(async () => {
  await gone.close();
  await other.close();
});

test("the disabling of an endpoint is reported to the enabled ones, however many attempts it takes", async () => {
  const { knex } = db.database;
  const disabled = (await senders.create(gone.url, { contact: "ops@lms.test" })).endpoint;
  const reported = (await senders.create(other.url, { eventTypes: ["erased"] }, 1)).endpoint;
  const paused = (await senders.create(other.url, {}, 1)).endpoint;
  await pauseEndpoint({ ...senders.sending, rule: senders.sending.posting.rule }, paused.id);
  const sender = senders.start();
  const jobs = async () =>
    (await knex.raw("select task, payload from jobs where task like '%webhook%' order by task")).rows as {
      task: string;
      payload: DisabledNotice;
    }[];
  await expect.poll(async () => (await jobs()).length).toBe(2);
  await sender.stop();
  const [email, notice] = await jobs();
  expect(email).toMatchObject({ task: "send_webhook_notice", payload: { endpointId: disabled.id } });
  expect(notice).toMatchObject({ task: "tell_webhook_disabled", payload: { endpointId: reported.id } });
  const payload = notice?.payload as DisabledNotice;

  status = 503;
  await expect(sendDisabledNotice(senders.sending, payload)).rejects.toThrow("it responded with status 503");
  status = 200;
  await sendDisabledNotice(senders.sending, payload);
  status = 422;
  await sendDisabledNotice(senders.sending, payload); // the receiver doesn't know the type; no retry
  expect(new Set(other.received.map(({ parsed }) => parsed.id)).size).toBe(1);
  expect(other.received[0]?.parsed).toMatchObject({
    type: "webhook.disabled",
    subject: disabled.id,
    data: {
      endpoint_id: disabled.id,
      reason: "The receiver responded with status 410 (Gone): it no longer accepts events.",
    },
  });
  const filter = { endpointId: reported.id, failuresOnly: false };
  const listed = (await listAttempts(knex, filter, 0, 10)).map(({ kind, outcome, firstPosition }) => [
    kind,
    outcome,
    firstPosition,
  ]);
  expect(listed).toEqual([
    ["notice", "rejected", null],
    ["notice", "delivered", null],
    ["notice", "failed", null],
  ]);

  await sendDisabledNotice(senders.sending, { ...payload, endpointId: paused.id });
  await sendDisabledNotice(senders.sending, { ...payload, endpointId: payload.noticeId }); // deleted in the meantime
  expect(other.received).toHaveLength(3);
});
