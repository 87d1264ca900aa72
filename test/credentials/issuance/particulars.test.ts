import { readFile } from "node:fs/promises";
import { beforeAll, expect, it } from "vitest";
import { readPdf } from "../../rendering/read-pdf.js";
import { COURSE, exam, givenAcademy } from "../../support/academy.js";
import { findingsOn, repairOf } from "../../support/health.js";
import { refusal } from "../../support/refusal.js";

const TEXT =
  "Total {grade}\nExam {grade.EXAM}\nEssay {grade.essay}\n{hours} hours | {credits}\nID {learner_id}\n" +
  "In {learner.programme} · {learner.track}\nWith {enrollment.distinction}\nSigned {signatory_name}, {signatory_title}\nAwarded {award_date}\nLetter {letter_grade}";
const OPTIONS = {
  hours: 40,
  credits: "6 ECTS",
  signatory: { name: "Dr. Fyrberg", title: "Dean" },
  text_elements: { facts: { text: TEXT, y: 500, size: 6 } },
};

const academy = givenAcademy();
beforeAll(async () => {
  await academy.configure(OPTIONS);
});

const rowOf = (uuid: string) => academy.service.app.database.knex("credentials").where({ uuid }).first();

const idOf = (username: string) => `2026-${username.charCodeAt(0)}`;

async function storeRecords(username: string, distinction = "summa cum laude"): Promise<void> {
  await academy.enrol(username);
  await academy.report(
    {
      case: "learner",
      value: {
        username,
        fullName: `Learner ${username}`,
        learnerId: idOf(username),
        attributes: { programme: "Navigation", birthplace: "Riga", empty: " " },
      },
    },
    { case: "enrollment", value: { username, learningContextKey: COURSE, attributes: { distinction } } },
  );
}

async function printed(uuid: string): Promise<string[]> {
  await academy.generate(uuid);
  const [path = ""] = await academy.filesOf(uuid);
  const { items } = await readPdf(await readFile(path));
  return items.filter(({ size }) => size < 6.1).map(({ text }) => text);
}

const DAY = /^Awarded \w+ \d+, \d{4}$/;

it("values from records and options are printed; a missing value is left out together with its label", async () => {
  await storeRecords("ana");
  const { uuid } = await academy.issue("ana");
  expect(await printed(uuid)).toEqual([
    "Total 90%",
    "Exam 90%",
    "40 hours | 6 ECTS",
    "ID 2026-97",
    "In Navigation",
    "With summa cum laude",
    "Signed Dr. Fyrberg, Dean",
    expect.stringMatching(DAY),
  ]);
  await academy.enrol("ben"); // this learner has none of these values
  const { uuid: other } = await academy.issue("ben");
  expect(await printed(other)).toEqual([
    "Total 90%",
    "Exam 90%",
    "40 hours | 6 ECTS",
    "Signed Dr. Fyrberg, Dean",
    expect.stringMatching(DAY),
  ]);
});

it("only facts that the design prints are stored, as at issue: a file that is rendered again is the same", async () => {
  await storeRecords("carl");
  const { uuid } = await academy.issue("carl");
  await printed(uuid);
  const [path = ""] = await academy.filesOf(uuid);
  const before = await readFile(path);
  expect((await rowOf(uuid)).particulars).toEqual({
    learner_id: "2026-99",
    learner: { programme: "Navigation" },
    enrollment: { distinction: "summa cum laude" },
    grade: 90,
    grades: { exam: 90 },
    hours: 40,
    credits: "6 ECTS",
    signatory: { name: "Dr. Fyrberg", title: "Dean" },
  });
  await storeRecords("carl", "none");
  await academy.report(exam("carl", 10));
  await academy.configure({ ...OPTIONS, hours: 50 });
  await academy.service.app.files.delete(path.slice(path.indexOf("learning_credentials/")));
  const { app } = academy.service;
  const repair = repairOf(app);
  expect(await repair({ kind: "missing-file", credentialUuid: uuid, detail: "" })).toBe("repaired");
  expect((await readFile(path)).equals(before)).toBe(true);
  await academy.configure(OPTIONS);
});

it("a reissue keeps grades and award date, and takes the rest from the current records", async () => {
  await storeRecords("dora");
  const { uuid } = await academy.issue("dora");
  await printed(uuid);
  const { knex } = academy.service.app.database;
  await knex("credentials")
    .where({ uuid })
    .update({ created_at: new Date("2024-05-01T12:00:00Z") });
  await academy.report(exam("dora", 8));
  await storeRecords("dora", "cum laude");
  await academy.report(exam("dora", 8));
  const one = await academy.credentials.reissueCredential({ uuid, reason: "Misspelt." });
  const expected = [
    "Total 90%",
    "Exam 90%",
    "40 hours | 6 ECTS",
    "ID 2026-100",
    "In Navigation",
    "With cum laude",
    "Signed Dr. Fyrberg, Dean",
    "Awarded May 1, 2024",
  ];
  expect(await printed(one.uuid)).toEqual(expected);
  const { count } = await academy.credentials.reissueCredentials({
    filter: { username: "dora" },
    reason: "Misspelt again.",
  });
  expect(count).toBe(1);
  const { uuid: last } = await knex("credentials").where({ username: "dora" }).orderBy("id", "desc").first();
  await academy.fail(last); // issuing it again doesn't change the award
  await academy.issue("dora");
  expect(await printed(last)).toEqual(expected);
  await knex("credentials")
    .where({ uuid })
    .update({ created_at: (await rowOf(one.uuid)).created_at });
});

it("a preview of a reissue prints what the reissue then prints, and changes nothing", async () => {
  await storeRecords("jo");
  const { uuid } = await academy.issue("jo");
  await printed(uuid);
  await storeRecords("jo", "cum laude");
  await academy.report(exam("jo", 8));
  const before = await rowOf(uuid);
  const source = { case: "credentialUuid", value: uuid } as const;
  const userFullName = "Jo Corrected";
  const previews = [
    await academy.configurations.previewCredential({ source }),
    await academy.configurations.previewCredential({ source, userFullName }),
  ];
  const [recorded, corrected] = await Promise.all(previews.map(({ pdf }) => readPdf(pdf)));
  expect(await rowOf(uuid)).toEqual(before);
  const one = await academy.credentials.reissueCredential({
    uuid,
    reason: "Misspelt.",
    correctedFullName: userFullName,
  });
  const facts = (pdf?: Awaited<ReturnType<typeof readPdf>>) =>
    pdf?.items.filter(({ size }) => size < 6.1).map(({ text }) => text);
  expect(facts(corrected)).toEqual(await printed(one.uuid));
  expect(facts(corrected)).toContain("Total 90%"); // the total when it was earned, not the current one in the records
  expect(facts(recorded)).toEqual(facts(corrected));
  expect([recorded?.text.includes("Learner jo"), corrected?.text.includes(userFullName)]).toEqual([
    true,
    true,
  ]);
  expect(await refusal(academy.configurations.previewCredential({ source }))).toContain(
    "The credential is invalidated: only an available one can be reissued.",
  );
});

it("a preview of a reissue is refused for the same reasons as the reissue, until the name is corrected", async () => {
  await storeRecords("kit");
  const { uuid } = await academy.issue("kit");
  await printed(uuid);
  const source = { case: "credentialUuid", value: uuid } as const;
  const preview = (userFullName = "") =>
    academy.configurations.previewCredential({ source, userFullName, layoutOnly: true });
  const record = (fullName: string) =>
    academy.report({ case: "learner", value: { username: "kit", fullName } });
  await record("Kit 𝄞");
  expect(await refusal(preview())).toEqual(
    await refusal(academy.credentials.reissueCredential({ uuid, reason: "x" })),
  );
  await preview("Kit Corrected");
  await academy.withdraw({ case: "learner", value: { username: "kit" } });
  expect(await refusal(preview("Kit Corrected"))).toEqual(
    await refusal(academy.credentials.reissueCredential({ uuid, reason: "x" })),
  );
});

it("a run prints the same, and its plan changes with the printed facts", async () => {
  await storeRecords("eve");
  await storeRecords("finn");
  const { configurationId, credentials } = academy;
  const plan = async () =>
    (await credentials.startIssuanceRun({ configurationId, dryRun: true })).plan?.planHash ?? "";
  const before = await plan();
  expect(await plan()).toBe(before);
  await storeRecords("finn", "none");
  expect(await plan()).not.toBe(before);
  await credentials.startIssuanceRun({ configurationId, planHash: await plan() });
  const { uuid } = await academy.service.app.database.knex("credentials").where({ username: "eve" }).first();
  expect(await printed(uuid)).toContain("With summa cum laude");
});

it("a value that can't be printed is refused by its name", async () => {
  await storeRecords("gus", "Fun 𝄞");
  expect(await refusal(academy.issue("gus"))).toContain(
    'No font can print "𝄞" (U+1D11E), which the enrolment\'s attribute distinction contains.',
  );
  const { plan } = await academy.credentials.startIssuanceRun({
    configurationId: academy.configurationId,
    dryRun: true,
  });
  expect(plan?.skippedLearners.map(({ username }) => username)).toContain("gus");
});

it("a plan refuses each text of each learner that can't be printed", async () => {
  await academy.enrol("p-first", "p-letter", "p-id", "p-attribute", "p-last");
  const letterOf = (username: string, letter: string) => ({
    case: "courseGrade" as const,
    value: { username, courseKey: COURSE, letter },
  });
  const learner = (username: string, more: { learnerId?: string; attributes?: { track: string } }) => ({
    case: "learner" as const,
    value: { username, fullName: `Learner ${username}`, ...more },
  });
  await academy.report(
    letterOf("p-first", "A"),
    letterOf("p-letter", "A𝄞"),
    letterOf("p-last", "B"),
    learner("p-id", { learnerId: "𝄞" }),
    learner("p-attribute", { attributes: { track: "𝄞" } }),
  );
  const { plan } = await academy.credentials.startIssuanceRun({
    configurationId: academy.configurationId,
    usernames: ["p-first", "p-letter", "p-id", "p-attribute", "p-last"],
    dryRun: true,
  });
  const refused = (text: string) =>
    expect.stringContaining(`No font can print "𝄞" (U+1D11E), which ${text} contains.`);
  expect(plan?.skippedLearners).toMatchObject([
    { username: "p-attribute", detail: refused("the learner's attribute track") },
    { username: "p-id", detail: refused("the learner's ID") },
    { username: "p-letter", detail: refused("the letter grade") },
  ]);
});

it("doctor finds particulars and award dates that were changed behind the service's back", async () => {
  await storeRecords("hal");
  const { uuid } = await academy.issue("hal");
  const { knex } = academy.service.app.database;
  const changed = async () =>
    (await findingsOn(academy.service.app))
      .filter(({ credentialUuid }) => credentialUuid === uuid)
      .map(({ kind }) => kind);
  expect(await changed()).toEqual([]);
  for (const [column, value] of [
    ["particulars", '{"grade": 99}'],
    ["awarded_at", "2020-01-01"],
  ] as const) {
    const { [column]: stored } = await rowOf(uuid);
    await knex("credentials")
      .where({ uuid })
      .update({ [column]: value });
    expect(await changed()).toEqual(["altered-credential"]);
    await knex("credentials")
      .where({ uuid })
      .update({ [column]: stored });
  }
});

it("an erasure removes them from records and credentials", async () => {
  await storeRecords("ida");
  const { uuid } = await academy.issue("ida");
  await printed(uuid);
  await academy.credentials.invalidateCredential({ uuid, reason: "Given to 2026-105 by mistake." });
  await academy.records.eraseLearner({ username: "ida" });
  expect(await rowOf(uuid)).toMatchObject({ particulars: null, user_full_name: "" });
  expect((await rowOf(uuid)).invalidation_reason).not.toContain("2026-105");
  const { knex } = academy.service.app.database;
  expect(await knex("learners").where({ username: "ida" })).toEqual([]);
});

it("a preview shows samples of them", async () => {
  const { pdf } = await academy.configurations.previewCredential({
    source: { case: "configurationId", value: academy.configurationId },
  });
  const { items } = await readPdf(pdf);
  expect(items.filter(({ size }) => size < 6.1).map(({ text }) => text)).toEqual([
    "Total 92.35%",
    "Exam 92.35%",
    "Essay 92.35%",
    "40 hours | 6 ECTS",
    "ID 2026-0417",
    "In [programme] · [track]",
    "With [distinction]",
    "Signed Dr. Fyrberg, Dean",
    expect.stringMatching(DAY),
    "Letter A",
  ]);
});
