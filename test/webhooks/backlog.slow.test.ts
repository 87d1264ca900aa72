import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { findEndpoint } from "#domain/webhooks/endpoint-store.js";
import { givenEachDatabase } from "../support/database.js";
import { openSenders, SERVICE_SECRET, sealNumbered } from "./senders.js";

/**
 * The number of events. `BACKLOG=300000` is the backlog of a run with 100,000 credentials, and takes a quarter of an
 * hour on an otherwise idle machine.
 */
const EVENTS = Number(process.env.BACKLOG ?? 6_000);
const EACH = 3;
const ANSWER_MS = 20;
const MEBIBYTE = 1024 * 1024;

const db = givenEachDatabase();
let server: Server;
let sender: ChildProcessWithoutNullStreams | undefined;

afterEach(async () => {
  sender?.kill("SIGKILL");
  server.closeAllConnections();
  server.close();
});

test(`a backlog of ${EVENTS} events is delivered in constant memory, to a receiver that takes ${ANSWER_MS} ms`, {
  timeout: 3_600_000,
}, async () => {
  await sealNumbered(db.database.knex, EVENTS / EACH, EACH);
  const received = new Uint8Array(EVENTS + 1);
  const numbers = new Map<string, number>();
  let requests = 0;
  let outOfOrder = 0;
  server = createServer(async (request, response) => {
    const { subject, data } = JSON.parse(await text(request));
    requests++;
    if (received[data.position] === 0) {
      received[data.position] = 1;
      if (data.configuration_id !== (numbers.get(subject) ?? 0) + 1) outOfOrder++;
      numbers.set(subject, data.configuration_id);
    }
    await sleep(ANSWER_MS);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { create } = openSenders(db);
  const { endpoint } = await create(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);

  const script = fileURLToPath(new URL("sender-process.js", import.meta.url));
  const started = performance.now();
  sender = spawn(process.execPath, ["--expose-gc", script, db.url, SERVICE_SECRET, "{}"]);
  const own = sender;
  await once(own.stdout, "data");
  const memories: number[] = [];
  let processorMs = 0;
  const deliveredUpTo = async () => (await findEndpoint(db.database.knex, endpoint.id))?.deliveredUpTo ?? 0;
  for (let last = 0; last < EVENTS; last = await deliveredUpTo()) {
    await sleep(1_000);
    own.stdin.write("memory\n");
    const used = JSON.parse(String(await once(own.stdout, "data")));
    memories.push(used.bytes / MEBIBYTE);
    processorMs = used.processorMs;
  }
  const seconds = (performance.now() - started) / 1000;

  expect(received.reduce((sum, each) => sum + each, 0)).toBe(EVENTS);
  expect(outOfOrder).toBe(0);
  // No process was killed. Events are therefore repeated only if a busy machine answers too late.
  expect(requests).toBeLessThan(EVENTS * 1.01);
  // The memory after a tenth of the time, and at the end.
  const early = memories[Math.floor(memories.length / 10)] ?? 0;
  const late = Math.max(...memories.slice(-10));
  expect(late - early).toBeLessThan(10);
  const rate = `${(EVENTS / seconds).toFixed(0)} a second, ${(processorMs / EVENTS).toFixed(2)} ms of a processor each`;
  const memory = `memory ${early.toFixed(0)} MiB, then ${late.toFixed(0)} MiB`;
  console.log(`${EVENTS} events in ${seconds.toFixed(0)} s: ${rate}; ${memory}`);
});
