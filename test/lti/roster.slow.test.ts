import { describe, expect, it } from "vitest";
import { execute, queryRow, queryRows } from "../../src/db/query.js";
import { listRosters, type ReadRoster, readRoster } from "../../src/lti/read-roster.js";
import { findRegistration } from "../../src/lti/registration-store.js";
import { given } from "../support/given.js";
import { givenService } from "../support/service.js";
import { type FakePlatform, startFakePlatform } from "./fake-platform.js";
import { connect, LTI_SETTINGS, launch, ltiOf } from "./lti-service.js";

const LEARNER = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner";
const TEACHER = "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor";

const service = givenService({ settings: LTI_SETTINGS });
const platforms = given(
  async () => {
    const moodle = await startFakePlatform();
    const canvas = await startFakePlatform({ product: "canvas" });
    for (const each of [moodle, canvas]) each.setToolKeys(`${service.httpUrl}/lti/jwks`);
    const ids = new Map<FakePlatform, number>();
    for (const each of [moodle, canvas]) ids.set(each, await connect(service, each));
    return { moodle, canvas, ids };
  },
  ({ moodle, canvas }) => Promise.all([moodle.close(), canvas.close()]),
);

function member(id: number | string, more: object = {}) {
  return {
    status: "Active",
    user_id: String(id),
    name: `Learner ${id}`,
    email: `l${id}@example.org`,
    roles: [LEARNER],
    ...more,
  };
}

/** Launches a teacher from a course, so that the course is known, and reads its members. */
async function read(platform: FakePlatform, course: string, isWhole = false): Promise<ReadRoster> {
  await launch(service, platform, { roles: ["Instructor"], context: { id: course, label: course } });
  const lti = ltiOf(service);
  const id = platforms.ids.get(platform) ?? 0;
  const registration = await findRegistration(service.app.database.knex, id);
  const roster = (await listRosters(lti, id)).find(({ contextId }) => contextId === course);
  if (!registration || !roster) throw new Error("the course is not known");
  return readRoster(lti, registration, roster, isWhole, new AbortController().signal);
}

function enrolled(course: string) {
  return queryRows<{ username: string }>(
    service.app.database.knex,
    `select username from enrollments join lti_contexts on learning_context_key = context_key
     where context_id = ? and is_active and not is_deleted order by username`,
    [course],
  );
}

describe("the members of a course", () => {
  it("are 5,000 by pages of 50, of whom the learners are enrolled; the second time, nothing is written", async () => {
    const { canvas } = platforms;
    const all = Array.from({ length: 5000 }, (_, id) => member(id));
    canvas.members.set("large", [...all, member("t", { roles: [TEACHER] })]);
    expect(await read(canvas, "large")).toMatchObject({ pages: 101, learners: 5000, rejected: 0 });
    expect(await enrolled("large")).toHaveLength(5000);
    expect(await read(canvas, "large", true)).toMatchObject({
      learners: 5000,
      written: 0,
      withdrawn: 0,
      held: 0,
    });
  });

  it("keep what is known where the platform tells nothing, in whatever form", async () => {
    const { moodle } = platforms;
    moodle.members.set("quiet", [member(1)]);
    await read(moodle, "quiet");
    const quiet = [
      { user_id: 1, roles: [LEARNER], name: null, email: "", picture: null },
      { user_id: "", roles: null },
    ];
    moodle.members.set("quiet", quiet);
    expect(await read(moodle, "quiet")).toMatchObject({ learners: 1, written: 0 });
    const found = await queryRow<object>(
      service.app.database.knex,
      `select full_name as name, email from learners where username = ?`,
      [`lti:${platforms.ids.get(moodle)}:1`],
    );
    expect(found).toEqual({ name: "Learner 1", email: "l1@example.org" });
  });

  it("are withdrawn if they are inactive, but not by absence, unless the list is whole", async () => {
    const { moodle } = platforms;
    moodle.members.set(
      "small",
      [1, 2, 3].map((id) => member(id)),
    );
    await read(moodle, "small");
    moodle.members.set("small", [member(1), member(2, { status: "Inactive" })]);
    expect(await read(moodle, "small")).toMatchObject({ withdrawn: 0 });
    expect(await enrolled("small")).toHaveLength(2);
    expect(await read(moodle, "small", true)).toMatchObject({ withdrawn: 1, held: 0 });
    expect(await enrolled("small")).toHaveLength(1);
    moodle.members.set("small", []);
    expect(await read(moodle, "small", true)).toMatchObject({ withdrawn: 0, held: 1 });
    expect(await enrolled("small")).toHaveLength(1);
  });

  it("of whom too many are absent are held", async () => {
    const { moodle } = platforms;
    moodle.members.set(
      "many",
      Array.from({ length: 100 }, (_, id) => member(id)),
    );
    await read(moodle, "many");
    moodle.members.set(
      "many",
      Array.from({ length: 94 }, (_, id) => member(id)),
    );
    expect(await read(moodle, "many", true)).toMatchObject({ withdrawn: 0, held: 6 });
    expect(await enrolled("many")).toHaveLength(100);
  });

  it.each<[string, { status: number; body: unknown; link?: string }, RegExp]>([
    [
      "too long a list",
      { status: 403, body: { error: "above_response_limit" } },
      /longer than the platform lets/,
    ],
    ["no right", { status: 403, body: {} }, /answered with status 403/],
    ["no list", { status: 200, body: { members: "all" } }, /is malformed/],
    [
      "a link to another host",
      { status: 200, body: { members: [] }, link: '<https://evil.example/members>; rel="next"' },
      /evil\.example, which is not a host of the platform/,
    ],
  ])("are not read where the answer is %s", async (name, answer, reason) => {
    const { moodle } = platforms;
    moodle.memberAnswers.set(name, answer);
    await expect(read(moodle, name)).rejects.toThrow(reason);
  });

  it("are read with another token when one has ended", async () => {
    const { moodle } = platforms;
    moodle.memberAnswers.set("ended", { status: 401, body: {} });
    const before = moodle.tokens();
    await expect(read(moodle, "ended")).rejects.toThrow(/status 401/);
    expect(moodle.tokens() - before).toBe(2);
  });

  it("are not read without a token", async () => {
    const { moodle } = platforms;
    moodle.setToolKeys(`${moodle.url}/jwks`);
    await expect(read(moodle, "small")).rejects.toThrow(/gives no access token \(status 400\): permit https/);
    moodle.setToolKeys(`${service.httpUrl}/lti/jwks`);
  });

  it("who were erased stay erased", async () => {
    const { moodle } = platforms;
    const { knex } = service.app.database;
    moodle.members.set("erased", [member("gone")]);
    const username = `lti:${platforms.ids.get(moodle)}:gone`;
    await execute(
      knex,
      `insert into erased_learners (username_hash, erased_at)
       select sha256(key || convert_to(?, 'UTF8')), now() from erasure_key`,
      [username],
    );
    expect(await read(moodle, "erased")).toMatchObject({ erased: 1 });
    expect(await enrolled("erased")).toEqual([]);
  });
});
