import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBackground } from "#app/background.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProvider,
  startIdentityProvider,
} from "../edges/console/identity-provider.js";
import { findChromium, launchChromium } from "../edges/pages/chromium.js";
import { startTestService, type TestService, tokenOf } from "../support/service.js";
import { buildConsole } from "./built-console.js";
import { ownAddress } from "./given-console.js";
import { expectMissing, openVisitor, seePage, signIn, storePicture, tabTo, type Visitor } from "./visitor.js";

const executable = findChromium();

describe.skipIf(executable === undefined)("staff in the console", () => {
  let provider: IdentityProvider;
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    buildConsole();
    provider = await startIdentityProvider();
    const oidc = {
      OIDC_ISSUER: provider.url,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
    };
    service = await startTestService({ settings: { ...(await ownAddress()), ...oidc } });
    startBackground(service.app, ["brands"]);
    browser = await launchChromium(executable as string);
    const records = service.client(
      LearnerRecordService,
      await tokenOf({ username: "lms", service: "write" }),
    );
    const people = { rita: "Rita Registrar", zoe: "Zoe Zimmer" };
    await records.upsertRecords({
      records: Object.entries(people).map(([username, fullName]) => ({
        kind: { case: "learner", value: { username, fullName } },
      })),
    });
    const staff = service.client(ConfigurationService, await tokenOf({ username: "dora", isStaff: true }));
    await staff.updateBrand({ brand: { contact: "it@uni.example" } });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await provider?.stop();
  });

  const openStaff = async ({ page }: Visitor) => {
    await page.goto(`${service.httpUrl}/console/administration?tab=staff`);
    await seePage(page);
    await page.getByRole("heading", { name: "Granted roles", exact: true }).waitFor();
  };
  async function asAdmin(options = {}) {
    const visitor = await openVisitor(browser, service, options);
    await signIn(visitor, service, { username: "ada", roles: ["admin"] });
    await openStaff(visitor);
    return visitor;
  }
  /** Signs in with the identity provider through the link on the sign-in page. */
  async function signInWithProvider({ page }: Visitor, username: string) {
    provider.claims = { sub: `id of ${username}`, preferred_username: username };
    await page.goto(`${service.httpUrl}/console/`);
    await page.getByRole("link", { name: "Sign in", exact: true }).click();
    await page.waitForURL(/\/console\/(?:sign-in\/callback.*)?$/);
  }
  const rowOf = ({ page }: Visitor, name: string) => page.getByRole("row").filter({ hasText: name });
  /** Checks the browser's messages, except requests to the provider, which is another site. */
  const quietly = async ({ noise, leave }: Visitor) => {
    const others = noise.filter((each) => !each.startsWith(`foreign: ${provider.url}/`));
    expect(others.filter((each) => !/status of 40[13]/.test(each))).toEqual([]);
    await leave();
  };

  test("someone without a role sees whom to contact, is added, changed and removed, each at once", async () => {
    const guest = await openVisitor(browser, service);
    await signInWithProvider(guest, "rita");
    await guest.page.getByText("who has no role here").waitFor();
    await guest.page.getByRole("main").getByRole("link", { name: "it@uni.example" }).waitFor();
    expect(await guest.faults()).toEqual([]);

    const admin = await asAdmin();
    const { page } = admin;
    await page.getByText("No granted roles yet").waitFor();
    expect(await admin.faults()).toEqual([]);
    await page.getByRole("button", { name: "Add a person…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Username").fill("rita");
    await dialog.getByLabel("Restrict to organisations").fill("Uni");
    await dialog.getByText("As an API call").click();
    expect(await admin.faults()).toEqual([]);
    await dialog.getByRole("button", { name: "Grant roles" }).click();
    const row = rowOf(admin, "Rita Registrar");
    expect(await row.textContent()).toMatch(/viewer, registrar.*Uni.*Hasn’t signed in yet.*ada/s);

    await signInWithProvider(guest, "rita");
    await guest.page.getByText("Signed in as").getByText("Rita Registrar").waitFor();
    await page.reload();
    await row.getByText("Has signed in").waitFor();
    await row.getByRole("button", { name: "Change… Rita Registrar" }).click();
    await dialog.getByRole("checkbox", { name: "admin" }).check();
    await dialog.getByLabel("Restrict to organisations").fill("");
    await dialog.getByRole("button", { name: "Save" }).click();
    await row.getByText("admin", { exact: true }).waitFor();
    // The same session has the new role.
    await openStaff(guest);
    await rowOf(guest, "This is you").getByText("Rita Registrar").waitFor();

    await page.getByRole("button", { name: "Add a person…" }).click();
    await dialog.getByLabel("Username").fill("zoe");
    await dialog.getByRole("checkbox", { name: "admin" }).check();
    await dialog.getByRole("button", { name: "Grant roles" }).click();
    await row.getByRole("button", { name: "Remove… Rita Registrar" }).click();
    const alert = page.getByRole("alertdialog");
    await alert.getByText("their sessions end now").waitFor();
    await alert.getByRole("button", { name: "Remove all roles" }).click();
    await row.waitFor({ state: "detached" });
    await guest.page.getByRole("link", { name: "Credentials", exact: true }).click();
    await guest.page.getByRole("link", { name: "Sign in", exact: true }).waitFor();
    await quietly(guest);
    await quietly(admin);
  });

  test("an administrator confirms giving up the own role, and the last one can't", async () => {
    const zoe = await openVisitor(browser, service);
    await signInWithProvider(zoe, "zoe");
    await openStaff(zoe);
    const own = rowOf(zoe, "This is you");
    const remove = own.getByRole("button", { name: "Remove… Zoe Zimmer" });
    await own.getByText("This is the last administrator.").waitFor();
    expect(await remove.isDisabled()).toBe(true);
    const { page } = zoe;
    const dialog = page.getByRole("dialog");
    const save = dialog.getByRole("button", { name: "Save" });
    await own.getByRole("button", { name: "Change… Zoe Zimmer" }).click();
    await dialog.getByRole("checkbox", { name: "admin" }).uncheck();
    await dialog.getByText("This is the last administrator.").waitFor();
    expect(await save.isDisabled()).toBe(true);
    await dialog.getByRole("button", { name: "Cancel" }).click();

    const admin = await asAdmin();
    await admin.page.getByRole("button", { name: "Add a person…" }).click();
    await admin.page.getByLabel("Username").fill("uma");
    await admin.page.getByRole("dialog").getByRole("checkbox", { name: "admin" }).check();
    await admin.page.getByRole("button", { name: "Grant roles" }).click();
    await rowOf(admin, "uma").waitFor();
    await quietly(admin);

    await page.reload();
    await own.getByRole("button", { name: "Change… Zoe Zimmer" }).click();
    await dialog.getByRole("checkbox", { name: "admin" }).uncheck();
    const givesUp = dialog.getByLabel("I give up my own administrator role.");
    await expectMissing(save, givesUp, "Select this checkbox to continue.");
    expect(await zoe.faults()).toEqual([]);
    await givesUp.check();
    expect(await save.isDisabled()).toBe(false);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await remove.click();
    const alert = page.getByRole("alertdialog");
    await alert.getByText("These are your own roles.").waitFor();
    await alert.getByRole("button", { name: "Remove all roles" }).click();
    await page.getByRole("link", { name: "Sign in", exact: true }).waitFor();
    await quietly(zoe);
  });

  test("people with roles from the identity provider are listed while they are signed in", async () => {
    const guest = await openVisitor(browser, service);
    provider.claims = { sub: "of the provider", preferred_username: "paul", is_staff: true };
    await guest.page.goto(`${service.httpUrl}/console/sign-in`);
    await seePage(guest.page);
    const admin = await asAdmin();
    await admin.page.getByText("are viewer, registrar and designer").waitFor();
    const row = rowOf(admin, "paul");
    expect(await row.textContent()).toContain("viewer, registrar, designer");
    expect(await row.getByRole("button").count()).toBe(0);
    await quietly(guest);
    await quietly(admin);
  });

  test("a person is added by keys alone", async () => {
    const admin = await asAdmin();
    const { page } = admin;
    await tabTo(page, "Add a person…");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type("kim");
    await tabTo(page, /^designer/);
    await page.keyboard.press("Space");
    await tabTo(page, "Grant roles");
    await page.keyboard.press("Enter");
    const row = rowOf(admin, "kim");
    await row.waitFor();
    expect(await row.textContent()).toContain("viewer, registrar, designer");
    await quietly(admin);
  });

  test.each(["en", "de", "uk", "ar"])("in %s nothing is cut off on a laptop or phone", async (language) => {
    const admin = await openVisitor(browser, service, { chosen: { language } });
    await signIn(admin, service, { username: "ada", roles: ["admin"] });
    const { page } = admin;
    for (const width of [1366, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${service.httpUrl}/console/administration?tab=staff`);
      await page.getByRole("row").filter({ hasText: "kim" }).waitFor();
      await storePicture(page, `staff-${language}-${width}`);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      await page.locator(".page-head .button").click();
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      const roles = dialog.getByRole("checkbox", { checked: true });
      while ((await roles.count()) > 0) await roles.first().uncheck();
      await dialog.locator("[type=submit]").click();
      await expect.poll(() => dialog.locator(".field-fault", { hasText: /./ }).count()).toBe(2);
      await storePicture(page, `staff-dialog-${language}-${width}`);
      expect(await admin.faults()).toEqual([]);
    }
    await quietly(admin);
  });
});
