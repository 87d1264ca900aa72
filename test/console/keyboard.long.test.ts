import { describe, expect, test } from "vitest";
import { findChromium } from "../edges/pages/chromium.js";
import { givenConsole } from "./given-console.js";
import { FOCUSED, openVisitor, signIn, tabTo } from "./visitor.js";

const executable = findChromium();

describe.skipIf(executable === undefined)("by the keyboard alone", () => {
  const academy = givenConsole(executable, { worker: true }, ({ enrol }) => enrol("ana", "ben", "cem"));

  async function signedIn() {
    const visitor = await openVisitor(academy.browser, academy.service);
    await signIn(visitor, academy.service);
    return visitor;
  }

  test("a misspelt name is found, and its credential reissued; Escape closes, and the focus returns", async () => {
    await academy.issue("ana");
    await academy.report({ case: "learner", value: { username: "ana", fullName: "Ana Corrected" } });
    const { page, leaveQuietly } = await signedIn();
    await page.keyboard.press("/");
    await page.keyboard.type("ana");
    await page.getByRole("option").filter({ hasText: "Certificate" }).first().waitFor();
    const isCredential = () =>
      page.evaluate(
        `document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.innerText ?? ""`,
      );
    while (!String(await isCredential()).includes("Certificate")) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/console\/credentials\/[\da-f-]{36}$/);
    await page.locator('figure.pdf[data-outcome="shown"]').waitFor(); // only a generated document can be reissued

    await tabTo(page, "Reissue…");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("alertdialog");
    await dialog.locator("ins").getByText("Ana Corrected").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate(FOCUSED)).toBe("Reissue…");
    await page.keyboard.press("Enter");
    await dialog.locator("ins").getByText("Ana Corrected").waitFor();
    await tabTo(page, "Reason");
    await page.keyboard.type("The name was misspelt.");
    await tabTo(page, "Reissue");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Ana Corrected", level: 1 }).waitFor();
    await leaveQuietly();
  });

  test("the search is opened by Ctrl and the key of K on a Ukrainian keyboard, but not while Alt is pressed", async () => {
    const { page, leaveQuietly } = await signedIn();
    const press = (altKey: boolean) =>
      page.locator("body").dispatchEvent("keydown", { key: "л", code: "KeyK", ctrlKey: true, altKey });
    await press(true);
    expect(await page.getByRole("dialog").count()).toBe(0);
    await press(false);
    await page.getByRole("dialog").getByRole("combobox").waitFor();
    await leaveQuietly();
  });

  test("a run is planned, read, and started", async () => {
    const { page, leaveQuietly } = await signedIn();
    await tabTo(page, "Runs");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Start a run" }).first().waitFor();
    await tabTo(page, "Start a run");
    await page.keyboard.press("Enter");
    const choice = page.getByRole("combobox", { name: "Credential", exact: true });
    await choice.waitFor();
    await tabTo(page, "Credential");
    await page.keyboard.press("ArrowDown");
    await page.getByRole("option").first().waitFor();
    const active = async () => (await choice.getAttribute("aria-activedescendant")) ?? "";
    while (!(await active()).endsWith(`-${academy.configurationId}`)) {
      const before = await active();
      await page.keyboard.press("ArrowDown");
      await expect.poll(active).not.toBe(before);
    }
    await page.keyboard.press("Enter");
    await page.getByText("2 credentials will be issued").waitFor();
    await tabTo(page, "Issue 2 credentials");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/console\/runs\/[\da-f-]{36}$/);
    await page.getByText("2 of 2 done").first().waitFor();
    await leaveQuietly();
  });
});
