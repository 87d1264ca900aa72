import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { findChromium, launchChromium } from "../edges/pages/chromium.js";
import { givenDirectory } from "../support/directory.js";
import { startTestService, type TestService, tokenOf } from "../support/service.js";
import { writeSigningKeys } from "../support/signing-keys.js";
import { buildConsole } from "./built-console.js";
import { ownAddress } from "./given-console.js";
import { expectMissing, openVisitor, seePage, signIn, storePicture, tabTo } from "./visitor.js";

const executable = findChromium();
const UNI = "University of the Harbour";

describe.skipIf(executable === undefined)("organisations and issuers in the console", () => {
  const directory = givenDirectory("organisations");
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    buildConsole();
    const issuers = {
      Sea: { name: "School of the Sea", signing_keys: (await writeSigningKeys(directory, "sea")).split(",") },
    };
    await writeFile(join(directory, "issuers.json"), JSON.stringify(issuers));
    service = await startTestService({
      settings: {
        ...(await ownAddress()),
        SIGNING_KEY_FILES: await writeSigningKeys(directory, "own"),
        ISSUERS_FILE: join(directory, "issuers.json"),
        ISSUER_URL: "https://light.test",
      },
    });
    browser = await launchChromium(executable as string);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const administration = async () =>
    service.client(AdministrationService, await tokenOf({ username: "ops", service: "write" }));
  const issuerOf = async (name: string) => {
    const { organisations } = await (await administration()).listOrganisations({});
    return organisations.find(({ organisation }) => organisation === name)?.issuer;
  };

  async function asAdmin(chosen = {}) {
    const visitor = await openVisitor(browser, service, { chosen });
    await signIn(visitor, service, { username: "ada", roles: ["admin"] });
    await openOrganisations(visitor.page);
    return visitor;
  }
  async function openOrganisations(page: Page) {
    await page.goto(`${service.httpUrl}/console/administration?tab=organisations`);
    await seePage(page);
    await page.locator("tbody tr").first().waitFor();
  }

  test("an administrator adds an issuer, changes it, replaces its keys, and removes it", async () => {
    const admin = await asAdmin();
    const { page } = admin;
    const dialog = page.getByRole("dialog");
    const row = page.getByRole("row", { name: "Uni" });
    await page.getByRole("button", { name: "Add an organisation…" }).click();
    const save = dialog.getByRole("button", { name: "Save" });
    const organisation = dialog.getByLabel("Organisation");
    await expectMissing(save, organisation, "Fill in “Organisation”.");
    await organisation.fill("Uni");
    await expectMissing(save, dialog.getByLabel("Name in badges"), "Fill in “Name in badges”.");
    await dialog.getByLabel("Name in badges").fill(UNI);
    await dialog.getByLabel("Website").fill("http://uni.test");
    expect(await admin.faults()).toEqual([]);
    await save.click();
    await dialog.getByText("url must be a URL with https://").first().waitFor();
    expect(await issuerOf("Uni")).toBeUndefined();
    await dialog.getByLabel("Website").fill("https://uni.test");
    await save.click();
    await dialog.waitFor({ state: "hidden" });
    await row.getByText(UNI).waitFor();
    await row.getByText("https://uni.test").waitFor();
    expect(await issuerOf("Uni")).toMatchObject({ name: UNI, url: "https://uni.test", keyCount: 2 });
    expect(await admin.faults()).toEqual([]);

    await page.getByRole("button", { name: "Change… Uni" }).click();
    expect(await dialog.getByLabel("Name in badges").inputValue()).toBe(UNI);
    await dialog.getByLabel("Name in badges").fill("Harbour College");
    await dialog.getByLabel("Create new keys").check();
    await save.click();
    await dialog.waitFor({ state: "hidden" });
    await row.getByText("Harbour College").waitFor();
    await expect.poll(() => row.getByRole("cell", { name: "4", exact: true }).count()).toBe(1);
    expect(await issuerOf("Uni")).toMatchObject({ name: "Harbour College", keyCount: 4 });

    await page.getByRole("button", { name: "Remove… Uni" }).click();
    const removal = page.getByRole("alertdialog");
    await removal.getByText(/the issuer’s keys are kept/).waitFor();
    expect(await admin.faults()).toEqual([]);
    await removal.getByRole("button", { name: "Remove the issuer" }).click();
    await row.waitFor({ state: "hidden" });
    expect(await issuerOf("Uni")).toBeUndefined();
    expect(admin.noise).toEqual([expect.stringContaining("400 (Bad Request)")]);
    await admin.leave();
  });

  test("an issuer is set up by keys alone", async () => {
    const admin = await asAdmin();
    const { page } = admin;
    await tabTo(page, "Add an organisation…");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    for (const [label, text] of [
      ["Organisation", "Law"],
      ["Name in badges", "School of Law"],
    ] as const) {
      await tabTo(page, label);
      await page.keyboard.type(text);
    }
    await tabTo(page, "Save");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: "Law" }).getByText("School of Law").waitFor();
    await admin.leaveQuietly();
  });

  test("what the file and the environment set is shown as such, and can't be changed", async () => {
    const admin = await asAdmin();
    const { page } = admin;
    const filed = page.getByRole("row", { name: "Sea" });
    await filed.getByText("Set in the file that ISSUERS_FILE names.").waitFor();
    expect(await filed.getByRole("button").count()).toBe(0);
    // Adding the organisation is refused, too.
    await page.getByRole("button", { name: "Add an organisation…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Organisation").fill("Sea");
    await dialog.getByLabel("Name in badges").fill("Another Sea");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText('ISSUERS_FILE sets the issuer of "Sea"').first().waitFor();
    expect(await issuerOf("Sea")).toMatchObject({ name: "School of the Sea", isStored: false });
    await dialog.getByRole("button", { name: "Cancel" }).click();

    await page.getByRole("button", { name: "Change… The whole service" }).click();
    const website = dialog.getByLabel("Website");
    expect(await website.inputValue()).toBe("https://light.test");
    expect(await website.isEditable()).toBe(false);
    await dialog.getByText("Set in the environment: ").waitFor();
    await dialog.getByLabel("Description").fill("An academy by the sea");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });
    const { defaultIssuer } = await (await administration()).listOrganisations({});
    expect(defaultIssuer).toMatchObject({ description: "An academy by the sea", isStored: true });
    expect(admin.noise).toEqual([expect.stringContaining("400 (Bad Request)")]);
    await admin.leave();
  });

  test("without SETTINGS_SECRET, it says what to do", async () => {
    const settings = { ...(await ownAddress()), SETTINGS_SECRET: "", ISSUERS_FILE: "" };
    const keys = await writeSigningKeys(directory, "lacking");
    const lacking = await startTestService({
      beside: service,
      settings: { ...settings, SIGNING_KEY_FILES: keys },
    });
    const admin = await openVisitor(browser, lacking);
    await signIn(admin, lacking, { username: "ada", roles: ["admin"] });
    await admin.page.goto(`${lacking.httpUrl}/console/administration?tab=organisations`);
    await admin.page.getByText("because SETTINGS_SECRET is not set").first().waitFor();
    expect(await admin.page.getByRole("button", { name: "Add an organisation…" }).isDisabled()).toBe(true);
    await admin.leaveQuietly();
    await lacking.stop();
  });

  test.each(["en", "de", "fr", "es", "it", "pt", "uk", "ar"])(
    "in %s nothing is cut off on a laptop or phone",
    async (language) => {
      const admin = await asAdmin({ language });
      const { page } = admin;
      for (const width of [1366, 320]) {
        await page.setViewportSize({ width, height: 900 });
        await openOrganisations(page);
        await storePicture(page, `organisations-${language}-${width}`);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
        expect(await admin.faults()).toEqual([]);
        await page.locator(".page-head .button").click();
        await page.getByRole("dialog").waitFor();
        await storePicture(page, `issuer-dialog-${language}-${width}`);
        expect(await page.evaluate(CUT_OFF)).toEqual([]);
        expect(await admin.faults()).toEqual([]);
      }
      await admin.leaveQuietly();
    },
  );
});

/** Texts of elements that are wider than the dialog. */
const CUT_OFF = `[...document.querySelectorAll("[role=dialog] *")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX !== "visible")
  .map((each) => each.innerText)`;
