import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { CloudEvent, HTTP } from "cloudevents";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { rotateEndpointSecret } from "#domain/webhooks/manage-endpoints.js";
import { sendTestWebhook } from "#domain/webhooks/send-test.js";
import { migrateUp } from "#infrastructure/db/migrate.js";
import { readBlocks } from "../main/document-blocks.js";
import { readPage } from "../main/documents.js";
import { ROOT } from "../main/program.js";
import { givenDatabase } from "../support/database.js";
import { freePort } from "../support/free-port.js";
import { type Received, type Receiver, startReceiver } from "./receiver.js";
import { acceptedPositions, openSenders, sealNumbered, upTo } from "./senders.js";

const COUNT = 1_000;
const HOUR_S = 3_600;

const db = givenDatabase();
let senders: ReturnType<typeof openSenders>;
let receiver: Receiver;
let secret: string;
let id: string;

beforeAll(async () => {
  await migrateUp(db.database);
  senders = openSenders(db);
  receiver = await startReceiver();
  await sealNumbered(db.database.knex, COUNT);
  const created = await senders.create(receiver.url);
  secret = created.secret;
  id = created.endpoint.id;
  const sender = senders.start();
  while (acceptedPositions(receiver).length < COUNT) await sleep(50);
  await sender.stop();
});
afterAll(async () => {
  await receiver.close();
});

/** Returns copies of a delivery. Each is altered in one way. */
function altered({ headers, body }: Received): Record<string, Pick<Received, "headers" | "body">> {
  const at = (seconds: number) => ({
    ...headers,
    "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + seconds),
  });
  return {
    "another byte": { headers, body: body.replace('"position":', '"position":1') },
    "another id": { headers: { ...headers, "webhook-id": "evt_1_0000000000000000" }, body },
    "another time": { headers: at(1), body },
    "an old time": { headers: at(-HOUR_S), body },
    "no signature": { headers: { ...headers, "webhook-signature": "" }, body },
  };
}

const otherSecret = `whsec_${randomBytes(32).toString("base64")}`;

test("a secret has 32 bytes, and differs between endpoints", async () => {
  expect(Buffer.from(secret.replace(/^whsec_/, ""), "base64").length).toBe(32);
  const { endpoint, secret: another } = await senders.create(receiver.url, {}, COUNT);
  expect(another).not.toBe(secret);
  await db.database.knex("webhook_endpoints").where({ id: endpoint.id }).delete();
  // The database contains none of the secrets.
  const { rows } = await db.database.knex.raw(
    "select endpoint::text as row from webhook_endpoints as endpoint",
  );
  expect(JSON.stringify(rows)).not.toContain(secret.slice(6));
});

describe("each delivery", () => {
  test("is verified by the library of Standard Webhooks, and nothing else is", () => {
    const [ours, others] = [new Webhook(secret), new Webhook(otherSecret)];
    for (const delivery of receiver.received) {
      expect(ours.verify(delivery.body, delivery.headers)).toEqual(delivery.parsed);
      expect(() => others.verify(delivery.body, delivery.headers)).toThrow();
      for (const [what, { headers, body }] of Object.entries(altered(delivery)))
        expect(() => ours.verify(body, headers), what).toThrow();
    }
  });

  test("is verified by the Python code of the documentation, and nothing else is", async ({ skip }) => {
    if (spawnSync("python3", ["--version"]).error) {
      console.warn("skipped: there is no python3");
      return skip();
    }
    const blocks = readBlocks(await readPage("webhooks"));
    const verify = join(tmpdir(), `verify-${id}.py`);
    await writeFile(verify, blocks.find(({ language }) => language === "py")?.text ?? "");
    const requested = receiver.received.flatMap((delivery) => [
      { secret, ...delivery, expected: true },
      { secret: otherSecret, ...delivery, expected: false },
      ...Object.values(altered(delivery)).map((each) => ({ secret, ...each, expected: false })),
    ]);
    const python = spawn("python3", [join(import.meta.dirname, "verify.py"), verify]);
    const [answers, errors] = [text(python.stdout), text(python.stderr)];
    python.stdin.end(requested.map((each) => `${JSON.stringify(each)}\n`).join(""));
    expect(await errors).toBe("");
    const verified = (await answers)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(verified).toEqual(requested.map(({ expected }) => expected));
  });

  test("is a valid CloudEvent by its SDK", () => {
    for (const { headers, body, parsed } of receiver.received) {
      const event = HTTP.toEvent({ headers: { ...headers }, body });
      if (!(event instanceof CloudEvent)) throw new Error("it is no event");
      expect(event.validate()).toBe(true);
      expect(event).toMatchObject({
        id: parsed.id,
        type: parsed.type,
        subject: parsed.subject,
        data: parsed.data,
      });
      expect(event.source).toBe("https://credentials.test");
    }
  });
});

describe("the receiver of the documentation", () => {
  let stop = () => {};
  afterEach(() => stop());

  test("the ten lines accept signed deliveries, and refuse the rest", async () => {
    const program =
      readBlocks(await readPage("webhooks")).find(({ text }) => text.includes("standardwebhooks"))?.text ??
      "";
    expect(program.trim().split("\n")).toHaveLength(10);

    const port = await freePort();
    const created = await senders.create(`http://127.0.0.1:${port}/`, {}, COUNT - 3);
    const running = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, PORT: String(port), SECRET: created.secret },
    });
    stop = () => void running.kill();
    let said = "";
    running.stdout.on("data", (chunk) => {
      said += chunk;
    });
    const sender = senders.start();
    await expect
      .poll(() =>
        said
          .trim()
          .split("\n")
          .sort()
          .map((line) => line.split(" ").slice(0, 2)),
      )
      .toEqual(
        [COUNT - 2, COUNT - 1, COUNT].map((position) => [String(position), "credential.issued"]).sort(),
      );
    await sender.stop();
    await sendTestWebhook(senders.sending, created.endpoint.id);
    await expect.poll(() => said).toMatch(/^a test: webhook\.test /m);
    const [delivery] = receiver.received as [Received];
    const foreign = await fetch(`http://127.0.0.1:${port}/`, {
      method: "POST",
      headers: delivery.headers as Record<string, string>,
      body: delivery.body,
    });
    expect(foreign.status).toBe(400);
  });
});

test("while a secret is replaced, new deliveries are verified by both; afterwards by the new one alone", async () => {
  const { knex } = db.database;
  const deps = { ...senders.sending, rule: senders.sending.posting.rule };
  const own = await startReceiver();
  const { endpoint, secret: first } = await senders.create(own.url);
  const sender = senders.start();
  await expect.poll(() => own.received.length).toBeGreaterThan(50);
  const { secret: second } = await rotateEndpointSecret(deps, endpoint.id, 24);
  await expect.poll(() => acceptedPositions(own)).toEqual(upTo(COUNT));
  const [old, current] = [new Webhook(first), new Webhook(second)];
  const isBy = (webhook: Webhook, { body, headers }: Received) => {
    try {
      return webhook.verify(body, headers) !== undefined;
    } catch {
      return false;
    }
  };
  for (const delivery of own.received) expect(isBy(old, delivery)).toBe(true);

  const verifiersOfNext = async () => {
    const before = own.received.length;
    await sealNumbered(knex, 5);
    await expect.poll(() => own.received.length).toBe(before + 5);
    return own.received.slice(before).map((next) => ({ old: isBy(old, next), current: isBy(current, next) }));
  };
  expect(await verifiersOfNext()).toEqual(Array(5).fill({ old: true, current: true }));
  await knex("webhook_endpoints").where({ id: endpoint.id }).update({ previous_until: new Date() });
  expect(await verifiersOfNext()).toEqual(Array(5).fill({ old: false, current: true }));
  await sender.stop();
  await own.close();
});
