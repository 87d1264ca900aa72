import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { loadChapter } from "#console/i18n/load-chapter.js";
import { languageTags } from "#foundation/languages/list.js";
import { findChromium } from "../edges/pages/chromium.js";
import { givenConsole } from "./given-console.js";
import { linkTo, openPage } from "./visitor.js";

const executable = findChromium();
const ROWS = "username\tname\nmarked.one\tMarked One\nnobody\tNo Body\n";

describe.skipIf(executable === undefined)("the console's manners", () => {
  const academy = givenConsole(executable, {}, ({ enrol }) => enrol("marked.one"));

  const open = (path: string, language = "en") => openPage(academy, path, { language });
  const listPath = () => `/issue-from-list?configuration=${academy.configurationId}`;
  const judged = (page: Page) => page.locator(".outcomes").waitFor({ timeout: 60_000 });
  const storedIn = (page: Page) =>
    page.evaluate<string>("JSON.stringify({ ...localStorage, ...sessionStorage })");
  const opened = async (page: Page, summary: string) => {
    await page.getByText(summary, { exact: true }).click();
    return page.locator("details[open] code").first().innerText();
  };

  test("a pasted list survives a reload, with its reading; after signing out, nothing of it is left in any tab", async () => {
    const { page, noise, leave } = await open(listPath());
    await page.locator("textarea").fill(ROWS.replaceAll("\t", "|"));
    await judged(page);
    await page.getByLabel("Heading row").selectOption("0");
    await page.getByText("3 rows").waitFor();
    await page.reload();
    await judged(page);
    expect(await page.locator("textarea").inputValue()).toContain("marked.one|Marked One");
    expect(await page.getByLabel("Heading row").inputValue()).toBe("0");
    expect(noise).toEqual([]);

    const other = await page.context().newPage();
    await other.goto(`${academy.service.httpUrl}/console${listPath()}`);
    await other.locator("textarea").fill(ROWS);
    await judged(other);
    expect(await storedIn(page)).toContain("marked.one");
    await other.getByRole("button", { name: "Preferences" }).click();
    await other.getByRole("button", { name: "Sign out" }).click();
    for (const tab of [other, page]) {
      await tab.getByRole("heading", { name: "Registrar’s console" }).waitFor();
      await expect.poll(() => storedIn(tab)).not.toContain("marked");
      expect(await tab.content()).not.toContain("marked");
    }
    await leave();
  });

  test("a file survives, too; the list is deleted when someone else signs in, and when its run has started", async () => {
    const { page, leave } = await open(listPath());
    const file = page.locator('input[type="file"]');
    const bytes = Buffer.from("username;name\nmarked.one;Jos\xe9\n", "latin1");
    await file.setInputFiles({ name: "März.csv", mimeType: "text/csv", buffer: bytes });
    await page.getByLabel(/windows-1252/).check();
    await judged(page);
    await page.getByRole("cell", { name: "José", exact: true }).waitFor();
    await page.reload();
    await judged(page);
    await page.getByText("März.csv").waitFor();
    await page.getByRole("cell", { name: "José", exact: true }).waitFor();
    expect(await page.getByLabel(/windows-1252/).isChecked()).toBe(true);
    await academy.service.app.database.knex.raw(
      "update console_sessions set username = 'someone.else' where username = 'rita'",
    );
    await page.reload();
    await page.locator("textarea").waitFor();
    expect(await storedIn(page)).not.toContain("marked");

    await page.locator("textarea").fill(ROWS);
    await judged(page);
    expect(await opened(page, "As a command")).toBe(
      `learning-credentials issue ${academy.configurationId} -- marked.one`,
    );
    await page.getByText("As an API call", { exact: true }).click();
    await page.getByText('"usernames":["marked.one"]').waitFor();
    await page.getByRole("button", { name: "Issue 1 credential" }).click();
    await page.waitForURL(/\/console\/runs\/[\da-f-]{36}$/);
    expect(await storedIn(page)).not.toContain("marked");
    await leave();
  });

  test("a page that follows a run shows the sign-in when its session ends, and continues after it", async () => {
    await academy.enrol("watched");
    const { run } = await academy.credentials.startIssuanceRun({
      configurationId: academy.configurationId,
    });
    const { page, leave } = await open(`/runs/${run?.id}`);
    await page.getByText("This page shows the progress.").waitFor();
    const { knex } = academy.service.app.database;
    await knex("console_sessions").delete();
    // The page reacts without any action of the user.
    await page.getByRole("heading", { name: "Registrar’s console" }).waitFor();
    expect(await page.locator(".frame").isVisible()).toBe(false);
    const link = await linkTo(academy.service, { roles: ["registrar"] });
    await page.evaluate(`location.hash = ${JSON.stringify(new URL(link).hash)}`);
    await page.getByText("This page shows the progress.").waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/runs/${run?.id}`);

    await page.getByRole("button", { name: "Cancel the run" }).click();
    const dialog = page.getByRole("alertdialog");
    expect(await opened(page, "As a command")).toBe(`learning-credentials run cancel ${run?.id}`);
    await dialog.getByRole("button", { name: "Cancel the run" }).click();
    // The stream of the new session reports the end of the run.
    await page.getByRole("button", { name: /Retry \d+ failed/ }).waitFor();
    expect(await opened(page, "As a command")).toBe(`learning-credentials run retry ${run?.id}`);
    await leave();
  });

  test("a plan shows its run as a command and as an API call, and the command works", async () => {
    await academy.enrol("planned");
    const { page, faults, leave } = await open(`/runs/new?configuration=${academy.configurationId}`);
    const command = await opened(page, "As a command");
    const { plan } = await academy.credentials.startIssuanceRun({
      configurationId: academy.configurationId,
      dryRun: true,
    });
    expect(command).toBe(`learning-credentials run ${academy.configurationId} --plan-hash ${plan?.planHash}`);
    await page.getByText("As an API call", { exact: true }).click();
    await page.getByText(`"planHash":"${plan?.planHash}"`).waitFor();
    expect(await faults()).toEqual([]);
    await leave();
  });

  test.each(languageTags)(
    "an error is worded in %s by its reason; the service's own words are there, too",
    async (language) => {
      const { page, faults, leave } = await open(
        "/credentials/00000000-0000-4000-8000-000000000000",
        language,
      );
      const { reasons } = await loadChapter("explanations", language);
      const alert = page.getByRole("alert");
      await alert.getByText(reasons.CREDENTIAL_NOT_FOUND).waitFor();
      expect(await alert.locator("details").getAttribute("open")).toBeNull();
      await alert.locator("summary").click();
      await alert.locator('[lang="en"]').getByText("credential").waitFor();
      expect(await faults()).toEqual([]);
      await leave();
    },
  );
});
