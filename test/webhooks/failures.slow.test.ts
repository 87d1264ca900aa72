import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { removeOldEvents } from "#domain/credentials/events/remove-old-events.js";
import { listAttempts } from "#domain/webhooks/attempt-store.js";
import { waitMs } from "#domain/webhooks/back-off.js";
import { findEndpoint, leaseEndpoints } from "#domain/webhooks/endpoint-store.js";
import { enableEndpoint, skipEvent } from "#domain/webhooks/manage-endpoints.js";
import { sendTestWebhook } from "#domain/webhooks/send-test.js";
import { givenEachDatabase } from "../support/database.js";
import { type Answer, type Receiver, startReceiver } from "./receiver.js";
import { acceptedPositions, firstAcceptances, openSenders, sealNumbered, upTo } from "./senders.js";

const db = givenEachDatabase();
let senders: ReturnType<typeof openSenders>;
const receivers: Receiver[] = [];
const running: { stop(): Promise<void> }[] = [];
const never = new AbortController().signal;

beforeEach(async () => {
  senders = openSenders(db);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((sender) => sender.stop()));
  for (const receiver of receivers.splice(0)) await receiver.close();
});

function start(...timings: Parameters<typeof senders.start>) {
  const sender = senders.start(...timings);
  running.push(sender);
  return sender;
}

async function receive(...given: Parameters<typeof startReceiver>): Promise<Receiver> {
  const receiver = await startReceiver(...given);
  receivers.push(receiver);
  return receiver;
}

const found = async (id: string) => {
  const endpoint = await findEndpoint(db.database.knex, id);
  if (!endpoint) throw new Error("the endpoint is not there");
  return endpoint;
};
const positionIn = (body: string) => JSON.parse(body).data.position as number;
const attemptsAt = (id: string) =>
  listAttempts(db.database.knex, { endpointId: id, failuresOnly: true }, 0, 1000);

describe("a receiver that fails", () => {
  const hang: Answer = () => undefined;
  const reset: Answer = (response) => void response.socket?.resetAndDestroy();
  const garbage: Answer = (response) => void response.socket?.end("NOT HTTP AT ALL\r\n\r\n");
  const closing =
    (status: number, headers = {}): Answer =>
    (response) => {
      response.writeHead(status, { connection: "close", ...headers }).end();
      return status;
    };
  const redirect = closing(302, { location: "http://127.0.0.1:9/" });

  test("gets everything in the end, each credential in order, from several senders", async () => {
    await sealNumbered(db.database.knex, 50, 4);
    let count = 0;
    // Node repeats a request unnoticed if a reused connection is reset. The responses therefore close their
    // connections.
    const switching: Answer = ({ socket }) =>
      void socket?.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n");
    const answers = [closing(500), reset, garbage, redirect, closing(429), closing(404), switching];
    const receiver = await receive(() =>
      count++ % 4 === 1 ? (answers[(count >> 2) % answers.length] as Answer) : closing(200),
    );
    const { endpoint } = await senders.create(receiver.url);
    start();
    start();
    await expect.poll(() => acceptedPositions(receiver), { timeout: 60_000 }).toEqual(upTo(200));
    await expect.poll(async () => (await found(endpoint.id)).deliveredUpTo).toBe(200);
    expect(firstAcceptances(receiver)).toEqual(Array.from({ length: 50 }, () => upTo(4)));
    const errors = new Set((await attemptsAt(endpoint.id)).map(({ error }) => error));
    expect(errors).toEqual(
      new Set([
        "it responded with status 500",
        "it responded with status 429",
        "it responded with status 404",
        "it responded with status 302: redirects are not followed",
        "its response is not HTTP",
        "the connection was closed without a response",
        "it responded with status 101 (Switching Protocols), which was not requested",
      ]),
    );
  });

  test("is abandoned if it hangs; if it responds immediately but continues writing, it has accepted the event", async () => {
    const limits = { connectMs: 300, totalMs: 300 };
    const posting = { ...senders.sending.posting, limits };
    const silent = await receive(() => hang);
    const { endpoint } = await senders.create(silent.url);
    expect(await sendTestWebhook({ ...senders.sending, posting }, endpoint.id)).toMatchObject({
      outcome: "failed",
      error: "it did not respond in time",
    });
    const talking = await receive(() => (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("x".repeat(10_000)), 5);
      response.on("close", () => clearInterval(timer));
      return 200;
    });
    const { endpoint: other } = await senders.create(talking.url);
    expect(await sendTestWebhook({ ...senders.sending, posting }, other.id)).toMatchObject({
      outcome: "delivered",
      status: 200,
      excerpt: "x".repeat(200),
    });
  });

  test("gets retries at growing intervals, up to four hours, and never sooner than it requests", () => {
    const waits = upTo(10).map((round) => Array.from({ length: 200 }, () => waitMs(round, undefined)));
    const seconds = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 14_400, 14_400];
    for (const [index, some] of waits.entries()) {
      const wait = (seconds[index] ?? 0) * 1000;
      expect(Math.min(...some)).toBeGreaterThanOrEqual(wait * 0.8);
      expect(Math.max(...some)).toBeLessThanOrEqual(wait * 1.2);
      expect(Math.max(...some) - Math.min(...some)).toBeGreaterThan(wait * 0.2);
    }
    expect(waitMs(1, 7_000)).toBe(7_000);
    expect(waitMs(9, 7_000)).toBe(7_000);
    expect(waitMs(1, 10 * 86_400_000)).toBe(86_400_000);
  });

  test("is not flooded: one request at a time, and five in a round", async () => {
    await sealNumbered(db.database.knex, 100);
    let inProgress = 0;
    let most = 0;
    const receiver = await receive(async () => {
      most = Math.max(most, ++inProgress);
      await new Promise((resolve) => setTimeout(resolve, 10));
      inProgress--;
      return 503;
    });
    const { endpoint } = await senders.create(receiver.url);
    start({ waitMs: 3_600_000 });
    await expect.poll(async () => (await found(endpoint.id)).failedRounds).toBe(1);
    expect(receiver.received.length).toBeLessThanOrEqual(8);
    const first = receiver.received.length;
    most = 0;
    await db.database.knex("webhook_endpoints").update({ next_attempt_at: new Date(0) });
    await expect.poll(async () => (await found(endpoint.id)).failedRounds).toBe(2);
    expect(receiver.received.length - first).toBeLessThanOrEqual(5);
    expect(most).toBe(1);
  });
});

describe("an event that the receiver rejects", () => {
  test("blocks later events, until staff skip it", async () => {
    await sealNumbered(db.database.knex, 200);
    const receiver = await receive((body) => (positionIn(body) === 10 ? 422 : 200));
    const { endpoint } = await senders.create(receiver.url);
    start();
    // The 64 events in the window after the failing event are delivered, but no later ones.
    await expect
      .poll(() => acceptedPositions(receiver))
      .toEqual(upTo(73).filter((position) => position !== 10));
    await expect.poll(async () => (await attemptsAt(endpoint.id)).length).toBeGreaterThan(3);
    expect((await found(endpoint.id)).deliveredUpTo).toBe(9);
    await skipEvent({ ...senders.sending, rule: senders.sending.posting.rule }, endpoint.id, 10, never);
    await expect
      .poll(() => acceptedPositions(receiver))
      .toEqual(upTo(200).filter((position) => position !== 10));
    await expect.poll(async () => (await found(endpoint.id)).deliveredUpTo).toBe(200);
    // Skipping the event caused no second delivery of any other.
    expect(receiver.received.filter(({ status }) => status === 200).length).toBe(199);
  });

  test("is skipped automatically if staff have chosen so, and the log says so", async () => {
    await sealNumbered(db.database.knex, 20);
    const receiver = await receive((body) => (positionIn(body) === 10 ? 400 : 200));
    const { endpoint } = await senders.create(receiver.url, { skipRejectedAfter: 3 });
    start();
    await expect.poll(async () => (await found(endpoint.id)).deliveredUpTo).toBe(20);
    const rejected = (await attemptsAt(endpoint.id)).map(({ attempt, outcome }) => [attempt, outcome]);
    expect(rejected).toEqual([
      [3, "skipped"],
      [2, "rejected"],
      [1, "rejected"],
    ]);
    expect(senders.lines).toMatchObject([
      { msg: "event skipped because the webhook's receiver rejected it", position: 10, status: 400 },
    ]);
  });

  test("does not affect the other events of its list", async () => {
    await sealNumbered(db.database.knex, 40);
    const receiver = await receive((body) => {
      const positions = JSON.parse(body).map(({ data }: { data: { position: number } }) => data.position);
      return positions.includes(10) ? 400 : 200;
    });
    const { endpoint } = await senders.create(receiver.url, { batch: 8, skipRejectedAfter: 2 });
    start();
    await expect.poll(async () => (await found(endpoint.id)).deliveredUpTo).toBe(40);
    expect(acceptedPositions(receiver)).toEqual(upTo(40).filter((position) => position !== 10));
  });
});

describe("an endpoint", () => {
  test("whose receiver has failed for five days is disabled once, and continues without a loss", async () => {
    await sealNumbered(db.database.knex, 3);
    let isDown = true;
    const receiver = await receive(() => (isDown ? 503 : 200));
    const { endpoint } = await senders.create(receiver.url, { contact: "ops@lms.test" });
    const { id } = endpoint;
    const { knex } = db.database;
    start({ waitMs: 4 * 3_600_000 });
    /** Simulates that hours pass for this endpoint. */
    const pass = (hours: number) =>
      knex.raw(
        `update webhook_endpoints set failing_since = failing_since - make_interval(hours => ?),
           next_attempt_at = next_attempt_at - make_interval(hours => ?)`,
        [hours, hours],
      );
    const rounds = async () => (await found(id)).failedRounds;
    for (let round = 1; (await found(id)).state === "enabled"; round++) {
      await expect.poll(rounds).toBe(round);
      expect(round).toBeLessThan(40);
      if ((await found(id)).state === "enabled") await pass(4);
    }
    const disabled = await found(id);
    expect(disabled.failedRounds).toBe(31);
    expect(disabled.stateReason).toBe(
      "The receiver has accepted nothing for 5 days. The last attempt failed: it responded with status 503.",
    );
    expect(senders.lines).toMatchObject([{ msg: "webhook endpoint disabled", endpoint: id, level: 50 }]);
    const { rows: jobs } = await knex.raw(
      "select payload->>'endpointId' as id from jobs where payload->>'endpointId' is not null",
    );
    expect(jobs).toEqual([{ id }]);

    const before = receiver.received.length;
    await pass(1000);
    expect(await leaseEndpoints(knex, 1, 1000)).toEqual([]);
    expect(receiver.received.length).toBe(before);
    isDown = false;
    await enableEndpoint({ ...senders.sending, rule: senders.sending.posting.rule }, id);
    await expect.poll(() => acceptedPositions(receiver)).toEqual(upTo(3));
    expect(await found(id)).toMatchObject({ state: "enabled", stateReason: "" });
  }, 120_000);

  test("that retention has overtaken is notified first, until it confirms", async () => {
    const { knex } = db.database;
    await sealNumbered(knex, 5, 1, 40);
    await sealNumbered(knex, 5);
    let refusals = 2;
    const receiver = await receive((body) =>
      JSON.parse(body).type === "webhook.gap" && refusals-- > 0 ? 500 : 200,
    );
    const { endpoint } = await senders.create(receiver.url, {}, 2);
    await removeOldEvents(knex, 30, never);
    start();
    await expect.poll(async () => (await found(endpoint.id)).deliveredUpTo).toBe(10);
    const shown = receiver.received.map(({ parsed: { type, data } }) => [
      type,
      data.from ?? data.position,
      data.to,
    ]);
    expect(shown.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => ["webhook.gap", 3, 5]));
    expect(shown.slice(3).sort()).toEqual(
      [10, 6, 7, 8, 9].map((position) => ["credential.issued", position, undefined]),
    );
    expect((await found(endpoint.id)).stateReason).toContain("Events 3 to 5 were removed");
    expect(new Set(receiver.received.slice(0, 3).map(({ parsed }) => parsed.id)).size).toBe(1);
  });

  test("belongs to one sender at a time, and to the next when the first is not heard of again", async () => {
    await sealNumbered(db.database.knex, 3);
    await senders.create((await receive()).url);
    const { knex } = db.database;
    const [first] = await leaseEndpoints(knex, 10, 300);
    expect(first).toBeDefined();
    expect(await leaseEndpoints(knex, 10, 300)).toEqual([]);
    const leased: unknown[] = [];
    await expect
      .poll(async () => {
        leased.push(...(await leaseEndpoints(knex, 10, 300)));
        return leased.length;
      })
      .toBe(1);
    expect(leased).not.toMatchObject([{ lease: first?.lease }]);
  });
});
