import { readFile } from "node:fs/promises";
import { unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { languageTags } from "#foundation/languages/list.js";
import { makeUnread } from "../../credentials/unread-course.js";
import { findChromium } from "../../edges/pages/chromium.js";
import { COURSE, exam } from "../../support/academy.js";
import { givenConsole } from "../given-console.js";
import { openPage, storePicture } from "../visitor.js";

const executable = findChromium();
const ELIGIBLE = 60;

describe.skipIf(executable === undefined)("runs", () => {
  const academy = givenConsole(executable, { worker: true }, async ({ service, enrol, report }) => {
    const usernames = Array.from({ length: ELIGIBLE }, (_, index) => `learner${index + 1}`);
    await enrol(...usernames, "nameless", "odd");
    await report(
      { case: "learner", value: { username: "nameless", fullName: " " } },
      { case: "learner", value: { username: "odd", fullName: "Odd \u{10FFFD}" } },
    );
    await makeUnread(service.app.database.knex, COURSE);
  });

  test("one is planned, refused if the plan has changed, started by its hash, followed over a reload, and withdrawn", async () => {
    const { page, noise, clicks, faults, leave } = await openPage(academy, "/");
    await page.getByRole("link", { name: "Runs" }).click();
    await page.getByRole("link", { name: "Start a run" }).click();
    await page.getByRole("combobox", { name: "Credential" }).fill("uni c1");
    await page.keyboard.press("Enter");
    await page.getByText("60 credentials will be issued").waitFor();
    await page.getByText("The record has no full name").first().waitFor();
    await page.getByRole("row", { name: /odd The name has a character that no font can print/ }).waitFor();
    await expect.poll(() => page.locator('.samples .pdf[data-outcome="shown"]').count()).toBe(3);
    expect(await faults()).toEqual([]);

    await academy.enrol("newcomer");
    await page.getByRole("button", { name: "Issue 60 credentials" }).click();
    await page.getByText("The plan has changed since you read it. Nothing was issued.").waitFor();
    await page.getByText("Credentials before: 60. Now: 61.").waitFor();
    await page.locator(".notice .names").getByText("newcomer").waitFor();
    expect((await academy.credentials.listIssuanceRuns({})).runs).toEqual([]);
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Issue 61 credentials" }).click();
    await page.waitForURL(/\/console\/runs\/[\da-f-]{36}$/);
    expect(await clicks()).toBeLessThanOrEqual(5); // including one click for the select, and one for the changed plan

    await page.reload();
    await page.getByText("61 of 61 done").first().waitFor();
    await page.locator(".status", { hasText: "Complete" }).waitFor();
    expect(await faults()).toEqual([]);

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save 61 PDFs as ZIP" }).click(),
    ]);
    const files = unzipSync(await readFile(await download.path()));
    expect(Object.keys(files)).toHaveLength(61);
    expect(files["Learner newcomer - Certificate.pdf"]?.subarray(0, 5)).toEqual(
      new Uint8Array(Buffer.from("%PDF-")),
    );

    await page.goto(`${academy.service.httpUrl}/console/credentials?status=valid&q=learner`);
    await page.getByLabel("Select this page").click();
    await page.getByRole("button", { name: "Select all 61 matching" }).click();
    const all = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save 61 PDFs as ZIP" }).click();
    expect(Object.keys(unzipSync(await readFile(await (await all).path())))).toHaveLength(61);
    await page.goBack();
    await page.locator(".status", { hasText: "Complete" }).waitFor();

    const before = await clicks();
    await page.getByRole("link", { name: "Credentials of this run" }).click();
    await page.getByLabel("Select this page").click();
    await page.getByRole("button", { name: "Select all 61 matching" }).click();
    await page.getByRole("button", { name: "Withdraw…" }).click();
    await page.getByText("61 credentials will be withdrawn").waitFor();
    await page.locator('[role="alertdialog"] input[inputmode="numeric"]').fill("61");
    await page
      .locator('[role="alertdialog"]')
      .getByLabel(/reason/i)
      .fill("Issued under the wrong requirements.");
    await page.getByRole("button", { name: "Withdraw 61 credentials" }).click();
    await page.locator('[role="dialog"] .notice-good').waitFor();
    expect((await clicks()) - before).toBeLessThanOrEqual(5);
    const { credentials } = await academy.credentials.listCredentials({ pageSize: 1000 });
    expect(new Set(credentials.map(({ invalidationReason }) => invalidationReason))).toEqual(
      new Set(["Issued under the wrong requirements."]),
    );
    // Browsers log every refusal, here that of the outdated plan.
    expect(noise).toEqual([expect.stringMatching(/409 \(Conflict\)/)]);
    await leave();
  });

  test("learners without a credential are listed with the reason, and those who failed with what is missing", async () => {
    await academy.enrol("passed");
    await academy.enrol("failed");
    await academy.report(exam("failed", 1));
    const { page, faults, leaveQuietly } = await openPage(
      academy,
      `/without-credential?configuration=${academy.configurationId}`,
    );
    const row = (username: string) => page.getByRole("row", { name: new RegExp(`Learner ${username} `) });
    await row("passed").getByText("Eligible: the next run issues it").waitFor();
    const unread = page.locator(".notice-warn");
    await unread.getByText("The last sync couldn’t read everything").waitFor();
    expect(await unread.locator("li").allTextContents()).toEqual([
      expect.stringMatching(/^lti:\d+, course-v1:.*: The list: 403\.$/),
      expect.stringMatching(/^sis, course-v1:.*: results: 403\.$/),
    ]);
    await page.getByRole("row", { name: /odd/ }).getByText("no font can print").waitFor();
    await row("failed").getByText(/10.?%/).first().waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("link", { name: /Has not met the requirements/ }).click();
    await row("passed").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Export CSV" }).click();
    const csv = await readFile(await (await saved).path(), "utf8");
    expect(csv).toMatch(
      /^\uFEFF?username,full_name,reason,missing\r\n(?:.*\r\n)*failed,Learner failed,NOT_ELIGIBLE,"?Exam: 10.?% \(required: 65.?%\)/m,
    );
    expect(csv).not.toContain("passed,");
    expect(await faults()).toEqual([]);
    await storePicture(page, "without");
    await leaveQuietly();
  });

  test.each(languageTags)(
    "in %s, axe finds nothing on their pages, and they fit a phone",
    async (language) => {
      const { page, faults, leaveQuietly } = await openPage(academy, "/runs", {
        language,
        width: 320,
        theme: "dark",
      });
      for (const [name, place, shown] of [
        ["runs", "/runs", "table"],
        ["plan", `/runs/new?configuration=${academy.configurationId}`, ".plan"],
        ["without", `/without-credential?configuration=${academy.configurationId}`, ".notice-warn li + li"],
      ] as const) {
        await page.goto(`${academy.service.httpUrl}/console${place}`);
        await page.locator(shown).first().waitFor();
        expect(await faults()).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
        await storePicture(page, `${name}-${language}`);
      }
      await page.goto(`${academy.service.httpUrl}/console/runs`);
      await page.locator("tbody a").first().click();
      await page.locator("progress").waitFor();
      expect(await faults()).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
      await leaveQuietly();
    },
  );
});
