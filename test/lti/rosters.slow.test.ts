import { beforeEach, describe, expect, it } from "vitest";
import { eraseLearner } from "#domain/credentials/erasure/erase-learner.js";
import { refusePlatform } from "#domain/lti/manage-registrations.js";
import { type ReadingOptions, readDueRosters } from "#domain/lti/read-rosters.js";
import type { Rosters } from "#domain/lti/registration.js";
import { makeRostersDue } from "#domain/lti/roster-store.js";
import { LtiService } from "#gen/learning_credentials/v1/lti_service_pb.js";
import { execute, queryRows } from "#infrastructure/db/query.js";
import { COMMAND_LINE } from "#infrastructure/identity/actors.js";
import { endedWithPeak, startOn } from "../commands/run-command.js";
import { given } from "../support/given.js";
import { givenService, tokenOf } from "../support/service.js";
import { type FakePlatform, type Product, startFakePlatform } from "./fake-platform.js";
import { accept, connect, LTI_SETTINGS, launch, ltiOf } from "./lti-service.js";

const MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership#";

/**
 * The length of a list of members. `LTI_MEMBERS=50000` tests the longest list that a platform with pages of 50 may
 * return.
 */
const MEMBERS = Number(process.env.LTI_MEMBERS ?? 5_000);

const service = givenService({ settings: LTI_SETTINGS });
const platforms = given(
  async () => ({ started: new Map<Product, { readonly platform: FakePlatform; readonly id: number }>() }),
  ({ started }) => Promise.all([...started.values()].map(({ platform }) => platform.close())),
);
const tools = given(
  async () => ({ lti: await ltiOf(service) }),
  () => {},
);
let course = 0;
beforeEach(() => {
  course++;
});

/** Returns the connected platform of a product. The first call starts it. */
async function platformOf(product: Product, rosters: Rosters = "listed") {
  if (!platforms.started.has(product)) {
    const platform = await startFakePlatform({ product });
    platforms.started.set(product, { platform, id: await connect(service, platform) });
    platform.setToolKeys(`${service.httpUrl}/lti/jwks`);
  }
  const found = platforms.started.get(product);
  if (!found) throw new Error("it was started");
  await accept(service, found.id, { rosters });
  return { ...found, members: members(found.platform), read: reader(found.platform, found.id) };
}

/** Sets the members of this test's course. */
function members(platform: FakePlatform) {
  return (...all: object[]) =>
    platform.members.set(
      `c${course}`,
      all.map((one) => ({ status: "Active", roles: [`${MEMBERSHIP}Learner`], ...one })),
    );
}

/** Launches a teacher in this test's course, and reads the lists that are due then. */
function reader(platform: FakePlatform, id: number) {
  return async (options: ReadingOptions = {}) => {
    const context = { id: `c${course}`, label: `C${course}`, title: "Astronomy" };
    const { response, page } = await launch(service, platform, { sub: "t", roles: ["Instructor"], context });
    if (response.status !== 200) throw new Error(page);
    const { knex } = service.app.database;
    await execute(knex, "update lti_contexts set roster_due_at = null");
    await execute(knex, "update lti_contexts set roster_due_at = now() where context_id = ?", [context.id]);
    const signal = new AbortController().signal;
    const reports = [];
    for await (const report of readDueRosters(tools.lti, { registrationId: id, ...options }, signal))
      reports.push(report);
    const [report] = reports;
    if (!report || reports.length > 1) throw new Error(`${reports.length} lists were read`);
    return report;
  };
}

function enrolled() {
  return queryRows<{ username: string; fullName: string; email: string; isActive: boolean }>(
    service.app.database.knex,
    `select username, full_name as "fullName", email, enrollment.is_active as "isActive"
     from enrollments as enrollment join lti_contexts on context_key = learning_context_key
       join learners using (username) where context_id = ? order by username`,
    [`c${course}`],
  );
}

describe("a list of Moodle", () => {
  const named = async () => (await enrolled()).map(({ fullName, email }) => [fullName, email]);

  it("has names and addresses as HTML, which are read as text", async () => {
    const { members: set, read } = await platformOf("moodle");
    set(
      { user_id: "1", name: "Se\u00e1n O'Brien &amp; Sons", email: "sean&amp;co@example.org" },
      { user_id: "2", given_name: "Bold", family_name: "B &gt; A &#39;x&#x27; &quot;y&quot;" },
      { user_id: "3", name: "A&#0;B&#xD800;" },
    );
    await read();
    expect(await named()).toEqual([
      ["Se\u00e1n O'Brien & Sons", "sean&co@example.org"],
      ["Bold B > A 'x' \"y\"", ""],
    ]);
  });

  it("does not change the name reported by a launch, but the address", async () => {
    const { platform, members: set, read } = await platformOf("moodle");
    const context = { id: `c${course}`, label: `C${course}`, title: "Astronomy" };
    await launch(service, platform, { sub: "n1", name: "KOVA\u010c Ana", email: "a@example.org", context });
    set(
      { user_id: "n1", name: "Ana Kova\u010d", email: "new@example.org" },
      { user_id: "n2", name: "Bo Li" },
    );
    await read();
    expect(await named()).toEqual([
      ["KOVA\u010c Ana", "new@example.org"],
      ["Bo Li", ""],
    ]);
    await launch(service, platform, { sub: "n2", name: "LI Bo", context });
    expect(await named()).toContainEqual(["LI Bo", "ana@example.org"]);
    await launch(service, platform, { sub: "n1", name: "Ana Novak", context });
    expect(await named()).toContainEqual(["Ana Novak", "ana@example.org"]);
  });

  it("keeps what it doesn't report: language, learner ID and attributes", async () => {
    const { members: set, read } = await platformOf("moodle");
    set({ user_id: "k1", name: "Ana Kova\u010d" });
    await read();
    const [{ username } = { username: "" }] = await enrolled();
    const kept = { locale: "es", learner_id: "4711", attributes: { programme: "Physics" } };
    await service.app.database.knex("learners").where({ username }).update(kept);
    set({ user_id: "k1", name: "Ana Kova\u010d", email: "ana@example.org" });
    await read();
    const [learner] = await service.app.database.knex("learners").where({ username });
    expect(learner).toMatchObject({ ...kept, email: "ana@example.org" });
  });

  it("does not enrol teachers, and withdraws a teacher who was listed as a learner", async () => {
    const { platform, members: set, read } = await platformOf("moodle");
    const context = { id: `c${course}`, label: `C${course}`, title: "Astronomy" };
    const active = async () =>
      (await enrolled()).filter(({ isActive }) => isActive).map(({ username }) => username.split(":")[2]);
    await launch(service, platform, { sub: "tutor", roles: ["Instructor"], context });
    set(
      { user_id: "tutor", name: "Non-editing" },
      { user_id: "later", name: "B" },
      { user_id: "z", name: "C" },
    );
    await read();
    expect(await active()).toEqual(["later", "z"]);
    await launch(service, platform, { sub: "later", roles: ["Instructor"], context });
    expect(await active()).toEqual(["z"]);
    await read();
    expect(await active()).toEqual(["z"]);
    // A teacher here may be a learner in another course. In this course, a teacher becomes a learner only by a launch
    // as a learner.
    await launch(service, platform, { sub: "later", context });
    expect(await active()).toEqual(["later", "z"]);
    await read();
    expect(await active()).toEqual(["later", "z"]);
  });

  it("is dropped if the platform, or the deployment, is refused meanwhile", async () => {
    const { platform, id, members: set, read } = await platformOf("moodle");
    set({ user_id: "1", name: "Ana" });
    const { database } = service.app;
    platform.impostors.set(`/members/c${course}`, (_, response) => {
      refusePlatform(database, id, new AbortController().signal).then(() =>
        response.end(JSON.stringify({ members: platform.members.get(`c${course}`) })),
      );
    });
    expect(await read()).toMatchObject({ written: 0, problem: expect.stringMatching(/has just changed/) });
    expect(await enrolled()).toEqual([]);
    platform.impostors.clear();
  });
});

const many = (count: number, prefix = "u") =>
  Array.from({ length: count }, (_, at) => ({
    user_id: `${prefix}${String(at).padStart(5, "0")}`,
    name: `Learner ${at}`,
  }));

describe("a list of members", () => {
  it("enrols learners by their ids, and no teachers; a repeated list writes nothing", async () => {
    const { id, members: set, read } = await platformOf("moodle");
    set(
      { user_id: "7", name: "Ana Kovač", email: "ana@example.org" },
      { user_id: 8, given_name: "Bo", family_name: "Li", email: "", lis_person_sourcedid: "" },
      { user_id: "9" },
      { user_id: "10", status: "Inactive", name: "Gone" },
      { user_id: "11", name: "Teacher", roles: [`${MEMBERSHIP}Instructor`] },
      { user_id: "12", name: "Both", roles: [`${MEMBERSHIP}Instructor`, `${MEMBERSHIP}Learner`] },
    );
    expect(await read()).toMatchObject({ learners: 5, problem: "" });
    const own = (sub: string) => `lti:${id}:${sub}`;
    expect(await enrolled()).toEqual([
      { username: own("12"), fullName: "Both", email: "", isActive: true },
      { username: own("7"), fullName: "Ana Kovač", email: "ana@example.org", isActive: true },
      { username: own("8"), fullName: "Bo Li", email: "", isActive: true },
      { username: own("9"), fullName: "", email: "", isActive: true },
    ]);
    set({ user_id: "7" }, { user_id: "8", name: "Bo Li" }, { user_id: "9" });
    expect(await read()).toMatchObject({ learners: 3, written: 0, withdrawn: 0, problem: "" });
    set({ user_id: "7", status: "Inactive", name: "Ana Novak" });
    expect(await read()).toMatchObject({ learners: 1, written: 2 });
    expect((await enrolled())[1]).toEqual({
      username: own("7"),
      fullName: "Ana Novak",
      email: "ana@example.org",
      isActive: false,
    });
  });

  it("without names updates the addresses", async () => {
    const { members: set, read } = await platformOf("canvas");
    set({ user_id: "n1", email: "old@example.org" });
    await read();
    set({ user_id: "n1", email: "new@example.org" });
    expect(await read()).toMatchObject({ written: 1, problem: "" });
    set({ user_id: "n1", name: "Ana Kovač" });
    await read();
    set({ user_id: "n1", email: "newest@example.org" });
    await read();
    expect(await enrolled()).toMatchObject([{ fullName: "Ana Kovač", email: "newest@example.org" }]);
  });

  it("of 5,000 is read in pages of the platform's size", async () => {
    for (const [product, count, pages] of [
      ["canvas", 5000, 100],
      ["moodle", 400, 2],
      ["openedx", 400, 1],
      ["openedx11", 400, 2],
    ] as const) {
      const { platform, members: set, read } = await platformOf(product);
      set(...many(count));
      const before = platform.memberRequests();
      expect(await read()).toMatchObject({ learners: count, problem: "" });
      expect(platform.memberRequests() - before).toBe(pages);
      expect(await read()).toMatchObject({ learners: count, written: 0 });
      course++;
    }
  });

  it("of many thousands takes little more memory than one of 1,000, and the second time nothing is written", async () => {
    const { id, members: set, read } = await platformOf("moodle", "whole");
    set();
    await read();
    const { app } = service;
    const place = { DATABASE_URL: app.database.url, DATA_DIR: app.config.dataDir, ...LTI_SETTINGS };
    const sync = async (count: number) => {
      set(...many(count, "m"));
      const { out, err, megabytes } = await endedWithPeak(startOn(place, ["lti", "sync", String(id)]));
      expect(err).toBe("");
      return { told: new RegExp(`\\+C${course}\\+\\w+\\t([^\\t\\n]*)`).exec(out)?.[1], megabytes };
    };
    const few = await sync(1_000);
    expect(few.told).toBe("1000 learners, 2000 records written, 0 withdrawn");
    const all = await sync(MEMBERS);
    expect(all.told).toBe(`${MEMBERS} learners, ${2 * (MEMBERS - 1_000)} records written, 0 withdrawn`);
    const again = await sync(MEMBERS);
    expect(again.told).toBe(`${MEMBERS} learners, 0 records written, 0 withdrawn`);
    const peaks = [few, all, again].map(({ megabytes }) => megabytes);
    process.stderr.write(`1,000, then twice ${MEMBERS} members: ${peaks.join(", ")} MB\n`);
    expect(few.megabytes).toBeGreaterThan(50);
    expect(Math.max(...peaks) - few.megabytes).toBeLessThan(80);
  });

  it("shares one token with other lists, which is renewed when it is refused", async () => {
    const { platform, members: set, read } = await platformOf("moodle");
    set({ user_id: "7" });
    await read();
    const tokens = platform.tokens();
    expect(await read()).toMatchObject({ problem: "" });
    expect(platform.tokens()).toBe(tokens);
    platform.expireTokens();
    expect(await read()).toMatchObject({ learners: 1, problem: "" });
    expect(platform.tokens()).toBe(tokens + 1);
  });

  it("brings no erased learner back", async () => {
    const { id, members: set, read } = await platformOf("moodle");
    set({ user_id: "erased", name: "Ana" }, { user_id: "other", name: "Bo" });
    await read();
    const username = `lti:${id}:erased`;
    await eraseLearner(
      service.app,
      { username, dryRun: false, erasedBy: COMMAND_LINE },
      new AbortController().signal,
    );
    expect(await read()).toMatchObject({ problem: "" });
    expect((await enrolled()).map((one) => one.username)).toEqual([`lti:${id}:other`]);
  });
});

describe("a missing member", () => {
  it("stays enrolled, unless the list is declared complete", async () => {
    const { members: set, read } = await platformOf("canvas");
    set(...many(8));
    await read();
    set(...many(5));
    expect(await read()).toMatchObject({ learners: 5, written: 0, withdrawn: 0 });
    await platformOf("canvas", "whole");
    expect(await read()).toMatchObject({ withdrawn: 3, problem: "" });
    expect((await enrolled()).filter(({ isActive }) => isActive)).toHaveLength(5);
  });

  it("is not withdrawn with many others, by an empty list, or by a list with an unreadable member", async () => {
    const { id, members: set, read } = await platformOf("canvas", "whole");
    set(...many(60));
    await read();
    set();
    expect(await read()).toMatchObject({ withdrawn: 0, problem: "" });
    set(...many(10), { name: "Nobody" });
    expect(await read()).toMatchObject({ withdrawn: 0, problem: expect.stringMatching(/^1 members/) });
    set(...many(53));
    const held = await read();
    expect(held).toMatchObject({ withdrawn: 0, problem: expect.stringMatching(/^7 learners are no longer/) });
    expect(held.problem).toContain(`lti sync ${id} --accept-withdrawals`);
    expect(await read({ acceptsWithdrawals: true })).toMatchObject({ withdrawn: 7, problem: "" });
  });

  it("is not withdrawn by a list without any of several earlier members", async () => {
    const { members: set, read } = await platformOf("canvas", "whole");
    set(...many(5));
    await read();
    set({ user_id: "stranger", name: "A Stranger" });
    expect(await read()).toMatchObject({
      learners: 1,
      withdrawn: 0,
      problem: expect.stringMatching(/^5 learners are no longer listed/),
    });
    expect(await read({ acceptsWithdrawals: true })).toMatchObject({ withdrawn: 5, problem: "" });
    set({ user_id: "another", name: "Another One" });
    expect(await read()).toMatchObject({ withdrawn: 1, problem: "" });
  });
});

describe("a list that can't be read", () => {
  it.each<[string, { status: number; body: unknown; link?: string }, RegExp]>([
    [
      "of more learners than Open edX lists",
      { status: 403, body: { error: "above_response_limit", explanation: "…" } },
      /COURSE_MEMBER_API_ENROLLMENT_LIMIT/,
    ],
    [
      "without the right",
      { status: 403, body: { errors: { type: "unauthorized" } } },
      /allow this tool to use Names/,
    ],
    ["of a platform that is down", { status: 502, body: "" }, /status 502/],
    ["that is no list", { status: 200, body: { people: [] } }, /not JSON with `members`/],
    ["that is a page for people", { status: 200, body: "<html>" }, /not JSON with `members`/],
    [
      "whose next page is elsewhere",
      { status: 200, body: { members: [] }, link: '<https://evil.example/members?page=2>; rel="next"' },
      /another host/,
    ],
    [
      "whose pages go in a circle",
      { status: 200, body: { members: [] }, link: '<?page=1>; rel="next"' },
      /form a loop/,
    ],
  ])("%s does no harm, and is reported", async (_, answer, reason) => {
    const { id, platform, members: set, read } = await platformOf("moodle", "whole");
    set({ user_id: "7", name: "Ana" }, { user_id: "8", name: "Bo" });
    await read();
    const before = await enrolled();
    platform.memberAnswers.set(`c${course}`, answer);
    expect(await read()).toMatchObject({ written: 0, withdrawn: 0, problem: expect.stringMatching(reason) });
    expect(await enrolled()).toEqual(before);
    const client = service.client(LtiService, await tokenOf({ username: "lms", service: "write" }));
    const { platforms: listed } = await client.listLtiPlatforms({});
    const { problems } = listed.find((one) => one.id === id)?.rosters ?? { problems: [] };
    expect(problems.map(({ problem }) => problem)).toContainEqual(expect.stringMatching(reason));
    platform.memberAnswers.delete(`c${course}`);
    expect(await read()).toMatchObject({ problem: "" });
  });

  it("because there is no token, the platform's response is reported", async () => {
    const { platform, members: set, read } = await platformOf("moodle");
    set({ user_id: "7" });
    await read();
    platform.setToolKeys(`${service.httpUrl}/nothing`);
    platform.expireTokens();
    expect((await read()).problem).toMatch(/returned no access token \(status 400, invalid_client\)/);
    platform.setToolKeys(`${service.httpUrl}/lti/jwks`);
  });

  it("is requested at growing intervals, until a teacher launches", async () => {
    const { id, platform, members: set, read } = await platformOf("moodle");
    set({ user_id: "7" });
    platform.memberAnswers.set(`c${course}`, { status: 500, body: "" });
    const minutes = async () => {
      const [row] = await queryRows<{ minutes: number }>(
        service.app.database.knex,
        `select round(extract(epoch from roster_due_at - now()) / 60)::integer as minutes
         from lti_contexts where context_id = ?`,
        [`c${course}`],
      );
      return row?.minutes;
    };
    const waits = [];
    for (let turn = 0; turn < 8; turn++) {
      await read();
      waits.push(await minutes());
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1440, 1440]);
    const context = { id: `c${course}` };
    await launch(service, platform, { sub: "t", roles: ["Instructor"], context });
    expect(await minutes()).toBe(10);
    await makeRostersDue(service.app.database.knex, id);
    expect(await minutes()).toBe(0);
  });
});
