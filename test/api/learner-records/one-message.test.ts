import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { tokenOf } from "../../support/service.js";
import {
  attributes,
  COURSE,
  completion,
  course,
  courseGrade,
  each,
  enrollment,
  errorOf,
  givenPlatform,
  grade,
  learner,
  NOON,
  newUsername,
  observed,
  PATH,
  path,
  policy,
  type RecordInit,
} from "./platform.js";

const platform = givenPlatform();

describe("a correction without an email address", () => {
  const addressOf = async (username: string) => {
    const { rows } = await platform.service.app.database.knex.raw(
      "select email, full_name as name from learners where username = ?",
      [username],
    );
    return rows[0];
  };
  const report = async (...reported: RecordInit[]) => {
    const { summary } = await platform.records.upsertRecords({ records: reported });
    return summary;
  };
  const email = "ana@example.org";

  it("keeps the known one; an empty address removes it; a new learner has none", async () => {
    const username = newUsername();
    await report(observed(learner(username, { email }), NOON));
    await report(observed(learner(username, { fullName: "Ana Corrected" }), NOON + 1));
    expect(await addressOf(username)).toEqual({ email, name: "Ana Corrected" });
    await report(observed(learner(username, { fullName: "Ana Corrected", email: "" }), NOON + 2));
    expect(await addressOf(username)).toEqual({ email: "", name: "Ana Corrected" });
    const fresh = newUsername();
    await report(learner(fresh));
    expect((await addressOf(fresh)).email).toBe("");
  });

  it("changes nothing if it repeats what is known", async () => {
    const username = newUsername();
    await report(observed(learner(username, { email }), NOON));
    expect(await report(observed(learner(username), NOON))).toMatchObject({ written: 0, unchanged: 1 });
    expect((await addressOf(username)).email).toBe(email);
    expect(await report(observed(learner(username, { email: "" }), NOON))).toMatchObject({ written: 1 });
  });

  it("keeps the address sent earlier in the same request, unless that was withdrawn", async () => {
    const [username, gone] = [newUsername(), newUsername()];
    await report(learner(username, { email }), learner(username, { fullName: "Last" }));
    expect(await addressOf(username)).toEqual({ email, name: "Last" });
    await report(learner(gone, { email }), { ...learner(gone), deleted: true }, learner(gone));
    expect((await addressOf(gone)).email).toBe("");
  });

  it("keeps an address that was observed later than those in the same request", async () => {
    const [known, fresh] = [newUsername(), newUsername()];
    const [minute, old] = [60_000, { email: "old@example.org" }];
    await report(observed(learner(known, { email }), NOON));
    await report(
      observed(learner(known, old), NOON - minute),
      observed(learner(known, { fullName: "Last" }), NOON + minute),
    );
    expect(await addressOf(known)).toEqual({ email, name: "Last" });
    await report(
      observed(learner(fresh, { email }), NOON),
      observed(learner(fresh, old), NOON - minute),
      observed(learner(fresh, { fullName: "Last" }), NOON + minute),
    );
    expect(await addressOf(fresh)).toEqual({ email, name: "Last" });
  });

  it("works over every protocol, and during concurrent changes of the same learner", async () => {
    for (const transport of Object.values(platform.transports)) {
      const username = newUsername();
      await transport.importRecords(each({ records: [learner(username, { email })] }));
      await transport.importRecords(each({ records: [learner(username, { fullName: "B" })] }));
      expect(await addressOf(username)).toEqual({ email, name: "B" });
    }
    const username = newUsername();
    await report(learner(username, { email }));
    await Promise.all(Array.from({ length: 8 }, () => report(learner(username))));
    expect((await addressOf(username)).email).toBe(email);
  });
});

it("a byte order mark at the start of a username is refused over every protocol; in a name, it is dropped", async () => {
  for (const transport of Object.values(platform.transports)) {
    const username = newUsername();
    await transport.upsertRecords({ records: [learner(username, { fullName: "\ufeffPlain" })] });
    for (const record of [
      learner(`\ufeff${username}`, { fullName: "Marked" }),
      enrollment(`\ufeff${username}`),
      grade(`\ufeff${username}`),
      completion(`\ufeff${username}`),
      courseGrade(`\ufeff${username}`),
    ])
      await expect(transport.upsertRecords({ records: [record] })).rejects.toMatchObject({
        code: Code.InvalidArgument,
        message: expect.stringContaining("username begins with an invisible byte order mark (U+FEFF)"),
      });
    const storedRecords = await platform.service.app.database
      .knex("learners")
      .where("username", "like", `%${username}`);
    expect(storedRecords).toMatchObject([{ username, full_name: "Plain" }]);
  }
});

describe("accepts", () => {
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
    ["next to nothing possible", grade("a3", { earned: 1, possible: 0.000001 })],
    ["an assignment type with a name that JavaScript uses", grade("a3", { assignmentType: "constructor" })],
    ["a completion of 1", completion("a1", { percent: 1 })],
    ["a course grade of 1", courseGrade("a1", { percent: 1 })],
    ["a course grade with extra credit", courseGrade("a1", { percent: 1.15 })],
    [
      "a letter grade alone",
      { kind: { case: "courseGrade", value: { username: "a2", courseKey: COURSE, letter: "B+" } } },
    ],
    ["a scale of letter grades", course({ letterGrades: ["A", "a", "Pass", "مقبول"] })],
    ["observed at the beginning of time", { ...completion("a2"), observeTime: { seconds: -62135596800n } }],
    ["observed a little in the future", observed(completion("a3"), Date.now() + 23 * 3600_000)],
    ["withdrawing an unknown record", { ...grade("a9", { assignmentType: "", earned: -1 }), deleted: true }],
  ])("%s", async (_, record) => {
    const { summary } = await platform.records.upsertRecords({ records: [record] });
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
    const { summary } = await platform.records.upsertRecords({ records: [policy(...entries)] });
    expect(summary?.warnings).toEqual(
      warning ? [`${COURSE}: the weights of the grading policy ${warning}.`] : [],
    );
  });

  it("a total with extra credit, and a result with extra credit, unchanged", async () => {
    const username = "with-extra-credit";
    await platform.records.upsertRecords({
      records: [courseGrade(username, { percent: 1.15 }), grade(username, { earned: 115, possible: 100 })],
    });
    const { knex } = platform.service.app.database;
    const stored = (table: string, column: string) => knex(table).where({ username }).pluck(column);
    expect((await stored("course_grades", "percent")).map(Number)).toEqual([1]);
    expect((await stored("subsection_grades", "earned")).map(Number)).toEqual([115]);
  });

  it("5000 records in a message", async () => {
    const many = Array.from({ length: 5000 }, (_, index) => completion(`many-${index}`));
    const { summary } = await platform.records.upsertRecords({ records: many });
    expect(summary).toMatchObject({ received: 5000, written: 5000 });
  });

  it("the longest key that an index can hold, made of incompressible letters", async () => {
    const random = (length: number) =>
      Array.from({ length }, () => String.fromCodePoint(0x20000 + Math.floor(Math.random() * 0xa000))).join(
        "",
      );
    const username = random(255);
    const { summary } = await platform.records.upsertRecords({
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
  ["an empty record", {}, /The record is empty: set one of learner, course, /],
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
        /learner\.attributes has the key .*; a key must have 1 to 40 characters/,
      ] as [string, RecordInit, RegExp],
  ),
  [
    "an attribute that is too long",
    learner("u", { attributes: { a: "x".repeat(256) } }),
    /learner\.attributes\.a has 256/,
  ],
  ["a control character of the second range", learner("u", { fullName: "A\u0085B" }), /U\+0085/],
  ["a line break in a name", learner("u", { fullName: "A\nB" }), /U\+000A/],
  ["two addresses", learner("u", { email: "a@x.org,b@x.org" }), /learner\.email is not an email address/],
  ["two addresses with a semicolon", learner("u", { email: "a@x.org;b@x.org" }), /learner\.email/],
  ["an address with a name", learner("u", { email: "Ana <a@x.org>" }), /learner\.email/],
  ["an address with a header", learner("u", { email: "a@x.org\r\nBcc: b@x.org" }), /learner\.email.*U\+000D/],
  ["an address with a comment", learner("u", { email: "a(b)@x.org" }), /learner\.email/],
  ["an address in quotes", learner("u", { email: '"a b"@x.org' }), /learner\.email/],
  ["an address without a host", learner("u", { email: "a@" }), /learner\.email/],
  ["a malformed address", learner("u", { email: "nobody" }), /learner\.email/],
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
    [
      `${name} in a policy`,
      policy([name, 1]),
      /grading_policy\[0\]\.assignment_type is ".*", which is a reserved name/,
    ],
    [
      `${name} in a grade`,
      grade("u", { assignmentType: name }),
      /subsection_grade\.assignment_type is ".*", which is a reserved name/,
    ],
  ]),
  [
    "a weight above 1",
    policy(["Exam", 1.01]),
    /course\.grading_policy\[0\]\.weight is 1\.01; it must be a number from 0 to 1/,
  ],
  ["a negative weight", policy(["Exam", -0.5]), /course\.grading_policy\[0\]\.weight is -0\.5/],
  ["a weight that is no number", policy(["Exam", Number.NaN]), /weight is NaN/],
  ["an enrolment without a username", enrollment(""), /enrollment\.username is empty/],
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
    "points so few that percentages would have 24 digits",
    grade("u", { possible: 1e-13 }),
    /subsection_grade\.possible is 1e-13; it must be 0, or at least 0.000001/,
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
  ["a course grade in percent", courseGrade("u", { percent: 85 }), /course_grade\.percent is 85/],
  [
    "a course grade of more than twice the maximum",
    courseGrade("u", { percent: 2.01 }),
    /course_grade\.percent is 2\.01; it must be a number from 0 to 1\. Values up to 2, from extra credit, are accepted as 1/,
  ],
  [
    "a long letter grade",
    courseGrade("u", { letter: "x".repeat(65) }),
    /course_grade\.letter has 65 characters/,
  ],
  [
    "a letter grade twice",
    course({ letterGrades: ["A", "B", "A"] }),
    /course\.letter_grades names "A" more than/,
  ],
  ["an empty letter grade", course({ letterGrades: ["A", ""] }), /course\.letter_grades\[1\] is empty/],
  [
    "more letter grades than 100",
    course({ letterGrades: Array.from({ length: 101 }, (_, at) => `${at}`) }),
    /course\.letter_grades has 101 entries; at most 100/,
  ],
  ["a negative completion", completion("u", { percent: -0.1 }), /completion\.percent is -0\.1/],
  ["a completion that is no number", completion("u", { percent: Number.NaN }), /completion\.percent is NaN/],
  [
    "observed in two days",
    observed(completion("u"), Date.now() + 48 * 3600_000),
    /observe_time .* one day from now/,
  ],
  ["a withdrawal without key", { ...learner(""), deleted: true }, /learner\.username is empty/],
];

describe.each(["Connect", "gRPC"] as const)("refuses over %s", (transport) => {
  it.each(bad)("%s", async (_, record, reason) => {
    const username = newUsername();
    const error = await errorOf(
      platform.transports[transport].upsertRecords({ records: [learner(username), record] }),
    );
    expect(error.rawMessage).toMatch(reason);
    expect(error.rawMessage).toMatch(/^Record 1 \(counted from 0\): /);
    expect(error.rawMessage.length).toBeLessThan(600);
    expect(error.code).toBe(Code.InvalidArgument);
    expect(await platform.isStored(username)).toBe(false);
  });

  it("no record at all", async () => {
    const error = await errorOf(platform.transports[transport].upsertRecords({}));
    expect(error).toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: "records is empty: send at least one record.",
    });
  });

  it("more than 5000 records in a message", async () => {
    const many = Array.from({ length: 5001 }, () => completion("u"));
    const error = await errorOf(platform.transports[transport].upsertRecords({ records: many }));
    expect(error.code).toBe(Code.InvalidArgument);
    expect(error.rawMessage).toBe("A message contains 5001 records; at most 5000 are accepted.");
  });
});

it("refuses times before the calendar begins, which only gRPC can express", async () => {
  const records = [{ ...completion("u"), observeTime: { seconds: -62_135_596_801n } }];
  const error = await errorOf(platform.transports.gRPC.upsertRecords({ records }));
  expect(error.code).toBe(Code.InvalidArgument);
  expect(error.rawMessage).toMatch(/observe_time is -62135596801 s and 0 ns after 1970; it must be between/);
});

describe("an unreadable message", () => {
  it.each([
    ["half of a surrogate pair", '{"records":[{"learner":{"username":"a\\ud800"}}]}'],
    ["an unknown field", '{"records":[{"learner":{"username":"a","fullname":"A"}}]}'],
    ["two kinds in one record", '{"records":[{"learner":{"username":"a"},"course":{}}]}'],
    ["a number as a word", '{"records":[{"completion":{"percent":"many"}}]}'],
    ["not JSON", '{"records":['],
  ])("is refused: %s", async (_, body) => {
    const response = await fetch(
      `${platform.service.httpUrl}/${LearnerRecordService.typeName}/UpsertRecords`,
      {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${platform.token}` },
        body,
      },
    );
    expect(await response.json()).toMatchObject({ code: "invalid_argument" });
    expect(response.status).toBe(400);
  });
});

describe("records are refused from", () => {
  it.each([
    ["nobody", undefined, Code.Unauthenticated],
    ["a learner", { username: "ana" }, Code.PermissionDenied],
    ["a staff user", { username: "registrar", isStaff: true }, Code.PermissionDenied],
    ["a service that may read", { username: "report", service: "read" as const }, Code.PermissionDenied],
  ])("%s", async (_, caller, code) => {
    const username = newUsername();
    const client = platform.service.client(LearnerRecordService, caller && (await tokenOf(caller)));
    expect((await errorOf(client.upsertRecords({ records: [learner(username)] }))).code).toBe(code);
    expect((await errorOf(client.importRecords(each({ records: [learner(username)] })))).code).toBe(code);
    expect(await platform.isStored(username)).toBe(false);
  });
});
