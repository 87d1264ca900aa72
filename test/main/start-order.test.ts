import { once } from "node:events";
import { connect } from "node:net";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createHttpServer } from "#edges/http/server.js";
import { freePort } from "../support/free-port.js";
import { givenService, startTestService } from "../support/service.js";

const service = givenService();

test("a request that arrives while the service starts gets its response when it is ready", async () => {
  const port = await freePort();
  const { knex } = service.app.database;
  const holder = await knex.transaction();
  await holder.raw("lock table knex_migrations in access exclusive mode"); // each start reads this table
  const starting = startTestService({ beside: service, settings: { HTTP_PORT: String(port) } });
  await expect.poll(() => isListening(port)).toBe(true);
  let status = 0;
  const answered = fetch(`http://127.0.0.1:${port}/readyz`).then((response) => {
    status = response.status;
  });
  await expect.poll(() => countWaiting(knex)).toBe(1);
  expect(status).toBe(0);
  await holder.commit();
  const started = await starting;
  await answered;
  expect(status).toBe(200);
  await started.stop();
});

test("a request that waits for a failing start gets 503", async () => {
  const http = await createHttpServer({ host: "127.0.0.1", port: 0, log: pino({ level: "silent" }) });
  const socket = connect(http.port, "127.0.0.1").setEncoding("utf8");
  socket.write("POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n");
  expect((await once(socket, "data")).join()).toMatch(/^HTTP\/1.1 100 Continue/); // the request has arrived
  const answer = socket.toArray();
  await http.close(60_000);
  expect((await answer).join("")).toMatch(/^HTTP\/1.1 503 Service Unavailable\r\n/);
});

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

async function countWaiting(knex: typeof service.app.database.knex): Promise<number> {
  const { rows } = await knex.raw(
    "select count(*)::int from pg_locks where not granted and relation = 'knex_migrations'::regclass",
  );
  return rows[0].count;
}
