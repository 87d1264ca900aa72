import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { languageTags } from "../../../src/languages/list.js";
import { findChromium } from "../../edges/pages/chromium.js";
import { madeWorkbook } from "../../text/tables/made-workbook.js";
import { givenConsole } from "../academy.js";
import { keepPicture, openPage, tabTo } from "../visitor.js";

const executable = findChromium();
const LISTED = 5000;
const BATCH = 500;

describe.skipIf(executable === undefined)("issuing from a list", () => {
  const academy = givenConsole(executable, {}, async ({ enrol, tell, issue }) => {
    const usernames = Array.from({ length: LISTED }, (_, index) => `learner${index + 1}`);
    for (let start = 0; start < usernames.length; start += BATCH)
      await enrol(...usernames.slice(start, start + BATCH));
    await tell(
      { case: "learner", value: { username: "learner10", fullName: "Unprintable \u{10FFFD}" } },
      { case: "learner", value: { username: "outsider", fullName: "Not Enrolled" } },
    );
    await issue("learner20");
  });

  const open = (look?: Parameters<typeof openPage>[2]) =>
    openPage(academy, `/issue-from-list?configuration=${academy.configurationId}`, look);

  const paste = (page: Page, text: string) => page.locator("textarea").fill(text);
  const judged = (page: Page) => page.locator(".outcomes").waitFor();

  test("5,000 rows of which 7 are bad: each by its number and reason, the rest issued, the bad ones saved", async () => {
    const { page, clicks, leaveQuietly } = await open();
    const names = Array.from({ length: LISTED }, (_, index) => `learner${index + 1}`);
    const rows = names.map((username) => [username, `Learner ${username}`, "0,8"]);
    rows[99] = ["nobody", "No Body", "=1+1"];
    rows[199] = ["outsider", "Not Enrolled", ""];
    rows[299] = ["", "Without Username", ""];
    rows[399] = ["learner1", "Again", ""];
    rows[499] = ["learner2", "Again", ""];
    const csv = ["Benutzername;Name;Note", ...rows.map((cells) => cells.join(";"))].join("\r\n");
    await page.locator('input[type="file"]').setInputFiles({
      name: "Prüfung März.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(csv, "latin1"),
    });
    await judged(page);
    expect(await page.locator(".outcome").allInnerTexts()).toEqual([
      expect.stringMatching(/^4,993\s+Ready$/),
      expect.stringMatching(/^1\s+The name has a character/),
      expect.stringMatching(/^1\s+Has this credential already$/),
      expect.stringMatching(/^1\s+Not known to the service$/),
      expect.stringMatching(/^1\s+Has not met the requirements/),
      expect.stringMatching(/^1\s+Has no username$/),
      expect.stringMatching(/^2\s+Is in an earlier row, too$/),
    ]);
    const table = page.locator(".panel table").last().locator("tbody tr");
    expect((await table.allInnerTexts()).map((text) => text.split(/\t/)[0])).toEqual([
      "11",
      "21",
      "101",
      "201",
      "301",
      "401",
      "501",
    ]);
    expect(await table.nth(5).innerText()).toContain("Is in row 2, too");

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save the 7 rejected rows" }).click(),
    ]);
    const rejects = await readFile(await download.path(), "utf8");
    expect(rejects.split("\r\n")[0]).toBe("\ufeffRow;Reason;Benutzername;Name;Note");
    expect(rejects).toContain("101;Not known to the service;nobody;No Body;'=1+1\r\n");
    expect(rejects.trim().split("\r\n")).toHaveLength(8);

    await page.getByRole("button", { name: "Issue 4,993 credentials" }).click();
    await page.waitForURL(/\/console\/runs\/[\da-f-]{36}$/);
    const { runs } = await academy.credentials.listIssuanceRuns({});
    expect(runs[0]).toMatchObject({ issuedCount: 4993, listedCount: 4997, startedBy: "rita" });
    expect(await clicks()).toBeLessThanOrEqual(5);
    await leaveQuietly();
  });

  test("by the keyboard alone, with learners whom the service does not know", async () => {
    const { page, clicks, leaveQuietly } = await open();
    await page.locator("textarea").focus();
    await page.keyboard.insertText("username\tname\nnew.one\tNew One\nnew.two\tNew Two\n");
    await judged(page);
    await tabTo(page, /Issue without checking/);
    await page.keyboard.press("Space");
    await tabTo(page, /Add learners whom/);
    await page.keyboard.press("Space");
    await page.getByText("Ready, as a new learner").first().waitFor();
    await page.getByRole("button", { name: "Issue 2 credentials" }).waitFor();
    await tabTo(page, "Issue 2 credentials");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/console\/runs\/[\da-f-]{36}$/);
    await page.getByText("From a list of 2 learners; requirements were not checked").waitFor();
    const { credentials } = await academy.credentials.listCredentials({ username: "new.one" });
    expect(credentials.map(({ userFullName }) => userFullName)).toEqual(["New One"]);
    expect(await clicks()).toBe(0);
    await leaveQuietly();
  });

  test("a list that can't be read says why, and what to do", async () => {
    const { page, faults, leaveQuietly } = await open();
    const file = page.locator('input[type="file"]');
    await file.setInputFiles({ name: "a.xlsx", mimeType: "", buffer: Buffer.from("PK\x03\x04\x14\x00") });
    await page.getByText("This workbook is damaged").waitFor();
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Take another list" }).click();
    await paste(page, "only grades\n0.8\n0.9\n");
    await page.getByText("No column has usernames").waitFor();
    await paste(page, 'username\nana\n"leo\n');
    await page.getByText("In row 3, a quotation mark opens").waitFor();
    await leaveQuietly();
  });

  test("a workbook with a gradebook: its sheet, columns, scale of grades and choices outlast a reload, and are printed", async () => {
    await academy.configure({ facts: ["grade", "learner_id", "award_date"] });
    const { page, faults, leaveQuietly } = await open({ width: 320 });
    const cells = (row: number, ...texts: (string | number)[]) =>
      `<row r="${row}">${texts
        .map((each) =>
          typeof each === "number"
            ? `<c s="1"><v>${each}</v></c>`
            : `<c t="inlineStr"><is><t>${each}</t></is></c>`,
        )
        .join("")}</row>`;
    const workbook = madeWorkbook({
      sheets: {
        About: cells(1, "Summer term"),
        Results:
          cells(1, "Login", "Student", "Nr", "Result", "Prize") +
          cells(2, "w1", "W One", "M-1", "0.855", "First"),
      },
    });
    const give = () =>
      page
        .locator('input[type="file"]')
        .setInputFiles({ name: "Results.xlsx", mimeType: "", buffer: Buffer.from(workbook) });
    await give();
    await page.getByText("No column has usernames").waitFor();
    await page.getByLabel("Sheet").selectOption("Results");
    const choose = (heading: string, meaning: string) =>
      page.getByLabel(`What the columns say: ${heading}`).selectOption({ label: meaning });
    await choose("Login", "Username");
    await choose("Student", "Full name");
    await choose("Nr", "Learner ID");
    await choose("Result", "Grade (percentage)");
    await choose("Prize", "Other text to print");
    await page.getByLabel("0.855 means 85.5 %").check();
    await page.getByLabel("Issue without checking").check();
    await page.getByLabel("Add learners whom").check();
    await page.reload();
    await page.getByRole("button", { name: "Issue 1 credential" }).waitFor();
    await page.getByText("the attribute prize, which the design does not print").waitFor();
    expect(await page.getByLabel("Add learners whom").isChecked()).toBe(true);
    expect(await faults()).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    await keepPicture(page, "workbook");
    await page.getByRole("button", { name: "Issue 1 credential" }).click();
    await page.waitForURL(/\/console\/runs\/[\da-f-]{36}$/);
    const { particulars } = await academy.service.app.database
      .knex("credentials")
      .where({ username: "w1" })
      .first("particulars");
    expect(particulars).toMatchObject({ grade: 85.5, learner_id: "M-1" });

    await page.getByText("Take another list").waitFor({ state: "hidden" }); // the address changes before the page
    await page.goBack();
    await give();
    await page.getByLabel("Sheet").selectOption("Results");
    await page.getByText("Nothing in the column of grades is above 1").waitFor();
    expect(await page.getByLabel("What the columns say: Nr").inputValue()).toBe("learnerId");
    await leaveQuietly();
  });

  test("Excel's own encodings are read as such by a browser", async () => {
    const { page, leave } = await open();
    const bytes = Buffer.from([0x75, 0x73, 0x65, 0x72, 0x3b, 0x78, 10, 0x61, 0x6e, 0x61, 0x3b, 0x80, 10]);
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: "euro.csv", mimeType: "text/csv", buffer: bytes });
    await page.getByRole("cell", { name: "€" }).waitFor();
    expect(await page.getByLabel("Encoding").inputValue()).toBe("windows-1252");
    await leave();
  });

  test.each(languageTags)(
    "in %s, judged and narrow, axe finds nothing and nothing is cut off",
    async (language) => {
      const { page, faults, leaveQuietly } = await open({ language, width: 320, theme: "dark" });
      await paste(page, "username;name\nlearner3;Learner learner3\nnobody;No Body\n");
      await judged(page);
      expect(await faults()).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
      await keepPicture(page, `list-${language}`);
      await leaveQuietly();
    },
  );
});
