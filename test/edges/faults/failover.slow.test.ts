import { Code } from "@connectrpc/connect";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { importContractData, issued } from "../../contract/contract-data.js";
import { send } from "../../contract/raw-request.js";
import { openProxy, type TcpProxy } from "../../jobs/tcp-proxy.js";
import { rowsOf } from "../../support/database.js";
import { findingsOn } from "../../support/health.js";
import { type InstalledPostgres, startInstalledPostgres } from "../../support/installed-postgres.js";
import { startTestService, type TestService, tokenOf } from "../../support/service.js";
import { callGrpc } from "../transports.js";

const VERIFICATION = `/api/learning_credentials/v1/metadata/${issued.AVAILABLE.verifyUuid}/`;

const postgres = await startInstalledPostgres();
afterAll(() => postgres?.stop());

describe.runIf(postgres)("on a PostgreSQL with standbys", () => {
  const { create, follow } = postgres ?? ({} as InstalledPostgres); // vitest also runs the body of a skipped suite
  let toStandby: (url: string) => string;
  let url: string;
  let proxy: TcpProxy;
  let service: TestService;
  let staff: string;
  beforeAll(async () => {
    toStandby = (await follow()).urlOf;
    staff = await tokenOf({ username: "registrar", isStaff: true });
  });
  beforeEach(async () => {
    url = await create();
    proxy = await openProxy(url);
    service = await startTestService({ settings: { DATABASE_URL: proxy.url, DATABASE_POOL_SIZE: "6" } });
    await importContractData(service);
  });
  afterEach(async () => {
    await service.stop();
    proxy.cut();
  });

  const get = (target: string) => send(service.httpUrl, { method: "GET", target, headers: {} });
  const verify = async () => (await get(VERIFICATION)).status;
  /** Returns the readiness of the service, and the dependencies that are not ready. */
  async function ready() {
    const { status, dependencies } = await service.app.readiness.check();
    const failing = dependencies.filter(({ works }) => !works);
    return [status, ...failing.map(({ name }) => name)];
  }
  async function write(timeoutMs = 20_000) {
    const { issueCredential } = CredentialService.method;
    const requested = { configurationId: 2, username: "ana" };
    const { code } = await callGrpc(service.grpcPort, issueCredential, [requested], {
      token: staff,
      timeoutMs,
    });
    return code;
  }
  async function waitForStandby(name: string): Promise<void> {
    await rowsOf(url, `alter system set synchronous_standby_names = '${name}'`);
    await rowsOf(url, "select pg_reload_conf()");
  }

  test("once the address leads to a primary again, changes succeed, even if connections to a standby are still open", async () => {
    expect(await write()).toBeUndefined();
    await expect
      .poll(async () => rowsOf(toStandby(url), "select from credentials"))
      .toHaveLength((await rowsOf(url, "select from credentials")).length);
    proxy.leadTo(toStandby(url));
    proxy.cut();
    await proxy.mend();
    await expect.poll(ready).toEqual(["degraded", "writes"]);
    expect(await verify()).toBe(200);
    expect(await write()).toBe(Code.Unavailable);
    expect(proxy.open()).toBeGreaterThan(0);
    proxy.leadTo(url);
    await expect.poll(() => write()).toBeUndefined();
    await expect.poll(ready).toEqual(["ready"]);
    expect(await verify()).toBe(200);
  });

  test("while a synchronous standby is dead, changes hang, and verification is not affected", {
    timeout: 120_000,
  }, async () => {
    expect(await findingsOn(service.app)).toContainEqual({
      kind: "asynchronous-standbys",
      detail: "synchronous_standby_names is empty, and 1 standby is connected",
    });
    await waitForStandby("dead");
    try {
      const writing = Array.from({ length: 12 }, () => write(3_000));
      const statuses: unknown[] = [];
      for (let visit = 0; visit < 40; visit++) statuses.push(await verify());
      expect(await ready()).toEqual(["degraded", "writes"]);
      const kinds = (await findingsOn(service.app)).map(({ kind }) => kind);
      expect(kinds).not.toContain("asynchronous-standbys");
      for (const code of await Promise.all(writing)) {
        expect(code === Code.DeadlineExceeded || code === Code.Unavailable).toBe(true);
      }
      for (let visit = 0; visit < 40; visit++) statuses.push(await verify());
      expect(new Set(statuses)).toEqual(new Set([200]));
      expect(await ready()).toEqual(["degraded", "writes"]);
    } finally {
      await waitForStandby("");
    }
    await expect.poll(() => write()).toBeUndefined();
    await expect.poll(ready).toEqual(["ready"]);
  });
});
