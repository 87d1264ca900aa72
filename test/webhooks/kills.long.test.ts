import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findEndpoint } from "#domain/webhooks/endpoint-store.js";
import type { Database } from "#infrastructure/db/database.js";
import { migrateUp } from "#infrastructure/db/migrate.js";
import { openDatabase } from "#infrastructure/db/open-database.js";
import { type RestartablePostgres, startRestartablePostgres } from "../soak/restartable-postgres.js";
import { newDirectory } from "../support/directory.js";
import { type Answer, type Receiver, startReceiver } from "./receiver.js";
import {
  acceptedPositions,
  firstAcceptances,
  openSenders,
  SERVICE_SECRET,
  sealNumbered,
  upTo,
} from "./senders.js";

/** Each credential has five events. A run with `CREDENTIALS=4000` takes many minutes. */
const CREDENTIALS = Number(process.env.CREDENTIALS ?? 800);
const EACH = 5;
const EVENTS = CREDENTIALS * EACH;

let directory: string;
let postgres: RestartablePostgres;
let database: Database;
let senders: ReturnType<typeof openSenders>;
let receiver: Receiver | undefined;
const processes = new Set<ChildProcessWithoutNullStreams>();

beforeEach(async () => {
  directory = newDirectory("webhooks");
  postgres = await startRestartablePostgres(directory);
  database = openDatabase(postgres.url);
  await migrateUp(database);
  senders = openSenders({ database });
});
afterEach(async () => {
  for (const each of processes) each.kill("SIGKILL");
  processes.clear();
  await receiver?.close();
  await database.close();
  await postgres.stop();
});

const TIMINGS = { pollMs: 20, waitMs: 20, afterFailureMs: 1, progressMs: 50, leaseMs: 800, turnMs: 3_000 };

async function startSender(timings: object = {}): Promise<ChildProcessWithoutNullStreams> {
  const script = fileURLToPath(new URL("sender-process.js", import.meta.url));
  const child = spawn(process.execPath, [
    script,
    postgres.url,
    SERVICE_SECRET,
    JSON.stringify({ ...TIMINGS, ...timings }),
  ]);
  processes.add(child);
  child.once("exit", () => processes.delete(child));
  await once(child.stdout, "data");
  return child;
}

async function deliveredUpTo(id: string): Promise<number> {
  const endpoint = await findEndpoint(database.knex, id).catch(() => undefined); // Postgres may be down
  return endpoint?.deliveredUpTo ?? -1;
}

const hang: Answer = () => undefined;
const reset: Answer = (response) => void response.socket?.resetAndDestroy();
const garbage: Answer = (response) => void response.socket?.end("NOT HTTP AT ALL\r\n\r\n");
const redirect: Answer = (response) => {
  response.writeHead(302, { location: "http://127.0.0.1:9/" }).end();
  return 302;
};
const later: Answer = (response) => {
  response.writeHead(429, { "retry-after": "1" }).end();
  return 429;
};
/** Accepts the event, but sends a body that takes longer than any sender waits. */
const slowBody: Answer = (response) => {
  response.writeHead(200).write("x");
  return 200;
};
const faults: readonly Answer[] = [
  500,
  later,
  reset,
  garbage,
  redirect,
  slowBody,
  500,
  reset,
  redirect,
  hang,
];

test("Events reach a receiver that fails a third of the time, all of them and each credential in order, while two " +
  "senders are killed every second and Postgres restarts", { timeout: 3_600_000 }, async () => {
  await sealNumbered(database.knex, CREDENTIALS, EACH);
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  let hangs = 0;
  receiver = await startReceiver(() => {
    // The longest faults are less frequent, because the test would take too long otherwise.
    const fault = faults[Math.floor(random() * faults.length)] ?? 500;
    if (random() > 0.3) return 200;
    return (fault === hang || fault === slowBody) && hangs++ % 20 > 0 ? 500 : fault;
  });
  const { endpoint } = await senders.create(receiver.url);
  let isOver = false;
  let kills = 0;
  const killing = (async () => {
    const two = await Promise.all([startSender(), startSender()]);
    for (let turn = 0; !isOver; turn++) {
      await sleep(1_000);
      const victim = two[turn % 2];
      victim?.kill("SIGKILL");
      kills++;
      two[turn % 2] = await startSender();
    }
  })();
  const restarting = (async () => {
    for (const how of ["fast", "crash"] as const) {
      await sleep(15_000);
      await postgres.restart(how, 1_000);
    }
  })();

  // The position of an endpoint never decreases, regardless of which process delivers to it.
  let last = 0;
  while (last < EVENTS) {
    await sleep(200);
    const now = await deliveredUpTo(endpoint.id);
    if (now < 0) continue;
    expect(now).toBeGreaterThanOrEqual(last);
    last = now;
  }
  await restarting;
  isOver = true;
  await killing;

  expect(acceptedPositions(receiver)).toEqual(upTo(EVENTS));
  expect(firstAcceptances(receiver)).toEqual(Array.from({ length: CREDENTIALS }, () => upTo(EACH)));
  expect(kills).toBeGreaterThan(5);
  const accepted = receiver.received.filter(({ status }) => status === 200).length;
  console.log(
    `${EVENTS} events, ${kills} kills, ${receiver.received.length} requests, ${accepted - EVENTS} duplicates`,
  );
});

test("a sender that is stopped past its lease repeats at most what it had started, and no position decreases", {
  timeout: 300_000,
}, async () => {
  await sealNumbered(database.knex, 500, 4);
  let isSlow = true;
  receiver = await startReceiver(async () => {
    if (isSlow) await sleep(20);
    return 200;
  });
  const { endpoint } = await senders.create(receiver.url);
  const paused = await startSender();
  const own = receiver;
  while (own.received.length < 100) await sleep(5);
  paused.kill("SIGSTOP");
  const stoppedAt = own.received.length;
  const next = await startSender();
  while (own.received.length < stoppedAt + 300) await sleep(5);
  const before = await deliveredUpTo(endpoint.id);
  paused.kill("SIGCONT");
  await sleep(1_000);
  expect(await deliveredUpTo(endpoint.id)).toBeGreaterThanOrEqual(before);
  isSlow = false;
  while ((await deliveredUpTo(endpoint.id)) < 2_000) await sleep(20);
  expect(acceptedPositions(own)).toEqual(upTo(2_000));
  expect(firstAcceptances(own)).toEqual(Array.from({ length: 500 }, () => upTo(4)));
  // The second sender repeats at most 200 events that the first sender had delivered but not stored, and the events in
  // progress in its 16 lanes.
  expect(own.received.length - 2_000).toBeLessThanOrEqual(200 + 16);
  next.kill("SIGKILL");
});
