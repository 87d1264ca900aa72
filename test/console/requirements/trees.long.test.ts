import { readFile } from "node:fs/promises";
import type { JsonObject } from "@bufbuild/protobuf";
import { describe, expect, test, vi } from "vitest";
import { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { findChromium } from "../../edges/pages/chromium.js";
import { tokenOf } from "../../support/service.js";
import { givenDesigners, settled } from "../given-console.js";
import { FOCUSED, openPage, openVisitor, signIn, storePicture } from "../visitor.js";

const executable = findChromium();
const TREES = "learning_credentials.processors.retrieve_requirements";
const COURSE = "course-v1:HarbourLight+AST101+2025";
const OTHER = "course-v1:HarbourLight+BOT110+2025";

describe.skipIf(executable === undefined)("requirements made of parts", () => {
  const academy = givenDesigners(executable);

  async function typeWith(name: string, requirements: JsonObject) {
    const { credentialTypes } = await academy.staff.listCredentialTypes({});
    const [like] = credentialTypes;
    return academy.staff.createCredentialType({
      credentialType: {
        name,
        retrievalFunc: TREES,
        generationFunc: like?.generationFunc ?? "",
        customOptions: { requirements },
      },
    });
  }
  const offer = (credentialTypeId: number, learningContextKey = COURSE) =>
    academy.staff.createCredentialConfiguration({
      credentialConfiguration: { credentialTypeId, learningContextKey },
    });
  async function designer() {
    const visitor = await openVisitor(academy.browser, academy.service);
    await signIn(visitor, academy.service, { username: "dana", roles: ["designer"] });
    return visitor;
  }

  test("are built with the keyboard alone, with errors beside their part", async () => {
    const { page, faults, leaveQuietly } = await designer();
    const held = await typeWith("Foundations", { passed: true });
    const type = await typeWith("Mastery", { grade: { Total: 0.7 } });
    await page.goto(`${academy.service.httpUrl}/console/types/${type.id}#form`);
    await page.getByText("Change or test").click();
    const top = page.getByLabel("New requirement", { exact: true });
    await top.waitFor();
    const focused = async () => String(await page.evaluate(FOCUSED)).trim();

    await top.focus();
    await page.keyboard.type("Gro"); // typing the first letters selects a choice
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator("select:focus").waitFor();
    expect(await focused()).toContain("How many are required");
    await page.getByRole("group", { name: "2 Group" }).getByText("Add at least one requirement.").waitFor();
    await page.keyboard.type("At least");
    expect(await page.getByLabel("Number required").inputValue()).toBe("1");

    const inGroup = page.getByLabel("New requirement: 2", { exact: true });
    for (const kind of ["holds", "passed", "letter"]) {
      await inGroup.selectOption(kind);
      await page.getByRole("button", { name: "Add: New requirement: 2", exact: true }).press("Enter");
    }
    const credential = page.getByRole("group", { name: "2.1 Another credential" });
    await credential.getByText("Choose a credential.").waitFor();
    const chosenType = credential.getByRole("combobox", { name: "Credential type" });
    await chosenType.fill(held.name);
    await credential.getByRole("option", { name: held.name }).locator("canvas").waitFor();
    expect(await faults()).toEqual([]);
    await chosenType.press("Enter");
    expect(await chosenType.inputValue()).toBe(held.name);
    await page.getByRole("group", { name: "2.3 Letter grade" }).getByText("Enter a letter grade.").waitFor();
    await page.getByLabel("Number required").fill("4");
    await page.getByText("Enter a number from 1 to the number of requirements in this group.").waitFor();
    await page.getByLabel("Number required").fill("٢");

    const runs = page.getByRole("group", { name: "2.2 Passed on the platform" });
    await runs.getByLabel("Where").selectOption("runs");
    await runs.getByRole("combobox", { name: "Edition 1" }).fill(OTHER);
    await runs.locator("[role=option]", { hasText: "BOT110 · 2025" }).waitFor();
    await runs.getByRole("combobox", { name: "Edition 1" }).press("Enter");
    await runs.locator(".picker > p", { hasText: "BOT110 · 2025" }).waitFor();
    await runs.getByRole("button", { name: "Add edition: 2.2" }).press("Enter");
    await runs.getByText("Choose a course.").waitFor();
    await runs.getByRole("combobox", { name: "Edition 2" }).fill("course-v1:HarbourLight+BOT110+2026");
    await runs.locator("[role=option]", { hasText: "BOT110 · 2026" }).waitFor();
    await runs.getByRole("combobox", { name: "Edition 2" }).press("Enter");
    await runs.locator(".picker > p", { hasText: "BOT110 · 2026" }).waitFor();

    const up = page.getByRole("button", { name: "Move up: 2.3 Letter grade" });
    await up.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("group", { name: "2.2 Letter grade" }).waitFor();
    expect(await focused()).toBe("Move up: 2.2 Letter grade"); // the same part keeps the focus
    await page.keyboard.press("Enter");
    expect(await focused()).toBe("Move down: 2.1 Letter grade"); // the part can't move up any further
    await page.getByRole("button", { name: "Remove: 2.1 Letter grade" }).press("Enter");
    expect(await focused()).toContain("New requirement: 2");
    await page.getByText("at least 2 of").first().waitFor();
    await page.getByText("Foundations").first().waitFor();
    expect(await faults()).toEqual([]);
    await storePicture(page, "tree-form");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    const saved = await academy.staff.getCredentialType({ id: type.id });
    expect(saved.customOptions).toEqual({
      requirements: {
        all: [
          { grade: { Total: 0.7 } },
          {
            at_least: 2,
            of: [
              { holds: { credential_type_id: held.id } },
              { passed: true, runs: [OTHER, "course-v1:HarbourLight+BOT110+2026"] },
            ],
          },
        ],
      },
    });
    await leaveQuietly();
  });

  test("are imported from a pathway of Open edX, which is shown first, and whose errors are named", async () => {
    const { page, faults, leave } = await designer();
    const type = await typeWith("Imported", { grade: { Total: 0.7 } });
    await page.goto(`${academy.service.httpUrl}/console/types/${type.id}#form`);
    await page.getByText("Change or test").click();
    const open = page.getByRole("button", { name: "Import an Open edX pathway…" });
    const dialog = page.getByRole("dialog", { name: "Import an Open edX pathway" });
    const add = dialog.getByRole("button", { name: "Add requirements" });
    const text = dialog.getByLabel("Text of the pathway");
    const [course, other] = [COURSE, OTHER].map((key) => ({ key: "C", course_runs: [{ key }] }));
    const both = { min_requirement: 1, courses: [course], programs: [{ uuid: "P", courses: [other] }] };
    const pathway = { title: "Sky and sea", steps: [both, { ...both, programs: [] }] };

    await open.press("Enter");
    await add.press("Enter");
    await dialog.getByText("Choose a file, or paste the text of a pathway.").waitFor();
    await text.fill(JSON.stringify({ steps: [{ ...both, min_requirement: 3 }] }));
    await dialog.getByText("Step 1 requires 3 items, but lists only 2.").waitFor();
    expect(await faults()).toEqual([]);
    await add.press("Enter");
    await dialog.getByLabel("File").setInputFiles({
      name: "pathway.json",
      mimeType: "application/json",
      buffer: Buffer.alloc(2_000_001, " "),
    });
    await dialog.getByText("A pathway has at most 2 MB.").waitFor();
    await dialog.getByLabel("File").setInputFiles({
      name: "pathway.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify(pathway)),
    });
    await dialog.getByText("Sky and sea", { exact: true }).waitFor();
    await dialog.getByText("Any of these").waitFor();
    expect(await faults()).toEqual([]);
    await storePicture(page, "tree-pathway");
    await add.press("Enter");
    await page.getByRole("group", { name: "2.1.2 Passed on the platform" }).waitFor();
    await expect.poll(() => page.evaluate(FOCUSED)).toContain("Import an Open edX pathway");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    const passed = (key: string) => ({ passed: true, course: key });
    expect((await academy.staff.getCredentialType({ id: type.id })).customOptions).toEqual({
      requirements: {
        all: [{ grade: { Total: 0.7 } }, { all: [{ any: [passed(COURSE), passed(OTHER)] }, passed(COURSE)] }],
      },
    });
    await leave();
  });

  test("are refused by name if credentials would require each other", async () => {
    const { page, leave } = await designer();
    const type = await typeWith("Circular", { passed: true });
    const { id } = await offer(type.id);
    await page.goto(`${academy.service.httpUrl}/console/configurations/${id}`);
    await page.getByText("Change or test").click();
    await page.getByLabel("New requirement", { exact: true }).selectOption("holds");
    await page.getByRole("button", { name: "Add: New requirement", exact: true }).click();
    const held = page.getByRole("group", { name: "2 Another credential" });
    await held.getByRole("combobox", { name: "Credential type" }).fill(type.name);
    await held.getByRole("option", { name: type.name }).click();
    await page.getByRole("button", { name: "Save" }).click();
    const refused = page.getByText(/credentials can't require each other/).first();
    await refused.waitFor();
    expect(await refused.innerText()).toContain("Circular");
    await storePicture(page, "tree-circle");
    await leave();
  });

  test("are tried on the course and on a learner, and compared with the saved ones", async () => {
    const { page, faults, leave } = await designer();
    const type = await typeWith("Compared", { grade: { Total: 0.6 } });
    const { id } = await offer(type.id);
    await page.goto(`${academy.service.httpUrl}/console/configurations/${id}`);
    await page.getByText("Change or test").click();
    await page.getByText("The same learners are eligible as before.").waitFor();
    await page.getByLabel("In total, at least (%)").fill("90");
    await page.getByText(/\d+ learners would no longer be eligible/).waitFor();
    await page.getByText("0 more learners would be eligible").waitFor();
    await page.getByText("Issued credentials are kept.").waitFor();
    const started = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const lines = (await readFile(await (await started).path(), "utf8")).trim().split("\r\n");
    expect(lines[0]).toBe("username,full_name,change,has_credential");
    const [, username = ""] = /^([^,]+),/.exec(lines[1] ?? "") ?? [];
    expect(lines.slice(1).every((line) => /,lost,(?:true|false)$/.test(line))).toBe(true);
    const counted = await page.getByText(/\d+ learners would no longer be eligible/).innerText();
    expect(lines.length - 1).toBe(Number.parseInt(counted, 10));
    await page.getByText("Affected learners").first().click();

    await page.getByRole("combobox", { name: "Check a learner" }).fill(username);
    await page.locator("[role=option]", { hasText: username }).waitFor();
    await page.getByRole("combobox", { name: "Check a learner" }).press("Enter");
    const step = page.locator(".picture li[data-met=false]").last();
    await step.getByText(/^⁨?Total.*required: 90/).waitFor();
    expect(await faults()).toEqual([]);
    await storePicture(page, "tree-plan");
    const auditor = academy.service.client(
      AdministrationService,
      await tokenOf({ username: "audit", service: "write" }),
    );
    const { entries } = await auditor.listAuditEntries({ method: "PreviewEligibility" });
    expect(entries[0]?.caller).toBe("dana");
    await leave();
  });

  test("are not saved after someone else's change of the offer or its type, and the effect is shown again", async () => {
    const { page, faults, leave } = await designer();
    const type = await typeWith("Raced", { grade: { Total: 0.6 } });
    const { id } = await offer(type.id);
    const stored = async () => (await academy.staff.getCredentialConfiguration({ id })).customOptions;
    const total = page.getByLabel("In total, at least (%)");
    const save = page.getByRole("button", { name: "Save" });
    const lost = page.getByText(/\d+ learners? would no longer be eligible/);
    await page.goto(`${academy.service.httpUrl}/console/configurations/${id}`);
    await page.getByText("Change or test").click();
    await page.getByText("The same learners are eligible as before.").waitFor();
    await total.fill("90");
    await lost.waitFor();
    const before = await lost.innerText();

    const ofType = { requirements: { grade: { Total: 0.8 } } };
    await academy.staff.updateCredentialType({ credentialType: { id: type.id, customOptions: ofType } });
    await save.click();
    await page.getByText("Something has changed since you saw the plan. Check the plan again.").waitFor();
    // Fewer learners are eligible by the type's new requirements.
    await expect.poll(() => lost.innerText()).not.toBe(before);
    expect(await total.inputValue()).toBe("90");
    expect(await stored()).toEqual({});
    expect(await faults()).toEqual([]);

    const theirs = { requirements: { grade: { Total: 0.7 } } };
    await academy.staff.updateCredentialConfiguration({
      credentialConfiguration: { id, customOptions: theirs },
    });
    await save.click();
    const conflict = page.locator(".conflict");
    await conflict.getByRole("paragraph").getByText("Someone else saved a change").waitFor();
    expect(await stored()).toEqual(theirs);
    await conflict.getByRole("radio", { name: "Yours" }).check();
    await conflict.getByRole("button", { name: "Continue with this version" }).click();
    await save.click();
    await page.getByText("Saved.").waitFor();
    expect(await stored()).toEqual({ requirements: { all: [{ grade: { Total: 0.9 } }] } });
    await leave();
  });

  test("of a stack are a picture on its type, its offer and its learner", async () => {
    const levels = [await typeWith("Level 1", { passed: true, course: OTHER })];
    await offer(levels[0]?.id ?? 0);
    for (const level of [2, 3]) {
      const holds = { credential_type_id: levels.at(-1)?.id ?? 0 };
      const tree = {
        at_least: 1,
        of: [{ holds }, { completion: 0.9 }, { letter: "A", runs: [OTHER, COURSE] }],
      };
      const type = await typeWith(`Level ${level}`, tree);
      levels.push(type);
      await offer(type.id);
    }
    const top = levels[2]?.id;
    for (const [language, theme, width] of [
      ["en", "light", 1280],
      ["de", "dark", 320],
      ["uk", "light", 320],
      ["ar", "dark", 320],
      ["fr", "light", 320],
      ["es", "dark", 320],
      ["it", "light", 320],
      ["pt", "dark", 320],
    ] as const) {
      const visitor = await openPage(academy, `/types/${top}`, { language, theme, width });
      const { page } = visitor;
      await page.locator(".picture").getByRole("link", { name: "Level 1" }).waitFor();
      await page.locator(".requirements summary").click();
      await page.locator(".try-requirements").waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      expect(await visitor.faults()).toEqual([]);
      await storePicture(page, `tree-stack-${language}`);
      await visitor.leave();
    }
    const { page, leave } = await openPage(academy, "/learners/jonas.lindqvist", { width: 320 });
    await page.getByRole("list", { name: "Steps to Level 3" }).first().waitFor();
    await page.getByText("Met", { exact: true }).or(page.getByText("Not met yet")).first().waitFor();
    await storePicture(page, "tree-learner");
    await leave();
  });

  test("withdrawing a part names the credentials that need it, which are then found and reviewed", async () => {
    const [part, whole] = [
      await typeWith("Part", { completion: 0 }),
      await typeWith("Whole", { passed: true }),
    ];
    const credentials = academy.service.client(
      CredentialService,
      await tokenOf({ username: "rita", isStaff: true }),
    );
    const first = await offer(part.id);
    await academy.staff.updateCredentialType({
      credentialType: {
        id: whole.id,
        customOptions: { requirements: { holds: { configuration_id: first.id } } },
      },
      updateMask: { paths: ["custom_options"] },
    });
    const username = "jonas.lindqvist";
    const { uuid } = await credentials.issueCredential({ configurationId: first.id, username });
    await settled(academy.service);
    const second = await offer(whole.id);
    const built = await credentials.issueCredential({ configurationId: second.id, username });
    await settled(academy.service);

    const { page, faults, leaveQuietly } = await openPage(academy, `/credentials/${uuid}`, { width: 320 });
    await page.getByRole("heading", { name: "Required by" }).waitFor();
    await page.getByRole("button", { name: "Withdraw" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog
      .getByText("1 credential requires this one, but stays valid and is marked for review:")
      .waitFor();
    await dialog.getByRole("link", { name: /Whole/ }).waitFor();
    expect(await faults()).toEqual([]);
    await storePicture(page, "tree-withdraw");
    await dialog.getByRole("textbox").first().fill("Issued in error.");
    await dialog.getByRole("button", { name: /Withdraw/ }).click();
    await dialog.waitFor({ state: "hidden" });

    await page.goto(`${academy.service.httpUrl}/console/credentials`);
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByRole("button", { name: "Needs review" }).click();
    const row = page.locator("tbody tr");
    await row.getByText("Needs review").waitFor();
    await vi.waitUntil(async () => (await row.count()) === 1, { timeout: 30_000 }); // the other rows are filtered out
    expect(await faults()).toEqual([]);
    await storePicture(page, "tree-review-list");
    await row.getByRole("link").first().click();
    await page
      .getByText("This credential requires another credential that has since been withdrawn.")
      .waitFor();
    await page.getByText("Withdrawn later").waitFor();
    expect(await faults()).toEqual([]);
    await storePicture(page, "tree-review");
    await page.getByRole("button", { name: "Mark as reviewed" }).click();
    await page
      .getByText("This credential requires another credential that has since been withdrawn.")
      .waitFor({ state: "hidden" });
    expect((await credentials.getCredential({ uuid: built.uuid })).needsReview).toBe(false);
    await leaveQuietly();
  });
});
