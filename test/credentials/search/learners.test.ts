import { type Client, ConnectError } from "@connectrpc/connect";
import { beforeAll, describe, expect, it } from "vitest";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { COURSE, givenAcademy } from "../../support/academy.js";
import { completed, enrolled } from "../../support/records.js";
import { boundedToken, startTestService, tokenOf } from "../../support/service.js";

const ELSEWHERE = "course-v1:Polytechnic+X1+2026";
const PATH = "path-v1:Uni+P1+2026+a";
const CROWDED = "course-v1:Crowded+C1+2026";

const academy = givenAcademy();
let records: Client<typeof LearnerRecordService>;

beforeAll(async () => {
  const { issuer, audience } = academy.service.app.config.auth;
  records = academy.service.client(
    LearnerRecordService,
    await tokenOf({ username: "registrar", isStaff: true, issuer, audience }),
  );
  await academy.enrol("ana", "ben");
  await academy.report(
    {
      case: "learner",
      value: {
        username: "ana",
        fullName: "Ana Kovač",
        email: "ana@example.org",
        learnerId: "M-17",
        attributes: { programme: "Astronomy" },
      },
    },
    { case: "learner", value: { username: "cleo", fullName: "Κλεοπάτρα Νίκου" } },
    { case: "course", value: { courseKey: ELSEWHERE, displayName: "Ślad światła" } },
    {
      case: "learningPath",
      value: {
        pathKey: PATH,
        displayName: "Both",
        category: "Professional Certificate",
        stepCourseKeys: [COURSE],
      },
    },
    enrolled("ana", PATH),
    enrolled("ana", ELSEWHERE, false),
    enrolled("cleo", ELSEWHERE),
    completed("ana", COURSE, 0.25),
  );
  await academy.issue("ana");
});

describe("SearchLearners", () => {
  const search = async (request: Parameters<typeof records.searchLearners>[0]) =>
    (await records.searchLearners(request)).learners.map(({ learner }) => learner?.username);

  it.each([
    ["kov", ["ana"]],
    ["ben learner", ["ben"]],
    ["κλεοπατρα", ["cleo"]],
    ["ana@exam", ["ana"]],
    ["m-17", ["ana"]],
    ["", ["ana", "ben", "cleo"]],
    ["ovač", ["ana"]],
    ["atra νικ", []],
    ["οπατρ ικου", ["cleo"]],
    ["zz", []],
    ["?", []],
  ])("finds %j", async (query, usernames) => {
    expect(await search({ query })).toEqual(usernames);
  });

  it("finds active enrolments", async () => {
    expect(await search({ learningContextKey: ELSEWHERE })).toEqual(["cleo"]);
    expect(await search({ learningContextKey: COURSE, query: "b" })).toEqual(["ben"]);
    expect(await search({ learningContextKey: COURSE, query: "ana@" })).toEqual(["ana"]);
  });

  it("shows records and counts credentials, a page at a time", async () => {
    const first = await records.searchLearners({ pageSize: 2 });
    expect(first.learners).toMatchObject([
      {
        learner: { fullName: "Ana Kovač", email: "ana@example.org", attributes: { programme: "Astronomy" } },
        credentialCount: 1,
      },
      { learner: { username: "ben" }, credentialCount: 0 },
    ]);
    const last = await records.searchLearners({ pageSize: 2, pageToken: first.nextPageToken });
    expect(last.learners).toMatchObject([{ learner: { username: "cleo" } }]);
    expect(last.nextPageToken).toBe("");
  });

  it("follows corrections, and omits withdrawn learners", async () => {
    await academy.report({ case: "learner", value: { username: "dora", fullName: "Dora Spelt-Wrong" } });
    await academy.report({ case: "learner", value: { username: "dora", fullName: "Dora Spelled" } });
    expect(await search({ query: "wrong" })).toEqual([]);
    expect(await search({ query: "spelled" })).toEqual(["dora"]);
    await academy.withdraw({ case: "learner", value: { username: "dora" } });
    expect(await search({ query: "dora" })).toEqual([]);
  });
});

describe("ListLongestNames", () => {
  it("lists active learners, longest name first, each once", async () => {
    const namesIn = async (learningContextKey: string) =>
      (await records.listLongestNames({ learningContextKey })).fullNames;
    const longest = "Maria Francisca Isabel Josefa Antónia Gertrudes Rita Joana de Bragança e Bourbon";
    expect(await namesIn(ELSEWHERE)).toEqual(["Κλεοπάτρα Νίκου"]);
    for (let number = 0; number < 7; number++) {
      const username = `many${number}`;
      await academy.report(
        { case: "learner", value: { username, fullName: number === 0 ? longest : "Ana Kovač-Marić" } },
        enrolled(username, CROWDED),
      );
    }
    expect(await namesIn(CROWDED)).toEqual([longest, "Ana Kovač-Marić"]);
  });
});

describe("GetLearner", () => {
  it("shows the record, enrolments, grades, completion, credentials, and how far each one is", async () => {
    const learner = await records.getLearner({ username: "ana" });
    expect(learner).toMatchObject({
      username: "ana",
      learner: { fullName: "Ana Kovač", learnerId: "M-17", isActive: true },
      hasMoreContexts: false,
      credentials: [{ username: "ana", issuedBy: "registrar", learningContextKey: COURSE }],
      hasMoreCredentials: false,
    });
    const [elsewhere, course, path] = learner.contexts;
    expect(course).toMatchObject({
      learningContextKey: COURSE,
      displayName: "Course One",
      isEnrolled: true,
      courses: [
        {
          courseKey: COURSE,
          grades: [
            { key: "exam", value: 90 },
            { key: "total", value: 90 },
          ],
          completion: 0.25,
        },
      ],
      eligibility: [
        {
          configurationId: academy.configurationId,
          eligibility: {
            name: "Certificate",
            isEligible: true,
            existingCredential: { uuid: expect.any(String) },
          },
        },
      ],
    });
    expect(course?.eligibility[0]?.eligibility?.existingCredential?.downloadUrl).toBeUndefined();
    expect(elsewhere).toMatchObject({ learningContextKey: ELSEWHERE, isEnrolled: false, eligibility: [] });
    expect(path).toMatchObject({
      learningContextKey: PATH,
      isEnrolled: true,
      courses: [{ courseKey: COURSE }],
    });
  });

  it("finds nobody without data", async () => {
    await expect(records.getLearner({ username: "nobody" })).rejects.toThrow('no learner named "nobody"');
  });
});

describe("ListLearningContexts", () => {
  const list = async (request: Parameters<typeof records.listLearningContexts>[0]) =>
    (await records.listLearningContexts(request)).contexts.map(
      ({ learningContextKey }) => learningContextKey,
    );

  it("counts enrolled learners, configurations and credentials", async () => {
    await academy.service.app.database
      .knex("credentials")
      .update({ status: "available", file_key: "key", file_sha256: Buffer.alloc(32), file_size: 1 });
    const { contexts } = await records.listLearningContexts({});
    expect(contexts).toMatchObject([
      {
        learningContextKey: ELSEWHERE,
        displayName: "Ślad światła",
        enrolledCount: 1,
        configuredCount: 0,
        issuedCount: 0,
      },
      {
        learningContextKey: COURSE,
        displayName: "Course One",
        category: "",
        enrolledCount: 2,
        configuredCount: 1,
        issuedCount: 1,
      },
      {
        learningContextKey: PATH,
        displayName: "Both",
        category: "Professional Certificate",
        enrolledCount: 1,
        configuredCount: 0,
        issuedCount: 0,
      },
    ]);
  });

  it("finds by words of the name and by the beginning of the key, page by page", async () => {
    expect(await list({ query: "swiatla" })).toEqual([ELSEWHERE]);
    expect(await list({ query: "course-v1:Uni+" })).toEqual([COURSE]);
    expect(await list({ query: "polytechnic" })).toEqual([ELSEWHERE]);
    expect(await list({ query: "_ourse-v1" })).toEqual([]);
    expect(await list({ configuredOnly: true })).toEqual([COURSE]);
    await expect(records.listLearningContexts({ pageSize: -1 })).rejects.toThrow(
      "page_size is -1; it must be 1 to 100, or 0 for the default, 100.",
    );
    const first = await records.listLearningContexts({ pageSize: 1 });
    expect(await list({ pageSize: 1, pageToken: first.nextPageToken })).toEqual([COURSE]);
  });
});

it("staff limited to organisations see only the learners, contexts and credentials of these", async () => {
  const service = await startTestService({
    beside: academy.service,
    settings: { AUTH_JWT_ORGANISATIONS_CLAIM: "organisations" },
  });
  const client = service.client(LearnerRecordService, await boundedToken(service, ["Polytechnic"]));
  const { learners } = await client.searchLearners({});
  expect(learners).toMatchObject([
    { learner: { username: "ana" }, credentialCount: 0 },
    { learner: { username: "cleo" }, credentialCount: 0 },
  ]);
  await expect(client.listLongestNames({ learningContextKey: COURSE })).rejects.toThrow(ConnectError);
  expect((await client.listLongestNames({ learningContextKey: ELSEWHERE })).fullNames).toHaveLength(1);
  const ana = await client.getLearner({ username: "ana" });
  expect(ana.contexts.map(({ learningContextKey }) => learningContextKey)).toEqual([ELSEWHERE]);
  expect(ana.credentials).toEqual([]);
  await expect(client.getLearner({ username: "ben" })).rejects.toThrow("no learner named");
  const { contexts } = await client.listLearningContexts({});
  expect(contexts.map(({ learningContextKey }) => learningContextKey)).toEqual([ELSEWHERE]);
  await service.stop();
});
