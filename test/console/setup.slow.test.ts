import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { findChromium, launchChromium } from "../edges/pages/chromium.js";
import { startTestService, type TestService, tokenOf } from "../support/service.js";
import { buildConsole } from "./built-console.js";
import { ownAddress } from "./given-console.js";
import { expectMissing, openVisitor, signIn } from "./visitor.js";

const executable = findChromium();

describe.skipIf(executable === undefined)("an empty academy", () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    buildConsole();
    service = await startTestService({ worker: true, settings: await ownAddress() });
    browser = await launchChromium(executable as string);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test("shows on a slow line that it is loading, in the reader's language, until its first words appear", async () => {
    const visitor = await openVisitor(browser, service, { locale: "ar" });
    const { page } = visitor;
    let send = () => {};
    const held = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route("**/*.js", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${service.httpUrl}/console/`, { waitUntil: "commit" });
    await page.getByText("جارٍ التحميل…").waitFor();
    expect(await page.getByText("Learning Credentials").isVisible()).toBe(true);
    expect(await page.locator(".frame").getAttribute("dir")).toBe("rtl");
    send();
    await page.getByText("جارٍ التحميل…").waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1 }).waitFor();
    await visitor.leave();
  });

  test("reaches a first credential by buttons: a course is created, and a type designed, offered and issued", async () => {
    const visitor = await openVisitor(browser, service);
    const { page } = visitor;
    await signIn(visitor, service, { roles: ["registrar", "designer"] });
    await page.getByRole("heading", { name: "First steps" }).waitFor();
    expect(await page.getByRole("main").locator("code").count()).toBe(0);
    const steps = page.getByRole("listitem").filter({ hasText: "(done)" });
    expect(await steps.count()).toBe(0);

    const make = async (edition: string) => {
      await page.getByRole("button", { name: "Create a course…" }).click();
      const dialog = page.getByRole("dialog");
      const button = dialog.getByRole("button", { name: "Create the course" });
      const name = dialog.getByLabel("Name", { exact: true });
      await expectMissing(button, name, "Fill in “Name”.");
      await name.fill("!");
      await expectMissing(button, name, "Enter at least one letter or digit.");
      await name.fill("Été: Law & Order");
      await dialog.getByLabel("Organisation").fill("Uni");
      await dialog.getByLabel("Edition").fill(edition);
      await dialog.getByText("For developers").click();
      await dialog.getByText(`course-v1:Uni+Été:-Law-Order+${edition}`).waitFor();
      expect(await visitor.faults()).toEqual([]);
      await button.click();
    };
    await make("2026");
    await page.getByText("The course was created: Été: Law & Order").waitFor();
    await page.getByRole("dialog").getByRole("link", { name: "Design a credential" }).waitFor();
    expect(await visitor.faults()).toEqual([]);
    await page.getByRole("button", { name: "Close" }).click();
    await steps.first().waitFor();
    expect(await steps.count()).toBe(1);
    visitor.expectQuiet();

    await make("2026");
    await page.getByRole("alert").getByText("belongs to the course").waitFor();
    await page.keyboard.press("Escape");

    await page.getByRole("link", { name: "Design a credential" }).click();
    await page.getByRole("navigation", { name: "Start from a design" }).getByRole("link").first().click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Certificate");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "Certificate", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Offer it in a course or path" }).click();
    const context = page.getByRole("combobox", { name: "Course or path", exact: true });
    await context.fill("law");
    await context.press("Enter"); // before the response arrives
    await expect.poll(() => context.inputValue()).toBe("Été: Law & Order");
    expect(await visitor.faults()).toEqual([]);
    await page.getByRole("button", { name: "Offer it", exact: true }).click();
    await page.waitForURL("**/console/configurations/*");
    await page.getByRole("main").getByRole("link", { name: "Issue from a list" }).click();
    const what = page.getByRole("combobox", { name: "Credential" });
    await expect.poll(() => what.inputValue()).toBe("Été: Law & Order · Certificate");
    await what.fill("certif ORDER ete");
    await page.getByRole("option", { name: "Été: Law & Order · Certificate" }).click();
    await page.getByLabel("Paste rows here").fill("username,full name\nmarie,Marie Curie");
    await page.getByLabel("Issue without checking the requirements").check();
    await page.getByLabel("Add unknown learners").check();
    await page.getByRole("button", { name: "Issue 1 credential" }).click();
    await page.getByText("1 of 1 done").first().waitFor();
    await page.getByRole("heading", { name: "Run: Été: Law & Order · Certificate" }).waitFor();

    await page.goto(`${service.httpUrl}/console/learners`);
    await page.getByRole("button", { name: "Add a learner…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Lise Meitner");
    await dialog.getByLabel("Username").fill("lise");
    const email = dialog.getByLabel("Email");
    expect(await email.getAttribute("maxlength")).toBe("254");
    await email.fill("lise@uni.test");
    expect(await visitor.faults()).toEqual([]);
    await dialog.getByRole("button", { name: "Add the learner" }).click();
    await page.getByRole("heading", { name: "Lise Meitner" }).waitFor();
    await page.goBack();
    // A click anywhere in a row opens it.
    await page.getByRole("row", { name: /lise/ }).getByText("lise@uni.test").click();
    await page.getByRole("heading", { name: "Lise Meitner" }).waitFor();
    await visitor.leave();

    const token = await tokenOf({ username: "rita", isStaff: true });
    const { contexts } = await service.client(LearnerRecordService, token).listLearningContexts({});
    expect(contexts.map(({ learningContextKey, displayName }) => [learningContextKey, displayName])).toEqual([
      ["course-v1:Uni+Été:-Law-Order+2026", "Été: Law & Order"],
    ]);
  });
});
