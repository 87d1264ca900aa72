import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { type Academy, openAcademy } from "../../support/academy.js";
import { rowsOf } from "../../support/database.js";
import { findingsOn } from "../../support/health.js";
import { type InstalledPostgres, startInstalledPostgres } from "../../support/installed-postgres.js";
import { tokenOf } from "../../support/service.js";

/**
 * Longer than the minute after which Postgres ends this service's statements, including a commit that waits for the
 * standby.
 */
const DEAD_MS = 75_000;
const DEADLINE_MS = 10_000;
const PATIENCE_MS = 120_000;

/** Error codes of a change that hangs: its deadline has passed, or all connections are in use. */
const CLEAR = ["deadline_exceeded", "unavailable"];

const postgres = await startInstalledPostgres();
afterAll(() => postgres?.stop());

/**
 * Issues over Connect, so that only the service enforces the deadline.
 * @returns "ok", or the code of the error
 */
async function issue({ service, configurationId }: Academy, username: string, token: string) {
  const answer = await fetch(`${service.httpUrl}/learning_credentials.v1.CredentialService/IssueCredential`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "connect-timeout-ms": String(DEADLINE_MS),
    },
    body: JSON.stringify({ configuration_id: configurationId, username }),
  });
  const { code = "ok" } = (await answer.json()) as { code?: string };
  return code;
}

describe.runIf(postgres)("on a primary that waits for a synchronous standby", () => {
  const { create, follow } = postgres ?? ({} as InstalledPostgres); // vitest also runs the body of a skipped suite

  test("the standby's death stops only changes, and no acknowledged change is lost", {
    timeout: DEAD_MS + 3 * PATIENCE_MS,
  }, async ({ onTestFinished }) => {
    const url = await create();
    const standby = await follow("follower");
    await rowsOf(url, "alter system set synchronous_standby_names = 'follower'");
    await rowsOf(url, "select pg_reload_conf()");
    const academy = await openAcademy({ worker: true, settings: { DATABASE_URL: url } });
    onTestFinished(academy.service.stop);
    const { service, credentials } = academy;
    const { knex } = service.app.database.reads;
    const staff = await tokenOf({ username: "registrar", isStaff: true });
    const usernames = Array.from({ length: 400 }, (_, number) => `learner${number}`);
    await academy.enrol(...usernames, "first");

    const { uuid } = await academy.issue("first");
    await expect
      .poll(async () => (await credentials.getCredential({ uuid })).verifyUuid, { timeout: PATIENCE_MS })
      .not.toBe("");
    const { verifyUuid } = await credentials.getCredential({ uuid });
    const visit = async (path: string) => {
      const answer = await fetch(`${service.httpUrl}${path}`);
      await answer.arrayBuffer();
      return answer.status;
    };
    const metadata = () => visit(`/api/learning_credentials/v1/metadata/${verifyUuid}/`);
    await expect.poll(metadata, { timeout: PATIENCE_MS }).toBe(200);

    const outcomes = new Map<string, { phase: string; code: string }>();
    const issuing: Promise<void>[] = [];
    let phase = "alive";
    const issueToNext = () => {
      const username = usernames[issuing.length] as string;
      const begunIn = phase;
      issuing.push(
        issue(academy, username, staff).then((code) => {
          outcomes.set(username, { phase: begunIn === phase ? phase : `${begunIn}, ${phase}`, code });
        }),
      );
    };
    /** During this phase, issues once per second, and verifies without pauses. */
    async function live(forMs: number): Promise<unknown[]> {
      const seen: unknown[] = [];
      const until = performance.now() + forMs;
      for (let next = performance.now(); performance.now() < until; ) {
        if (performance.now() >= next) {
          issueToNext();
          next += 1_000;
        }
        seen.push(await metadata(), await visit(`/verify/${verifyUuid}/`));
        await sleep(50);
      }
      return seen;
    }
    const ready = async () => {
      const { status, dependencies } = await service.app.readiness.check();
      return [status, ...dependencies.filter(({ works }) => !works).map(({ name }) => name)];
    };

    const before = await live(5_000);
    await Promise.all(issuing);
    expect(new Set([...outcomes.values()].map(({ code }) => code))).toEqual(new Set(["ok"]));
    await expect.poll(ready).toEqual(["ready"]);

    await standby.kill();
    phase = "dead";
    let streamed: string | undefined;
    const platform = await tokenOf({ username: "lms", service: "write" });
    const records = service.client(LearnerRecordService, platform);
    const streaming = records
      .importRecords(
        (async function* () {
          yield {
            records: [{ kind: { case: "learner" as const, value: { username: "late", fullName: "Late" } } }],
          };
        })(),
      )
      .then(
        () => (streamed = "ok"),
        (error) => (streamed = String(error)),
      );
    const during = await live(DEAD_MS);
    await expect.poll(ready).toEqual(["degraded", "writes"]);
    expect(await visit("/readyz")).toBe(200);
    expect(await visit("/livez")).toBe(200);
    expect(streamed).not.toBe("ok");
    const reported = [...outcomes.values()]
      .filter((outcome) => outcome.phase === "dead")
      .map(({ code }) => code);
    console.info(`while the standby was dead: ${JSON.stringify(countOf(reported))}, ${during.length} visits`);
    expect(reported.length).toBeGreaterThan(30);
    expect(reported.filter((code) => !CLEAR.includes(code))).toEqual([]);
    expect(new Set([...before, ...during])).toEqual(new Set([200]));

    phase = "back";
    await standby.restart();
    const lastOf = () => [...outcomes.values()].at(-1)?.code;
    await expect
      .poll(
        async () => {
          issueToNext();
          await Promise.all(issuing);
          return lastOf();
        },
        { timeout: PATIENCE_MS, interval: 500 },
      )
      .toBe("ok");
    await streaming;
    await expect.poll(ready, { timeout: PATIENCE_MS }).toEqual(["ready"]);

    // A client that got no response retries.
    for (const username of outcomes.keys()) expect(await issue(academy, username, staff)).toBe("ok");
    const held = "select username from credentials where status <> 'invalidated' order by username";
    const promised = [...outcomes.keys(), "first"].sort();
    const namesAt = async (at: string) =>
      (await rowsOf<{ username: string }>(at, held)).map(({ username }) => username);
    expect(await namesAt(url)).toEqual(promised);
    await expect.poll(() => namesAt(standby.urlOf(url)), { timeout: PATIENCE_MS }).toEqual(promised);
    await expect
      .poll(async () => (await knex("credentials").whereNot({ status: "available" })).length, {
        timeout: PATIENCE_MS,
      })
      .toBe(0);
    await expect
      .poll(() => findingsOn(service.app, { now: new Date(Date.now() + 7_200_000) }), {
        timeout: PATIENCE_MS,
      })
      .toEqual([]);
  });
});

function countOf(codes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
