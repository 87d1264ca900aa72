import type { JsonObject } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { loadChapter } from "#console/i18n/load-chapter.js";
import { designNames } from "#formats/rendering/designs/list.js";
import { languageTags } from "#foundation/languages/list.js";
import { ClaimMode, type CredentialType } from "#gen/learning_credentials/v1/configuration_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { findChromium } from "../edges/pages/chromium.js";
import { tokenOf } from "../support/service.js";
import { givenDesigners } from "./given-console.js";
import { expectMissing, openVisitor, signIn, storePicture } from "./visitor.js";

const executable = findChromium();

describe.skipIf(executable === undefined)("what designers configure", () => {
  const academy = givenDesigners(executable);

  async function someType(): Promise<CredentialType> {
    const { credentialTypes } = await academy.staff.listCredentialTypes({});
    return credentialTypes[0] as CredentialType;
  }
  async function signedIn(as: Parameters<typeof signIn>[2]) {
    const visitor = await openVisitor(academy.browser, academy.service);
    await signIn(visitor, academy.service, as);
    return visitor;
  }
  async function asJson(page: Page, label = "Options (JSON)") {
    await page.getByLabel("Edit as JSON").check();
    return page.getByLabel(label);
  }
  /** Returns the first field with this label, because options have names, too. */
  const typeName = (page: Page) => page.getByLabel("Name", { exact: true }).first();
  const idIn = (address: string) => Number(new URL(address).pathname.split("/").at(-1));
  /** Switches to the form. Types are opened in the designer. */
  async function openForm(page: Page) {
    await page.locator(".workshop-more summary").click();
    await page.getByRole("button", { name: "Form" }).click();
  }
  const designer = (username: string) => signedIn({ username, roles: ["designer"] });

  test("a type is changed and previewed, and only by people with the role", async () => {
    const { page, faults, leaveQuietly } = await designer("dana");
    const { id, name } = await someType();
    await page.getByRole("link", { name: "Credential types" }).click();
    await page.getByRole("link", { name, exact: true }).click();
    await openForm(page);
    await page.locator('figure.pdf[data-outcome="shown"]').waitFor();
    expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await typeName(page).fill(`${name}, revised`);
    await page.getByRole("button", { name: "Preview changes" }).click();
    await page.locator('figure.pdf[data-outcome="shown"]').waitFor();
    await page.getByText("Not saved yet.").waitFor();
    await page.reload(); // unsaved input is kept
    await page.getByText("Not saved yet.").waitFor();
    await page.getByText("As an API call").click();
    await page.locator(".code-line", { hasText: "UpdateCredentialType" }).waitFor();
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expect((await academy.staff.getCredentialType({ id })).name).toBe(`${name}, revised`);
    await leaveQuietly();

    const viewer = await signedIn({ username: "vera", roles: ["viewer"] });
    await viewer.page.goto(`${academy.service.httpUrl}/console/types/${id}`);
    const save = viewer.page.getByRole("button", { name: "Save" });
    expect(await save.locator("..").getAttribute("title")).toBe("This requires the role designer.");
    expect(await viewer.page.getByLabel("Another option").count()).toBe(0);
    expect(await (await asJson(viewer.page)).getAttribute("readonly")).not.toBeNull();
    await viewer.leave();
  });

  test("a grading scale is chosen by its name, in each language and on a narrow screen", async () => {
    const { id } = await someType();
    for (const language of languageTags) {
      const visitor = await openVisitor(academy.browser, academy.service, {
        chosen: { language },
        viewport: { width: 320, height: 640 },
      });
      const { page } = visitor;
      await signIn(visitor, academy.service, { username: "dana", roles: ["designer"] });
      await page.goto(`${academy.service.httpUrl}/console/types/${id}#form`);
      await page.locator("select:has(option[value=grading_scale])").selectOption("grading_scale");
      await page.locator(".add-option button").last().click();
      const scale = page.locator("select:has(option[value=pass_fail])");
      const names: Readonly<Record<string, string>> = await loadChapter("choices", language);
      await scale.selectOption({ label: names["grading_scale.italian"] ?? "" });
      expect(await scale.inputValue()).toBe("italian");
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
      await scale.scrollIntoViewIfNeeded();
      await storePicture(page, `grading-scale-${language}`);
      await visitor.leaveQuietly();
    }
  });

  test("problems are shown at their fields: invalid JSON immediately, other problems as the service finds them", async () => {
    const { page, leave } = await designer("dana");
    const { id, customOptions } = await someType();
    await page.goto(`${academy.service.httpUrl}/console/types/${id}#form`);
    const options = await asJson(page);
    await options.fill('{\n  "required_grades": {,}\n}');
    await page.getByText("This isn’t valid JSON: check line 2, column 23.").waitFor();
    expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await options.fill(JSON.stringify({ ...customOptions, required_grades: { Total: 7 } }));
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("custom_options.required_grades.Total").first().waitFor();
    const described = await options.getAttribute("aria-describedby");
    expect(await page.locator(`[id="${described}"]`).innerText()).toContain("required_grades.Total");
    expect(await options.getAttribute("aria-invalid")).toBe("true");
    await page.getByRole("button", { name: "Discard changes" }).click();
    expect(JSON.parse(await options.inputValue())).toEqual(customOptions);
    await leave();
  });

  test("options are set, added and removed in a form, and errors are shown at their field", async () => {
    const { page, noise, faults, leave } = await designer("dana");
    const { id } = await someType();
    const client = academy.staff;
    const begun = { required_grades: { Final: 0.6 }, signatory: { name: "Ada Moreau" }, images: [] };
    await client.updateCredentialType({ credentialType: { id, customOptions: begun } });
    await page.goto(`${academy.service.httpUrl}/console/types/${id}#form`);
    await page.getByText("Change or test").click();
    await page.getByLabel("Final, at least (%)").fill("65,");
    await page.getByLabel("Final, at least (%)").pressSequentially("5");
    await page.getByLabel("In total, at least (%)").fill("٧٠");
    await page.getByRole("group", { name: "Signatory" }).getByLabel("Title").fill("Dean");
    await page.getByRole("button", { name: "Remove: Images" }).click();
    await page.locator("select:focus").and(page.getByLabel("Another option")).waitFor();
    for (const option of [
      "text_elements",
      "images",
      "open_badge",
      "qr",
      "hours",
      "facts",
      "validity",
      "encrypt",
    ]) {
      await page.getByLabel("Another option").selectOption(option);
      await page.getByRole("button", { name: "Add", exact: true }).click();
    }
    await page
      .locator("select:focus")
      .and(page.getByLabel("Encrypt", { exact: true }))
      .waitFor();
    await page.getByLabel("Encrypt", { exact: true }).selectOption("No");
    await page.getByLabel("Facts", { exact: true }).fill("grade, hours");
    await page.getByLabel("Hours", { exact: true }).fill("forty");
    await page.getByText("This is not a number.").waitFor();
    await page.getByLabel("Hours", { exact: true }).fill("40");
    const badge = page.getByRole("group", { name: "Open Badge" });
    await badge.getByRole("combobox").selectOption("Custom");
    await badge.getByLabel("Tags").fill("navigation, stars");
    await page.getByRole("group", { name: "QR code" }).getByRole("combobox").selectOption("No");
    const texts = page.getByRole("group", { name: "Texts", exact: true });
    for (const name of ["date", "motto"]) {
      await texts.getByLabel("Name", { exact: true }).fill(name);
      await texts.getByRole("button", { name: "Add: Texts" }).click();
    }
    await texts.getByRole("group", { name: "date" }).getByRole("combobox").first().selectOption("No");
    await texts.getByRole("group", { name: "motto" }).getByLabel("Text", { exact: true }).fill("Per mare");
    await texts.getByLabel("From the bottom, in points").fill("90,5");
    await page.getByRole("button", { name: "Add: Images" }).click();
    await page.getByRole("button", { name: "Add: Images" }).click();
    await page.getByRole("button", { name: "Remove: Images 2" }).click();
    await page.getByRole("button", { name: "Remove: Images 1" }).click();
    const validity = page.getByLabel("Validity", { exact: true });
    await validity.fill("two years");
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("P18M").first().waitFor();
    expect(await validity.getAttribute("aria-invalid")).toBe("true");
    let early: number | undefined;
    await page.route("**/ListFunctions", async (route) => {
      early = await page.getByRole("button", { name: "Save" }).count();
      await route.continue();
    });
    await page.reload(); // unsaved input is kept
    await validity.fill("P2Y");
    expect(early).toBe(0); // a field that changes while the user types would lose input
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expect((await client.getCredentialType({ id })).customOptions).toEqual({
      required_grades: { Final: 0.655, Total: 0.7 },
      signatory: { name: "Ada Moreau", title: "Dean" },
      facts: ["grade", "hours"],
      hours: 40,
      validity: "P2Y",
      encrypt: false,
      qr: false,
      images: [],
      text_elements: { date: false, motto: { text: "Per mare", y: 90.5 } },
      open_badge: { tags: ["navigation", "stars"] },
    });
    // The browser itself reports the refused call.
    expect(noise).toEqual([expect.stringContaining("400 (Bad Request)")]);
    await leave();
  });

  test("an “Add” button says what is missing or already in use, and the form can be saved without it", async () => {
    const { retrievalFunc, generationFunc } = await someType();
    const { id } = await academy.staff.createCredentialType({
      credentialType: {
        name: "Certificate of Additions",
        retrievalFunc,
        generationFunc,
        customOptions: { text_elements: { motto: { text: "Per mare", y: 90 } } },
      },
    });
    const { page, faults, leaveQuietly } = await designer("dana");
    await page.goto(`${academy.service.httpUrl}/console/types/${id}#form`);
    await page.getByText("Change or test").click();
    const option = page.getByLabel("Another option");
    const addOption = page.getByRole("button", { name: "Add", exact: true });
    await expectMissing(addOption, option, "Select an option for “Another option”.");
    const name = page.getByRole("group", { name: "Texts", exact: true }).getByLabel("Name", { exact: true });
    const addText = page.getByRole("button", { name: "Add: Texts" });
    await expectMissing(addText, name.last(), "Fill in “Name”.");
    await name.last().fill("motto");
    await expectMissing(addText, name.last(), "This name is already taken.");
    const type = page.getByLabel("Add an assignment type", { exact: true });
    const addType = page.getByRole("button", { name: "Add: Add an assignment type" });
    await expectMissing(addType, type, "Fill in “Add an assignment type”.");
    await type.fill("total");
    await expectMissing(addType, type, "This name is already taken.");
    expect(await faults()).toEqual([]);

    await name.last().fill("epigraph");
    await page.keyboard.press("Enter");
    const added = page.getByRole("group", { name: "epigraph", exact: true });
    const focused = page.locator(":focus");
    await focused.and(added.getByRole("combobox").first()).waitFor();
    expect(await name.last().inputValue()).toBe("");
    await page.getByRole("button", { name: "Remove: epigraph" }).focus();
    await page.keyboard.press("Enter");
    await added.waitFor({ state: "detached" });
    await focused.and(name.last()).waitFor();

    await type.fill("essay");
    await addType.click();
    await focused.and(page.getByLabel("Essay, at least (%)")).waitFor();
    await page.keyboard.type("50");
    expect(await type.getAttribute("aria-invalid")).toBeNull();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    const { customOptions } = await academy.staff.getCredentialType({ id });
    expect(customOptions).toMatchObject({ required_grades: { essay: 0.5 } });
    await leaveQuietly();
  });

  test("requirements are built in words, tried before they are saved, and restored from an earlier version", async () => {
    const course = "course-v1:HarbourLight+AST101+2025";
    const client = academy.staff;
    const eligibility = academy.service.client(
      EligibilityService,
      await tokenOf({ username: "registrar", isStaff: true }),
    );
    const { retrievalFunc, generationFunc } = await someType();
    const options = { required_grades: { Final: 0.6, Total: 0.7 } };
    const { id, name } = await client.createCredentialType({
      credentialType: { name: "Certificate of Merit", retrievalFunc, generationFunc, customOptions: options },
    });
    const { id: configurationId } = await client.createCredentialConfiguration({
      credentialConfiguration: { credentialTypeId: id, learningContextKey: course },
    });
    const counted = async (total: number) => {
      const { eligibleCount, enrolledCount } = await eligibility.previewEligibility({
        learningContextKey: course,
        retrievalFunc,
        typeOptions: { required_grades: { Final: 0.6, Total: total } },
      });
      return `Eligible now: ${eligibleCount} of ${enrolledCount} enrolled learners`;
    };
    expect(await counted(0.95)).not.toBe(await counted(0.7));

    const { page, faults, leaveQuietly } = await designer("dana");
    await page.goto(`${academy.service.httpUrl}/console/types`);
    await page.getByRole("row", { name }).getByText("at least 70% in total and 60% in").waitFor();
    const change = page.getByText("Change or test");
    await page.goto(`${academy.service.httpUrl}/console/types/${id}#form`);
    await change.click();
    await page.getByText(await counted(0.7)).waitFor();
    const total = page.getByLabel("In total, at least (%)");
    await total.fill("95");
    await page.getByText("at least 95% in total and 60% in").waitFor();
    await page.getByText(await counted(0.95)).waitFor();
    await page.getByRole("combobox", { name: "Check a learner" }).focus();
    await page.keyboard.type("ana kov");
    await page.keyboard.press("Enter");
    await page.getByText("wouldn’t get it now").waitFor();
    await page.getByText("Total: 92.35% (required: 95%)").waitFor();
    await page.getByLabel("Lab, at least (%)").fill("lots");
    await page.getByText("Enter a number from 0 to 100.").waitFor();
    await page.getByLabel("Lab, at least (%)").fill("");
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();

    await page.getByRole("button", { name: "Version history" }).click();
    const history = page.getByRole("dialog");
    const version = (number: number) => history.getByRole("button", { name: `Version ${number}` });
    await version(2).getByText("dana").waitFor();
    await version(2).getByText("Changed: Required grades").waitFor();
    await version(2).getByText("Requirements: at least 95% in total").waitFor();
    await version(1).click();
    await history.locator('figure.pdf[data-outcome="shown"]').waitFor();
    expect(await faults()).toEqual([]);
    await history.getByRole("button", { name: "Restore this version" }).click();
    await history.waitFor({ state: "detached" });
    expect(await total.inputValue()).toBe("70");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expect((await client.getCredentialType({ id })).customOptions).toEqual(options);
    await page.getByRole("button", { name: "Version history" }).click();
    await version(3).waitFor(); // restoring an earlier version has saved another version
    await version(2).click();
    await history.getByRole("link", { name: "New type from this version" }).click();
    await page.getByRole("heading", { name: "New credential type" }).waitFor();
    await openForm(page);
    await page.getByText("at least 95% in total").waitFor();

    await page.goto(`${academy.service.httpUrl}/console/configurations/${configurationId}`);
    await change.click();
    await page.getByLabel("Lab, at least (%)").fill("50");
    await total.fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    const own = (await client.getCredentialConfiguration({ id: configurationId })).customOptions;
    expect(own).toEqual({ required_grades: { lab: 0.5, Total: null } });
    await page.getByRole("button", { name: "Reset to the type" }).click();
    expect(await total.inputValue()).toBe("70");
    await client.updateCredentialConfiguration({
      credentialConfiguration: { id: configurationId, claim: ClaimMode.ALLOWED },
      updateMask: { paths: ["claim"] },
    });
    await page.reload();
    await page.getByRole("button", { name: "Version history" }).click();
    await history.getByText("Claims: Allowed").waitFor();
    await history.getByRole("button", { name: "Close" }).click();

    const { credentialConfigurations } = await client.listCredentialConfigurations({});
    const path = credentialConfigurations.find(
      ({ learningContextKey, customOptions }) =>
        learningContextKey.startsWith("path-v1:") && customOptions?.steps,
    );
    await page.goto(`${academy.service.httpUrl}/console/configurations/${path?.id}`);
    await change.click();
    const step = page.getByRole("group", { name: "Reading the Night Sky" });
    await step.getByLabel("Same as the whole path").uncheck();
    await step.getByLabel("Midterm, at least (%)").fill("55");
    await page.getByText("In ⁨Reading the Night Sky⁩: at least").waitFor();
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    const saved = (await client.getCredentialConfiguration({ id: path?.id ?? 0 })).customOptions;
    expect(saved?.steps).toMatchObject({ [course]: { required_grades: { midterm: 0.55 } } });
    await leaveQuietly();

    const small = await openVisitor(academy.browser, academy.service, {
      chosen: { language: "ar", theme: "dark" },
      viewport: { width: 320, height: 640 },
    });
    await signIn(small, academy.service, { username: "vera", roles: ["viewer"] });
    await small.page.goto(`${academy.service.httpUrl}/console/types/${id}`);
    await small.page.locator(".requirements .who-gets-it").waitFor();
    await small.page.locator(".requirements summary").click();
    await small.page.locator(".try-requirements").waitFor();
    expect(await small.page.locator(".requirements").getByRole("radio").count()).toBe(0);
    expect(await small.page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    expect(await small.faults()).toEqual([]);
    await small.leave();
    await client.deleteCredentialConfiguration({ id: configurationId });
    await client.deleteCredentialType({ id });
  });

  test("if two windows edit the same type, the second save offers a choice, and nothing is lost", async () => {
    const [first, second] = [await designer("dana"), await designer("eli")];
    const { id, name, customOptions } = await someType();
    const client = academy.staff;
    await client.updateCredentialType({
      credentialType: { id, customOptions: { ...customOptions, required_grades: { Total: 0.5 } } },
    });
    for (const { page } of [first, second])
      await page.goto(`${academy.service.httpUrl}/console/types/${id}#form`);
    const options = (visitor: typeof first) => visitor.page.getByLabel("Options (JSON)");
    for (const { page } of [first, second]) await asJson(page);
    const graded = (grade: number) => ({ ...customOptions, required_grades: { Total: grade } });
    await options(first).fill(JSON.stringify({ ...graded(0.6), validity: "P30D" }));
    await options(second).fill(JSON.stringify(graded(0.7)));
    await typeName(second.page).fill(`${name} of the second`);
    await first.page.getByRole("button", { name: "Save" }).click();
    await first.page.getByText("Saved.").waitFor();

    await second.page.getByRole("button", { name: "Save" }).click();
    const conflict = second.page.locator(".conflict");
    await conflict.getByRole("paragraph").getByText("Someone else saved a change").waitFor();
    expect(JSON.parse(await options(second).inputValue())).toEqual(graded(0.7));
    const row = (part: string) => conflict.getByRole("row").filter({ hasText: part });
    const grade = row("Required grades: Total");
    await grade.getByText("0.6").waitFor();
    await grade.getByText("0.7").waitFor();
    await conflict.locator("summary", { hasText: "Changes that only one of you made (2)" }).click();
    await row("Validity").getByText("P30D").waitFor();
    await row("Name").getByText(`${name} of the second`).waitFor();
    expect(await second.faults()).toEqual([]);
    const goOn = conflict.getByRole("button", { name: "Continue with this version" });
    // Both users have changed the grade.
    await expectMissing(
      goOn,
      grade.getByRole("radio", { name: "Theirs" }),
      "Select an option for “Required grades: Total”.",
    );
    expect(await second.faults()).toEqual([]);
    await grade.getByRole("radio", { name: "Yours" }).check();
    await goOn.click();
    await conflict.waitFor({ state: "detached" });
    await second.page.getByRole("button", { name: "Save" }).click();
    await second.page.getByText("Saved.").waitFor();
    expect(await client.getCredentialType({ id })).toMatchObject({
      name: `${name} of the second`,
      customOptions: { ...graded(0.7), validity: "P30D" },
    });
    // The browser itself reports the refused call.
    expect(second.noise).toEqual([expect.stringContaining("409 (Conflict)")]);
    await first.leaveQuietly();
    await second.leave();
  });

  test("a type is created from another, offered in a course, withdrawn, and deleted", async () => {
    const { page, faults, leaveQuietly } = await designer("nora");
    const { id: model, customOptions, retrievalFunc, generationFunc } = await someType();
    const course = "course-v1:HarbourLight+NEW1+2027";
    const name = "Certificate of Distinction";
    await page.goto(`${academy.service.httpUrl}/console/types/${model}#form`);
    await page.getByRole("link", { name: "Duplicate this type" }).click();
    await page.getByRole("heading", { name: "New credential type" }).waitFor();
    await openForm(page);
    await page.locator('figure.pdf[data-outcome="shown"]').waitFor();
    await expectMissing(page.getByRole("button", { name: "Create" }), typeName(page), "Fill in “Name”.");
    await typeName(page).fill(name);
    await page.reload(); // unsaved input is kept
    expect(await typeName(page).inputValue()).toBe(name);
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name, exact: true }).waitFor();
    const id = idIn(page.url());
    const stored = await academy.staff.getCredentialType({ id });
    expect(stored).toMatchObject({ name, retrievalFunc, generationFunc, customOptions });

    await page.getByRole("button", { name: "Offer it in a course or path" }).click();
    const context = page.getByRole("combobox", { name: "Course or path", exact: true });
    await context.fill("course-v1:HarbourLight+AST");
    await page.getByRole("option", { name: "HarbourLight · AST101" }).first().waitFor();
    expect(await faults()).toEqual([]);
    await context.fill(course);
    await context.press("Enter");
    await expect.poll(() => context.getAttribute("aria-expanded")).toBe("false");
    await page.getByRole("button", { name: "Offer it", exact: true }).click();
    await page.getByRole("group", { name: "Own options" }).waitFor();
    const configuration = idIn(page.url());
    expect(await academy.staff.getCredentialConfiguration({ id: configuration })).toMatchObject({
      credentialTypeId: id,
      learningContextKey: course,
    });

    await page.getByRole("link", { name, exact: true }).click();
    await openForm(page);
    await page.getByRole("link", { name: "HarbourLight · NEW1 · 2027" }).waitFor();
    const remove = page.getByRole("button", { name: "Delete the type" });
    expect(await remove.locator("..").getAttribute("title")).toBe(
      "Courses or paths still offer this type. Stop these offers first.",
    );
    await page.getByRole("link", { name: "HarbourLight · NEW1 · 2027" }).click();
    await page.getByRole("button", { name: "Offer the same elsewhere" }).waitFor();
    await page.getByRole("button", { name: "Stop offering it" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByText("HarbourLight · NEW1 · 2027").waitFor();
    expect(await faults()).toEqual([]);
    await dialog.getByRole("button", { name: "Stop offering it" }).click();
    await page.getByText("No course or path offers it yet.").waitFor();
    await remove.click();
    await dialog.getByRole("button", { name: "Delete the type" }).click();
    await page.getByRole("heading", { name: "Credential types" }).waitFor();
    await page.getByRole("link", { name, exact: true }).waitFor({ state: "detached" });
    await expect(academy.staff.getCredentialType({ id })).rejects.toMatchObject({ code: Code.NotFound });
    await leaveQuietly();
  });

  test("the offer of one course is repeated in another, with its own options, in four clicks", async () => {
    const { page, clicks, faults, leaveQuietly } = await signedIn({
      username: "nora",
      roles: ["designer", "registrar"],
    });
    const { id: credentialTypeId } = await someType();
    const customOptions = { hours: 12, text_elements: { own: { text: "Evening class", y: 60 } } };
    const { id } = await academy.staff.createCredentialConfiguration({
      credentialConfiguration: {
        credentialTypeId,
        learningContextKey: "course-v1:HarbourLight+EVE1+2027",
        customOptions,
      },
    });
    await page.goto(`${academy.service.httpUrl}/console/configurations/${id}`);
    await page.getByRole("button", { name: "Offer the same elsewhere" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "What is copied" }).waitFor();
    expect(await dialog.getByRole("listitem").allInnerTexts()).toEqual(["Hours", "Texts"]);
    await dialog.getByText("Not copied: schedule and credentials").waitFor();
    expect(await faults()).toEqual([]);
    const context = dialog.getByRole("combobox", { name: "Course or path", exact: true });
    await context.fill("course-v1:HarbourLight+EVE2+2027");
    await context.press("Enter");
    await expect.poll(() => context.getAttribute("aria-expanded")).toBe("false");
    await dialog.getByRole("button", { name: "Offer it", exact: true }).click();
    await page.getByText("course-v1:HarbourLight+EVE2+2027").waitFor();
    expect(await clicks()).toBeLessThanOrEqual(4);
    await page.getByRole("button", { name: "Offer the same elsewhere" }).click();
    await context.fill("Navigation by day");
    await dialog.getByText("No results").waitFor();
    await dialog.getByRole("button", { name: "Create a course" }).click(); // the search text becomes the course's name
    expect(await dialog.getByLabel("Name", { exact: true }).inputValue()).toBe("Navigation by day");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.keyboard.press("Escape");
    const made = await academy.staff.getCredentialConfiguration({ id: idIn(page.url()) });
    expect(made).toMatchObject({ credentialTypeId, customOptions });
    expect(made.schedule).toBeUndefined();
    for (const each of [id, made.id]) await academy.staff.deleteCredentialConfiguration({ id: each });
    await leaveQuietly();
  });

  test("a type starts from a design, whose picture shows it", async () => {
    const { page, faults, leaveQuietly } = await designer("nora");
    await page.goto(`${academy.service.httpUrl}/console/types/new`);
    const gallery = page.getByRole("navigation", { name: "Start from a design" });
    const pictures = gallery.locator("img");
    await pictures.first().waitFor();
    expect(await gallery.getByRole("link").count()).toBe(designNames.length);
    expect(await pictures.count()).toBe(designNames.length);
    for (const picture of await pictures.all()) {
      await picture.scrollIntoViewIfNeeded(); // pictures are loaded when they come into view
      await expect
        .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
        .toBeGreaterThan(0);
    }
    expect(await faults()).toEqual([]);
    await storePicture(page, "gallery");
    await gallery.getByRole("link", { name: /^Diploma/ }).press("Enter");
    await page.locator(":focus").and(typeName(page)).waitFor(); // the designer is open, with its name focused
    await openForm(page);
    await gallery.locator("[aria-current]", { hasText: "Diploma" }).waitFor();
    const paper = page.getByLabel("Paper colour", { exact: true });
    expect(await paper.inputValue()).toBe("#fffcf4");
    await paper.fill("#ffffff");
    await typeName(page).fill("Diploma in Navigation");
    const texts = page.getByRole("group", { name: "Texts", exact: true });
    expect(await texts.getByLabel("Text", { exact: true }).count()).toBe(0); // a long list is collapsed
    const title = texts.locator("summary", { hasText: "{title}" });
    await title.press("Enter");
    const text = texts.getByLabel("Text", { exact: true });
    expect(await text.inputValue()).toBe("{title}");
    await text.fill("{title}!");
    await title.filter({ hasText: "{title}!" }).waitFor();
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "Diploma in Navigation", exact: true }).waitFor();
    const client = academy.staff;
    const { designs } = await client.listDesigns({});
    const { customOptions } = await client.getCredentialType({ id: idIn(page.url()) });
    const begun = designs.find(({ name }) => name === "diploma")?.customOptions;
    expect(customOptions).toEqual({
      ...begun,
      paper: "#ffffff",
      text_elements: {
        ...(begun?.text_elements as JsonObject),
        title: {
          ...((begun?.text_elements as JsonObject | undefined)?.title as JsonObject),
          text: "{title}!",
        },
      },
    });
    await leaveQuietly();
  });

  test("the reason why something can't be created or deleted is shown in place, and nothing typed is lost", async () => {
    const { page, leave } = await designer("nora");
    const { id, name } = await someType();
    await page.goto(`${academy.service.httpUrl}/console/types`);
    await page.getByRole("link", { name: "New credential type" }).click();
    await page.getByRole("link", { name: /^Classic/ }).click();
    await typeName(page).fill(name);
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("alert").waitFor();
    expect(await typeName(page).getAttribute("aria-invalid")).toBe("true");
    expect(await typeName(page).inputValue()).toBe(name);

    const { credentialConfigurations } = await academy.staff.listCredentialConfigurations({
      credentialTypeId: id,
    });
    const [offered] = credentialConfigurations;
    await page.goto(`${academy.service.httpUrl}/console/types/${id}#form`);
    await page.getByRole("button", { name: "Offer it in a course or path" }).click();
    const context = page.getByRole("combobox", { name: "Course or path", exact: true });
    await context.fill(offered?.learningContextKey ?? "");
    await context.press("Enter");
    await expect.poll(() => context.getAttribute("aria-expanded")).toBe("false");
    await page.getByRole("button", { name: "Offer it", exact: true }).click();
    await page.getByRole("dialog").getByRole("alert").getByText("already").first().waitFor();
    await page.keyboard.press("Escape");

    await page.goto(`${academy.service.httpUrl}/console/configurations/${offered?.id}`);
    await page.getByRole("button", { name: "Stop offering it" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Stop offering it" }).click();
    await page.getByRole("alert").getByText("This is still in use.").waitFor();
    await leave();
  });

  test("files are uploaded, named in a design, replaced, and deleted once nothing names them", async () => {
    const { page, noise, faults, leave } = await designer("nora");
    const client = academy.staff;
    const crest = (side: number) => ({
      name: "Crest (2).svg",
      mimeType: "image/svg+xml",
      buffer: Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}"><path d="M0 0h9v9z"/></svg>`,
      ),
    });
    const stored = async () => (await client.listAssets({})).assets;
    const { retrievalFunc, generationFunc } = await someType();
    const { id } = await client.createCredentialType({
      credentialType: { retrievalFunc, generationFunc, name: "With a crest" },
    });
    await page.getByRole("link", { name: "Credential types" }).click();
    await page.getByRole("link", { name: "Design files" }).click();
    await page.getByText("No files yet").waitFor();
    const upload = page.getByRole("button", { name: "Upload a file" });
    await upload.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("File").setInputFiles({ ...crest(9), buffer: Buffer.from("<svg") });
    expect(await dialog.getByLabel("Name in options").inputValue()).toBe("crest-2");
    await dialog.getByRole("button", { name: "Upload" }).click();
    await dialog.getByRole("alert").waitFor(); // the file is not an SVG
    expect(await stored()).toEqual([]);
    await dialog.getByLabel("File").setInputFiles(crest(9));
    expect(await faults()).toEqual([]);
    await dialog.getByRole("button", { name: "Upload" }).click();
    await dialog.getByText("You can now use it in designs").waitFor();
    expect(await faults()).toEqual([]);
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("row", { name: "crest-2" }).getByText("Drawing (SVG)").waitFor();
    const [first] = await stored();
    await page.getByRole("button", { name: "crest-2", exact: true }).click();
    await dialog.getByRole("img", { name: "crest-2" }).waitFor();
    await dialog.getByText("No type, offer or branding uses it.").waitFor();
    expect(await faults()).toEqual([]);
    await dialog.getByRole("button", { name: "Close" }).click();

    await page.goto(`${academy.service.httpUrl}/console/types/${id}#form`);
    await page.getByLabel("Another option").selectOption("logo");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("button", { name: "Logo Choose a file…" }).click();
    await dialog.getByRole("button", { name: "crest-2" }).locator("img").waitFor();
    expect(await faults()).toEqual([]);
    await dialog.getByRole("button", { name: "crest-2" }).click();
    await page.getByRole("button", { name: "Logo crest-2" }).locator("img").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();

    await page.goto(`${academy.service.httpUrl}/console/types/files`);
    await page.getByRole("button", { name: "crest-2", exact: true }).click();
    await dialog.getByRole("link", { name: "With a crest" }).waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await upload.click();
    await dialog.getByLabel("File").setInputFiles(crest(18));
    await dialog.getByText("A file with this name exists.").waitFor();
    await dialog.getByRole("button", { name: "Upload" }).click();
    await dialog.getByText("You can now use it in designs").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await stored()).map(({ slug, etag }) => [slug, etag === first?.etag])).toEqual([
      ["crest-2", false],
    ]);

    await page.getByRole("button", { name: "Delete: crest-2" }).click();
    const removal = page.getByRole("alertdialog");
    expect(await faults()).toEqual([]);
    await removal.getByRole("button", { name: "Delete the file" }).click();
    await removal.getByRole("alert").waitFor();
    await client.deleteCredentialType({ id });
    await removal.getByRole("button", { name: "Delete the file" }).click();
    await page.getByText("No files yet").waitFor();
    expect(await stored()).toEqual([]);
    // The browser itself reports the refused call. A refused upload is reported in its stream.
    expect(noise).toEqual([expect.stringContaining("400 (Bad Request)")]);
    await leave();
  });

  test("runs are scheduled and started by hand again, while options are being edited", async () => {
    const { page, noise, faults, leave } = await signedIn({
      username: "nora",
      roles: ["designer", "registrar"],
    });
    const { credentialConfigurations } = await academy.staff.listCredentialConfigurations({});
    const id = credentialConfigurations.at(-1)?.id ?? 0;
    const stored = async () => (await academy.staff.getCredentialConfiguration({ id })).schedule;
    await page.goto(`${academy.service.httpUrl}/console/configurations/${id}`);
    await page.getByText("Runs are started manually").waitFor();
    const options = await asJson(page, "Own options (JSON)");
    await options.fill('{ "hours": 99 }');
    const change = page.getByRole("button", { name: "Change the schedule" });
    const save = page.getByRole("button", { name: "Save the schedule" });

    await change.click();
    await page.getByLabel("Every few days").check();
    await page.getByLabel("Not before").fill("2999-01-01T06:00");
    await page.getByLabel("Cron expression").check();
    await expectMissing(
      save,
      page.getByLabel("Minute, hour"),
      "Fill in “Minute, hour, day of month, month, day of week”.",
    );
    await page.getByLabel("Minute, hour").fill("0 6 * * MOO");
    await page.getByRole("dialog").getByLabel("Time zone").fill("Europe/Madrid");
    expect(await faults()).toEqual([]);
    await save.click();
    await page.getByRole("alert").getByText("MOO").first().waitFor();
    await page.getByLabel("Minute, hour").fill("0 6 * * MON");
    await save.click();
    await page.getByText(/Every .Monday. at .06:00/).waitFor();
    await page.locator("#main").getByText("Next runs, in the schedule’s time zone Europe/Madrid").waitFor();
    await page.locator("#main").getByText("Next run", { exact: true }).waitFor();
    expect(await stored()).toMatchObject({
      enabled: true,
      recurrence: { case: "cron", value: "0 6 * * MON" },
      timeZone: "Europe/Madrid",
      startTime: { seconds: BigInt(Date.parse("2999-01-01T06:00") / 1000) },
    });
    await page.getByText("Set by").waitFor();
    const other = await designer("dana");
    await other.page.goto(page.url());
    const unavailable = other.page.getByRole("button", { name: "Change the schedule" });
    expect(await unavailable.locator("..").getAttribute("title")).toBe("This requires the role registrar.");
    await other.page.getByText("only registrars can change").waitFor();
    await other.leave();
    expect(await page.locator(".conflict").count()).toBe(0); // the change doesn't affect the field that is being edited
    expect(await options.inputValue()).toBe('{ "hours": 99 }');

    await change.click();
    expect(await page.getByLabel("Weekly").isChecked()).toBe(true);
    expect(await page.getByLabel("Mon", { exact: true }).isChecked()).toBe(true);
    expect(await page.getByLabel("Time", { exact: true }).inputValue()).toBe("06:00");
    await page
      .getByRole("dialog")
      .getByText("Next runs, in the schedule’s time zone Europe/Madrid")
      .waitFor();
    expect(await faults()).toEqual([]);
    await page.getByLabel("Every few days").check();
    await page.getByLabel("Days between two runs").fill("7");
    await save.click();
    await page.getByText("7 days").waitFor();
    await change.click();
    const automatic = page.getByLabel("Start runs automatically");
    await automatic.uncheck();
    await save.click();
    await page.getByText("None: the schedule is off.").waitFor();
    await page.locator("#main").getByText("7 days").waitFor();
    expect(await page.getByText("Next runs").count()).toBe(0);
    const turnedOff = await stored();
    expect(turnedOff).toMatchObject({ enabled: false, recurrence: { case: "intervalDays", value: 7 } });
    expect(await faults()).toEqual([]);
    await change.click();
    expect(await page.getByLabel("Every few days").isChecked()).toBe(true);
    expect(await automatic.isChecked()).toBe(false);
    expect(await faults()).toEqual([]);
    await save.click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await stored()).toEqual(turnedOff);
    await change.click();
    await automatic.check();
    await save.click();
    await page.locator("#main").getByText("Next runs").waitFor();
    expect(await stored()).toMatchObject({ enabled: true, recurrence: { case: "intervalDays", value: 7 } });
    await change.click();
    await page.getByLabel("Runs are started manually").check();
    await save.click();
    await page.getByRole("dialog").waitFor({ state: "detached" }); // the dialog contains the same words as the page
    await page.getByText("Runs are started manually").waitFor();
    expect(await stored()).toBeUndefined();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.").waitFor();
    expect((await academy.staff.getCredentialConfiguration({ id })).customOptions).toEqual({ hours: 99 });
    // The browser itself reports the refused calls, including those for the preview of run times.
    expect(noise.length).toBeGreaterThan(0);
    for (const each of noise) expect(each).toContain("400 (Bad Request)");
    await leave();
  });

  test("staff limited to an organisation change its configurations, and no type", async () => {
    const { credentialConfigurations } = await academy.staff.listCredentialConfigurations({});
    const [configuration] = credentialConfigurations;
    const { id = 0, credentialTypeId, learningContextKey = "", customOptions } = configuration ?? {};
    const own = { username: "olu", roles: ["designer"], organisations: ["HarbourLight"] } as const;
    expect(learningContextKey).toContain(":HarbourLight+");
    const { page, leaveQuietly } = await signedIn(own);
    await page.goto(`${academy.service.httpUrl}/console/types/${credentialTypeId}`);
    const save = page.getByRole("button", { name: "Save" });
    expect(await save.locator("..").getAttribute("title")).toContain("All organisations share the types");
    expect(await page.getByRole("button", { name: "Delete the type" }).isDisabled()).toBe(true);
    expect(await page.getByRole("link", { name: "Duplicate this type" }).count()).toBe(0);
    await page.getByRole("link", { name: configuration?.learningContextName ?? "?" }).click();
    const options = await asJson(page, "Own options (JSON)");
    // Users who try several values don't wait until each preview is drawn.
    for (const validity of ["P30D", "P60D", "P90D"]) {
      await options.fill(JSON.stringify({ ...customOptions, validity }));
      await page.getByRole("button", { name: "Preview changes" }).click();
    }
    await page.locator('figure.pdf[data-outcome="shown"]').waitFor();
    await save.click();
    await page.getByText("Saved.").waitFor();
    const stored = await academy.staff.getCredentialConfiguration({ id });
    expect(stored.customOptions).toEqual({ ...customOptions, validity: "P90D" });
    await leaveQuietly();

    const stranger = await signedIn({ ...own, organisations: ["Elsewhere"] });
    await stranger.page.goto(`${academy.service.httpUrl}/console/configurations/${id}`);
    await stranger.page.getByRole("alert").waitFor();
    expect(await stranger.page.getByRole("group", { name: "Own options" }).count()).toBe(0);
    await stranger.leave();
  });
});
