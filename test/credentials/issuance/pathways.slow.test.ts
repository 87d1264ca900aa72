import type { JsonObject } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { issueWhenEarned } from "#domain/credentials/runs/issue-when-earned.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { offerCredential } from "../../configurations/offer-credential.js";
import { COURSE, givenAcademy } from "../../support/academy.js";
import { enrolled } from "../../support/records.js";
import { tokenOf } from "../../support/service.js";

const academy = givenAcademy();
const { signal } = new AbortController();
const RUN_A = "course-v1:Uni+Calc+2025";
const RUN_B = "course-v1:Uni+Calc+2026";
const OTHER_COURSE = "course-v1:Uni+Algebra+2026";

const reevaluate = () =>
  issueWhenEarned({ ...academy.service.app, settings: academy.service.app.config }, signal);

let paths = 0;
/** Offers a credential for a pathway of one course. It is issued when the pathway is completed. */
async function offerPathway(requirements: object) {
  const pathKey = `path-v1:Uni+Pathway${++paths}+2026+all`;
  await academy.report({
    case: "learningPath",
    value: {
      pathKey,
      displayName: `Pathway ${paths}`,
      stepCourseKeys: [COURSE],
      category: "Annual Training",
    },
  });
  const name = `Pathway ${paths}`;
  const { id } = await offerCredential(academy.configurations, pathKey, name, "retrieve_requirements", {
    requirements,
    issue_when_earned: true,
  });
  return { id, pathKey };
}

const publish = (id: number, requirements: object) =>
  academy.configurations.updateCredentialConfiguration({
    credentialConfiguration: { id, customOptions: { requirements } as JsonObject },
    updateMask: { paths: ["custom_options"] },
  });

const enrol = (username: string, learningContextKey: string) =>
  academy.report(enrolled(username, learningContextKey));

const grade = (username: string, courseKey: string, passed: boolean) =>
  academy.report({ case: "courseGrade", value: { username, courseKey, passed } });

async function credentialsOf(username: string, configurationId: number) {
  const { credentials } = await academy.credentials.listCredentials({ username, configurationId });
  return credentials;
}

/** Returns which run of a course is shown for the requirement, and whether the requirement is met. */
async function shownRun(username: string, learningContextKey: string) {
  const client = academy.service.client(
    EligibilityService,
    await tokenOf({ username: "rita", isStaff: true }),
  );
  const { credentials } = await client.getEligibility({ username, learningContextKey });
  const { requirements } = credentials[0] ?? {};
  return { courseKey: requirements?.courseKey, isMet: requirements?.isMet };
}

const eitherRun = { passed: true, runs: [RUN_A, RUN_B] };

describe("openedx-core ADR 0006, pathway items and what fulfils them", () => {
  it.each([RUN_A, RUN_B])("decision 1: passing any listed run fulfils an item: %s", async (run) => {
    const { id, pathKey } = await offerPathway(eitherRun);
    const username = `any of ${run}`;
    await academy.enrol(username);
    await enrol(username, pathKey);
    await grade(username, run, true);
    await reevaluate();
    expect(await credentialsOf(username, id)).toHaveLength(1);
    expect(await shownRun(username, pathKey)).toEqual({ courseKey: run, isMet: true });
  });

  it.each([RUN_A, OTHER_COURSE])("decision 1: runs of different courses fulfil one item: %s", async (run) => {
    const { id, pathKey } = await offerPathway({ passed: true, runs: [RUN_A, OTHER_COURSE] });
    const username = `different courses ${run}`;
    await academy.enrol(username);
    await enrol(username, pathKey);
    await reevaluate();
    expect(await credentialsOf(username, id)).toEqual([]);
    await grade(username, run, true);
    await reevaluate();
    expect(await credentialsOf(username, id)).toHaveLength(1);
  });

  it("decision 1: one run fulfils items of several paths, for those enrolled in each", async () => {
    const first = await offerPathway(eitherRun);
    const second = await offerPathway({ passed: true, runs: [OTHER_COURSE, RUN_A] });
    const third = await offerPathway({ passed: true, runs: [RUN_B] });
    await academy.enrol("shared run", "shared run, one path");
    for (const { pathKey } of [first, second, third]) await enrol("shared run", pathKey);
    await enrol("shared run, one path", second.pathKey);
    await grade("shared run", RUN_A, true);
    await grade("shared run, one path", RUN_A, true);
    await reevaluate();
    const counts = async (username: string) =>
      (await Promise.all([first, second, third].map(({ id }) => credentialsOf(username, id)))).map(
        ({ length }) => length,
      );
    expect(await counts("shared run")).toEqual([1, 1, 0]);
    expect(await counts("shared run, one path")).toEqual([0, 1, 0]);
  });

  it("decision 1: the order decides which run is shown, and not whether the item is fulfilled", async () => {
    for (const runs of [
      [RUN_A, RUN_B],
      [RUN_B, RUN_A],
    ]) {
      const { pathKey } = await offerPathway({ passed: true, runs });
      const username = `order ${runs[0]}`;
      await academy.enrol(username);
      for (const key of [pathKey, RUN_A, RUN_B]) await enrol(username, key);
      expect(await shownRun(username, pathKey)).toEqual({ courseKey: runs[0], isMet: false });
      await grade(username, RUN_A, true);
      await grade(username, RUN_B, false);
      expect(await shownRun(username, pathKey)).toEqual({ courseKey: RUN_A, isMet: true });
    }
  });

  it("decision 1: a run that is not listed fulfils nothing, even if it is of the same course", async () => {
    const { id, pathKey } = await offerPathway({ passed: true, runs: [RUN_B] });
    await academy.enrol("older");
    await enrol("older", pathKey);
    await grade("older", RUN_A, true);
    await reevaluate();
    expect(await credentialsOf("older", id)).toEqual([]);
  });

  it("decision 3: two passed runs fulfil an item once, and one run fulfils several items", async () => {
    const { id, pathKey } = await offerPathway({ all: [eitherRun, { passed: true, course: RUN_A }] });
    await academy.enrol("both");
    await enrol("both", pathKey);
    await grade("both", RUN_B, true);
    await reevaluate();
    expect(await credentialsOf("both", id)).toEqual([]);
    await grade("both", RUN_A, true);
    await reevaluate();
    await reevaluate();
    expect(await credentialsOf("both", id)).toHaveLength(1);
  });

  it("decisions 4 and 5: what was passed before is accepted from the enrolment on", async () => {
    const { id, pathKey } = await offerPathway(eitherRun);
    await academy.enrol("prior");
    await grade("prior", RUN_A, true);
    await reevaluate();
    expect(await credentialsOf("prior", id)).toEqual([]);
    await enrol("prior", pathKey);
    await reevaluate();
    expect(await credentialsOf("prior", id)).toHaveLength(1);
  });

  it("decisions 6 to 8: publishing grants what an earlier pass now fulfils, a draft nothing, and narrowing revokes nothing", async () => {
    const { id, pathKey } = await offerPathway({ passed: true, runs: [RUN_B] });
    await academy.enrol("sequence");
    await grade("sequence", RUN_A, true);
    await reevaluate();
    await enrol("sequence", pathKey);
    await reevaluate();
    expect(await credentialsOf("sequence", id)).toEqual([]);
    const client = academy.service.client(
      EligibilityService,
      await tokenOf({ username: "rita", isStaff: true }),
    );
    const draft = await client.previewEligibility({
      learningContextKey: pathKey,
      retrievalFunc: "learning_credentials.processors.retrieve_requirements",
      customOptions: { requirements: eitherRun },
      configurationId: id,
    });
    expect(draft).toMatchObject({ gainedCount: 1, lostCount: 0, changes: [{ username: "sequence" }] });
    await reevaluate();
    expect(await credentialsOf("sequence", id)).toEqual([]);
    await publish(id, eitherRun);
    await reevaluate();
    const [granted] = await credentialsOf("sequence", id);
    await publish(id, { passed: true, runs: [RUN_B] });
    await reevaluate();
    expect(await credentialsOf("sequence", id)).toEqual([granted]);
  });

  it("decision 5: publishing grants nothing to learners who aren't enrolled in the path, until they enrol", async () => {
    const { id, pathKey } = await offerPathway({ passed: true, runs: [RUN_B] });
    await academy.enrol("enrolled", "never enrolled", "no longer enrolled");
    await enrol("enrolled", pathKey);
    await enrol("no longer enrolled", pathKey);
    await academy.report(enrolled("no longer enrolled", pathKey, false));
    for (const username of ["enrolled", "never enrolled", "no longer enrolled"])
      await grade(username, RUN_A, true);
    await reevaluate();
    await publish(id, eitherRun);
    await reevaluate();
    const grantedTo = async () =>
      (await academy.credentials.listCredentials({ configurationId: id })).credentials
        .map(({ username }) => username)
        .sort();
    expect(await grantedTo()).toEqual(["enrolled"]);
    await enrol("never enrolled", pathKey);
    await reevaluate();
    expect(await grantedTo()).toEqual(["enrolled", "never enrolled"]);
  });
});

describe("openedx-core ADR 0007, catalog and content", () => {
  it("decision 2: learners see the category in place of the word pathway", async () => {
    const { id, pathKey } = await offerPathway({ completion: 0 });
    await academy.enrol("labelled");
    await enrol("labelled", pathKey);
    const { verifyUuid } = await academy.made("labelled", { configurationId: id });
    const page = await (await fetch(`${academy.service.httpUrl}/verify/${verifyUuid}/`)).text();
    expect(page).toContain("Annual Training");
    expect(page).not.toContain("Learning path");
  });

  it("decision 5: the published version applies, also to those who enrolled under an earlier one", async () => {
    const { id, pathKey } = await offerPathway({ passed: true, runs: [RUN_A] });
    await academy.enrol("early");
    await enrol("early", pathKey);
    await publish(id, { passed: true, runs: [RUN_B] });
    await grade("early", RUN_A, true);
    await reevaluate();
    expect(await credentialsOf("early", id)).toEqual([]);
    await grade("early", RUN_B, true);
    await reevaluate();
    expect(await credentialsOf("early", id)).toHaveLength(1);
  });

  it("context: a credential is judged by the definition that was in effect", async () => {
    const { id, pathKey } = await offerPathway({ passed: true, runs: [RUN_A] });
    await academy.enrol("judged");
    await enrol("judged", pathKey);
    await grade("judged", RUN_A, true);
    await reevaluate();
    await publish(id, { passed: true, runs: [RUN_B] });
    const [{ uuid = "" } = {}] = await credentialsOf("judged", id);
    const { requirements } = await academy.credentials.getCredential({ uuid });
    expect(requirements).toEqual({ passed: true, runs: [RUN_A] });
  });
});
