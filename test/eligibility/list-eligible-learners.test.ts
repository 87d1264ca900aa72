import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { listEligibleLearners } from "#domain/eligibility/list-eligible-learners.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { givenService, tokenOf } from "../support/service.js";
import { type Academy, loadAcademy } from "./academy.js";

const MANY = 12_000;
const nameOf = (index: number) => `learner-${String(index).padStart(6, "0")}`;

const service = givenService();
let many: number;
let staff: string;
beforeAll(async () => {
  staff = await tokenOf({ username: "registrar", isStaff: true });
  [many = 0] = await loadAcademy(
    service.app.database,
    course("course-v1:Uni+Many+1", Array.from({ length: MANY }, (_, index) => nameOf(index)).reverse()),
  );
});

/** A course in which all learners are eligible. */
function course(key: string, usernames: readonly string[]): Academy {
  const inCourse = { [key]: { enrollment: "active" as const, grades: [] } };
  return {
    courses: [{ key, isWithdrawn: false, policy: [] }],
    learners: usernames.map((username) => ({ username, record: "kept", inPath: "none", in: inCourse })),
    credentials: [{ retrieval: "retrieve_completions", options: { required_completion: 0 } }],
  };
}

function list(configurationId: number, signal = new AbortController().signal) {
  const { database, functions } = service.app;
  return listEligibleLearners(database, functions, configurationId, signal);
}

async function all(batches: AsyncIterable<string[]>): Promise<string[][]> {
  const read: string[][] = [];
  for await (const batch of batches) read.push(batch);
  return read;
}

/** Adds learners with long usernames. Their batches exceed the buffers between server and client. */
async function enrolACrowd(key: string): Promise<void> {
  const names = "select lpad(i::text, 250, 'x') from generate_series(1, 90000) i";
  const { knex } = service.app.database;
  await knex.raw(
    `insert into learners select name, '', 'x', true, '', now(), false from (${names}) as it (name)`,
  );
  await knex.raw(`insert into enrollments select ?, name, true, now(), false from (${names}) as it (name)`, [
    key,
  ]);
}

/** Returns the state and the statement of each database connection of the service that is not idle. */
async function busy(): Promise<string[]> {
  const { rows } = await service.app.database.knex.raw(
    `select state || ': ' || query as what from pg_stat_activity
     where datname = current_database() and application_name = 'learning-credentials'
       and pid <> pg_backend_pid() and state <> 'idle'`,
  );
  return rows.map(({ what }: { what: string }) => what);
}

const borrowed = () => service.app.database.knex.client.pool.numUsed();

/** Waits until all connections are returned. The audit trail occasionally borrows one as well. */
const expectAllGivenBack = () => expect.poll(async () => [borrowed(), await busy()]).toEqual([0, []]);

describe("the list", () => {
  it("is in the order of the bytes of the usernames", async () => {
    const usernames = [
      "b",
      "a",
      "B",
      "é",
      "z",
      "Ω",
      "日本",
      "e\u0301",
      "~",
      "_",
      "a b",
      "A",
      "\u{1F600}",
      "\uFFFD",
      "ß",
    ];
    const [configurationId = 0] = await loadAcademy(
      service.app.database,
      course("course-v1:Uni+Order+1", usernames),
    );
    const batches = await all(list(configurationId));
    expect(batches.flat()).toEqual(
      [...usernames].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    );
  });

  it("comes in batches, complete and without repetition", async () => {
    const batches = await all(list(many));
    expect(batches.map((batch) => batch.length)).toEqual([5000, 5000, 2000]);
    expect(batches.flat()).toEqual(Array.from({ length: MANY }, (_, index) => nameOf(index)));
    await expectAllGivenBack();
  });

  it("is from one snapshot, whatever changes while it is read", async () => {
    const batches: string[][] = [];
    for await (const batch of list(many)) {
      if (batches.length === 0) {
        await service.app.database
          .knex("learners")
          .where("username", nameOf(11_999))
          .update("is_deleted", true);
      }
      batches.push(batch);
    }
    await service.app.database.knex("learners").where("username", nameOf(11_999)).update("is_deleted", false);
    expect(batches.flat()).toHaveLength(MANY);
  });
});

it("a path of 200 courses, each with 100 required grades, gets a response", async () => {
  const named = (kind: string) => Array.from({ length: 100 }, (_, index) => `${kind} ${index}`);
  const courses = Array.from({ length: 200 }, (_, index) => ({
    key: `course-v1:Uni+Step${index}+1`,
    isWithdrawn: false,
    policy: named("Lab").map((type) => [type, 0.01] as const),
  }));
  const inCourse = { enrollment: "active" as const, grades: [] };
  const [configurationId = 0] = await loadAcademy(service.app.database, {
    courses,
    path: { key: "path-v1:Uni+Long+1+A", isWithdrawn: false, steps: courses.map(({ key }) => key) },
    learners: [
      {
        username: "hiker",
        record: "kept",
        inPath: "active",
        in: Object.fromEntries(courses.map(({ key }) => [key, inCourse])),
      },
    ],
    credentials: [
      {
        retrieval: "retrieve_subsection_grades",
        options: {
          required_grades: {
            Total: 0.5,
            ...Object.fromEntries(
              named("Quiz")
                .slice(1)
                .map((type) => [type, 0.5]),
            ),
          },
        },
      },
    ],
  });
  expect(await all(list(configurationId))).toEqual([]);
});

describe("a reader", () => {
  it("that leaves halfway returns the connection", async () => {
    for await (const _ of list(many)) break;
    await expectAllGivenBack();
  });

  it("whose signal aborts between two batches gets the reason, and the connection is returned", async () => {
    const abort = new AbortController();
    const batches = list(many, abort.signal);
    await batches.next();
    await expect.poll(busy).toEqual([expect.stringMatching(/^idle in transaction: fetch 5000/)]);
    abort.abort(new Error("left"));
    await expect(batches.next()).rejects.toThrow("left");
    await expectAllGivenBack();
  });

  it("whose signal aborts while the database works has its statement cancelled", async () => {
    const abort = new AbortController();
    const locked = await service.app.database.knex.transaction();
    onTestFinished(async () => {
      await locked.rollback();
    });
    await locked.raw("lock table enrollments in access exclusive mode");
    const outcome = list(many, abort.signal)
      .next()
      .then(
        () => "a batch",
        () => "an error",
      );
    const active = async () => (await busy()).filter((what) => what.startsWith("active"));
    await expect.poll(active).toHaveLength(1);
    abort.abort();
    expect(await outcome).toBe("an error"); // although the table stays locked
    await expect.poll(active).toEqual([]); // background work may have a statement, too
    await expect.poll(borrowed).toBe(1); // the lock
  });

  it("that is slow pauses reading, and ends it by leaving", async () => {
    const key = "course-v1:Uni+Crowd+1";
    const [crowd = 0] = await loadAcademy(service.app.database, course(key, []));
    await enrolACrowd(key);
    const fetched: string[] = [];
    service.app.database.knex.on("query", ({ sql }) => sql.startsWith("fetch") && fetched.push(sql));
    const request = httpRequest(`${service.httpUrl}/${EligibilityService.typeName}/ListEligibleLearners`, {
      method: "POST",
      headers: { authorization: `Bearer ${staff}`, "content-type": "application/connect+json" },
    });
    const message = Buffer.from(JSON.stringify({ configurationId: crowd }));
    request.end(Buffer.concat([Buffer.of(0, 0, 0, 0, message.length), message]));
    const [response] = (await once(request, "response")) as [IncomingMessage];
    response.pause();
    let known = -1;
    do {
      known = fetched.length;
      await sleep(500);
    } while (known < fetched.length || (await busy()).some((what) => what.startsWith("active")));
    expect(known).toBeLessThan(15); // of 18 batches; the connection's buffers are full
    // Waits until the service's background work is done.
    await expect.poll(busy).toEqual([expect.stringMatching(/^idle in transaction: fetch 5000/)]);
    response.destroy();
    await expect.poll(async () => [borrowed(), await busy()]).toEqual([0, []]);
  });
});
