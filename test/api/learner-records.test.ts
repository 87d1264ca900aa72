import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type TimestampSchema, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type Client, Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfigurationService } from "../../gen/learning_credentials/v1/configuration_service_pb.js";
import { EligibilityService } from "../../gen/learning_credentials/v1/eligibility_service_pb.js";
import { LearnerRecordService } from "../../gen/learning_credentials/v1/learner_record_service_pb.js";
import type {
  CompletionSchema,
  CourseSchema,
  EnrollmentSchema,
  LearnerSchema,
  LearningPathSchema,
  RecordSchema,
  SubsectionGradeSchema,
} from "../../gen/learning_credentials/v1/record_pb.js";
import { startTestService, type TestService, tokenOf } from "../support/service.js";

interface RecordInit {
  kind?: NonNullable<MessageInitShape<typeof RecordSchema>["kind"]>;
  deleted?: boolean;
  observedAt?: MessageInitShape<typeof TimestampSchema>;
}
type Records = Client<typeof LearnerRecordService>;

const COURSE = "course-v1:Uni+C1+2026";
const PATH = "path-v1:Uni+P1+2026+a";
const NOON = Date.UTC(2026, 0, 15, 12);

let service: TestService;
let platform: string;
/** The same service by its two kinds of door. */
let doors: Record<"Connect" | "gRPC", Records>;
let records: Records;

beforeAll(async () => {
  service = await startTestService();
  platform = await tokenOf({ username: "lms", service: "write" });
  const grpc = createGrpcTransport({
    baseUrl: `http://${service.grpcAddress}`,
    interceptors: [
      (next) => (request) => {
        request.header.set("authorization", `Bearer ${platform}`);
        return next(request);
      },
    ],
  });
  records = service.client(LearnerRecordService, platform);
  doors = { Connect: records, gRPC: createClient(LearnerRecordService, grpc) };
});

afterAll(() => service.stop());

const attributes = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key_${index}`, "value"]));
const learner = (username: string, more: MessageInitShape<typeof LearnerSchema> = {}): RecordInit => ({
  kind: { case: "learner", value: { username, fullName: "Ana Kovač", ...more } },
});
const course = (more: MessageInitShape<typeof CourseSchema> = {}): RecordInit => ({
  kind: { case: "course", value: { courseKey: COURSE, displayName: "Course One", ...more } },
});
const path = (more: MessageInitShape<typeof LearningPathSchema> = {}): RecordInit => ({
  kind: { case: "learningPath", value: { pathKey: PATH, displayName: "Path One", ...more } },
});
const enrollment = (username: string, more: MessageInitShape<typeof EnrollmentSchema> = {}): RecordInit => ({
  kind: { case: "enrollment", value: { username, learningContextKey: COURSE, ...more } },
});
const grade = (username: string, more: MessageInitShape<typeof SubsectionGradeSchema> = {}): RecordInit => ({
  kind: {
    case: "subsectionGrade",
    value: {
      username,
      courseKey: COURSE,
      usageKey: "exam",
      assignmentType: "Exam",
      earned: 9,
      possible: 10,
      ...more,
    },
  },
});
const completion = (username: string, more: MessageInitShape<typeof CompletionSchema> = {}): RecordInit => ({
  kind: { case: "completion", value: { username, courseKey: COURSE, percent: 0.5, ...more } },
});
const policy = (...entries: [string, number][]) =>
  course({ gradingPolicy: entries.map(([assignmentType, weight]) => ({ assignmentType, weight })) });
const observed = (record: RecordInit, ms: number, more: RecordInit = {}): RecordInit => ({
  ...record,
  observedAt: timestampFromMs(ms),
  ...more,
});

let users = 0;
const newUsername = () => `user-${++users}`;

async function isKept(username: string): Promise<boolean> {
  const { rows } = await service.app.database.knex.raw("select from learners where username = ?", [username]);
  return rows.length === 1;
}

async function* each<T>(...items: T[]): AsyncIterable<T> {
  yield* items;
}

async function errorOf(call: Promise<unknown>): Promise<ConnectError> {
  return ConnectError.from(
    await call.then(
      () => new Error("the call succeeded"),
      (error: unknown) => error,
    ),
  );
}

describe("a correction that leaves the address out", () => {
  const addressOf = async (username: string) => {
    const { rows } = await service.app.database.knex.raw(
      "select email, full_name as name from learners where username = ?",
      [username],
    );
    return rows[0];
  };
  const tell = async (...told: RecordInit[]) => {
    const { summary } = await records.upsertRecords({ records: told });
    return summary;
  };
  const email = "ana@example.org";

  it("keeps it; an empty one removes it; a new learner has none", async () => {
    const username = newUsername();
    await tell(observed(learner(username, { email }), NOON));
    await tell(observed(learner(username, { fullName: "Ana Corrected" }), NOON + 1));
    expect(await addressOf(username)).toEqual({ email, name: "Ana Corrected" });
    await tell(observed(learner(username, { fullName: "Ana Corrected", email: "" }), NOON + 2));
    expect(await addressOf(username)).toEqual({ email: "", name: "Ana Corrected" });
    const fresh = newUsername();
    await tell(learner(fresh));
    expect((await addressOf(fresh)).email).toBe("");
  });

  it("changes nothing when it says what is known", async () => {
    const username = newUsername();
    await tell(observed(learner(username, { email }), NOON));
    expect(await tell(observed(learner(username), NOON))).toMatchObject({ written: 0, unchanged: 1 });
    expect((await addressOf(username)).email).toBe(email);
    expect(await tell(observed(learner(username, { email: "" }), NOON))).toMatchObject({ written: 1 });
  });

  it("keeps the one that came before it in the same request, and not one that was withdrawn", async () => {
    const [username, gone] = [newUsername(), newUsername()];
    await tell(learner(username, { email }), learner(username, { fullName: "Last" }));
    expect(await addressOf(username)).toEqual({ email, name: "Last" });
    await tell(learner(gone, { email }), { ...learner(gone), deleted: true }, learner(gone));
    expect((await addressOf(gone)).email).toBe("");
  });

  it("over every door, and beside others who tell the same learner anew", async () => {
    for (const door of Object.values(doors)) {
      const username = newUsername();
      await door.importRecords(each({ records: [learner(username, { email })] }));
      await door.importRecords(each({ records: [learner(username, { fullName: "B" })] }));
      expect(await addressOf(username)).toEqual({ email, name: "B" });
    }
    const username = newUsername();
    await tell(learner(username, { email }));
    await Promise.all(Array.from({ length: 8 }, () => tell(learner(username))));
    expect((await addressOf(username)).email).toBe(email);
  });
});

it("a byte order mark that a username begins with is dropped, over every door alike", async () => {
  for (const door of Object.values(doors)) {
    const username = newUsername();
    await door.upsertRecords({ records: [learner(username, { fullName: "Plain" })] });
    await door.upsertRecords({ records: [learner(`\ufeff${username}`, { fullName: "Marked" })] });
    const kept = await service.app.database.knex("learners").where("username", "like", `%${username}`);
    expect(kept).toMatchObject([{ username, full_name: "Marked" }]);
  }
});

describe("what is accepted", () => {
  it.each<[string, RecordInit]>([
    ["a learner", learner("a1", { email: "ana@example.org", locale: "pt-br", isActive: false })],
    ["a learner without e-mail and name", learner("a2", { fullName: "" })],
    [
      "a learner with an ID and 20 attributes",
      learner("a4", { learnerId: "x".repeat(64), attributes: attributes(20) }),
    ],
    [
      "attributes of 255 characters with a key of 40",
      learner("a5", { attributes: { ["k".repeat(40)]: "x".repeat(255) } }),
    ],
    ["a name of 255 characters beyond the first plane", learner("a3", { fullName: "😀".repeat(255) })],
    ["an address in any script", learner("a4", { email: "юзер@пример.рф" })],
    ["a course without policy", course({ courseKey: "course-v1:Uni+A+1" })],
    ["a course name in two lines", course({ courseKey: "course-v1:Uni+A+2", displayName: "One\nTwo" })],
    ["a path without steps", path({ pathKey: "path-v1:Uni+A+1+x" })],
    [
      "a path with steps",
      path({ pathKey: "path-v1:Uni+A+2+x", stepCourseKeys: [COURSE], inviteOnly: false }),
    ],
    ["an enrolment in a course", enrollment("a1")],
    ["an enrolment in a path", enrollment("a1", { learningContextKey: PATH, isActive: false })],
    ["extra credit", grade("a1", { earned: 12, possible: 10 })],
    ["nothing possible", grade("a2", { earned: 1, possible: 0 })],
    [
      "an assignment type named as something else is in JavaScript",
      grade("a3", { assignmentType: "constructor" }),
    ],
    ["a completion of 1", completion("a1", { percent: 1 })],
    ["observed at the beginning of time", { ...completion("a2"), observedAt: { seconds: -62135596800n } }],
    ["observed a little in the future", observed(completion("a3"), Date.now() + 23 * 3600_000)],
    [
      "withdrawing what was never told",
      { ...grade("a9", { assignmentType: "", earned: -1 }), deleted: true },
    ],
  ])("%s", async (_, record) => {
    const { summary } = await records.upsertRecords({ records: [record] });
    expect(summary).toMatchObject({ received: 1, written: 1, unchanged: 0, rejected: 0, warnings: [] });
  });

  it.each([
    [
      [
        ["Exam", 0.5],
        ["Quiz", 0.4],
      ] as [string, number][],
      "sum to 0.9, not to 1",
    ],
    [
      [
        ["Exam", 1],
        ["Quiz", 1],
      ] as [string, number][],
      "sum to 2, not to 1",
    ],
    [
      [
        ["Exam", 0.1],
        ["Quiz", 0.2],
        ["Lab", 0.7],
      ] as [string, number][],
      undefined,
    ],
  ])("weights %j, with a warning where they do not sum to 1", async (entries, warning) => {
    const { summary } = await records.upsertRecords({ records: [policy(...entries)] });
    expect(summary?.warnings).toEqual(
      warning ? [`${COURSE}: the weights of the grading policy ${warning}.`] : [],
    );
  });

  it("5000 records in a message", async () => {
    const many = Array.from({ length: 5000 }, (_, index) => completion(`many-${index}`));
    const { summary } = await records.upsertRecords({ records: many });
    expect(summary).toMatchObject({ received: 5000, written: 5000 });
  });

  it("the longest key that an index can hold, of letters that can't be compressed", async () => {
    const random = (length: number) =>
      Array.from({ length }, () => String.fromCodePoint(0x20000 + Math.floor(Math.random() * 0xa000))).join(
        "",
      );
    const username = random(255);
    const { summary } = await records.upsertRecords({
      records: [
        learner(username),
        enrollment(username),
        completion(username),
        grade(username, { usageKey: random(255), courseKey: `course-v1:${random(120)}+c+r` }),
      ],
    });
    expect(summary).toMatchObject({ written: 4 });
  });
});

const bad: [string, RecordInit, RegExp][] = [
  ["an empty record", {}, /The record says nothing: give one of learner, course, /],
  ["no username", learner(""), /learner\.username is empty/],
  ["a blank username", learner("  "), /learner\.username is blank/],
  [
    "a username of 256 characters",
    learner("x".repeat(256)),
    /learner\.username has 256 characters; at most 255/,
  ],
  ["a username of 256 astral characters", learner("😀".repeat(256)), /has 256 characters/],
  [
    "a name of 100,000 bytes",
    learner("u", { fullName: "x".repeat(100_000) }),
    /full_name has 100000 characters/,
  ],
  [
    "NUL",
    learner("u", { fullName: "A\u0000B" }),
    /learner\.full_name contains the control character U\+0000/,
  ],
  ["an escape", learner("u\u001b[31m"), /learner\.username contains the control character U\+001B/],
  [
    "an ID that is too long",
    learner("u", { learnerId: "x".repeat(65) }),
    /learner\.learner_id has 65 characters/,
  ],
  [
    "too many attributes",
    learner("u", { attributes: attributes(21) }),
    /learner\.attributes has 21 entries; at most 20/,
  ],
  ...["A", "1a", "a-b", "", "k".repeat(41)].map(
    (key) =>
      [
        `an attribute named ${JSON.stringify(key)}`,
        learner("u", { attributes: Object.fromEntries([[key, "x"]]) }),
        /learner\.attributes has the key .*; a key has 1 to 40 lower-case letters/,
      ] as [string, RecordInit, RegExp],
  ),
  [
    "an attribute that is too long",
    learner("u", { attributes: { a: "x".repeat(256) } }),
    /learner\.attributes\.a has 256/,
  ],
  ["a control character of the second range", learner("u", { fullName: "A\u0085B" }), /U\+0085/],
  ["a line break in a name", learner("u", { fullName: "A\nB" }), /U\+000A/],
  ["two addresses", learner("u", { email: "a@x.org,b@x.org" }), /learner\.email is not one plain mailbox/],
  ["two addresses with a semicolon", learner("u", { email: "a@x.org;b@x.org" }), /learner\.email/],
  ["an address with a name", learner("u", { email: "Ana <a@x.org>" }), /learner\.email/],
  ["an address with a header", learner("u", { email: "a@x.org\r\nBcc: b@x.org" }), /learner\.email.*U\+000D/],
  ["an address with a comment", learner("u", { email: "a(b)@x.org" }), /learner\.email/],
  ["an address in quotes", learner("u", { email: '"a b"@x.org' }), /learner\.email/],
  ["an address without a host", learner("u", { email: "a@" }), /learner\.email/],
  ["an address that is none", learner("u", { email: "nobody" }), /learner\.email/],
  [
    "an address of 255 characters",
    learner("u", { email: `${"a".repeat(249)}@x.org` }),
    /email has 255 characters/,
  ],
  ["a locale that is none", learner("u", { locale: "pt_BR!" }), /learner\.locale is "pt_BR!"/],
  [
    "a locale that never ends",
    learner("u", { locale: `en-x${"-abc".repeat(25_000)}` }),
    /learner\.locale has/,
  ],
  ["no course key", course({ courseKey: "" }), /course\.course_key: Invalid course key: ""/],
  ["a path as course", course({ courseKey: PATH }), /course\.course_key: Invalid course key/],
  ["a course as path", path({ pathKey: COURSE }), /learning_path\.path_key: Invalid learning path key/],
  ["no course name", course({ displayName: "" }), /course\.display_name is empty/],
  ["a course name of blanks", course({ displayName: " \n " }), /course\.display_name is blank/],
  ["a course name with a tab", course({ displayName: "A\tB" }), /course\.display_name .*U\+0009/],
  ["no path name", path({ displayName: "" }), /learning_path\.display_name is empty/],
  [
    "a path as step",
    path({ stepCourseKeys: [COURSE, PATH] }),
    /learning_path\.step_course_keys\[1\]: Invalid course key/,
  ],
  [
    "a step twice",
    path({ stepCourseKeys: [COURSE, COURSE] }),
    /learning_path\.step_course_keys names .* more than once/,
  ],
  [
    "201 steps",
    path({ stepCourseKeys: Array.from({ length: 201 }, (_, i) => `course-v1:Uni+S${i}+1`) }),
    /step_course_keys has 201 entries; at most 200/,
  ],
  [
    "101 assignment types",
    policy(...Array.from({ length: 101 }, (_, i): [string, number] => [`T${i}`, 0])),
    /101 entries/,
  ],
  [
    "types that are one in lower case",
    policy(["Exam", 0.5], ["EXAM", 0.5]),
    /grading_policy names "exam" more than once/,
  ],
  [
    "a nameless type",
    policy(["Exam", 0.5], ["", 0.5]),
    /course\.grading_policy\[1\]\.assignment_type is empty/,
  ],
  ...["total", "Total", "TOTAL", "__proto__", "__PROTO__"].flatMap((name): [string, RecordInit, RegExp][] => [
    [`${name} in a policy`, policy([name, 1]), /grading_policy\[0\]\.assignment_type must not be named/],
    [
      `${name} in a grade`,
      grade("u", { assignmentType: name }),
      /subsection_grade\.assignment_type must not be named/,
    ],
  ]),
  [
    "a weight above 1",
    policy(["Exam", 1.01]),
    /course\.grading_policy\[0\]\.weight is 1\.01; it must be a number from 0 to 1/,
  ],
  ["a negative weight", policy(["Exam", -0.5]), /course\.grading_policy\[0\]\.weight is -0\.5/],
  ["a weight that is no number", policy(["Exam", Number.NaN]), /weight is NaN/],
  ["an enrolment of nobody", enrollment(""), /enrollment\.username is empty/],
  [
    "an enrolment in nothing",
    enrollment("u", { learningContextKey: "" }),
    /enrollment\.learning_context_key: Invalid/,
  ],
  ["a grade of nothing", grade("u", { usageKey: "" }), /subsection_grade\.usage_key is empty/],
  ["a grade in a path", grade("u", { courseKey: PATH }), /subsection_grade\.course_key: Invalid course key/],
  [
    "a negative grade",
    grade("u", { earned: -1 }),
    /subsection_grade\.earned is -1; it must be a number from 0 to 1000000000/,
  ],
  ["a grade that is no number", grade("u", { earned: Number.NaN }), /subsection_grade\.earned is NaN/],
  [
    "an infinite grade",
    grade("u", { possible: Number.POSITIVE_INFINITY }),
    /subsection_grade\.possible is Infinity/,
  ],
  [
    "a grade beyond every limit",
    grade("u", { possible: 1e9 + 1 }),
    /subsection_grade\.possible is 1000000001/,
  ],
  [
    "keys too long for the index",
    grade("😀".repeat(255), { usageKey: "😀".repeat(255), courseKey: `course-v1:${"数".repeat(241)}+c+r` }),
    /take \d+ bytes together/,
  ],
  [
    "a completion above 1",
    completion("u", { percent: 1.0000001 }),
    /completion\.percent is 1\.0000001; it must be a number from 0 to 1/,
  ],
  ["a completion in percent", completion("u", { percent: 85 }), /completion\.percent is 85/],
  ["a negative completion", completion("u", { percent: -0.1 }), /completion\.percent is -0\.1/],
  ["a completion that is no number", completion("u", { percent: Number.NaN }), /completion\.percent is NaN/],
  [
    "observed in two days",
    observed(completion("u"), Date.now() + 48 * 3600_000),
    /observed_at .* one day from now/,
  ],
  ["a withdrawal without key", { ...learner(""), deleted: true }, /learner\.username is empty/],
];

describe.each(["Connect", "gRPC"] as const)("what is refused, over %s", (door) => {
  it.each(bad)("%s", async (_, record, reason) => {
    const username = newUsername();
    const error = await errorOf(doors[door].upsertRecords({ records: [learner(username), record] }));
    expect(error.rawMessage).toMatch(reason);
    expect(error.rawMessage).toMatch(/^Record 1 \(counted from 0\): /);
    expect(error.rawMessage.length).toBeLessThan(600);
    expect(error.code).toBe(Code.InvalidArgument);
    expect(await isKept(username)).toBe(false);
  });

  it("no record at all", async () => {
    const error = await errorOf(doors[door].upsertRecords({}));
    expect(error).toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: "records is empty: give at least one record.",
    });
  });

  it("more than 5000 records in a message", async () => {
    const many = Array.from({ length: 5001 }, () => completion("u"));
    const error = await errorOf(doors[door].upsertRecords({ records: many }));
    expect(error.code).toBe(Code.InvalidArgument);
    expect(error.rawMessage).toBe("A message holds 5001 records; at most 5000 are accepted.");
  });
});

it("refuses what was observed before the calendar begins, as only gRPC can say it", async () => {
  const records = [{ ...completion("u"), observedAt: { seconds: -62_135_596_801n } }];
  const error = await errorOf(doors.gRPC.upsertRecords({ records }));
  expect(error.code).toBe(Code.InvalidArgument);
  expect(error.rawMessage).toMatch(/observed_at is -62135596801 s and 0 ns after 1970; it must lie between/);
});

describe("a message that can't be read", () => {
  it.each([
    ["half of a surrogate pair", '{"records":[{"learner":{"username":"a\\ud800"}}]}'],
    ["an unknown field", '{"records":[{"learner":{"username":"a","fullname":"A"}}]}'],
    ["two kinds in one record", '{"records":[{"learner":{"username":"a"},"course":{}}]}'],
    ["a number as a word", '{"records":[{"completion":{"percent":"many"}}]}'],
    ["not JSON", '{"records":['],
  ])("is refused: %s", async (_, body) => {
    const response = await fetch(`${service.httpUrl}/${LearnerRecordService.typeName}/UpsertRecords`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${platform}` },
      body,
    });
    expect(await response.json()).toMatchObject({ code: "invalid_argument" });
    expect(response.status).toBe(400);
  });
});

describe("who may send records", () => {
  it.each([
    ["nobody", undefined, Code.Unauthenticated],
    ["a learner", { username: "ana" }, Code.PermissionDenied],
    ["a staff user", { username: "registrar", isStaff: true }, Code.PermissionDenied],
    ["a service that may read", { username: "report", service: "read" as const }, Code.PermissionDenied],
  ])("not %s", async (_, caller, code) => {
    const username = newUsername();
    const client = service.client(LearnerRecordService, caller && (await tokenOf(caller)));
    expect((await errorOf(client.upsertRecords({ records: [learner(username)] }))).code).toBe(code);
    expect((await errorOf(client.importRecords(each({ records: [learner(username)] })))).code).toBe(code);
    expect(await isKept(username)).toBe(false);
  });
});

describe("records that come again, late or in any order", () => {
  const eligibility = async (username: string, learningContextKey = COURSE) => {
    const eligibilities = service.client(EligibilityService, staff);
    const { credentials } = await eligibilities.getEligibility({ learningContextKey, username });
    return credentials[0];
  };
  /** The percentage in Exam; 0: none. */
  const exam = async (username: string) =>
    (await eligibility(username))?.currentGrades.find(({ key }) => key === "exam")?.value;

  const configure = (learningContextKey: string) =>
    service.client(ConfigurationService, staff).createCredentialConfiguration({
      credentialConfiguration: { learningContextKey, credentialTypeId },
    });

  let staff: string;
  let credentialTypeId: number;

  beforeAll(async () => {
    staff = await tokenOf({ username: "registrar", isStaff: true });
    const type = await service.client(ConfigurationService, staff).createCredentialType({
      credentialType: {
        name: "Completed and graded",
        retrievalFunc: "learning_credentials.processors.retrieve_completions_and_grades",
        generationFunc: "learning_credentials.generators.generate_pdf_credential",
        customOptions: { required_completion: 0.5, required_grades: { Exam: 0.6, Total: 0.6 } },
      },
    });
    credentialTypeId = type.id;
    await configure(COURSE);
    await records.upsertRecords({ records: [policy(["Exam", 1])] });
  });

  /** A learner with a record. */
  const newLearner = async () => {
    const username = newUsername();
    await records.upsertRecords({ records: [learner(username)] });
    return username;
  };

  it("change nothing the second time", async () => {
    const username = newUsername();
    const all = [
      learner(username),
      enrollment(username),
      grade(username),
      completion(username),
      course({ courseKey: "course-v1:Uni+Again+1", gradingPolicy: [{ assignmentType: "Exam", weight: 1 }] }),
      path({ stepCourseKeys: [COURSE] }),
    ].map((record) => observed(record, NOON));
    expect((await records.upsertRecords({ records: all })).summary).toMatchObject({
      written: 6,
      unchanged: 0,
    });
    const again = await records.upsertRecords({ records: all });
    expect(again.summary).toMatchObject({ received: 6, written: 0, unchanged: 6 });
    const withdrawn = all.map((record) => ({ ...record, deleted: true }));
    expect((await records.upsertRecords({ records: withdrawn })).summary).toMatchObject({ written: 6 });
    expect((await records.upsertRecords({ records: withdrawn })).summary).toMatchObject({ unchanged: 6 });
    await records.upsertRecords({ records: [policy(["Exam", 1])] });
  });

  const at = (micros: number) => ({ seconds: BigInt(NOON / 1000), nanos: micros * 1000 });
  const told = (username: string, micros: number, earned: number | "withdrawn"): RecordInit => ({
    ...grade(username, earned === "withdrawn" ? {} : { earned }),
    deleted: earned === "withdrawn",
    observedAt: at(micros),
  });

  it.each<[string, [number, number | "withdrawn"][], number]>([
    [
      "a newer one counts",
      [
        [1, 5],
        [2, 6],
      ],
      60,
    ],
    [
      "an older one that comes late does not",
      [
        [2, 6],
        [1, 5],
      ],
      60,
    ],
    [
      "a microsecond decides",
      [
        [999_999, 6],
        [999_998, 5],
      ],
      60,
    ],
    [
      "of one moment, the later sent counts",
      [
        [1, 5],
        [1, 6],
      ],
      60,
    ],
    [
      "a withdrawn grade does not count",
      [
        [1, 5],
        [2, "withdrawn"],
      ],
      0,
    ],
    [
      "an older one does not bring it back",
      [
        [1, 5],
        [3, "withdrawn"],
        [2, 6],
      ],
      0,
    ],
    [
      "a newer one does",
      [
        [1, 5],
        [2, "withdrawn"],
        [3, 6],
      ],
      60,
    ],
    [
      "a withdrawal that comes late does not count",
      [
        [2, 6],
        [1, "withdrawn"],
      ],
      60,
    ],
    [
      "a withdrawal before anything was told outweighs what is older",
      [
        [2, "withdrawn"],
        [1, 6],
      ],
      0,
    ],
  ])("%s", async (_, sent, expected) => {
    const apart = await newLearner();
    for (const [micros, earned] of sent)
      await records.upsertRecords({ records: [told(apart, micros, earned)] });
    const together = await newLearner();
    const { summary } = await records.upsertRecords({
      records: sent.map(([micros, earned]) => told(together, micros, earned)),
    });
    expect(await exam(apart)).toBe(expected);
    expect(await exam(together)).toBe(expected);
    expect(summary).toMatchObject({ received: sent.length, written: 1, unchanged: sent.length - 1 });
  });

  it("end in what was observed last, however they are ordered and batched", async () => {
    const fact = fc.record({
      micros: fc.nat(3),
      earned: fc.integer({ min: 1, max: 9 }),
      withdrawn: fc.boolean(),
    });
    const batches = fc.array(fc.array(fact, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(batches, async (sent) => {
        const username = await newLearner();
        for (const batch of sent) {
          await records.upsertRecords({
            records: batch.map(({ micros, earned, withdrawn }) =>
              told(username, micros, withdrawn ? "withdrawn" : earned),
            ),
          });
        }
        const last = sent.flat().reduce((known, next) => (next.micros >= known.micros ? next : known));
        expect(await exam(username)).toBe(last.withdrawn ? 0 : last.earned * 10);
      }),
      { numRuns: 50 },
    );
  });

  it("without a moment count from now on, and outweigh what was observed before", async () => {
    const username = await newLearner();
    await records.upsertRecords({ records: [grade(username, { earned: 6 })] });
    await records.upsertRecords({ records: [observed(grade(username, { earned: 5 }), Date.now() - 60_000)] });
    expect(await exam(username)).toBe(60);
    await records.upsertRecords({ records: [grade(username, { earned: 7 })] });
    expect(await exam(username)).toBe(70);
  });

  it("take effect together, when the last of them is there, in whatever order they come", async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }), async (order) => {
        const username = newUsername();
        const courseKey = `course-v1:Uni+${username}+1`;
        await configure(courseKey);
        const all = [
          learner(username),
          course({ courseKey, gradingPolicy: [{ assignmentType: "Exam", weight: 1 }] }),
          enrollment(username, { learningContextKey: courseKey }),
          grade(username, { courseKey }),
          completion(username, { courseKey }),
        ];
        const isEligible = () =>
          eligibility(username, courseKey).then(
            (entry) => entry?.isEligible,
            (error) => ConnectError.from(error).code,
          );
        for (const index of order) {
          expect(await isEligible()).toBeOneOf([false, Code.NotFound]);
          await records.upsertRecords({ records: [all[index] as RecordInit] });
        }
        expect(await isEligible()).toBe(true);
      }),
      { numRuns: 12 },
    );
  });

  it("may come by several imports at once, which overlap in different order, and none waits for ever", async () => {
    const usernames = Array.from({ length: 300 }, newUsername);
    const all = usernames.flatMap((username) =>
      [learner, enrollment, grade, completion].map((about) => about(username)),
    );
    const shuffled = () => fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), 1)[0] ?? [];
    const imports = Array.from({ length: 8 }, (_, index) => {
      const order = shuffled().map((record) => observed(record, NOON + index));
      return records.importRecords(each({ records: order.slice(0, 600) }, { records: order.slice(600) }));
    });
    for (const { summary } of await Promise.all(imports))
      expect(summary).toMatchObject({ received: 1200, rejected: 0 });
    const { rows } = await service.app.database.knex.raw(
      "select count(*) from completions where username = any(?) and observed_at = to_timestamp(?)",
      [usernames, (NOON + 7) / 1000],
    );
    expect(rows[0].count).toBe(300);
  });
});

describe.each(["Connect", "gRPC"] as const)("a stream of records over %s", (door) => {
  it("is counted as a whole", async () => {
    const [a, b, c] = [newUsername(), newUsername(), newUsername()];
    const { summary, rejected } = await doors[door].importRecords(
      each(
        { records: [learner(a), learner(b)].map((it) => observed(it, NOON)) },
        {},
        { records: [observed(learner(a), NOON), learner(c)] },
      ),
    );
    expect(summary).toMatchObject({ received: 4, written: 3, unchanged: 1, rejected: 0 });
    expect(rejected).toEqual([]);
  });

  it("goes into few transactions, however small its messages", async () => {
    const usernames = Array.from({ length: 200 }, newUsername);
    const messages = usernames.map((username) => ({ records: [learner(username)] }));
    const { summary } = await doors[door].importRecords(each(...messages));
    expect(summary).toMatchObject({ received: 200, written: 200 });
    const { rows } = await service.app.database.knex.raw(
      "select count(distinct xmin::text) from learners where username = any(?)",
      [usernames],
    );
    expect(rows[0].count).toBeLessThan(200);
  });

  it("counts a fact that several messages tell as often as it is told", async () => {
    const username = newUsername();
    const messages = Array.from({ length: 40 }, (_, index) => ({
      records: [observed(grade(username, { earned: index % 10 }), NOON + index), learner(newUsername())],
    }));
    const { summary } = await doors[door].importRecords(each(...messages, ...messages.slice(0, 10)));
    expect(summary).toMatchObject({ received: 100, written: 90, unchanged: 10 });
    const { rows } = await service.app.database.knex.raw(
      "select earned from subsection_grades where username = ?",
      [username],
    );
    expect(rows).toEqual([{ earned: "9" }]);
  });

  it("may be empty", async () => {
    const { summary } = await doors[door].importRecords(each());
    expect(summary).toMatchObject({ received: 0, written: 0 });
  });

  it("ends at the first invalid record: what came in batches before stays, nothing of its batch is written", async () => {
    const [before, same, after] = [newUsername(), newUsername(), newUsername()];
    const error = await errorOf(
      doors[door].importRecords(
        each(
          { records: [learner(before)] },
          { records: [learner(same), completion(same, { percent: 2 })] },
          { records: [learner(after)] },
        ),
      ),
    );
    expect(error.code).toBe(Code.InvalidArgument);
    expect(error.rawMessage).toBe(
      "Record 2 (counted from 0): completion.percent is 2; it must be a number from 0 to 1.",
    );
    expect(await Promise.all([before, same, after].map(isKept))).toEqual([true, false, false]);
  });

  it("carries on past invalid records when told so, and reports them by their position", async () => {
    const [a, b] = [newUsername(), newUsername()];
    const { summary, rejected } = await doors[door].importRecords(
      each(
        { records: [learner(a), {}], skipInvalid: true },
        { records: [completion(b, { percent: 2 }), learner(b)] },
      ),
    );
    expect(summary).toMatchObject({ received: 4, written: 2, unchanged: 0, rejected: 2 });
    expect(rejected).toMatchObject([
      { index: 1, reason: expect.stringContaining("The record says nothing") },
      { index: 2, reason: "completion.percent is 2; it must be a number from 0 to 1." },
    ]);
    expect(await Promise.all([a, b].map(isKept))).toEqual([true, true]);
  });

  it("reports the first 1000 invalid records and counts all", async () => {
    const { summary, rejected } = await doors[door].importRecords(
      each({ records: Array.from({ length: 1001 }, () => ({})), skipInvalid: true }),
    );
    expect(summary).toMatchObject({ received: 1001, rejected: 1001 });
    expect(rejected).toHaveLength(1000);
  });

  it("writes nothing more once it is cancelled, not even of the batch that is being written", async () => {
    const [first, locked, late] = [newUsername(), newUsername(), newUsername()];
    await records.upsertRecords({ records: [observed(learner(locked), NOON)] });
    const { knex } = service.app.database;
    const lock = await knex.transaction();
    await lock.raw("select from learners where username = ? for update", [locked]);
    const cancelling = new AbortController();
    const released = new AbortController();
    async function* batches() {
      yield { records: [learner(first)] };
      yield { records: [learner(late), learner(locked)] }; // waits for the lock
      await once(released.signal, "abort");
      yield { records: [learner(newUsername())] };
    }
    const call = errorOf(doors[door].importRecords(batches(), { signal: cancelling.signal }));
    while (!(await isWaiting())) await sleep(10);
    cancelling.abort();
    expect((await call).code).toBe(Code.Canceled);
    while (await isWaiting()) await sleep(10);
    await lock.rollback();
    released.abort();
    await sleep(50);
    expect(await Promise.all([first, late].map(isKept))).toEqual([true, false]);

    async function isWaiting(): Promise<boolean> {
      const { rows } = await knex.raw(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length > 0;
    }
  });
});
