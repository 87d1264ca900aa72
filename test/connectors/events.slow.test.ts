import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createClient } from "@redis/client";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { checkConnector } from "#domain/connectors/check-connector.js";
import { readEdxEvent } from "#domain/connectors/openedx/events/edx-event.js";
import { readStatus } from "#domain/connectors/status.js";
import { followHints } from "#domain/connectors/sweep/follow-hints.js";
import { createHintSink } from "#domain/connectors/sweep/hint-sink.js";
import type { Hint } from "#domain/learners/connector-hints.js";
import { addHints } from "#domain/learners/connector-hints.js";
import { missingTools } from "../rendering/pdf-tools.js";
import { freePort } from "../support/free-port.js";
import { type Bench, openBench } from "./bench.js";
import { change } from "./edits.js";
import { enrollmentMessage, passingMessage, trackingMessage, user } from "./edx-messages.js";
import { type FakeOpenEdx, startFakeOpenEdx } from "./fake-open-edx.js";
import { expectNothingNew, known } from "./known.js";
import { createChance, createPlatformData, type PlatformData, projected } from "./platform-data.js";

const COURSE = "course-v1:Uni+C1+2026";
const signal = new AbortController().signal;
let academy: PlatformData;
let lms: FakeOpenEdx;
let bench: Bench;

async function open(more: Record<string, unknown> = {}, size = { courses: 2, learners: 20, paths: 0 }) {
  academy = createPlatformData(size);
  lms = await startFakeOpenEdx(academy);
  bench = await openBench(lms.url, { completion: "aggregator", ...more });
  await bench.sweep();
}

const close = async () => {
  await bench.close();
  await lms.close();
};

/** Follows all existing hints as if they were due. */
async function followAll() {
  await bench.database.knex.raw("update connector_hints set due_at = now()");
  while ((await followHints(await bench.open(), signal)) > 0);
}

describe("messages", () => {
  test("the golden vector of event-bus-redis is read", () => {
    const golden = Buffer.from("f601010c666f6f626f621e626f6240666f6f2e6578616d706c650e426f6220466f6f", "hex");
    expect(readEdxEvent("org.openedx.learning.auth.session.login.completed.v1", golden)).toEqual({
      externalId: "123",
      username: "foobob",
      courseKey: "",
    });
    expect(user(123, "foobob", "bob@foo.example", "Bob Foo").equals(golden)).toBe(true);
  });

  test("of other types give the learner and the course; those of unknown types give nothing", () => {
    const who = user(7, "seven", "a@b.test", "Seven");
    const expected = { externalId: "7", username: "seven", courseKey: COURSE };
    const read = (type: string, data: Buffer) => readEdxEvent(`org.openedx.${type}.v1`, data);
    expect(read("learning.course.enrollment.created", enrollmentMessage(who, COURSE))).toEqual(expected);
    expect(read("learning.course.passing.status.updated", passingMessage(who, COURSE))).toEqual(expected);
    const graded = trackingMessage("edx.grades.subsection.grade_calculated", {
      user_id: "7",
      course_id: COURSE,
    });
    expect(read("analytics.tracking.event.emitted", graded)).toEqual({ ...expected, username: "" });
    expect(read("learning.certificate.created", Buffer.from("x"))).toBeUndefined();
    expect(() => read("learning.course.enrollment.created", Buffer.from([0xf6]))).toThrow("ends early");
    const deep = trackingMessage("x", { user_id: "7", course_id: "[".repeat(70_000) });
    expect(() => read("analytics.tracking.event.emitted", deep)).toThrow("too large");
  });
});

/** Expects that a gap in the stream has triggered a sync. */
async function expectGap(): Promise<void> {
  const running = await bench.database.knex("connector_sweeps").where({ state: "running" });
  expect(running).toMatchObject([{ cause: "stream_gap" }]);
}

describe("hints", () => {
  afterEach(close);

  test.each([3, 4, 5])(
    "after any edits, with early, lost, doubled and reordered hints, one sweep makes the database equal to the platform (%i)",
    async (seed) => {
      await open({ paths: true }, { courses: 3, learners: 30, paths: 2 });
      const draw = createChance(seed);
      let followed = 0;
      for (let round = 0; round < 3; round++) {
        const hints: Hint[] = [];
        for (let edit = 0; edit < 20; edit++) {
          const edited = change(academy, draw);
          const username = academy.users.get(edited?.id ?? 0)?.username ?? "";
          if (!edited || username.startsWith("retired__")) continue;
          const hint = { ...edited, username: draw(2) ? username : "", externalId: String(edited.id) };
          hints.push(...Array.from({ length: draw(3) }, () => hint));
          if (draw(5) > 0) continue;
          // These hints are sent before later edits of the same learners.
          followed += await report(hints.splice(0), draw);
        }
        followed += await report(hints, draw);
        expect((await bench.sweep({ acceptsWithdrawals: true })).state).toBe("complete");
        expect(await known(bench.database.knex)).toEqual(projected(academy, { completion: true }));
      }
      expect(followed).toBeGreaterThan(10);
      await expectNothingNew(bench);
    },
  );

  /** Sends hints in any order, and follows them. */
  async function report(hints: Hint[], draw: (below: number) => number): Promise<number> {
    hints.sort(() => draw(3) - 1);
    await addHints(bench.database.knex, "lms", hints);
    await followAll();
    return hints.length;
  }

  test("a course in which many results change is read as a whole, and a few learners one by one", async () => {
    await open({}, { courses: 2, learners: 120, paths: 0 });
    const [, course] = [...academy.courses][0] ?? [];
    const members = [...(course?.members ?? [])].filter(([, { isActive }]) => isActive);
    expect(members.length).toBeGreaterThan(40);
    for (const [, { scores }] of members) for (const key of scores.keys()) scores.set(key, 1);
    const hintsOf = (some: typeof members): Hint[] =>
      some.map(([id]) => ({ username: "", externalId: String(id), courseKey: COURSE }));
    const received = lms.received.length;
    await addHints(bench.database.knex, "lms", hintsOf(members));
    await bench.database.knex("connector_hints").where("is_second", true).delete();
    await followAll();
    expect(await known(bench.database.knex)).toEqual(projected(academy, { completion: true }));
    expect(lms.received.length - received).toBeLessThan(members.length);
    expect(await bench.database.knex("connector_hints")).toEqual([]);

    lms.received.splice(0);
    await addHints(bench.database.knex, "lms", hintsOf(members.slice(0, 3)));
    await bench.database.knex("connector_hints").where("is_second", true).delete();
    await followAll();
    expect(
      lms.received.filter(({ url }) => url.pathname.includes("grading-info")).length,
    ).toBeLessThanOrEqual(1);
    expect(lms.received.filter(({ url }) => url.searchParams.has("lms_user_id"))).toHaveLength(3);
  });

  test("one learner is read again with six requests, and equals the platform without a sweep", async () => {
    await open();
    const [id, member] =
      [...(academy.courses.get(COURSE)?.members ?? [])].find(([, one]) => one.isActive) ?? [];
    if (id === undefined || !member) throw new Error("nobody is active");
    member.scores.set([...member.scores.keys()][0] ?? "", 0);
    member.completion = 0.123;
    const received = lms.received.length;
    await addHints(bench.database.knex, "lms", [{ username: "", externalId: String(id), courseKey: COURSE }]);
    await bench.database.knex.raw("delete from connector_hints where is_second");
    await followAll();
    expect(lms.received.length - received).toBeLessThanOrEqual(8);
    expect(await known(bench.database.knex)).toEqual(projected(academy, { completion: true }));
  });

  test("a learner who can't be read again is logged and counted with the reason, until a sweep is complete", async () => {
    await open();
    const [id] = [...(academy.courses.get(COURSE)?.members ?? [])].find(([, one]) => one.isActive) ?? [];
    lms.fault = ({ url }) =>
      url.searchParams.has("username") && url.pathname.includes("/gradebook/")
        ? { status: 200, body: { next: null, results: [] } }
        : undefined;
    await addHints(bench.database.knex, "lms", [{ username: "", externalId: String(id), courseKey: COURSE }]);
    await bench.database.knex.raw("delete from connector_hints where is_second");
    const outcomes: string[] = [];
    for (let attempt = 0; attempt < 5; attempt++) {
      await bench.database.knex.raw("update connector_hints set due_at = now()");
      await followHints(await bench.open(), signal, (isAbandoned) =>
        outcomes.push(isAbandoned ? "given up" : "failed"),
      );
    }
    expect(outcomes).toEqual(["failed", "failed", "failed", "failed", "given up"]);
    const reason = "gradebook: user_id in the response is missing or invalid.";
    const failures = async () => (await readStatus(bench.database.knex, "lms")).hintFailures;
    expect(await failures()).toMatchObject([{ reason, failed: 5, givenUp: 1 }]);
    expect(bench.logged()).toContain(reason);
    lms.fault = () => undefined;
    await bench.sweep();
    expect(await failures()).toEqual([]);
  });
});

const missing = await missingTools("redis-server");

describe.skipIf(missing.length > 0)("a real redis-server", () => {
  let port: number;
  let redis: ChildProcess;
  let client: Awaited<ReturnType<typeof connect>>;
  const connect = () =>
    createClient({ url: `redis://127.0.0.1:${port}` })
      .on("error", () => {})
      .connect();
  const start = async () => {
    redis = spawn("redis-server", ["--port", String(port), "--save", "", "--bind", "127.0.0.1"], {
      stdio: "ignore",
    });
    client = await connect(); // tries until Redis has started
  };
  const shutDown = async () => {
    client.destroy();
    redis.kill("SIGKILL");
    await once(redis, "exit");
  };
  /** Restarts Redis. It stores nothing on disk, so streams and groups are lost. */
  const restart = async () => {
    await shutDown();
    await start();
  };
  beforeAll(async () => {
    port = await freePort();
    await start();
  });
  afterAll(() => {
    redis.kill();
    client.destroy();
  });
  afterEach(close);

  const stream = "prod-learning-credentials";
  const busAt = (url: string) => ({ redis_url_file: url, prefix: "prod", topics: ["learning-credentials"] });
  const send = (data: Buffer, type = "org.openedx.learning.course.enrollment.created.v1") =>
    client.xAdd(stream, "*", { type, event_data: data });
  const hintCount = async () =>
    (await bench.database.knex("connector_hints").where("is_second", false)).length;

  async function follow(work: (outcomes: string[]) => Promise<void>) {
    const url = join(tmpdir(), `redis-url-${port}`);
    await writeFile(url, `redis://127.0.0.1:${port}`);
    const { settings, log, source } = await bench.openWith({ events: busAt(url) });
    const stop = new AbortController();
    const outcomes: string[] = [];
    const sink = createHintSink(settings.id, bench.database, log, (outcome) => void outcomes.push(outcome));
    const following = (async () => {
      // Like a worker, calls `follow` again whenever it ends.
      while (!stop.signal.aborted) {
        await source.follow?.(sink, stop.signal).catch(() => setTimeout(100));
      }
    })();
    try {
      await work(outcomes);
    } finally {
      stop.abort();
      await following;
    }
  }

  test("messages become hints, a broken one does not block, and a lost stream triggers a sweep", async () => {
    await open();
    const [learner] = academy.users.values();
    const who = user(learner?.id ?? 0, learner?.username ?? "", "secretmail", "Zdenka Qvortrup");
    await send(enrollmentMessage(who, COURSE));
    const unacknowledged = async () => (await client.xPending(stream, "learning-credentials-lms")).pending;
    await follow(async (outcomes) => {
      await send(Buffer.from([0xff]));
      await send(enrollmentMessage(who, "course-v1:Uni+C2+2026"));
      await expect.poll(hintCount, { timeout: 15_000 }).toBe(2);
      await expect.poll(() => outcomes.toSorted()).toEqual(["hint", "hint", "undecodable"]);
      await expect.poll(unacknowledged).toBe(0);
    });
    expect(bench.logged()).not.toMatch(/learner\d|secretmail|Qvortrup/);
    await followAll();
    expect(await hintCount()).toBe(0);
    await client.flushAll();
    await follow(async (outcomes) => {
      await expect.poll(() => outcomes).toContain("gap");
    });
    await expectGap();
    expect((await bench.sweep()).state).toBe("complete");
  });

  test("a stream that is trimmed past the last read message triggers a sweep, even while it is followed", async () => {
    await open();
    await client.flushAll();
    await bench.database.knex("connector_streams").delete();
    const [one] = academy.users.values();
    const message = enrollmentMessage(user(one?.id ?? 0, one?.username ?? "", "secretmail", ""), COURSE);
    await follow(async (outcomes) => {
      await send(message);
      await expect.poll(() => outcomes).toEqual(["hint"]);
      await send(message);
      await expect.poll(() => outcomes).toEqual(["hint", "hint"]);
      await client
        .multi()
        .xAdd(stream, "*", { type: "x", event_data: message })
        .xAdd(stream, "*", { type: "x", event_data: message })
        .xTrim(stream, "MAXLEN", 1)
        .exec();
      await expect.poll(() => outcomes).toContain("gap");
    });
    await expectGap();
    await bench.sweep();
  });

  test("an outage of the event bus is logged once, with its end, and doesn't delay a stop", async () => {
    await open();
    const url = join(tmpdir(), `redis-url-${port}`);
    await writeFile(url, `redis://127.0.0.1:${port}`);
    const { settings, log, source } = await bench.openWith({ events: busAt(url) });
    const sink = createHintSink(settings.id, bench.database, log, () => {});
    let attempts = 0;
    const counting = {
      ...sink,
      noteConnection(error?: Error) {
        attempts++;
        sink.noteConnection(error);
      },
    };
    const count = (text: string) => bench.logged().split(text).length - 1;
    const lost = "event bus can't be reached; trying again";
    const stop = new AbortController();
    await shutDown();
    try {
      const broken = expect(source.follow?.(counting, stop.signal)).rejects.toThrow();
      await expect.poll(() => attempts, { timeout: 30_000 }).toBeGreaterThanOrEqual(3);
      expect(count(lost)).toBe(1);
      await start();
      await expect.poll(() => count("event bus can be reached again"), { timeout: 30_000 }).toBe(1);
      await shutDown();
      await broken;
      attempts = 0;
      const again = source.follow?.(counting, stop.signal);
      await expect.poll(() => attempts, { timeout: 30_000 }).toBeGreaterThanOrEqual(1);
      stop.abort();
      await again;
      expect(count(lost)).toBe(2);
    } finally {
      await start();
    }
  });

  test("the check reads the newest messages, and consumes none", async () => {
    await open();
    await client.flushAll();
    const url = join(tmpdir(), `redis-url-check-${port}`);
    const check = async (at: string) => {
      await writeFile(url, at);
      const opened = await bench.openWith({ events: busAt(url) });
      const found: string[] = [];
      for await (const { what, outcome, text } of checkConnector(opened))
        if (what === "event bus") found.push(`${outcome}: ${text}`);
      return found;
    };
    const own = `redis://127.0.0.1:${port}`;
    expect(await check(own)).toEqual([
      expect.stringContaining("warning: The stream prod-learning-credentials has no"),
    ]);
    await send(enrollmentMessage(user(1, "learner1", "secretmail", ""), COURSE));
    await send(Buffer.from([0xff]));
    expect(await check(own)).toEqual([
      expect.stringMatching(/^warning: of the last 2 .* 1 concern a learner, and 1/),
    ]);
    expect(await client.xInfoGroups(stream)).toEqual([]);
    expect(await check(`redis://127.0.0.1:${await freePort()}`)).toEqual([
      "failed: Redis can't be reached (ECONNREFUSED). Check redis_url_file.",
    ]);
  });

  test("two consumers share the messages, even across a restart of Redis, with the same result", async () => {
    await open();
    const draw = createChance(12);
    const members = [...(academy.courses.get(COURSE)?.members ?? [])];
    const report = async (part: typeof members) => {
      for (const [id, member] of part) {
        for (const key of member.scores.keys()) member.scores.set(key, draw(10));
        const name = academy.users.get(id)?.username ?? "";
        await send(enrollmentMessage(user(id, name, "secretmail", "Zdenka Qvortrup"), COURSE));
      }
    };
    const half = Math.ceil(members.length / 2);
    await follow((first) =>
      follow(async (second) => {
        const outcomes = () => [...first, ...second];
        await report(members.slice(0, half));
        await expect.poll(hintCount, { timeout: 15_000 }).toBe(half);
        await restart();
        await expect.poll(outcomes, { timeout: 30_000 }).toContain("gap");
        await report(members.slice(half));
        await expect.poll(hintCount, { timeout: 30_000 }).toBe(members.length);
      }),
    );
    await followAll();
    expect(await known(bench.database.knex)).toEqual(projected(academy, { completion: true }));
    await expectGap();
    expect((await bench.sweep()).state).toBe("complete");
    expect(await known(bench.database.knex)).toEqual(projected(academy, { completion: true }));
  });
});
