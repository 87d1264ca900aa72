import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { languageTags } from "#foundation/languages/list.js";
import { SkipReason } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { findChromium } from "../../edges/pages/chromium.js";
import { madeWorkbook } from "../../text/tables/made-workbook.js";
import { givenConsole } from "../given-console.js";
import { openPage, storePicture, tabTo } from "../visitor.js";

const executable = findChromium();
const LISTED = 5000;
const BATCH = 500;

describe.skipIf(executable === undefined)("issuing from a list", () => {
  const academy = givenConsole(executable, {}, async ({ enrol, report, issue }) => {
    const usernames = Array.from({ length: LISTED }, (_, index) => `learner${index + 1}`);
    for (let start = 0; start < usernames.length; start += BATCH)
      await enrol(...usernames.slice(start, start + BATCH));
    await report(
      { case: "learner", value: { username: "learner10", fullName: "Unprintable \u{10FFFD}" } },
      { case: "learner", value: { username: "outsider", fullName: "Not Enrolled" } },
    );
    await issue("learner20");
  });

  const open = (look?: Parameters<typeof openPage>[2]) =>
    openPage(academy, `/issue-from-list?configuration=${academy.configurationId}`, look);

  /** Sets the text directly. In Chromium, the time that `fill` takes grows with the square of the number of lines. */
  async function paste(page: Page, text: string) {
    await page.locator("textarea").waitFor();
    await page.evaluate(`{
      const area = document.querySelector("textarea");
      const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value");
      set.call(area, ${JSON.stringify(text)});
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }`);
  }
  const judged = (page: Page) => page.locator(".outcomes").waitFor();

  test("5,000 rows of which 7 are invalid: each by its number and reason, the rest issued, the invalid ones saved", async () => {
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
      expect.stringMatching(/^Ready\s+4,993$/),
      expect.stringMatching(/^The name has a character.*\s+1$/),
      expect.stringMatching(/^Already has this credential\s+1$/),
      expect.stringMatching(/^Unknown learner\s+1$/),
      expect.stringMatching(/^Has not met the requirements.*\s+1$/),
      expect.stringMatching(/^Has no username\s+1$/),
      expect.stringMatching(/^Duplicate of an earlier row\s+2$/),
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
    expect(await table.nth(5).innerText()).toContain("Duplicate of row 2");

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save the 7 rejected rows" }).click(),
    ]);
    const rejects = await readFile(await download.path(), "utf8");
    expect(rejects.split("\r\n")[0]).toBe("\ufeffRow;Reason;Benutzername;Name;Note");
    expect(rejects).toContain("101;Unknown learner;nobody;No Body;'=1+1\r\n");
    expect(rejects.trim().split("\r\n")).toHaveLength(8);

    await page.getByRole("button", { name: "Issue 4,993 credentials" }).click();
    await page.waitForURL(/\/console\/runs\/[\da-f-]{36}$/);
    const { runs } = await academy.credentials.listIssuanceRuns({});
    expect(runs[0]).toMatchObject({ issuedCount: 4993, listedCount: 4994, startedBy: "rita" });
    // Rows that were rejected earlier are not part of the run, except for the name that the plan rejected.
    expect(runs[0]?.skipped).toMatchObject([{ reason: SkipReason.UNPRINTABLE_NAME, count: 1 }]);
    expect(await clicks()).toBeLessThanOrEqual(5);
    await leaveQuietly();
  });

  test("by the keyboard alone, with learners unknown to the service", async () => {
    const { page, clicks, leaveQuietly } = await open();
    await page.locator("textarea").focus();
    await page.keyboard.insertText("username\tname\nnew.one\tNew One\nnew.two\tNew Two\n");
    await judged(page);
    await tabTo(page, /Issue without checking/);
    await page.keyboard.press("Space");
    await tabTo(page, "Add unknown learners");
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

  test("a list that can't be read gives the reason and the remedy", async () => {
    const { page, faults, leaveQuietly } = await open();
    const file = page.locator('input[type="file"]');
    await file.setInputFiles({ name: "a.xlsx", mimeType: "", buffer: Buffer.from("PK\x03\x04\x14\x00") });
    await page.getByText("This workbook is damaged").waitFor();
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Use another list" }).click();
    await file.setInputFiles({ name: "a.csv", mimeType: "", buffer: Buffer.alloc(6 * 1024 * 1024, "ana\n") });
    await page.getByText("This file has more than 5 MB").waitFor();
    await page.getByRole("button", { name: "Use another list" }).click();
    await paste(page, "only grades\n0.8\n0.9\n");
    await page.getByText("No column with usernames was recognised").waitFor();
    await paste(page, 'username\nana\n"leo\n');
    await page.getByText("In row 3, a quotation mark is never closed").waitFor();
    await leaveQuietly();
  });

  test("a workbook with a gradebook: its sheet, columns, grading scale and choices survive a reload, and are printed", async () => {
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
    await page.getByText("No column with usernames was recognised").waitFor();
    await page.getByLabel("Sheet").selectOption("Results");
    const choose = (heading: string, meaning: string) =>
      page.getByLabel(`Columns: ${heading}`).selectOption({ label: meaning });
    await choose("Login", "Username");
    await choose("Student", "Full name");
    await choose("Nr", "Learner ID");
    await choose("Result", "Grade (percentage)");
    await choose("Prize", "Other text to print");
    await page.getByLabel("0.855 means 85.5%").check();
    await page.getByLabel("Issue without checking").check();
    await page.getByLabel("Add unknown learners").check();
    await page.reload();
    await page.getByRole("button", { name: "Issue 1 credential" }).waitFor();
    await page.getByText("The list contains “\u2068prize\u2069”, which the design doesn’t print.").waitFor();
    await page.evaluate("localStorage.setItem('console.language', 'de')");
    await page.reload();
    await page.getByText("Die Liste enthält „\u2068prize\u2069“, was das Design nicht druckt.").waitFor();
    await storePicture(page, "warning-de");
    await page.evaluate("localStorage.setItem('console.language', 'en')");
    await page.reload();
    await page.getByRole("button", { name: "Issue 1 credential" }).waitFor();
    expect(await page.getByLabel("Add unknown learners").isChecked()).toBe(true);
    expect(await faults()).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    await storePicture(page, "workbook");
    await page.getByRole("button", { name: "Issue 1 credential" }).click();
    await page.waitForURL(/\/console\/runs\/[\da-f-]{36}$/);
    const { particulars } = await academy.service.app.database
      .knex("credentials")
      .where({ username: "w1" })
      .first("particulars");
    expect(particulars).toMatchObject({ grade: 85.5, learner_id: "M-1" });

    await page.getByText("Use another list").waitFor({ state: "hidden" }); // the address changes before the page does
    await page.goBack();
    await give();
    await page.getByLabel("Sheet").selectOption("Results");
    await page.getByText("No grade in the column is above 1").waitFor();
    expect(await page.getByLabel("Columns: Nr").inputValue()).toBe("learnerId");
    await leaveQuietly();
  });

  test("a file in a Windows code page is read once its encoding was chosen by the names", async () => {
    const { page, faults, leaveQuietly } = await open({ width: 320 });
    const name = Buffer.from("a3756b61737a20aff3b3e6", "hex"); // Łukasz Żółć in Windows-1250
    const buffer = Buffer.concat([Buffer.from("username;name\nlearner4;"), name, Buffer.from("\n")]);
    const give = () =>
      page.locator('input[type="file"]').setInputFiles({ name: "lista.csv", mimeType: "text/csv", buffer });
    await give();
    await page.getByText("This file is not in UTF-8").waitFor();
    expect(await page.locator(".outcomes").count()).toBe(0);
    await storePicture(page, "encoding");
    expect(await faults()).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    await page.getByLabel("Łukasz Żółć Central European (windows-1250)").check();
    await page.getByRole("cell", { name: "Łukasz Żółć" }).first().waitFor();
    await page.getByLabel("Another encoding").selectOption({ label: "Cyrillic (koi8-u)" });
    await page.getByRole("cell", { name: "ёukasz" }).first().waitFor();
    await page.getByLabel("Another encoding").selectOption("shift_jis");
    await page.getByText("This file is not in the chosen encoding").waitFor();
    await page.getByLabel("Another encoding").selectOption("iso-8859-16");
    await page.getByRole("cell", { name: "Łukasz" }).first().waitFor();
    await leaveQuietly();
  });

  test("titles, averages, grades on a scale and dates in two orders are confirmed, or left out", async () => {
    const { page, faults, leaveQuietly } = await open();
    const rows = [
      "username;name;Note;Datum",
      "learner5;L Five;1,3;03/04/2026",
      "learner6;L Six;2,0;05/06/2026",
    ];
    await paste(page, ["Results of the summer term", "", ...rows, "Average;;1,65;"].join("\n"));
    await page.getByText("Which day is 03/04/2026?").waitFor();
    await page.getByLabel("3 April 2026").check();
    await judged(page);
    expect(await page.getByLabel("Columns: Note").inputValue()).toBe("letterGrade");
    expect(await page.getByLabel("Heading row").inputValue()).toBe("3");
    await page.getByRole("cell", { name: "Not a learner: a sum or an average" }).waitFor();
    await page.getByLabel("Columns: Note").selectOption({ label: "Grade (percentage)" });
    await page.getByText("No grade in the column is above 30. What does 1,3 mean?").waitFor();
    expect(await faults()).toEqual([]);
    await storePicture(page, "questions");
    await page.getByRole("button", { name: "A grade on another scale" }).click();
    await page.getByLabel("3 April 2026").check();
    await judged(page);
    expect(await page.getByLabel("Columns: Note").inputValue()).toBe("letterGrade");
    await page.getByLabel("Heading row").selectOption("0");
    await page.getByText("4 rows").waitFor();
    await leaveQuietly();
  });

  test("5,001 rows are counted without their heading", async () => {
    const { page, leaveQuietly } = await open();
    await paste(page, `username\n${"a\n".repeat(5001)}`);
    await page.getByText("This list has 5,001 rows; at most 5,000 are possible.").waitFor();
    await paste(page, `username\n${"a\n".repeat(5000)}`);
    await page.getByText("This list has").waitFor({ state: "hidden" });
    await leaveQuietly();
  });

  test.each(languageTags)(
    "in %s, judged and narrow, axe finds nothing and nothing is cut off",
    async (language) => {
      const { page, faults, leaveQuietly } = await open({ language, width: 320, theme: "dark" });
      await paste(page, "username;name\nlearner3;Learner learner3\nnobody;No Body\n");
      await judged(page);
      expect(await faults()).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
      await storePicture(page, `list-${language}`);
      await page.locator("textarea").fill("");
      const buffer = Buffer.concat([
        Buffer.from("username;name\n"),
        Buffer.from("6c34 3b4a6f73e9".replace(" ", ""), "hex"),
      ]);
      await page.locator('input[type="file"]').setInputFiles({ name: "l.csv", mimeType: "", buffer });
      await page.getByText("José").first().waitFor();
      expect(await faults()).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
      await storePicture(page, `encoding-${language}`);
      await leaveQuietly();
    },
  );
});
