import type { Client } from "@connectrpc/connect";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { CredentialEventType } from "#gen/learning_credentials/v1/credential_event_pb.js";
import { WebhookAttemptOutcome, WebhookEndpointState } from "#gen/learning_credentials/v1/webhook_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { givenAcademy } from "../support/academy.js";
import { tokenOf } from "../support/service.js";
import { type Answer, type Received, type Receiver, startReceiver } from "./receiver.js";

const academy = givenAcademy({ worker: true });
let webhooks: Client<typeof WebhookService>;
const receivers: Receiver[] = [];

beforeAll(async () => {
  webhooks = academy.service.client(WebhookService, await tokenOf({ username: "lms", service: "write" }));
  await academy.enrol("ana", "ben", "cat", "dan");
});
afterEach(async () => {
  const { webhookEndpoints } = await webhooks.listWebhookEndpoints({});
  for (const { id } of webhookEndpoints) await webhooks.deleteWebhookEndpoint({ id });
  for (const receiver of receivers.splice(0)) await receiver.close();
});

async function receive(...given: Parameters<typeof startReceiver>): Promise<Receiver> {
  const receiver = await startReceiver(...given);
  receivers.push(receiver);
  return receiver;
}

async function issue(username: string): Promise<string> {
  const { uuid } = await academy.issue(username);
  return uuid;
}

const typesAbout = (receiver: Receiver, uuid: string) =>
  receiver.received.filter(({ parsed }) => parsed.subject === uuid).map(({ parsed }) => parsed.type);

const positionOf = async () =>
  Number((await academy.service.app.database.knex("credential_event_head").first("position")).position);

describe("delivery", () => {
  test("posts the events of a credential in order, signed, and with no name", async () => {
    const receiver = await receive();
    const { secret } = await webhooks.createWebhookEndpoint({ webhookEndpoint: { url: receiver.url } });
    const uuid = await issue("ana");
    await expect
      .poll(() => typesAbout(receiver, uuid))
      .toEqual(["credential.issued", "credential.available"]);

    const verifier = new Webhook(secret);
    for (const { body, headers } of receiver.received)
      expect(verifier.verify(body, headers)).toMatchObject({ data: { credential_uuid: uuid } });
    const [first] = receiver.received as [Received];
    expect(first.headers["content-type"]).toBe("application/cloudevents+json; charset=utf-8");
    expect(first.parsed).toEqual({
      specversion: "1.0",
      id: `evt_${first.parsed.data.position}_${String(first.parsed.data.hash).slice(0, 16)}`,
      source: "https://credentials.test",
      type: "credential.issued",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      timestamp: first.parsed.time,
      subject: uuid,
      datacontenttype: "application/json",
      data: {
        position: expect.any(Number),
        credential_uuid: uuid,
        configuration_id: academy.configurationId,
        status_before: null,
        status_after: "generating",
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    expect(first.headers["webhook-id"]).toBe(first.parsed.id);
    const sent = JSON.stringify(receiver.received);
    for (const name of ["ana", "Learner", "registrar"]) expect(sent).not.toContain(name);
  });

  test("posts only events of the requested types", async () => {
    const receiver = await receive();
    const endpoint = {
      url: receiver.url,
      eventTypes: [CredentialEventType.AVAILABLE, CredentialEventType.INVALIDATED],
    };
    const { webhookEndpoint } = await webhooks.createWebhookEndpoint({ webhookEndpoint: endpoint });
    const uuid = await issue("ben");
    await expect.poll(() => typesAbout(receiver, uuid)).toEqual(["credential.available"]);
    await academy.credentials.invalidateCredential({ uuid, reason: "Issued in error." });
    await expect
      .poll(() => typesAbout(receiver, uuid))
      .toEqual(["credential.available", "credential.invalidated"]);
    const id = webhookEndpoint?.id ?? "";
    const lagOf = async () => Number((await webhooks.getWebhookEndpoint({ id })).lag);
    await expect.poll(lagOf).toBe(0);
  });

  test("resends what was refused, and holds back the rest of that credential until then", async () => {
    let refusals = 2;
    let refused = "";
    const receiver = await receive((body): Answer => {
      const { subject } = JSON.parse(body);
      refused ||= subject;
      if (subject !== refused || refusals-- <= 0) return 200;
      return (response) => void response.writeHead(503, { "retry-after": "1" }).end();
    });
    const { webhookEndpoint } = await webhooks.createWebhookEndpoint({
      webhookEndpoint: { url: receiver.url },
    });
    const id = webhookEndpoint?.id ?? "";
    const uuid = await issue("cat");
    await expect
      .poll(() => typesAbout(receiver, uuid), { timeout: 60_000 })
      .toEqual(["credential.issued", "credential.issued", "credential.issued", "credential.available"]);
    expect(refused).toBe(uuid);
    const { attempts } = await webhooks.listWebhookAttempts({ id, failuresOnly: true });
    expect(
      attempts.map(({ status, attempt, outcome, error }) => ({ status, attempt, outcome, error })),
    ).toEqual([
      {
        status: 503,
        attempt: 2,
        outcome: WebhookAttemptOutcome.FAILED,
        error: "it responded with status 503",
      },
      {
        status: 503,
        attempt: 1,
        outcome: WebhookAttemptOutcome.FAILED,
        error: "it responded with status 503",
      },
    ]);
  });

  test("replays the events after a position", async () => {
    const receiver = await receive();
    const { webhookEndpoint } = await webhooks.createWebhookEndpoint({
      webhookEndpoint: { url: receiver.url },
      afterPosition: 0n,
    });
    const id = webhookEndpoint?.id ?? "";
    const last = await positionOf();
    const all = Array.from({ length: last }, (_, index) => index + 1);
    const positions = (from: number) =>
      receiver.received.slice(from).map(({ parsed }) => parsed.data.position);
    // Delivery is at least once: on a busy machine, a response may be too late, and the event is sent again.
    const distinct = () => [...new Set(positions(0))].sort((a, b) => a - b);
    await expect.poll(distinct).toEqual(all);
    const before = receiver.received.length;
    await webhooks.replayWebhookEvents({ id, afterPosition: BigInt(last - 2) });
    await expect.poll(() => positions(before)).toEqual(expect.arrayContaining([last - 1, last]));
  });

  test("replays also events that its sender records as delivered at the same moment", async () => {
    await academy.enrol("eve");
    await issue("eve");
    await expect.poll(positionOf).toBeGreaterThan(1);
    const receiver = await receive();
    const { webhookEndpoint } = await webhooks.createWebhookEndpoint({
      webhookEndpoint: { url: receiver.url },
    });
    const id = webhookEndpoint?.id ?? "";
    const last = await positionOf();
    const { knex } = academy.service.app.database;
    const sender = await knex.transaction();
    await sender("webhook_endpoints").where({ id }).update({ delivered_up_to: last });
    await sender("webhook_attempts").insert({
      ...{ endpoint_id: id, kind: "events", first_position: last - 1, last_position: last },
      ...{ attempt: 1, at: new Date(), ms: 1, outcome: "delivered", status: 204, error: "" },
    });

    const replayed = webhooks.replayWebhookEvents({ id, afterPosition: BigInt(last - 2) });
    const waiting = async () => {
      const sessions = knex("pg_stat_activity").whereRaw("datname = current_database()");
      return (await sessions.where({ wait_event_type: "Lock" })).length;
    };
    await expect.poll(waiting).toBe(1);
    await sender.commit();
    await replayed;
    const positions = () => receiver.received.map(({ parsed }) => parsed.data.position);
    await expect.poll(positions).toEqual(expect.arrayContaining([last - 1, last]));
  });

  test("posts lists of events to an endpoint that requests them", async () => {
    const receiver = await receive();
    const { secret } = await webhooks.createWebhookEndpoint({
      webhookEndpoint: { url: receiver.url, batch: 3 },
      afterPosition: 0n,
    });
    const last = await positionOf();
    const listed = () =>
      receiver.received.flatMap(({ parsed }) =>
        (parsed as unknown as Received["parsed"][]).map(({ data }) => data.position),
      );
    // Delivery is at least once: on a busy machine, a response may be too late, and its events are sent again. Further
    // events may follow.
    const distinct = () => [...new Set(listed())].filter((position) => position <= last);
    await expect.poll(distinct).toEqual(Array.from({ length: last }, (_, index) => index + 1));
    for (const { body, headers } of receiver.received) {
      expect(headers["content-type"]).toBe("application/cloudevents-batch+json; charset=utf-8");
      new Webhook(secret).verify(body, headers);
      expect(JSON.parse(body).length).toBeLessThanOrEqual(3);
    }
  });
});

describe("a receiver that responds with 410", () => {
  test("is disabled immediately, and continues without a loss when it is enabled", async () => {
    let isGone = true;
    const receiver = await receive(() => (isGone ? 410 : 200));
    const { webhookEndpoint } = await webhooks.createWebhookEndpoint({
      webhookEndpoint: { url: receiver.url },
    });
    const id = webhookEndpoint?.id ?? "";
    const uuid = await issue("dan");
    const stateOf = async () => (await webhooks.getWebhookEndpoint({ id })).state;
    await expect.poll(stateOf).toBe(WebhookEndpointState.DISABLED);
    expect((await webhooks.getWebhookEndpoint({ id })).stateReason).toContain("410");
    isGone = false;
    await webhooks.enableWebhookEndpoint({ id });
    const accepted = () =>
      receiver.received
        .filter(({ parsed, status }) => parsed.subject === uuid && status === 200)
        .map(({ parsed }) => parsed.type);
    await expect.poll(accepted).toEqual(["credential.issued", "credential.available"]);
  });
});
