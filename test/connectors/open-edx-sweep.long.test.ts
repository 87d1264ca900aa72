import { afterEach, describe, expect, test } from "vitest";
import { readStatus } from "#domain/connectors/status.js";
import { eraseLearner } from "#domain/credentials/erasure/erase-learner.js";
import { checkFresh } from "#domain/learners/freshness.js";
import { importRecords } from "#domain/learners/import-records.js";
import { parsePlainRecord } from "#domain/learners/parse-record.js";
import { COMMAND_LINE } from "#infrastructure/identity/actors.js";
import { type Bench, openBench } from "./bench.js";
import { change } from "./edits.js";
import { CLIENT_SECRET, type FakeOpenEdx, startFakeOpenEdx } from "./fake-open-edx.js";
import type { Fault, ReceivedRequest } from "./faulty-server.js";
import { known, written } from "./known.js";
import { addUser, createChance, createPlatformData, type PlatformData, projected } from "./platform-data.js";

let academy: PlatformData;
let lms: FakeOpenEdx;
let bench: Bench;

async function open(size = { courses: 5, learners: 60, paths: 2 }, more: Record<string, unknown> = {}) {
  academy = createPlatformData(size);
  lms = await startFakeOpenEdx(academy);
  bench = await openBench(lms.url, { completion: "aggregator", paths: true, ...more });
}

afterEach(async () => {
  await bench.close();
  await lms.close();
});

const expectEqual = async () =>
  expect(await known(bench.database.knex)).toEqual(projected(academy, { completion: true }));

describe("a sweep", () => {
  test("makes the database equal to the platform", async () => {
    await open({ courses: 5, learners: 300, paths: 2 });
    const report = await bench.sweep();
    expect(report).toMatchObject({ state: "complete", failures: [], held: 0 });
    expect(await known(bench.database.knex)).toHaveLength(projected(academy, { completion: true }).length);
    await expectEqual();
  });

  test("writes nothing the second time, with the same requests", async () => {
    await open(undefined, { concurrency: 1 }); // when two courses are read at the same time, either can be first
    await bench.sweep();
    const before = await written(bench.database.knex);
    const first = lms.received
      .splice(0)
      .map(({ url }) => url.href)
      .sort();
    const report = await bench.sweep();
    expect(report.state).toBe("complete");
    expect(Object.keys(report.tally).filter((what) => what.endsWith(".written"))).toEqual([]);
    expect(await written(bench.database.knex)).toEqual(before);
    expect(lms.received.map(({ url }) => url.href).sort()).toEqual(first);
  });

  test("makes them equal again after any edits, also after withdrawals", async () => {
    await open({ courses: 3, learners: 25, paths: 2 });
    await bench.sweep();
    const draw = createChance(7);
    for (let round = 0; round < 4; round++) {
      for (let edit = 0; edit < 20; edit++) change(academy, draw);
      expect((await bench.sweep({ acceptsWithdrawals: true })).state).toBe("complete");
      await expectEqual();
    }
    const ever = [...academy.courses.values()].reduce((sum, { left }) => sum + left.size, 0);
    expect([ever, academy.retirements.length].map((count) => count > 0)).toEqual([true, true]);
  });

  test("continues after a kill at any request, and reads only the current page again", async () => {
    await open({ courses: 3, learners: 25, paths: 1 }, { concurrency: 1 });
    const stored = new Set<string>();
    let kills = 0;
    for (let killAt = 3; ; killAt += 7) {
      const kill = new AbortController();
      const from = lms.received.length;
      lms.fault = (_, count) => {
        if (count === from + killAt) kill.abort(new Error("killed"));
        return undefined;
      };
      const ended = await bench.sweep({}, kill.signal).then(
        (report) => report.state,
        () => "killed",
      );
      const received = lms.received.slice(from).map(({ url }) => url.href);
      const again = received.filter((href) => stored.has(href));
      // After a kill, the sweep repeats the page of the list that it had not committed, with the data that belongs to
      // this page. It also reads the policy and the gradebook of each course again, because two stages need them.
      const isPolicy = (href: string) => /grading-info|gradebook\/[^/]+\/\?page_size=5$/.test(href);
      const isGradebook = (href: string) => /gradebook\/[^/]+\/\?page_size=100$/.test(href);
      const isList = (href: string) =>
        /courses\/v1|grades\/v1\/courses|enrollments|aggregator|paths/.test(href);
      expect(again.filter(isList).slice(1)).toEqual([]);
      expect(again.filter(isGradebook).length).toBeLessThanOrEqual(4);
      expect(again.filter(isPolicy).length).toBeLessThanOrEqual(6);
      expect(again.filter((href) => href.includes("/subsection/")).length).toBeLessThanOrEqual(4);
      expect(again.filter((href) => href.includes("accounts?username")).length).toBeLessThanOrEqual(1);
      for (const href of received) if (!href.includes("access_token")) stored.add(href);
      if (ended === "complete") break;
      expect(ended).toBe("killed");
      kills++;
    }
    expect(kills).toBeGreaterThan(2);
    await expectEqual();
  });

  test("restarts its list once if the platform no longer accepts a cursor", async () => {
    await open({ courses: 1, learners: 50, paths: 0 });
    const isLost = ({ url }: ReceivedRequest) =>
      url.pathname === "/api/enrollment/v1/enrollments" && url.searchParams.has("cursor");
    let losses = 0;
    lms.fault = (received) =>
      isLost(received) && losses++ === 0 ? { status: 404, body: { detail: "Invalid cursor" } } : undefined;
    expect(await bench.sweep()).toMatchObject({ state: "complete", failures: [] });
    await expectEqual();
    lms.fault = (received) =>
      isLost(received) ? { status: 404, body: { detail: "Invalid cursor" } } : undefined;
    expect(await bench.sweep()).toMatchObject({ state: "partial", held: 0 });
    await expectEqual();
  });
});

describe("partial responses", () => {
  const enrolments = ({ url }: ReceivedRequest) => url.pathname === "/api/enrollment/v1/enrollments";
  const active = async () => {
    const { rows } = await bench.database.knex.raw(
      "select count(*)::integer as count from enrollments where is_active and not is_deleted",
    );
    return rows[0].count;
  };

  test.each<[string, (received: ReceivedRequest) => Fault]>([
    ["a connection that is cut", (received) => (enrolments(received) ? "cut" : undefined)],
    [
      "an error on a later page",
      (received) =>
        enrolments(received) && received.url.searchParams.has("cursor")
          ? { status: 500, body: "<html>" }
          : undefined,
    ],
    [
      "a page of a proxy",
      (received) => (enrolments(received) ? { status: 200, body: "<html>maintenance</html>" } : undefined),
    ],
    [
      "an answer of another shape",
      (received) => (enrolments(received) ? { status: 200, body: { results: [{ user: 7 }] } } : undefined),
    ],
  ])("%s withdraws nothing, and the other stages continue", async (_, fault) => {
    await open({ courses: 2, learners: 40, paths: 0 });
    await bench.sweep();
    const before = await active();
    lms.fault = fault;
    const report = await bench.sweep();
    expect(report.state).toBe("partial");
    expect(report.failures.length).toBeGreaterThan(0);
    expect(await active()).toBe(before);
    lms.fault = () => undefined;
    expect((await bench.sweep()).state).toBe("complete");
    await expectEqual();
  });

  test("an empty list, and a short one, are held back until someone accepts them", async () => {
    await open({ courses: 2, learners: 60, paths: 0 });
    await bench.sweep();
    const before = await active();
    lms.rewrite = (received, reply) =>
      enrolments(received) ? { status: 200, body: { next: null, previous: null, results: [] } } : reply;
    expect(await bench.sweep()).toMatchObject({ state: "held" });
    expect(await active()).toBe(before);
    lms.rewrite = (received, reply) =>
      enrolments(received) ? { ...reply, body: { ...(reply.body as object), next: null } } : reply;
    const short = await bench.sweep();
    expect(short.state).toBe("held");
    expect(short.held).toBeGreaterThan(5);
    expect(await active()).toBe(before);
    const accepted = await bench.sweep({ acceptsWithdrawals: true });
    expect(accepted).toMatchObject({ state: "complete", tally: { "enrollment.withdrawn": short.held } });
    expect(await active()).toBe(before - short.held);
  });

  test("an enrolment reported by another platform is not withdrawn", async () => {
    await open({ courses: 1, learners: 10, paths: 0 });
    await bench.sweep();
    const reported = {
      kind: "enrollment",
      username: "guest",
      learningContextKey: "course-v1:Uni+C1+2026",
    } as const;
    const record = parsePlainRecord({ ...reported, isActive: true }, undefined);
    await importRecords(bench.database, [record], new AbortController().signal);
    expect((await bench.sweep({ acceptsWithdrawals: true })).state).toBe("complete");
    expect(
      await bench.database.knex("enrollments").where({ username: "guest", is_active: true }),
    ).toHaveLength(1);
  });

  test("hidden courses are found, names are unescaped, other keys are left out and counted", async () => {
    await open({ courses: 3, learners: 5, paths: 0 });
    lms.extraCourseIds.push("ccx-v1:Uni+C1+2026+ccx@1", "Uni/Old/2010");
    const { tally } = await bench.sweep();
    expect(tally["course key of another form"]).toBe(2);
    const courses = await bench.database.knex("courses").orderBy("course_key");
    expect(courses.map((course) => course.display_name)).toEqual(["R&D <Basics>", "Course 2", "Course 3"]);
  });

  test("one homework of ten is 10 %, and points are requested once for each subsection", async () => {
    await open({ courses: 1, learners: 0, paths: 0 });
    const [course] = [...academy.courses.values()];
    if (!course) throw new Error("there is no course");
    course.subsections = Array.from({ length: 10 }, (_, index) => ({
      key: `homework-${index}`,
      type: "Homework",
      possible: 10,
    }));
    for (let id = 1; id <= 50; id++) {
      addUser(academy, id);
      course.members.set(id, { isActive: true, scores: new Map([["homework-0", 10]]), completion: 0 });
    }
    expect((await bench.sweep()).state).toBe("complete");
    const { rows } = await bench.database.knex.raw(
      "select distinct sum(earned) / sum(possible) as share from subsection_grades group by username",
    );
    expect(rows.map(({ share }: { share: string }) => Number(share))).toEqual([0.1]);
    const received = lms.received.filter(({ url }) => url.pathname.includes("/subsection/"));
    expect(received).toHaveLength(9);
  });

  describe("on partial facts", () => {
    /** Opens a course whose homework is released week by week. Its learners have completed the first homework. */
    async function openReleasing(seenBy: (index: number) => (id: number) => boolean, minCount?: number) {
      await open({ courses: 1, learners: 0, paths: 0 });
      const [course] = academy.courses.values();
      if (!course) throw new Error("there is no course");
      course.policy = [{ type: "Homework", weight: 1, dropCount: 0, ...(minCount && { minCount }) }];
      course.subsections = [1, 2, 3].map((number) => ({
        key: `homework-${number}`,
        type: "Homework",
        possible: 10 * number,
        seenBy: seenBy(number),
      }));
      for (let id = 1; id <= 50; id++) {
        addUser(academy, id);
        course.members.set(id, { isActive: true, scores: new Map([["homework-1", 10]]), completion: 0 });
      }
      return course;
    }
    const shares = async () => {
      const { rows } = await bench.database.knex.raw(
        `select distinct sum(earned) / nullif(sum(possible), 0) as share from subsection_grades
         where not is_deleted group by username`,
      );
      return rows.map(({ share }: { share: string }) => Math.round(Number(share) * 1000) / 1000);
    };

    test("a type is left out while nobody sees one of its subsections, and is read when it is released", async () => {
      const course = await openReleasing((number) => () => number === 1);
      const report = await bench.sweep();
      expect(report).toMatchObject({ state: "complete", failures: [] });
      const reason = "Homework: none of the learners who were checked can see 2 of 3 subsections";
      expect(report.withheld).toEqual([{ scope: "course-v1:Uni+C1+2026", reason }]);
      expect(await shares()).toEqual([]);
      expect((await readStatus(bench.database.knex, "lms")).withheld).toMatchObject([{ error: reason }]);
      const totals = await bench.database.knex("course_grades").where({ is_deleted: false });
      expect(totals).toHaveLength(50);
      course.subsections = course.subsections.map((one) => ({ ...one, seenBy: () => true }));
      expect((await bench.sweep()).withheld).toEqual([]);
      expect(await shares()).toEqual([0.167]);
      course.subsections = course.subsections.map((one, index) => ({ ...one, seenBy: () => index < 2 }));
      await bench.sweep();
      expect(await shares()).toEqual([]);
    });

    test("one learner who sees a subsection supplies its points, also on a later page", async () => {
      await openReleasing((number) => (id) => number === 1 || id === 43);
      await bench.sweep();
      expect(await shares()).toEqual([]);
      lms.pageSize = 1; // with one learner per page, every learner is checked
      await bench.sweep();
      expect(await shares()).toEqual([0.167]);
    });

    test("a type is left out while it has fewer subsections than its policy demands", async () => {
      await openReleasing(() => () => true, 4);
      expect((await bench.sweep()).withheld).toMatchObject([
        { reason: "Homework: there are 3 of 4 subsections" },
      ]);
      expect(await shares()).toEqual([]);
    });

    test("the name of an unknown type is reported without control characters", async () => {
      const course = await openReleasing(() => () => true);
      course.policy = [{ type: "Home\u0000\u001b[2Jwork", weight: 1, dropCount: 0, minCount: 4 }];
      course.subsections = course.subsections.map((one) => ({ ...one, type: "Home\u0000\u001b[2Jwork" }));
      const { state, withheld } = await bench.sweep();
      expect(state).toBe("complete");
      expect(withheld).toMatchObject([{ reason: "Home[2Jwork: there are 3 of 4 subsections" }]);
    });

    test("an odd row of the gradebook is left out and counted; the others are read", async () => {
      await openReleasing(() => () => true);
      lms.rewrite = ({ url }, reply) => {
        if (!/gradebook\/[^/]+\/$/.test(url.pathname)) return reply;
        const body = structuredClone(reply.body) as {
          results: { username: string; percent: number | null }[];
        };
        for (const row of body.results) if (row.username === "learner7") row.percent = null;
        return { ...reply, body };
      };
      const { state, tally } = await bench.sweep();
      expect([state, tally["row of the gradebook that is not as expected"]]).toEqual(["complete", 1]);
      expect(await bench.database.knex("subsection_grades").distinct("username")).toHaveLength(49);
    });

    test("addresses are kept, and nobody becomes active, if the service user is no longer staff", async () => {
      await openReleasing(() => () => true);
      await bench.sweep();
      const before = await written(bench.database.knex);
      lms.isStaff = false;
      const report = await bench.sweep();
      expect(report.failures[0]?.error).toContain("The user of the application must be staff.");
      expect(await written(bench.database.knex)).toEqual(before);
    });

    test("nothing is issued in a course that the platform no longer lists, and the course is named", async () => {
      await open({ courses: 2, learners: 20, paths: 0 });
      await bench.sweep();
      academy.courses.delete("course-v1:Uni+C2+2026");
      await bench.sweep();
      expect((await readStatus(bench.database.knex, "lms")).unlisted).toEqual(["course-v1:Uni+C2+2026"]);
      const fresh = (key: string) => checkFresh(bench.database.knex, key);
      await fresh("course-v1:Uni+C1+2026");
      await expect(fresh("course-v1:Uni+C2+2026")).rejects.toThrow("or no longer finds it");
    });
  });

  test("a link to another host is not followed, and no token is sent there", async () => {
    await open({ courses: 1, learners: 50, paths: 0 });
    const thief = await startFakeOpenEdx(academy);
    lms.rewrite = (received, reply) =>
      enrolments(received)
        ? {
            ...reply,
            body: { ...(reply.body as object), next: `${thief.url.replace("127.0.0.1", "localhost")}/x` },
          }
        : reply;
    const report = await bench.sweep();
    expect(report.failures[0]?.error).toContain("leads to a different host");
    expect(thief.received).toEqual([]);
    await thief.close();
  });
});

describe("tokens and limits", () => {
  test("an expired token is renewed once; a refused client ends the sweep immediately", async () => {
    await open({ courses: 2, learners: 30, paths: 0 });
    lms.fault = (_, count) => {
      if (count === 9) lms.tokenNumber++;
      return undefined;
    };
    expect((await bench.sweep()).state).toBe("complete");
    expect(lms.tokensGiven).toBe(2);
    lms.fault = () => undefined;
    lms.refusesClient = true;
    const received = lms.received.length;
    const report = await bench.sweep();
    expect(report).toMatchObject({ state: "failed" });
    expect(report.reason).toContain("client_id, client_secret_file");
    expect(lms.received.length - received).toBeLessThanOrEqual(2);
    await expectEqual();
  });

  test("Retry-After delays all requests, and no more than the agreed number are open at a time", async () => {
    await open({ courses: 5, learners: 40, paths: 0 }, { concurrency: 3 });
    let refusedAt = 0;
    lms.fault = (_, count) => {
      if (count !== 12) return undefined;
      refusedAt = Date.now();
      return { status: 429, body: {}, headers: { "retry-after": "2" } };
    };
    const report = await bench.sweep();
    expect(report.state).toBe("complete");
    const meanwhile = lms.received.slice(12 + 2).filter(({ at }) => at < refusedAt + 1_990);
    expect(meanwhile).toEqual([]);
    expect(lms.peak).toBeLessThanOrEqual(3);
    expect(report.cost).toMatchObject({ requests: lms.received.length, refusals: 1, waitSeconds: 2 });
  });

  test("requests are no faster than agreed", async () => {
    await open({ courses: 1, learners: 3, paths: 0 }, { requests_per_minute: 600 });
    await bench.sweep();
    const times = lms.received.map(({ at }) => at);
    const took = (times.at(-1) ?? 0) - (times[0] ?? 0);
    expect(took).toBeGreaterThan((times.length - 1) * 100 - 50);
  });

  test("a clock that is wrong by more than a day ends the sweep, with that reason", async () => {
    await open({ courses: 1, learners: 3, paths: 0 });
    const date = new Date(Date.now() - 30 * 3_600_000).toUTCString();
    lms.rewrite = (_, reply) => ({ ...reply, headers: { date } });
    const report = await bench.sweep();
    expect(report).toMatchObject({ state: "failed" });
    expect(report.reason).toContain("the platform's clock is 30 hours behind ours");
    expect(lms.received).toHaveLength(1);
  });

  test("a dry run writes nothing, and reports the same numbers", async () => {
    await open({ courses: 3, learners: 40, paths: 1 }, { concurrency: 1 });
    /** Returns marks that change whenever a row of any table is written. */
    const marks = async () => {
      const tables = await bench.database.knex.raw(
        "select tablename as name from pg_tables where schemaname = 'public' order by 1",
      );
      const all = tables.rows.map(
        ({ name }: { name: string }) =>
          `select '${name} ' || count(*) || ' ' || coalesce(md5(string_agg(ctid::text || xmin::text, ',' order by ctid)), '') as line from ${name}`,
      );
      const { rows } = await bench.database.knex.raw(all.join(" union all "));
      return rows.map(({ line }: { line: string }) => line).sort();
    };
    const before = await marks();
    const dry = await bench.sweep({ dryRun: true });
    expect(await marks()).toEqual(before);
    const real = await bench.sweep();
    expect(dry.tally).toEqual(real.tally);
    for (let edit = 0; edit < 10; edit++) change(academy, createChance(edit));
    const later = await marks();
    const again = await bench.sweep({ dryRun: true, acceptsWithdrawals: true });
    expect(await marks()).toEqual(later);
    expect(again.tally).toEqual((await bench.sweep({ acceptsWithdrawals: true })).tally);
  });

  test("the check names what is missing", async () => {
    await open({ courses: 3, learners: 5, paths: 1 });
    const results = async () => {
      const found: string[] = [];
      for await (const { what, outcome } of (await bench.open()).source.check())
        found.push(`${what}: ${outcome}`);
      return found;
    };
    expect((await results()).filter((line) => !line.endsWith(": ok"))).toEqual([]);
    lms.fault = ({ url }) =>
      /gradebook\/[^/]+\/$/.test(url.pathname)
        ? { status: 403, body: { error_code: "feature_not_enabled" } }
        : undefined;
    expect(await results()).toContain("gradebook: failed");
    lms.refusesClient = true;
    expect(await results()).toEqual(["courses: failed"]);
  });
});

describe("people", () => {
  const learner = async (username: string) => {
    const [row] = await bench.database.knex("learners").where({ username, is_deleted: false });
    return row;
  };
  const everywhere = async (text: string) => {
    const { rows } = await bench.database.knex.raw(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    const found: string[] = [];
    for (const { name } of rows) {
      const { rowCount } = await bench.database.knex.raw(
        `select from ${name} as t where to_jsonb(t)::text like ?`,
        [`%${text}%`],
      );
      if (rowCount > 0) found.push(name);
    }
    return found;
  };

  test("retired learners are erased, and neither they nor learners erased here reappear", async () => {
    await open({ courses: 1, learners: 12, paths: 1 });
    for (const member of academy.courses.values())
      for (const one of member.members.values()) one.isActive = true;
    await bench.sweep();
    const signal = new AbortController().signal;
    await eraseLearner(bench, { username: "learner3", dryRun: false, erasedBy: COMMAND_LINE }, signal);
    academy.retirements.push({ username: "learner4", created: new Date().toISOString() });
    for (let round = 0; round < 2; round++) {
      await bench.sweep();
      expect(await everywhere('learner3"')).toEqual([]);
      expect(await everywhere('learner4"')).toEqual([]);
      expect(await everywhere("Zdenka3 ")).toEqual([]);
    }
    const renamed = academy.users.get(3);
    if (renamed) renamed.username = "learner3-renamed";
    await bench.sweep();
    expect(await learner("learner3-renamed")).toBeUndefined();
    expect(await everywhere("learner3-renamed")).toEqual([]);
  });

  test("a renamed account continues under its new name, and a reused name is refused", async () => {
    await open({ courses: 2, learners: 6, paths: 0 });
    for (const { members } of academy.courses.values())
      for (const id of [1, 2]) members.set(id, { isActive: true, scores: new Map(), completion: 0 });
    await bench.sweep();
    const one = academy.users.get(1);
    const two = academy.users.get(2);
    if (!one || !two) throw new Error("they are missing");
    one.username = "renamed";
    await bench.sweep({ acceptsWithdrawals: true });
    expect(await learner("renamed")).toMatchObject({ is_active: true });
    expect(await learner("learner1")).toMatchObject({ is_active: false });
    expect(await bench.database.knex("enrollments").where({ username: "learner1", is_active: true })).toEqual(
      [],
    );
    addUser(academy, 77, "learner2").name = "Somebody Else";
    academy.users.delete(2);
    for (const { members } of academy.courses.values()) {
      members.delete(2);
      members.set(77, { isActive: true, scores: new Map(), completion: 1 });
    }
    await bench.sweep({ acceptsWithdrawals: true });
    expect(await learner("learner2")).toMatchObject({ is_active: false, full_name: two.name });
    const status = await readStatus(bench.database.knex, "lms");
    expect(status.taken).toEqual([{ username: "learner2", externalId: "2", takenBy: "77" }]);
    expect(status.renamed).toEqual([{ externalId: "1", from: "learner1", to: "renamed" }]);
    const before = await written(bench.database.knex);
    await bench.sweep({ acceptsWithdrawals: true });
    expect(await written(bench.database.knex)).toEqual(before);
  });

  test("the log, the metrics and the state of a sweep contain no name, address or token", async () => {
    await open({ courses: 3, learners: 40, paths: 1 });
    lms.fault = (_, count) => (count % 17 === 0 ? { status: 500, body: "learner1" } : undefined);
    await bench.sweep();
    const user = academy.users.get(5);
    if (user) user.email = "not an address";
    await bench.sweep();
    const stored = await bench.database.knex.raw(
      "select tally::text, reason from connector_sweeps union all select cursor, error from connector_stages",
    );
    const all = [bench.logged(), bench.requests.join(), JSON.stringify(stored.rows)].join();
    expect(all).toContain("rejected learner email");
    expect(all).not.toMatch(/learner\d|secretmail|Qvortrup|token-\d|not an address/);
    expect(all).not.toContain(CLIENT_SECRET);
  });
});
