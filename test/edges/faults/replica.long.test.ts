import { setTimeout as sleep } from "node:timers/promises";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import { afterAll, describe, expect, test } from "vitest";
import { CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { type Academy, openAcademy } from "../../credentials/academy.js";
import { openProxy } from "../../jobs/tcp-proxy.js";
import { rowsOf } from "../../support/database.js";
import { freePort } from "../../support/free-port.js";
import {
  type InstalledPostgres,
  type Standby,
  startInstalledPostgres,
} from "../../support/installed-postgres.js";
import { callGrpc } from "../doors.js";
import { answersOf, delayReplay } from "./replica.js";

/** The promise. Callers and service are one process, so they share a clock. */
const MAX_AGE_MS = 2_000;
const PATIENCE_MS = 120_000;
const BURSTS = 4;
const CREDENTIALS = 500;

const installed = await startInstalledPostgres().then(async (postgres) => {
  await postgres?.stop();
  return postgres !== undefined;
});

interface Credential {
  readonly uuid: string;
  readonly verifyUuid: string;
  /** When its withdrawal was acknowledged. */
  withdrawnAt?: number;
}

interface Answer {
  readonly door: string;
  readonly credential: Credential;
  /** When the caller began to ask. */
  readonly began: number;
  /** `available`, `invalidated`, or the error. */
  readonly told: string;
}

/** Asks for one credential. @returns its status, or the error */
type Door = (verifyUuid: string) => Promise<string>;

/** The four doors of verification. */
function doorsOf({ service }: Academy): Record<string, Door> {
  const connect: Client<typeof CredentialService> = service.client(CredentialService);
  const named = (status: CredentialStatus | undefined) => CredentialStatus[status ?? 0]?.toLowerCase() ?? "";
  return {
    async REST(verifyUuid) {
      const answer = await fetch(`${service.httpUrl}/api/learning_credentials/v1/metadata/${verifyUuid}/`);
      const body = (await answer.json()) as { status?: string };
      return body.status ?? String(answer.status);
    },
    async gRPC(verifyUuid) {
      const { getCredentialMetadata } = CredentialService.method;
      const { responses, code } = await callGrpc(service.grpcPort, getCredentialMetadata, [{ verifyUuid }]);
      if (code !== undefined) return code === Code.Unavailable ? "503" : Code[code];
      return named((responses[0] as unknown as { status: CredentialStatus }).status);
    },
    Connect: (verifyUuid) =>
      connect.getCredentialMetadata({ verifyUuid }).then(
        ({ status }) => named(status),
        (error) => (ConnectError.from(error).code === Code.Unavailable ? "503" : String(error)),
      ),
    async page(verifyUuid) {
      const answer = await fetch(`${service.httpUrl}/verify/${verifyUuid}/`);
      const html = await answer.text();
      if (answer.status !== 200) return String(answer.status);
      return html.includes("Withdrawn.") ? "invalidated" : "available";
    },
  };
}

/** Asks at all doors without a pause, about credentials that are picked at random. */
function keepAsking(academy: Academy, credentials: readonly Credential[]) {
  const answers: Answer[] = [];
  let isOver = false;
  const asking = Object.entries(doorsOf(academy)).map(async ([door, ask]) => {
    while (!isOver) {
      const credential = credentials[Math.floor(Math.random() * credentials.length)] as Credential;
      const began = performance.now();
      answers.push({ door, credential, began, told: await ask(credential.verifyUuid) });
      await sleep(5);
    }
  });
  return {
    answers,
    async end() {
      isOver = true;
      await Promise.all(asking);
      return answers;
    },
  };
}

/** Those that show what was withdrawn for too long before they were asked for. */
const outdated = (answers: readonly Answer[]) =>
  answers.filter(
    ({ began, told, credential }) =>
      told === "available" &&
      credential.withdrawnAt !== undefined &&
      began > credential.withdrawnAt + MAX_AGE_MS,
  );

const counted = (answers: readonly Answer[]) => {
  const counts: Record<string, number> = {};
  for (const { door, told } of answers) counts[`${door} ${told}`] = (counts[`${door} ${told}`] ?? 0) + 1;
  return counts;
};

describe.runIf(installed)("verification with a replica", { timeout: 4 * PATIENCE_MS }, () => {
  const stopping: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const stop of stopping.reverse()) await stop();
  });

  /** Starts primary and standbys, and a service on them that has credentials. */
  async function open(names: readonly string[], through = async (url: string) => url) {
    const postgres = (await startInstalledPostgres()) as InstalledPostgres;
    stopping.push(postgres.stop);
    const url = await postgres.create();
    const standbys: Standby[] = [];
    for (const name of names) standbys.push(await postgres.follow(name));
    const replica = standbys[0] as Standby;
    const academy = await openAcademy({
      settings: {
        DATABASE_URL: await through(url),
        DATABASE_REPLICA_URL: replica.urlOf(url),
        ADMIN_PORT: String(await freePort()),
      },
    });
    stopping.push(academy.service.stop);
    const credentials = await rowsOf<Credential>(
      url,
      `insert into credentials (uuid, verify_uuid, username, configuration_id, status, issued_by, user_full_name,
         learning_context_key, learning_context_name, credential_type, generation_func, options, assets, print_settings,
         attempt, file_key, file_sha256, file_size, created_at)
       select gen_random_uuid(), gen_random_uuid(), 'learner' || number, ${academy.configurationId}, 'available', 'lms',
         'Learner ' || number, 'course-v1:Uni+C1+2026', 'Course One', 'Certificate', '', '{}', '{}', '{}',
         1, 'learning_credentials/' || number || '.pdf', sha256(number::text::bytea), 1, date_trunc('second', now())
       from generate_series(1, ${CREDENTIALS}) as number
       returning uuid, verify_uuid as "verifyUuid"`,
    );
    for (const standby of standbys) {
      const replayed = () => rowsOf<{ uuid: string }>(standby.urlOf(url), "select uuid from credentials");
      await expect.poll(async () => (await replayed()).length, { timeout: PATIENCE_MS }).toBe(CREDENTIALS);
    }
    const visit = (credential: Credential) => doorsOf(academy).REST?.(credential.verifyUuid);
    return { postgres, url, standbys, replica, academy, credentials, visit };
  }

  async function withdraw({ credentials }: Academy, credential: Credential): Promise<void> {
    await credentials.invalidateCredential({ uuid: credential.uuid, reason: "Withdrawn." });
    credential.withdrawnAt = performance.now();
  }

  /** Waits until the replica answers, while nothing is written. */
  async function replicaAnswers(academy: Academy, { verifyUuid }: Credential): Promise<void> {
    const { replica: before } = await answersOf(academy.service);
    const ask = async () => {
      await doorsOf(academy).REST?.(verifyUuid);
      return (await answersOf(academy.service)).replica;
    };
    await expect.poll(ask, { timeout: PATIENCE_MS, interval: 200 }).toBeGreaterThan(before);
  }

  test("is at most two seconds old, though the replica falls eight seconds behind, dies, or the primary freezes", async () => {
    const { postgres, url, replica, academy, credentials, visit } = await open(["standby"]);
    const [first, last] = [credentials[0] as Credential, credentials.at(-1) as Credential];
    await replicaAnswers(academy, first);
    const healthy = keepAsking(academy, credentials);
    await expect.poll(() => healthy.answers.length, { timeout: PATIENCE_MS }).toBeGreaterThan(200);
    const { replica: byReplica } = await answersOf(academy.service);
    expect(byReplica).toBeGreaterThan(20);
    expect(new Set((await healthy.end()).map(({ told }) => told))).toEqual(new Set(["available"]));

    await delayReplay(replica.urlOf(url), "8s");
    const behind = keepAsking(academy, credentials);
    const perBurst = (CREDENTIALS - 1) / BURSTS;
    for (let burst = 0; burst < BURSTS; burst++) {
      const chosen = credentials.slice(Math.floor(burst * perBurst), Math.floor((burst + 1) * perBurst));
      await Promise.all(
        chosen.map(async (credential) => {
          await sleep(Math.random() * 4_000);
          await withdraw(academy, credential);
        }),
      );
      await replicaAnswers(academy, last);
    }
    const { answers } = behind;
    await behind.end();
    console.info(`with a replica eight seconds behind: ${JSON.stringify(counted(answers))}`);
    expect(outdated(answers)).toEqual([]);
    for (const door of ["REST", "gRPC", "Connect", "page"]) {
      const told = new Set(answers.filter((answer) => answer.door === door).map((answer) => answer.told));
      expect([door, ...told].sort()).toEqual([door, "available", "invalidated"].sort());
    }

    const dying = keepAsking(academy, credentials);
    await replica.kill();
    await expect.poll(() => dying.answers.length, { timeout: PATIENCE_MS }).toBeGreaterThan(400);
    const whileDead = await dying.end();
    expect(outdated(whileDead)).toEqual([]);
    expect(whileDead.filter(({ told }) => !/^(available|invalidated)$/.test(told))).toEqual([]);
    await replica.restart();
    await replicaAnswers(academy, last);

    await withdraw(academy, last);
    const frozenAt = performance.now();
    await postgres.freeze();
    const frozen = keepAsking(academy, credentials);
    const refused = () => frozen.answers.find(({ told }) => told === "503");
    await expect.poll(refused, { timeout: PATIENCE_MS }).toBeDefined();
    const refusedAt = performance.now();
    await sleep(6_000);
    const thawing = performance.now();
    await postgres.thaw();
    await expect.poll(() => visit(last), { timeout: PATIENCE_MS }).toBe("invalidated");
    const recoveredAt = performance.now();
    const whileFrozen = await frozen.end();
    console.info(
      `primary frozen: 503 after ${Math.round(refusedAt - frozenAt)} ms, answers again ${Math.round(recoveredAt - thawing)} ms ` +
        `after it went on: ${JSON.stringify(counted(whileFrozen))}`,
    );
    expect(outdated(whileFrozen)).toEqual([]);
    const refusedOnes = whileFrozen.filter(({ began }) => began > refusedAt && began < thawing - 1_000);
    expect(refusedOnes.length).toBeGreaterThan(100);
    expect(new Set(refusedOnes.map(({ told }) => told))).toEqual(new Set(["503"]));
    await replicaAnswers(academy, last);
  });

  test("is answered for at most two seconds by a replica that was left behind on the timeline of a lost primary", async () => {
    let proxy: Awaited<ReturnType<typeof openProxy>> | undefined;
    const { postgres, url, standbys, replica, academy, credentials, visit } = await open(
      ["stray", "successor"],
      async (address) => {
        proxy = await openProxy(address);
        return proxy.url;
      },
    );
    const successor = standbys[1] as Standby;
    const [withdrawn] = credentials as [Credential];
    await replicaAnswers(academy, withdrawn);
    const lsnAt = async (at: string, which: string) => {
      const [row] = await rowsOf<{ lsn: string }>(at, `select (${which}() - '0/0')::text as lsn`);
      return Number(row?.lsn);
    };
    // The successor no longer receives anything, and the stray one receives more.
    await rowsOf(successor.urlOf(url), "alter system set primary_conninfo = ''");
    await rowsOf(successor.urlOf(url), "select pg_reload_conf()");
    await expect
      .poll(() => rowsOf(url, "select from pg_stat_replication"), { timeout: PATIENCE_MS })
      .toHaveLength(1);
    await rowsOf(url, "create table only_there as select repeat('x', 1000) from generate_series(1, 20000)");
    const lost = await lsnAt(url, "pg_current_wal_lsn");
    await expect
      .poll(() => lsnAt(replica.urlOf(url), "pg_last_wal_replay_lsn"), { timeout: PATIENCE_MS })
      .toBeGreaterThanOrEqual(lost);
    await postgres.kill();
    await successor.promote();
    proxy?.leadTo(successor.urlOf(url));
    proxy?.cut();
    await proxy?.mend();
    await expect
      .poll(() => withdraw(academy, withdrawn).then(() => "done", String), { timeout: PATIENCE_MS })
      .toBe("done");

    // The lost primary may have been heard a moment ago.
    const late = keepAsking(academy, [withdrawn]);
    await sleep(MAX_AGE_MS);
    expect(outdated(await late.end())).toEqual([]);
    const asking = keepAsking(academy, [withdrawn]);
    const { replica: before } = await answersOf(academy.service);
    await expect.poll(() => asking.answers.length, { timeout: PATIENCE_MS }).toBeGreaterThan(800);
    const answers = await asking.end();
    expect(await lsnAt(successor.urlOf(url), "pg_current_wal_lsn")).toBeLessThan(
      await lsnAt(replica.urlOf(url), "pg_last_wal_replay_lsn"),
    );
    expect(
      await rowsOf(replica.urlOf(url), `select status from credentials where uuid = '${withdrawn.uuid}'`),
    ).toEqual([{ status: "available" }]);
    expect(new Set(answers.map(({ told }) => told))).toEqual(new Set(["invalidated"]));
    expect((await answersOf(academy.service)).replica).toBe(before);
    expect(await visit(withdrawn)).toBe("invalidated");
  });
});
