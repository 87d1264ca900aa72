import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProvider,
  startIdentityProvider,
} from "../edges/console/identity-provider.js";
import { findChromium, launchChromium } from "../edges/pages/chromium.js";
import { startSmtpSink } from "../email/smtp-sink.js";
import { startTestService, type TestService } from "../support/service.js";
import { buildConsole } from "./built-console.js";
import { ownAddress } from "./given-console.js";
import { expectMissing, openVisitor, seePage, signIn, storePicture, tabTo, type Visitor } from "./visitor.js";

const executable = findChromium();
const TITLE = "Sign-in through an identity provider";
const EMAIL = "Email server and sender";

describe.skipIf(executable === undefined)("settings of the service in the console", () => {
  let provider: IdentityProvider;
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    buildConsole();
    provider = await startIdentityProvider();
    service = await startTestService({
      settings: { ...(await ownAddress()), SETTINGS_ALLOWED_NETWORKS: "127.0.0.0/8" },
    });
    browser = await launchChromium(executable as string);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await provider?.stop();
  });

  async function openSettings(visitor: Visitor) {
    await visitor.page.goto(`${service.httpUrl}/console/administration?tab=settings`);
    await seePage(visitor.page);
    await visitor.page.locator("section.card h2").first().waitFor();
  }
  async function asAdmin(chosen = {}) {
    const visitor = await openVisitor(browser, service, { chosen });
    await signIn(visitor, service, { username: "ada", roles: ["admin"] });
    await openSettings(visitor);
    return visitor;
  }

  test("an administrator sets up sign-in, checks it, and a colleague signs in at once", async () => {
    const admin = await asAdmin();
    const { page } = admin;
    const card = page.getByRole("region", { name: TITLE });
    await card.getByText("Not set up").waitFor();
    expect(await card.locator(".code-line code").allTextContents()).toEqual([
      `${service.httpUrl}/console/sign-in/callback`,
      `${service.httpUrl}/console/`,
    ]);
    await card.getByRole("button", { name: "Set up…" }).click();
    const dialog = page.getByRole("dialog");
    const save = dialog.getByRole("button", { name: "Save" });
    await dialog.getByText("Steps in Keycloak").click();
    const steps = dialog.locator("details[open]").getByRole("listitem");
    await steps.filter({ hasText: /^Turn on Client authentication/ }).waitFor();
    expect(await steps.count()).toBe(4);
    await dialog.getByText("Valid post logout redirect URIs").waitFor();
    await dialog.getByLabel("Issuer").fill(`${provider.url}/nowhere`);
    await dialog.getByLabel("Client ID").fill(CLIENT_ID);
    await expectMissing(save, dialog.getByLabel("Client secret"), "Fill in “Client secret”.");
    await dialog.getByLabel("Client secret").fill(CLIENT_SECRET);
    await dialog.getByRole("button", { name: "Check" }).click();
    await dialog.getByText("Failed").waitFor();
    await dialog.getByLabel("Issuer").fill(provider.url);
    await dialog.getByLabel("Claim for roles").fill("groups");
    await dialog.getByRole("button", { name: "Check" }).click();
    await dialog.getByText("The keys that sign the tokens were read.").waitFor();
    await dialog.getByText("As an API call").click();
    await dialog.locator("pre, code").filter({ hasText: "issuer" }).first().waitFor();
    expect(await dialog.textContent()).not.toContain(CLIENT_SECRET);
    expect(await admin.faults()).toEqual([]);
    await save.click();
    await dialog.waitFor({ state: "hidden" });
    await card.getByText("Set (secret)").waitFor();
    expect(await page.content()).not.toContain(CLIENT_SECRET);
    await card.getByRole("button", { name: "Check" }).click();
    await card.getByText("The keys that sign the tokens were read.").waitFor();
    expect(await admin.faults()).toEqual([]);

    const colleague = await openVisitor(browser, service);
    provider.claims = { sub: "42", preferred_username: "rita", groups: ["registrar"] };
    await colleague.page.goto(`${service.httpUrl}/console/`);
    await colleague.page.getByRole("link", { name: "Sign in", exact: true }).click();
    await colleague.page.getByText("Signed in as").getByText("rita").waitFor();
    await colleague.leave();

    await card.getByRole("button", { name: "Change…" }).click();
    await dialog.getByText(/^Set on .*Leave empty to keep it\.$/).waitFor();
    await dialog.getByLabel("Issuer").fill("https://elsewhere.example.org");
    await dialog
      .getByText(
        "Enter it again, because you changed an address, a port or the encryption of the connection.",
      )
      .waitFor();
    await expectMissing(save, dialog.getByLabel("Client secret"), "Fill in “Client secret”.");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await card.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete the setting" }).click();
    await card.getByText("Not set up").waitFor();
    await admin.leaveQuietly();
  });

  test("sign-in is set up by keys alone", async () => {
    const admin = await asAdmin();
    const { page } = admin;
    await page.getByRole("button", { name: "Set up…" }).first().waitFor();
    await tabTo(page, "Set up…");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    for (const [label, text] of [
      ["Issuer", provider.url],
      ["Client ID", CLIENT_ID],
      ["Client secret", CLIENT_SECRET],
    ] as const) {
      await tabTo(page, label);
      await page.keyboard.type(text);
    }
    await tabTo(page, "Save");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: TITLE }).getByText("Set (secret)").waitFor();
    await admin.leaveQuietly();
  });

  test("settings of the environment are shown as such, and can't be changed", async () => {
    const settings = {
      ...(await ownAddress()),
      OIDC_ISSUER: provider.url,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
    };
    const given = await startTestService({ beside: service, settings });
    const admin = await openVisitor(browser, given);
    await signIn(admin, given, { username: "ada", roles: ["admin"] });
    await admin.page.goto(`${given.httpUrl}/console/administration?tab=settings`);
    const card = admin.page.getByRole("region", { name: TITLE });
    await card.getByText("OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET").waitFor();
    await card.getByText("The values saved here aren’t used.").waitFor();
    expect(await card.getByRole("button", { name: "Change…" }).count()).toBe(0);
    await card.getByRole("button", { name: "Check" }).click();
    await card.getByText("The keys that sign the tokens were read.").waitFor();
    await admin.leaveQuietly();
    await given.stop();
  });

  test("an administrator sets up the email server, with a wrong password first, and sends a test email", async () => {
    const sink = await startSmtpSink("none", { user: "sender", pass: "p4ssword" });
    const admin = await asAdmin();
    const { page } = admin;
    const card = page.getByRole("region", { name: EMAIL });
    await card.getByText("Emails are saved as files on the server and reach nobody.").waitFor();
    await card.getByRole("button", { name: "Set up…" }).click();
    const dialog = page.getByRole("dialog");
    const save = dialog.getByRole("button", { name: "Save" });
    await dialog.getByLabel("Server").fill("127.0.0.1");
    await dialog.getByLabel("Encryption").selectOption({ label: "None (only in your own network)" });
    await dialog.getByLabel("Port").fill(String(sink.port));
    await dialog.getByLabel("Username").fill("sender");
    await dialog.getByLabel("Password").fill("guess");
    await expectMissing(save, dialog.getByLabel("Sender address"), "Fill in “Sender address”.");
    await dialog.getByLabel("Sender address").fill("registry@academy.test");
    await dialog.getByRole("button", { name: "Check" }).click();
    await dialog.getByText("The server refused the username or password.").waitFor();
    await dialog.getByText(/^535 /).waitFor();
    await dialog.getByLabel("Password").fill("p4ssword");
    await dialog.getByLabel("Send a test email to").fill("ada@academy.test");
    await dialog.getByRole("button", { name: "Check and send a test email" }).click();
    await dialog.getByText("The server accepted the email.").waitFor();
    expect(sink.received).toMatchObject([{ to: ["ada@academy.test"], from: "registry@academy.test" }]);
    await dialog.getByText("As an API call").click();
    await dialog.locator("pre, code").filter({ hasText: "sender_address" }).first().waitFor();
    expect(await dialog.textContent()).not.toContain("p4ssword");
    expect(await admin.faults()).toEqual([]);
    await save.click();
    await dialog.waitFor({ state: "hidden" });
    await card.getByText("None (only in your own network)").waitFor();
    await card.getByText("Set (secret)").waitFor();
    expect(await page.content()).not.toContain("p4ssword");
    await card.getByRole("button", { name: "Check" }).click();
    await card.getByText("No username is set").waitFor({ state: "detached" });
    await card.getByText("Emails and the password are sent unencrypted.").waitFor();
    expect(await admin.faults()).toEqual([]);

    await card.getByRole("button", { name: "Change…" }).click();
    await dialog.getByText(/^Set on .*Leave empty to keep it\.$/).waitFor();
    await dialog.getByLabel("Encryption").selectOption({ label: "STARTTLS (usual)" });
    await dialog
      .getByText(
        "Enter it again, because you changed an address, a port or the encryption of the connection.",
      )
      .waitFor();
    await expectMissing(save, dialog.getByLabel("Password", { exact: true }), "Fill in “Password”.");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await card.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete the setting" }).click();
    await card.getByText("Not set up").waitFor();
    await page
      .locator(":focus")
      .and(card.getByRole("button", { name: "Set up…" }))
      .waitFor();
    await admin.leaveQuietly();
  });

  test("a search of the environment variables without a result says so, also to screen readers", async () => {
    const admin = await asAdmin();
    const { page } = admin;
    const rows = page.getByRole("rowheader");
    const noResults = page.getByRole("status").getByRole("heading", { name: "No results" });
    await rows.first().waitFor();
    await page.getByLabel("Name or meaning").fill("no setting has this name");
    await noResults.waitFor({ timeout: 10_000 });
    expect(await rows.count()).toBe(0);
    expect(await admin.faults()).toEqual([]);
    await storePicture(page, "settings-none");
    await page.getByLabel("Name or meaning").fill("MAIL_FROM");
    await rows.filter({ hasText: "MAIL_FROM" }).waitFor();
    expect(await noResults.count()).toBe(0);
    await admin.leaveQuietly();
  });

  test("whatever has the focus in a dialog is in sight, and not behind the buttons at its end", async () => {
    const admin = await asAdmin();
    const { page } = admin;
    await page.setViewportSize({ width: 1366, height: 600 });
    await page.getByRole("region", { name: EMAIL }).getByRole("button", { name: "Set up…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    const hidden: unknown[] = [];
    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press("Tab");
      const behind = await page.evaluate<string>(`(() => {
        const actions = document.querySelector(".dialog-actions");
        const focused = document.activeElement;
        if (actions.contains(focused)) return "";
        const isBehind = focused.getBoundingClientRect().bottom > actions.getBoundingClientRect().top;
        return isBehind ? focused.outerHTML : "";
      })()`);
      if (behind) hidden.push(behind);
    }
    expect(hidden).toEqual([]);
    await dialog.getByLabel("Server").fill("mail.academy.test");
    await dialog.getByLabel("Sender address").fill("nobody");
    await page.keyboard.press("Enter");
    await dialog.getByRole("alert").waitFor();
    await expect
      .poll(() =>
        page.evaluate(`document.querySelector("[role=alert]").getBoundingClientRect().bottom
      <= document.querySelector(".dialog-actions").getBoundingClientRect().top`),
      )
      .toBe(true);
    await admin.leave();
  });

  test.each(["en", "de", "uk", "ar"])("in %s nothing is cut off on a laptop or phone", async (language) => {
    const admin = await asAdmin({ language });
    const { page } = admin;
    const cards = page.locator("section.card");
    for (const width of [1366, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await openSettings(admin);
      await storePicture(page, `settings-${language}-${width}`);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      for (const number of [0, 1]) {
        await cards.nth(number).locator(".actions .button").first().click();
        const dialog = page.getByRole("dialog");
        await dialog.waitFor();
        if (number === 1) await checkUnreachable(dialog);
        await storePicture(page, `settings-dialog-${number}-${language}-${width}`);
        expect(await admin.faults()).toEqual([]);
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "hidden" });
      }
    }
    await admin.leaveQuietly();
  });

  /** Fills in the form for the email server with an address at which the check fails. */
  async function checkUnreachable(dialog: Locator) {
    const input = (name: string) => dialog.locator(`[data-field="${name}"]`);
    await input("options.host").fill("127.0.0.1");
    await input("options.port").fill("1");
    await input("options.sender_address").fill("registry@academy.test");
    await dialog.locator(".actions .button").first().click();
    await dialog.locator(".problem-list").waitFor();
    await dialog.locator(".problem-list").scrollIntoViewIfNeeded();
  }
});
