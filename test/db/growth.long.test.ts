import { Code, ConnectError } from "@connectrpc/connect";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBackground } from "#app/background.js";
import { work } from "#app/work.js";
import { methods } from "../api/services.js";
import { COURSE_KEY, username } from "../bench/big-course.js";
import { fillCourses } from "../bench/fill-courses.js";
import {
  type MeasuredPostgres,
  type StatementCost,
  startMeasuredPostgres,
} from "../support/measured-postgres.js";
import { startTestService, type TestService, tokenOf } from "../support/service.js";

const FEW = 5_000;
/** Number of credentials in the larger academy. Default: ten times as many as in the smaller one */
const MANY = Number(process.env.ACADEMY_CREDENTIALS ?? 50_000);

/**
 * Number of additional blocks that a statement may read in the larger academy, because indexes are deeper and pages
 * less full.
 */
const DEEPER = 100;

/** Number of additional blocks that may be read in an idle minute: a thousandth of what one scan of the events took. */
const IDLE = 500;

/** Number of blocks that a search may read in any case, because it counts and ranks its results, up to limits. */
const SEARCH = 2_500;

const postgres = await startMeasuredPostgres({
  fsync: "off",
  synchronous_commit: "off",
  max_wal_size: "4GB",
});
afterAll(() => postgres?.stop());

/** A service with this number of credentials, each with two events and an email. */
interface Scenario {
  readonly url: string;
  readonly service: TestService;
}

async function openAmong({ create }: MeasuredPostgres, credentials: number): Promise<Scenario> {
  const url = await create();
  const service = await startTestService({ settings: { DATABASE_URL: url } });
  const sql = new pg.Client(url);
  await sql.connect();
  await fillCourses(sql, credentials);
  await sql.query(
    `insert into credential_event_actors (name, kind) values ('lms', 'service');
     set session_replication_role = replica;
     insert into credential_events (
       position, hash, type, credential_uuid, configuration_id, actor_id, status_before, status_after, occurred_at, remarks
     )
     select 2 * row_number() over (order by credential.id) - 2 + step, sha256(credential.id::text::bytea), type, uuid,
       configuration_id, 1, status_before, status_after, date_trunc('milliseconds', now()), '{}'
     from credentials credential cross join (
       values (1, 'issued', null, 'generating'), (2, 'available', 'generating', 'available')
     ) as step (step, type, status_before, status_after);
     insert into credential_mails (credential_uuid, kind, state, sent_at)
     select uuid, 'available', 'sent', now() from credentials;
     update credential_event_head set position = (select max(position) from credential_events);
     update daily_figures_head set position = (select max(position) from credential_events);
     update lti_score_cursor set position = (select max(position) from credential_events);
     update credentials set valid_until = now() + '2 years', notice_due_at = now() + '1 year' where id % 2 = 0`,
  );
  await sql.query("vacuum analyze");
  await sql.end();
  return { url, service };
}

describe.skipIf(postgres === undefined)(`from ${FEW} to ${MANY} credentials`, () => {
  const { reset, costs } = postgres as MeasuredPostgres;
  let few: Scenario;
  let many: Scenario;
  beforeAll(async () => {
    few = await openAmong(postgres as MeasuredPostgres, FEW);
    many = await openAmong(postgres as MeasuredPostgres, MANY);
  }, 1_200_000);
  afterAll(() => Promise.all([few, many].map((scenario) => scenario?.service.stop())));

  /** A word that only one learner's name contains, because the cost of a search depends on the number of results. */
  const ONE = username(1).split(".")[0] as string;

  /** Arguments that list methods require. */
  const requested: Record<string, object> = {
    ListCredentials: { username: username(1) },
    SearchCredentials: { query: ONE },
    CountCredentials: { query: ONE },
    SearchLearners: { query: ONE },
    ListRevisions: { source: { case: "configurationId", value: 1 } },
    ListDailyFigures: { firstDay: "2026-01-01", lastDay: "2026-01-31" },
    ListLearnersWithoutCredential: { configurationId: 1, pageSize: 20 },
    ListEligibleLearners: { configurationId: 1 },
    ListIssuanceRunFailures: { id: "00000000-0000-4000-8000-000000000000" },
    ListWebhookAttempts: { id: "00000000-0000-4000-8000-000000000000" },
    ListLongestNames: { learningContextKey: COURSE_KEY },
    ListFullNames: { usernames: [username(1)] },
  };

  /** Methods whose results cover all learners of a course, or all courses. */
  const OF_ALL = [
    "ListLearnersWithoutCredential",
    "ListEligibleLearners",
    "ListLearningContexts",
    "ListLongestNames",
  ];

  test("methods that list, search and count read hardly more, except those about a whole course", async () => {
    const tokens = await Promise.all([
      tokenOf({ username: "registrar", isStaff: true }),
      tokenOf({ username: "lms", service: "write" }),
      tokenOf({ username: username(1) }),
    ]);
    const wrong: string[] = [];
    const seen: Record<string, string> = {};
    for (const method of methods.filter(({ name }) => /^(List|Search|Count)/.test(name))) {
      const call = async ({ service }: Scenario, token: string): Promise<string> => {
        const client = service.client(method.parent, token) as Record<string, (request: object) => unknown>;
        try {
          const answer = client[method.localName]?.(requested[method.name] ?? {});
          if (method.methodKind === "unary") await answer;
          else for await (const _ of answer as AsyncIterable<unknown>) break;
          return "OK";
        } catch (error) {
          return Code[ConnectError.from(error).code] as string;
        }
      };
      const blocks: number[] = [];
      for (const scenario of [few, many]) {
        let [code, token] = ["PermissionDenied", ""];
        for (const each of tokens) {
          if (code !== "PermissionDenied") break;
          [code, token] = [await call(scenario, each), each]; // this call also fills caches
        }
        const measure = async () => {
          await reset(scenario.url);
          await call(scenario, token);
          return (await costs(scenario.url)).reduce((sum, each) => sum + each.blocks, 0);
        };
        if (!["OK", "NotFound", "FailedPrecondition"].includes(code))
          wrong.push(`${method.name} is not asked for rightly: ${code}`);
        // A new connection reads about 270 catalog blocks with its first statements.
        blocks.push(Math.min(await measure(), await measure()));
      }
      const [one = 0, other = 0] = blocks;
      seen[method.name] = `${one} → ${other}`;
      if (
        !OF_ALL.includes(method.name) &&
        other > Math.max(1.5 * one + DEEPER, /^(Search|Count)/.test(method.name) ? SEARCH : 0)
      )
        wrong.push(`${method.name}: ${one} blocks became ${other}`);
    }
    console.log(seen);
    expect(wrong).toEqual([]);
  });

  test("an idle minute costs hardly more", async () => {
    for (const { service } of [few, many]) {
      startBackground(service.app, ["brands", "figures"]);
      work(service.app);
    }
    /**
     * Returns whether the rarest repeated task, which runs once a minute, has run. If so, all other repeated tasks have
     * run, too.
     */
    const haveExpired = async ({ url }: Scenario) =>
      (await costs(url)).some(({ sql }) => /valid_until/.test(sql) && /expired/.test(sql));
    for (const scenario of [few, many])
      await expect.poll(() => haveExpired(scenario), { timeout: 120_000, interval: 500 }).toBe(true);
    await Promise.all([few, many].map(({ url }) => reset(url)));
    for (const scenario of [few, many])
      await expect.poll(() => haveExpired(scenario), { timeout: 150_000, interval: 500 }).toBe(true);
    const [little, much] = await Promise.all([few, many].map(({ url }) => costs(url)));
    const perCall = (all: StatementCost[] = [], sql: string) => {
      const found = all.find((each) => each.sql === sql);
      return found ? found.blocks / found.calls : 0;
    };
    const grown: string[] = [];
    let [before, after] = [0, 0];
    for (const { sql, calls } of little ?? []) {
      const [one, other] = [perCall(little, sql), perCall(much, sql)];
      before += one * calls;
      after += other * calls;
      if (other > 1.5 * one + DEEPER) grown.push(`${one} blocks became ${other}: ${sql}`);
    }
    console.log(`idle: ${little?.length} statements, ${before} blocks among ${FEW}, ${after} among ${MANY}`);
    expect(grown).toEqual([]);
    expect(before).toBeGreaterThan(10);
    expect(after).toBeLessThan(1.5 * before + IDLE);
  });
});
