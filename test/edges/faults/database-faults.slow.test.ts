import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { ALGEBRA, COMPLETIONS, importContractData, issued } from "../../contract/contract-data.js";
import { send } from "../../contract/raw-request.js";
import { lockTables } from "../../db/lock.js";
import { openProxy, type TcpProxy } from "../../jobs/tcp-proxy.js";
import { givenDatabase } from "../../support/database.js";
import { startTestService, type TestService, tokenOf } from "../../support/service.js";
import { callGrpc } from "../transports.js";

const V1 = "/api/learning_credentials/v1";
const UUID = issued.AVAILABLE.verifyUuid;
const OUT_OF_REACH = "The database is unavailable: try again later.";
const NO_SPACE = "The database has no space left on its disk: try again later.";
const BUSY = "The database is too busy: try again later.";
const READ_ONLY = "The database is read-only at the moment: try again later.";

const db = givenDatabase();
let proxy: TcpProxy;
let service: TestService;
let staff: string;
beforeAll(async () => {
  proxy = await openProxy(db.url);
  service = await startTestService({ settings: { DATABASE_URL: proxy.url, DATABASE_POOL_SIZE: "4" } });
  await importContractData(service);
  staff = await tokenOf({ username: "registrar", isStaff: true });
});
afterAll(async () => {
  await service?.stop();
});

const request = (target: string) =>
  send(service.httpUrl, { method: "GET", target, headers: { authorization: `Bearer ${staff}` } });

const OK = { rest: 200, configured: 200, page: 200, grpc: undefined, write: undefined, connect: undefined };
const AWAY = {
  rest: 503,
  configured: 503,
  page: 503,
  grpc: Code.Unavailable,
  write: Code.Unavailable,
  connect: Code.Unavailable,
};

/** Calls over all protocols at the same time, and returns the results. */
async function readAll() {
  const { listCredentials, issueCredential } = CredentialService.method;
  const [rest, configured, page, grpc, write, connect] = await Promise.all([
    request(`${V1}/metadata/${UUID}/`),
    request(`${V1}/configured/${ALGEBRA}/`),
    request(`/verify/${UUID}/`),
    callGrpc(service.grpcPort, listCredentials, [{}], { token: staff }),
    callGrpc(service.grpcPort, issueCredential, [{ configurationId: 2, username: "ana" }], { token: staff }),
    service
      .client(CredentialService, staff)
      .listMyCredentials({})
      .then(
        () => undefined,
        (error) => ConnectError.from(error).code,
      ),
  ]);
  const [restStatus, configuredStatus, pageStatus] = [rest.status, configured.status, page.status];
  return {
    rest: restStatus,
    configured: configuredStatus,
    page: pageStatus,
    grpc: grpc.code,
    write: write.code,
    connect,
  };
}

/** Ends all connections, like a restart. When this resolves, the service has not noticed it yet. */
async function endAllConnections(): Promise<void> {
  await db.database.knex.raw(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
}

test("a restart of the database fails no call that starts after it, over any protocol", async () => {
  for (let round = 0; round < 5; round++) {
    expect(await readAll()).toEqual(OK);
    await endAllConnections();
    expect(await readAll()).toEqual(OK);
  }
});

test("a restart also fails no call that is waiting for the database", async () => {
  const lock = await lockTables(db.url, "credentials");
  const requested = readAll();
  await expect.poll(() => lock.waiting()).toBeGreaterThan(3);
  const { rows } = await db.database.knex.raw(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  expect(rows.length).toBeGreaterThan(3);
  await lock.release();
  expect(await requested).toEqual(OK);
});

test("while the database is unreachable every protocol reports it, and all recover when it is back", async () => {
  proxy.cut();
  expect(await readAll()).toEqual(AWAY);
  const refused = await request(`${V1}/metadata/${UUID}/`);
  expect([refused.status, JSON.parse(refused.body)]).toEqual([503, { error: OUT_OF_REACH }]);
  await proxy.mend();
  await expect.poll(readAll).toEqual(OK);
});

test("a statement that the database cancels gives 503", async () => {
  const lock = await lockTables(db.url, "credentials");
  const requested = request(`${V1}/metadata/${UUID}/`);
  await expect.poll(() => lock.waiting()).toBe(1);
  await db.database.knex.raw(
    `select pg_cancel_backend(pid) from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  const answer = await requested;
  expect([answer.status, JSON.parse(answer.body)]).toEqual([503, { error: BUSY }]);
  await lock.release();
  expect(await readAll()).toEqual(OK);
});

describe("a change that meets", () => {
  let made = 0;
  const type = () => ({
    credentialType: {
      name: `Type ${++made}`,
      retrievalFunc: COMPLETIONS,
      generationFunc: "learning_credentials.generators.generate_pdf_credential",
    },
  });

  test.each<[fault: string, code: string, times: number, reported: string | undefined]>([
    ["a serialization failure", "40001", 2, undefined],
    ["a deadlock", "40P01", 2, undefined],
    ["serialization failures without end", "40001", 99, BUSY],
    ["a lock timeout", "55P03", 99, BUSY],
    ["a read-only database", "25006", 99, READ_ONLY],
    ["a full disk", "53100", 99, NO_SPACE],
  ])("%s", async (_, code, times, reported) => {
    await db.database.knex.raw(`
      create sequence faults;
      create function fail() returns trigger language plpgsql as $$
        begin
          if nextval('faults') <= ${times} then raise exception 'a fault' using errcode = '${code}'; end if;
          return new;
        end $$;
      create trigger faulty before insert on credential_types for each row execute function fail()`);
    try {
      const { createCredentialType } = ConfigurationService.method;
      const { code: grpcCode, message } = await callGrpc(service.grpcPort, createCredentialType, [type()], {
        token: staff,
      });
      expect([grpcCode, message]).toEqual([reported && Code.Unavailable, reported]);
      await db.database.knex.raw("alter sequence faults restart");
      const overConnect = service.client(ConfigurationService, staff).createCredentialType(type());
      const failure = await overConnect.then(() => undefined, ConnectError.from);
      expect([failure?.code, failure?.rawMessage]).toEqual([reported && Code.Unavailable, reported]);
    } finally {
      await db.database.knex.raw(
        "drop trigger faulty on credential_types; drop function fail; drop sequence faults",
      );
    }
    const client = service.client(ConfigurationService, staff);
    expect((await client.createCredentialType(type())).id).toBeGreaterThan(0);
  });
});

test("if all connections are in use, a bounded number of calls waits, others are refused, and verification has its own connections", async () => {
  const lock = await lockTables(db.url, "credential_types");
  const { listCredentialTypes } = ConfigurationService.method;
  const token = await tokenOf({ username: "lms", service: "read" }); // this caller's share of the slots is large enough
  let refused = 0;
  const requestOnce = async () => {
    const { code } = await callGrpc(service.grpcPort, listCredentialTypes, [{}], { token });
    if (code === Code.ResourceExhausted) refused++;
  };
  const requested = Array.from({ length: 460 }, requestOnce);
  await expect.poll(() => lock.waiting()).toBe(4);
  // There are 4 connections and 400 waiting calls. The service's own queries also take a slot.
  await expect.poll(() => refused).toBeGreaterThan(50);
  expect((await request(`${V1}/metadata/${UUID}/`)).status).toBe(200);
  expect((await request(`/verify/${UUID}/`)).status).toBe(200);
  await lock.release();
  await Promise.all(requested);
  expect(refused).toBeLessThan(62);
  expect(await readAll()).toEqual(OK);
});

test("while a table is locked, calls that need it are refused soon, and others are not affected", async () => {
  const lock = await lockTables(db.url, "credentials");
  const [verified, page, listed, learners, ready] = await Promise.all([
    request(`${V1}/metadata/${UUID}/`),
    request(`/verify/${UUID}/`),
    callGrpc(service.grpcPort, CredentialService.method.listCredentials, [{}], { token: staff }),
    callGrpc(service.grpcPort, ConfigurationService.method.listCredentialTypes, [{}], { token: staff }),
    request("/readyz"),
  ]);
  expect([verified.status, verified.headers["retry-after"], JSON.parse(verified.body)]).toEqual([
    503,
    "1",
    { error: BUSY },
  ]);
  expect([page.status, page.headers["retry-after"]]).toEqual([503, "1"]);
  expect([listed.code, learners.code, ready.status]).toEqual([Code.Unavailable, undefined, 200]);
  await lock.release();
  expect(await readAll()).toEqual(OK);
});
