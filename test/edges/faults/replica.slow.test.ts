import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { foundAcademy, issued } from "../../contract/academy.js";
import { send } from "../../contract/raw-request.js";
import { rowsOf } from "../../support/database.js";
import { freePort } from "../../support/free-port.js";
import {
  type InstalledPostgres,
  type Standby,
  startInstalledPostgres,
} from "../../support/installed-postgres.js";
import { startTestService, type TestService, tokenOf } from "../../support/service.js";
import { answersOf, delayReplay } from "./replica.js";

const METADATA = `/api/learning_credentials/v1/metadata/${issued.AVAILABLE.verifyUuid}/`;

const postgres = await startInstalledPostgres();
afterAll(() => postgres?.stop());

describe.runIf(postgres)("a service whose database has a replica", () => {
  const { create, follow } = postgres as InstalledPostgres;
  let standby: Standby;
  let url: string;
  let service: TestService;
  const logged: string[] = [];
  beforeAll(async () => {
    standby = await follow();
  });
  beforeEach(async () => {
    url = await create();
    // The replica must know the database when the service starts.
    await expect.poll(() => rowsOf(standby.urlOf(url), "select 1").catch(() => [])).toHaveLength(1);
    logged.length = 0;
    service = await startTestService({
      settings: {
        DATABASE_URL: url,
        DATABASE_REPLICA_URL: standby.urlOf(url),
        ADMIN_PORT: String(await freePort()),
      },
      log: pino({ level: "info" }, { write: (line) => void logged.push(JSON.parse(line).msg) }),
    });
    await foundAcademy(service);
  });
  afterEach(() => service.stop());

  const verify = async () => {
    const { status, body } = await send(service.httpUrl, { method: "GET", target: METADATA, headers: {} });
    return status === 200 ? JSON.parse(body).status : status;
  };
  const answers = () => answersOf(service);
  async function ready() {
    const { status, dependencies } = await service.app.readiness.look();
    return [status, ...dependencies.filter(({ works }) => !works).map(({ name }) => name)];
  }
  const ofReplica = () => logged.filter((message) => message.includes("replica"));
  /** Waits until the replica answers. */
  async function replicaAnswers(): Promise<void> {
    await expect
      .poll(
        async () => {
          const before = (await answers()).replica;
          await verify();
          return (await answers()).replica > before;
        },
        { timeout: 30_000 },
      )
      .toBe(true);
  }

  test("has the replica answer verification, and the primary while the replica lags behind or is away", {
    timeout: 180_000,
  }, async ({ onTestFinished }) => {
    await replicaAnswers();
    expect(await ready()).toEqual(["ready"]);
    // A busy machine may set it aside for a moment.
    const byPrimary = async () => {
      const { primary } = await answers();
      for (let visit = 0; visit < 20; visit++) expect(await verify()).toBe("available");
      return (await answers()).primary - primary;
    };
    await expect.poll(byPrimary).toBe(0);
    await expect.poll(async () => (await answers()).staleness).toBeLessThan(2);

    await delayReplay(standby.urlOf(url), "1h");
    onTestFinished(() => delayReplay(standby.urlOf(url), "0"));
    const staff = await tokenOf({ username: "registrar", isStaff: true });
    const { uuid } = issued.AVAILABLE;
    await service.client(CredentialService, staff).invalidateCredential({ uuid, reason: "Withdrawn." });
    await expect.poll(verify, { timeout: 20_000, interval: 20 }).toBe("invalidated");
    await expect.poll(ready, { timeout: 20_000 }).toEqual(["degraded", "replica"]);
    for (let visit = 0; visit < 20; visit++) expect(await verify()).toBe("invalidated");
    await delayReplay(standby.urlOf(url), "0");
    await replicaAnswers();
    expect(await verify()).toBe("invalidated");
    await expect.poll(ready, { timeout: 20_000 }).toEqual(["ready"]);

    await standby.kill();
    for (let visit = 0; visit < 40; visit++) expect(await verify()).toBe("invalidated");
    await expect.poll(ready, { timeout: 20_000 }).toEqual(["degraded", "replica"]);
    await standby.restart();
    await replicaAnswers();
    const isAside = "the primary answers in place of the database's replica";
    const isBack = "the database's replica answers again";
    const told = ofReplica();
    expect(told.length).toBeGreaterThanOrEqual(4);
    expect(told).toEqual(told.map((_, index) => (index % 2 === 0 ? isAside : isBack)));
  });

  test("does not start with a replica of another database", async () => {
    const other = await create();
    await expect.poll(() => rowsOf(standby.urlOf(other), "select 1").catch(() => [])).toHaveLength(1);
    const settings = { DATABASE_URL: url, DATABASE_REPLICA_URL: standby.urlOf(other) };
    await expect(startTestService({ settings })).rejects.toThrow(
      /^DATABASE_REPLICA_URL leads to another database than DATABASE_URL/,
    );
  });
});
