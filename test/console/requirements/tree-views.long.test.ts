import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { prepareSample } from "#app/commands/prepare-sample.js";
import { languageTags } from "#foundation/languages/list.js";
import { ClaimMode } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { findChromium, launchChromium } from "../../edges/pages/chromium.js";
import { type FakePlatform, startFakePlatform } from "../../lti/fake-platform.js";
import { connect, LTI_SETTINGS, launch, ltiOf } from "../../lti/lti-service.js";
import { completed } from "../../support/records.js";
import { startTestService, type TestService, tokenOf } from "../../support/service.js";
import { buildConsole } from "../built-console.js";
import { ownAddress, settled } from "../given-console.js";
import { openVisitor, signIn, storePicture, type Visitor } from "../visitor.js";

const executable = findChromium();
const COURSE = "course-v1:HarbourLight+AST101+2025";
const OTHER = "course-v1:HarbourLight+BOT110+2025";
/** A learner of the sample academy who is enrolled in the course. */
const LEARNER = "jonas.lindqvist";
/** Elements that extend beyond the page, and dialogs whose contents are wider than they are. */
const BEYOND = `[
  ...(document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("main *")]
    .filter((each) => [each.getBoundingClientRect()].some(({ left, right }) => right > innerWidth + 1 || left < -1))),
  ...[...document.querySelectorAll("[role=dialog], .dialog")].filter((each) => each.scrollWidth > each.clientWidth + 1),
].map((each) => each.tagName + " " + each.className + ": " + each.textContent.slice(0, 60))`;
const NARROW = { width: 320, height: 900 };

describe.skipIf(executable === undefined)("a tree, a stack, and the effect of a change", () => {
  let service: TestService;
  let platform: FakePlatform;
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  let username: string;
  let [typeId, configurationId] = [0, 0];

  beforeAll(async () => {
    buildConsole();
    service = await startTestService({
      worker: true,
      settings: { ...(await ownAddress()), ...LTI_SETTINGS, PLATFORM_NAME: "Harbour Light Academy" },
    });
    await prepareSample(service.app, false, new AbortController().signal);
    await settled(service);
    platform = await startFakePlatform({ product: "canvas" });
    username = `lti:${await connect(service, platform, { organisations: ["HarbourLight"] })}:7`;
    platform.setToolKeys(await (await ltiOf(service)).toolKeys.published(new AbortController().signal));
    browser = await launchChromium(executable ?? "");
    await offerStack();
    await launch(service, platform, { sub: "7", context: { id: COURSE } }); // creates the learner
    await reportResults();
  }, 900_000);
  afterAll(async () => {
    await browser?.close();
    await platform?.close();
    await service?.stop();
  });

  /** Offers a credential that requires another credential, and some of several other results. */
  async function offerStack() {
    const staff = service.client(
      ConfigurationService,
      await tokenOf({ username: "registrar", isStaff: true }),
    );
    const [like] = (await staff.listCredentialTypes({})).credentialTypes;
    const offer = async (name: string, requirements: object) => {
      const type = await staff.createCredentialType({
        credentialType: {
          name,
          retrievalFunc: "learning_credentials.processors.retrieve_requirements",
          generationFunc: like?.generationFunc ?? "",
          customOptions: { requirements: requirements as never },
        },
      });
      const { id } = await staff.createCredentialConfiguration({
        credentialConfiguration: {
          credentialTypeId: type.id,
          learningContextKey: COURSE,
          claim: ClaimMode.ALLOWED,
        },
      });
      return { typeId: type.id, configurationId: id };
    };
    const first = await offer("Foundations of Science", { passed: true, runs: [OTHER, COURSE] });
    const top = await offer("Master of the Observatory", {
      all: [
        { grade: { Total: 0.6 } },
        {
          at_least: 2,
          of: [
            { holds: { credential_type_id: first.typeId }, anywhere: true },
            { letter: "B", runs: [OTHER, COURSE] },
            { all: [{ completion: 0.9 }, { passed: true, course: OTHER }] },
          ],
        },
      ],
    });
    ({ typeId, configurationId } = top);
  }

  async function reportResults() {
    const records = service.client(
      LearnerRecordService,
      await tokenOf({ username: "lms", service: "write" }),
    );
    await records.upsertRecords({
      records: [
        {
          kind: {
            case: "courseGrade",
            value: { username, courseKey: COURSE, percent: 0.7, letter: "B" },
          },
        },
        { kind: completed(username, COURSE, 0.4) },
      ],
    });
  }

  /** Expects no accessibility faults at this width, with normal and with large text. */
  async function expectReadable({ page, faults }: Visitor, name: string) {
    expect([name, await faults()]).toEqual([name, []]);
    for (const size of ["200%", "100%"]) {
      await page.evaluate(`document.documentElement.style.fontSize = "${size}"`);
      await storePicture(page, `${name}-${size.slice(0, -1)}`);
      const width = await page.evaluate("document.documentElement.scrollWidth");
      expect([name, size, width, await page.evaluate(BEYOND)]).toEqual([name, size, NARROW.width, []]);
    }
  }

  test.each(languageTags)(
    "can be read by learners, on the page of LTI and on their own, in %s",
    async (tag) => {
      const launched = {
        sub: "7",
        locale: tag,
        context: { id: COURSE, label: "AST101", title: "Astronomy" },
      };
      const { response, page: html } = await launch(service, platform, launched);
      expect(response.status).toBe(200);
      const visitor = await openVisitor(browser, service, { viewport: NARROW });
      await visitor.page.route("**/lti/launch", (route) =>
        route.fulfill({ body: html, headers: Object.fromEntries(response.headers) }),
      );
      await visitor.page.goto(`${service.httpUrl}/lti/launch`);
      await visitor.page.getByText("Master of the Observatory").first().waitFor();
      await expectReadable(visitor, `lti-${tag}`);

      const [header, payload, signature] = (await tokenOf({ username: LEARNER })).split(".");
      const cookies = {
        "edx-jwt-cookie-header-payload": `${header}.${payload}`,
        "edx-jwt-cookie-signature": signature,
      };
      await visitor.page
        .context()
        .addCookies(
          Object.entries(cookies).map(([name, value = ""]) => ({ name, value, url: service.httpUrl })),
        );
      await visitor.page.goto(`${service.httpUrl}/my-credentials/?lang=${tag}`);
      await visitor.page.getByText("Master of the Observatory").first().waitFor();
      await expectReadable(visitor, `own-${tag}`);
      await visitor.leave();
    },
  );

  test.each(languageTags)("can be read and changed by staff, in %s", async (language) => {
    const visitor = await openVisitor(browser, service, { chosen: { language }, viewport: NARROW });
    const { page } = visitor;
    await signIn(visitor, service, { username: "dana", roles: ["designer"] });
    await page.goto(`${service.httpUrl}/console/configurations/${configurationId}`);
    await page.locator(".requirements summary").first().click();
    await page.locator(".tree-leaf").last().waitFor();
    await expectReadable(visitor, `editor-${language}`);
    await page.locator('[data-part="all.1"] > .tree-actions button').last().click(); // this button removes the group
    await page.locator(".plan-counts").waitFor();
    await page.locator(".try-requirements details summary").click();
    await expectReadable(visitor, `plan-${language}`);
    await page.locator(".tree > .actions button").click();
    await page
      .getByRole("dialog")
      .locator("textarea")
      .fill('{"steps": [{"min_requirement": 3, "courses": [{"key": "Uni+A", "title": "Algebra"}]}]}');
    await page.getByRole("dialog").locator(".fault").first().waitFor();
    await expectReadable(visitor, `pathway-${language}`);
    await page.keyboard.press("Escape");

    await page.goto(`${service.httpUrl}/console/types/${typeId}#form`);
    await page.locator(".picture").first().waitFor();
    await expectReadable(visitor, `stack-${language}`);
    await page.goto(`${service.httpUrl}/console/learners/${LEARNER}`);
    await page.locator(".picture").first().waitFor();
    await expectReadable(visitor, `learner-${language}`);
    await visitor.leave();
  });
});
