import { setTimeout as sleep } from "node:timers/promises";
import { ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { retry } from "#foundation/concurrency/retry.js";
import { CredentialEventType } from "#gen/learning_credentials/v1/credential_event_pb.js";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { BUSY } from "#infrastructure/db/outage.js";
import { importContractData } from "../contract/contract-data.js";
import { describeContract } from "../contract/tables.js";
import { type Academy, openAcademy } from "../support/academy.js";
import { startTestService, type TestService, tokenOf } from "../support/service.js";
import { isPgBouncerInstalled, type PgBouncer, startGivenPgBouncer } from "./pgbouncer.js";

/** Number of connections that PgBouncer opens. Each service's own pool is larger. */
const SERVER_CONNECTIONS = 4;
const CLIENTS = 40;
const CREDENTIALS = 3;

/** Retries after a temporary error, because on a busy machine, a call may wait too long for its turn. */
function patiently<T>(call: () => Promise<T>): Promise<T> {
  return retry(call, {
    isRetryable: (error) => ConnectError.from(error).rawMessage === BUSY,
    pauseMs: 1_000,
    forMs: 120_000,
  });
}

/**
 * Returns the times in milliseconds, in ascending order. Omits the first few, in which threads and connections are
 * started.
 */
async function timesUntilAvailable({ credentials, configurationId, enrol }: Academy): Promise<number[]> {
  const usernames = Array.from({ length: 50 }, (_, each) => `timed${each}`);
  await enrol(...usernames);
  const times: number[] = [];
  for (const username of usernames) {
    const begun = performance.now();
    const { uuid } = await credentials.issueCredential({ configurationId, username });
    for (;;) {
      const { status } = await credentials.getCredential({ uuid });
      if (status === CredentialStatus.AVAILABLE) break;
      await sleep(5);
    }
    times.push(performance.now() - begun);
  }
  return times.slice(10).sort((a, b) => a - b);
}

describe.runIf(await isPgBouncerInstalled())("through PgBouncer in transaction mode", () => {
  let bouncer: PgBouncer;
  let contract: TestService;
  let academy: Academy;
  beforeAll(async () => {
    bouncer = await startGivenPgBouncer(inject("postgresUrl"), {
      default_pool_size: String(SERVER_CONNECTIONS),
    });
    contract = await startTestService({ pooler: bouncer });
    await importContractData(contract);
    academy = await openAcademy({ pooler: bouncer, worker: true });
  }, 120_000);
  afterAll(async () => {
    await contract?.stop();
    await academy?.service.stop();
    await bouncer?.stop();
  });

  describeContract(() => contract);

  test(`${CLIENTS} clients issue, list and verify on ${SERVER_CONNECTIONS} connections, and fail only with a temporary error`, async () => {
    const { credentials, configurationId, enrol, service } = academy;
    const clients = Array.from({ length: CLIENTS }, (_, client) =>
      Array.from({ length: CREDENTIALS }, (_, each) => `l${client}-${each}`),
    );
    await enrol(...clients.flat());
    const issued = await Promise.all(
      clients.map(async (usernames) => {
        const uuids: string[] = [];
        for (const username of usernames) {
          const { uuid, verifyUuid } = await patiently(() =>
            credentials.issueCredential({ configurationId, username }),
          );
          await patiently(() => credentials.listCredentials({ username }));
          const path = `/api/learning_credentials/v1/metadata/${verifyUuid}/`;
          const { status } = await fetch(`${service.httpUrl}${path}`);
          expect([200, 404, 503]).toContain(status);
          uuids.push(uuid);
        }
        return uuids;
      }),
    );
    await vi.waitFor(
      async () => {
        for (const uuid of issued.flat())
          expect(await credentials.getCredential({ uuid })).toMatchObject({
            status: CredentialStatus.AVAILABLE,
          });
      },
      { timeout: 120_000, interval: 500 },
    );
  });

  /** Only prints figures, because a limit would fail on a busy machine. */
  test("how long until a credential is available, compared with no pooler", async () => {
    const direct = await openAcademy({ worker: true });
    try {
      const without = await timesUntilAvailable(direct);
      const through = await timesUntilAvailable(academy);
      expect(through).toHaveLength(without.length);
      const ninetyFifth = (times: readonly number[]) =>
        Math.round(times[Math.floor(times.length * 0.95)] ?? 0);
      console.info(
        `issue to available, p95: ${ninetyFifth(through)} ms through the pooler, ${ninetyFifth(without)} ms without`,
      );
    } finally {
      await direct.service.stop();
    }
  });

  test("events are notified directly, because the pooler would deliver none", async () => {
    const { credentials, configurationId, enrol, service } = academy;
    await enrol("watched");
    const platform = service.client(CredentialService, await tokenOf({ username: "lms", service: "read" }));
    const watched = platform.watchCredentialEvents({});
    const { uuid } = await credentials.issueCredential({ configurationId, username: "watched" });
    const types: CredentialEventType[] = [];
    for await (const { events } of watched) {
      types.push(...events.flatMap((event) => (event.credentialUuid === uuid ? [event.type] : [])));
      if (types.length >= 2) break;
    }
    expect(types).toEqual([CredentialEventType.ISSUED, CredentialEventType.AVAILABLE]);
  });
});
