import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveOps } from "#app/serve-ops.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { lockTables } from "../../db/lock.js";
import { openProxy, type TcpProxy } from "../../jobs/tcp-proxy.js";
import { givenDatabase } from "../../support/database.js";
import { startTestService, type TestService, tokenOf } from "../../support/service.js";

const db = givenDatabase();
let proxy: TcpProxy;
let service: TestService;
let admin: string;

beforeAll(async () => {
  proxy = await openProxy(db.url);
  service = await startTestService({ settings: { DATABASE_URL: proxy.url, ADMIN_PORT: "0" } });
  admin = `http://127.0.0.1:${await serveOps(service.app)}`;
});

afterAll(async () => {
  await service?.stop();
});

async function ready(base = admin) {
  const response = await fetch(`${base}/readyz`);
  const { status, dependencies } = (await response.json()) as {
    status: string;
    dependencies: { name: string; works: boolean; ms: number }[];
  };
  return {
    http: response.status,
    status,
    failing: dependencies.filter(({ works }) => !works).map(({ name }) => name),
    dependencies,
  };
}

test("/livez and /readyz work on both ports, and only the admin port shows the state of each dependency", async () => {
  for (const base of [service.httpUrl, admin]) {
    expect(await (await fetch(`${base}/livez`)).json()).toEqual({ status: "alive" });
  }
  const reported = await fetch(`${service.httpUrl}/readyz`);
  expect([reported.status, await reported.json()]).toEqual([200, { status: "ready" }]);
  const { http, status, dependencies } = await ready();
  expect({ http, status }).toEqual({ http: 200, status: "ready" });
  expect(dependencies).toEqual(
    ["database", "migrations", "verification", "writes", "store", "queue"].map((name) => ({
      name,
      works: true,
      ms: expect.any(Number),
    })),
  );
});

test("only the admin port has /metrics, with counts of calls, connections and jobs", async () => {
  expect((await fetch(`${service.httpUrl}/metrics`)).status).toBe(404);
  await fetch(`${service.httpUrl}/api/learning_credentials/v1/metadata/unknown/`);
  const staff = await tokenOf({ username: "registrar", isStaff: true });
  await service.client(CredentialService, staff).listCredentials({});
  await service.app.database.knex.raw(
    `insert into jobs (task, payload, priority, max_attempts, run_at)
     values ('move_file', '{}', 0, 1, now() - interval '1 minute')`,
  );

  const text = await (await fetch(`${admin}/metrics`)).text();
  const name = "learning_credentials.v1.CredentialService";
  expect(text).toContain(
    `learning_credentials_call_seconds_count{method="${name}/GetCredentialMetadata",code="NotFound"} 1`,
  );
  expect(text).toContain(
    `learning_credentials_call_seconds_count{method="${name}/ListCredentials",code="Ok"} 1`,
  );
  expect(text).toMatch(/learning_credentials_database_connections\{state="(used|idle)"\} [1-9]/);
  expect(text).toContain('learning_credentials_queue_jobs{task="move_file",state="ready"} 1');
  expect(text).toMatch(/learning_credentials_queue_age_seconds\{task="move_file"\} 6\d/);
  expect(text).toMatch(/process_resident_memory_bytes \d{6,}/);
});

describe("without a database", () => {
  beforeAll(() => proxy.cut());
  afterAll(() => proxy.mend());

  test("the process is live but not ready, and gives the reason", async () => {
    await expect.poll(ready).toMatchObject({
      http: 503,
      status: "unready",
      failing: ["database", "migrations", "writes", "queue"],
    });
    expect((await fetch(`${service.httpUrl}/livez`)).status).toBe(200);
  });

  test("the metrics that need no database are available", async () => {
    const text = await (await fetch(`${admin}/metrics`)).text();
    expect(text).toContain("learning_credentials_call_seconds_count");
    expect(text).not.toContain("learning_credentials_queue_jobs{");
  });
});

test("with the database back the service is ready again; a job that waits too long is a degradation", async () => {
  await expect.poll(ready).toMatchObject({ http: 200, status: "ready" });
  await db.database.knex.raw("update jobs set run_at = now() - interval '1 hour'");
  await expect.poll(ready).toMatchObject({ http: 200, status: "degraded", failing: ["queue"] });
  await db.database.knex.raw("delete from jobs");
  await expect.poll(ready).toMatchObject({ status: "ready" });
});

test("failing verifications are a degradation, even though the database responds", async () => {
  const unknown = `${service.httpUrl}/api/learning_credentials/v1/metadata/00000000-0000-4000-8000-000000000000/`;
  const lock = await lockTables(db.url, "credentials");
  expect((await fetch(unknown)).status).toBe(503);
  await expect.poll(ready).toMatchObject({ http: 200, status: "degraded", failing: ["verification"] });
  await lock.release();
  await expect.poll(async () => (await fetch(unknown)).status).toBe(404);
  await expect.poll(ready).toMatchObject({ http: 200, status: "ready" });
});

test("a database that refuses changes is a degradation, and verification still works", async () => {
  const name = new URL(db.url).pathname.slice(1);
  const alter = (change: string) => db.database.knex.raw(`alter database ${name} ${change}`);
  await alter("set default_transaction_read_only = on");
  proxy.cut();
  await proxy.mend();
  await expect.poll(ready).toMatchObject({ http: 200, status: "degraded", failing: ["writes"] });
  const unknown = "/api/learning_credentials/v1/metadata/00000000-0000-4000-8000-000000000000/";
  expect((await fetch(`${service.httpUrl}${unknown}`)).status).toBe(404);
  await alter("reset default_transaction_read_only");
  await expect.poll(ready).toMatchObject({ http: 200, status: "ready" });
});

test("the service is not ready once it is about to stop", async () => {
  service.app.readiness.markStopping();
  expect(await ready()).toMatchObject({ http: 503, status: "stopping" });
});
