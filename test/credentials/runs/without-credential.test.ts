import { expect, it, onTestFinished } from "vitest";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { SkipReason } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { COURSE, exam, givenAcademy } from "../../support/academy.js";
import { enrolled } from "../../support/records.js";
import { tokenOf } from "../../support/service.js";
import { makeUnread } from "../unread-course.js";
import { NO_GLYPH } from "./runs.js";

const academy = givenAcademy();

it("enrolled learners without a credential are listed in pages with the missing results, and counted in total", async () => {
  const { configurationId, credentials, report } = academy;
  await academy.enrol("failed", "has", "had", "later", "nameless", "odd", "passed", "retried", "left");
  await report(
    exam("failed", 1),
    { case: "learner", value: { username: "nameless", fullName: "" } },
    { case: "learner", value: { username: "odd", fullName: `Odd ${NO_GLYPH}` } },
    { case: "learner", value: { username: "later", fullName: "Lata", learnerId: "7" } },
    enrolled("left", COURSE, false),
  );
  await report(exam("later", 6));
  const issue = (username: string) => credentials.issueCredential({ configurationId, username });
  await issue("has");
  await academy.invalidate((await issue("had")).uuid);
  await academy.fail((await issue("retried")).uuid);

  const token = await tokenOf({ username: "vera", isStaff: true });
  const client = academy.service.client(EligibilityService, token);
  const pages = [];
  for (let pageToken = "", last = false; !last; last = pageToken === "") {
    const page = await client.listLearnersWithoutCredential({ configurationId, pageSize: 3, pageToken });
    pages.push(page);
    pageToken = page.nextPageToken;
  }
  expect(pages.map(({ learners }) => learners.map(({ username }) => username))).toEqual([
    ["failed", "had", "later"],
    ["nameless", "odd", "passed"],
    ["retried"],
  ]);
  const rows = pages.flatMap(({ learners }) => learners);
  expect(rows.map(({ reason }) => SkipReason[reason])).toEqual([
    "NOT_ELIGIBLE",
    "WITHDRAWN",
    "NOT_ELIGIBLE",
    "NO_FULL_NAME",
    "UNPRINTABLE_NAME",
    "UNSPECIFIED",
    "UNSPECIFIED",
  ]);
  for (const page of pages) {
    expect(page.enrolledCount).toBe(8);
    expect(new Map(page.counts.map(({ reason, count }) => [SkipReason[reason], count]))).toEqual(
      new Map([
        ["NOT_ELIGIBLE", 2],
        ["WITHDRAWN", 1],
        ["NO_FULL_NAME", 1],
        ["UNSPECIFIED", 3],
      ]),
    );
  }
  for (const { username, eligibility } of rows) {
    const alone = await client.getEligibility({ learningContextKey: COURSE, username });
    if (eligibility) expect(eligibility).toEqual(alone.credentials[0]);
    else expect(alone.credentials[0]?.isEligible).toBe(true);
  }

  const { plan } = await credentials.startIssuanceRun({ configurationId, dryRun: true });
  expect(plan?.enrolledCount).toBe(8);
  expect(plan?.learners.map(({ username, fullName }) => [username, fullName])).toEqual([
    ["passed", "Learner passed"],
    ["retried", "Learner retried"],
  ]);
  expect(plan?.skippedLearners.map(({ fullName }) => fullName)).toEqual(["", `Odd ${NO_GLYPH}`]);

  const only = await client.listLearnersWithoutCredential({ configurationId, reason: SkipReason.WITHDRAWN });
  expect(only.learners.map(({ username }) => username)).toEqual(["had"]);
  const page = client.listLearnersWithoutCredential({
    configurationId,
    pageToken: pages[0]?.nextPageToken ?? "",
    reason: SkipReason.WITHDRAWN,
  });
  await expect(page).rejects.toThrow("page_token");
});

it("learners with an attribute or an ID that no font can print are listed as skipped by the next run", async () => {
  const { configurationId, credentials, report } = academy;
  await academy.configure({ text_elements: { more: { text: "{learner.programme} {learner_id}", y: 400 } } });
  onTestFinished(async () => void (await academy.configure({})));
  await academy.enrol("by attribute", "by id", "by nothing");
  const learner = (username: string, more: object) =>
    report({ case: "learner", value: { username, fullName: `Learner ${username}`, ...more } });
  await learner("by attribute", { attributes: { programme: NO_GLYPH } });
  await learner("by id", { learnerId: NO_GLYPH });
  await learner("by nothing", { attributes: { programme: "Physics", track: NO_GLYPH }, learnerId: "7" });

  const token = await tokenOf({ username: "vera", isStaff: true });
  const client = academy.service.client(EligibilityService, token);
  const { learners } = await client.listLearnersWithoutCredential({ configurationId });
  const { plan } = await credentials.startIssuanceRun({ configurationId, dryRun: true });
  const listed = (wanted: SkipReason) =>
    learners.filter(({ reason }) => reason === wanted).map(({ username }) => username);
  expect(listed(SkipReason.UNPRINTABLE_NAME)).toEqual(expect.arrayContaining(["by attribute", "by id"]));
  expect(listed(SkipReason.UNPRINTABLE_NAME)).toEqual(
    plan?.skippedLearners
      .filter(({ reason }) => reason === SkipReason.UNPRINTABLE_NAME)
      .map(({ username }) => username),
  );
  expect(listed(SkipReason.UNSPECIFIED)).toContain("by nothing");
});

it("results of the course withheld by a connector's last sweep are reported, and none of other courses", async () => {
  const { configurationId } = academy;
  const { knex } = academy.service.app.database;
  for (const what of ["homework: no longer", "homework: the points of one part are hidden"]) {
    await knex.raw(
      `with sweep as (
         insert into connector_sweeps (connector, state, cause, finished_at) values ('canvas', 'complete', 'test', now()) returning id
       )
       insert into connector_stages (sweep_id, stage, scope, state, error)
       select id, 'grades', scope, 'complete', ? from sweep, unnest(array[?::text, 'course-v1:Uni+Other+1']) as scope`,
      [what, COURSE],
    );
  }
  const token = await tokenOf({ username: "vera", isStaff: true });
  const client = academy.service.client(EligibilityService, token);
  const { withheld, unread } = await client.listLearnersWithoutCredential({ configurationId });
  expect(withheld.map(({ connector, courseKey, what }) => [connector, courseKey, what])).toEqual([
    ["canvas", COURSE, "homework: the points of one part are hidden"],
  ]);
  expect(unread).toEqual([]);
});

it("data of the course that a connector or an LTI platform could not read is reported", async () => {
  const { configurationId } = academy;
  const { knex } = academy.service.app.database;
  await makeUnread(knex, COURSE);
  await knex.raw(
    `insert into connector_contexts (connector, context_key, external_id, display_name, seen_sweep)
     values ('sis', ?, '1', 'One', 1)`,
    [COURSE],
  );
  const token = await tokenOf({ username: "vera", isStaff: true });
  const client = academy.service.client(EligibilityService, token);
  const { unread } = await client.listLearnersWithoutCredential({ configurationId });
  expect(unread.map(({ connector, what }) => [connector.replace(/\d+/, "N"), what])).toEqual([
    ["lti:N", "The list: 403."],
    ["sis", "It was never read to its end, so nothing is issued in it."],
    ["sis", "results: 403."],
  ]);
  await knex.raw("delete from connector_contexts; delete from lti_registrations");
});
