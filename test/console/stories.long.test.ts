import { readFile } from "node:fs/promises";
import { unzipSync } from "fflate";
import type { Locator } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialSearchStatus } from "#gen/learning_credentials/v1/credential_search_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import type { Link } from "../edges/console/console-session.js";
import { findChromium } from "../edges/pages/chromium.js";
import { startTestService, tokenOf } from "../support/service.js";
import { givenDesigners, ownAddress } from "./given-console.js";
import { expectMissing, linkTo, openVisitor, type Visitor } from "./visitor.js";

const executable = findChromium();

describe.skipIf(executable === undefined)("a registrar's day", () => {
  const academy = givenDesigners(executable);
  const visitors: Visitor[] = [];

  afterEach(async () => {
    for (const visitor of visitors.splice(0)) await visitor.leave();
  });

  async function visit(link?: Link): Promise<Visitor> {
    const visitor = await openVisitor(academy.browser, academy.service);
    visitors.push(visitor);
    await visitor.page.goto(await linkTo(academy.service, link));
    await visitor.page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    return visitor;
  }
  const staff = async () => tokenOf({ username: "rita", isStaff: true });
  const credentials = async () => academy.service.client(CredentialService, await staff());

  test("the printed link leads to the overview without a click, and works once", async () => {
    const url = await linkTo(academy.service);
    const { page, clicks, expectQuiet } = await openVisitor(academy.browser, academy.service);
    await page.goto(url);
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    expect(await clicks()).toBe(0);
    expect(page.url()).toBe(`${academy.service.httpUrl}/console/`);
    await page.getByText("Signed in as rita").waitFor();
    expectQuiet();

    const other = await openVisitor(academy.browser, academy.service);
    visitors.push(other);
    await other.page.goto(url);
    await other.page.getByRole("alert").getByText("This link has already been used").waitFor();
    expect(await other.page.getByText("Harbour Light Academy").count()).toBe(1);
  });

  test("a misspelt name is found by three letters, corrected and reissued, and the new document is shown", async () => {
    const { page, clicks, expectQuiet } = await visit();
    await page.keyboard.press("/");
    await page.keyboard.type("kov");
    await page.getByRole("option").filter({ hasText: "Certificate of Achievement" }).first().click();
    await page.getByRole("button", { name: "Reissue…" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByLabel("Name on the new credential").fill("Ana Kovačević");
    await dialog.locator("ins").getByText("Ana Kovačević").waitFor();
    await expect.poll(() => dialog.locator('figure.pdf[data-outcome="shown"]').count()).toBe(2);
    await dialog.getByLabel("Reason").fill("The name was misspelt.");
    expect(await dialog.getByRole("blockquote").innerText()).toBe("The name was misspelt.");
    await dialog.getByRole("button", { name: "Reissue" }).click();

    await page.getByRole("heading", { name: "Ana Kovačević", level: 1 }).waitFor();
    await page.locator('figure.pdf[data-outcome="shown"]').waitFor();
    expect(await clicks()).toBeLessThanOrEqual(6);
    await page.getByRole("link", { name: "Replaces an earlier credential" }).click();
    await page.getByText("The name was misspelt.").waitFor();
    await page.getByRole("link", { name: "Replaced by a new credential" }).waitFor();
    expectQuiet();
  });

  test("a pasted verification address leads to its credential", async () => {
    const { page, expectQuiet } = await visit();
    const { credentials: found } = await (await credentials()).searchCredentials({
      query: "lindley",
      pageSize: 1,
    });
    const [credential] =
      found.length > 0 ? found : (await (await credentials()).searchCredentials({ pageSize: 1 })).credentials;
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.insertText(`  ${academy.service.httpUrl}/verify/${credential?.verifyUuid}/?lang=fr `);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/console/credentials/${credential?.uuid}`);
    await page.locator('figure.pdf[data-outcome="shown"]').waitFor();
    expectQuiet();
  });

  test("a credential is withdrawn with a reason, and its public page says so", async () => {
    const { page, expectQuiet } = await visit();
    await page.getByRole("link", { name: "Credentials", exact: true }).click();
    await page.getByRole("link", { name: "Jiří Dvořáček" }).click();
    await page.getByRole("button", { name: "Withdraw…" }).click();
    const dialog = page.getByRole("alertdialog");
    const confirm = dialog.getByRole("button", { name: "Withdraw 1 credential" });
    await expectMissing(confirm, dialog.getByLabel("Reason"), "Fill in “Reason”.");
    await dialog.getByLabel("Reason").fill("Issued to the wrong person.");
    await confirm.click();
    await page.getByText("Withdrawn on").waitFor();
    const uuid = page.url().split("/").at(-1) ?? "";
    const { verifyUuid } = await (await credentials()).getCredential({ uuid });
    const answer = await fetch(`${academy.service.httpUrl}/verify/${verifyUuid}/`);
    expect(await answer.text()).toContain("Issued to the wrong person.");
    // The event is listed within a second.
    await page.locator(".timeline").getByText("Withdrawn").waitFor();
    await page.locator(".timeline").getByText("rita").first().waitFor();
    expectQuiet();
  });

  test("a selection is reissued by its plan; a credential that changed meanwhile is refused, and the reason is kept", async () => {
    const { page, noise } = await visit();
    await page.goto(`${academy.service.httpUrl}/console/credentials?status=valid`);
    const rows = page.getByRole("row").filter({ has: page.getByRole("checkbox") });
    await rows.nth(1).getByRole("checkbox").check();
    await rows.nth(2).getByRole("checkbox").check();
    const chosen = await rows.nth(1).getByRole("link").first().getAttribute("href");
    await page.getByText("2 selected").waitFor();
    await page.getByRole("button", { name: "Reissue…" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByText("2 credentials will be replaced by new ones.").waitFor();
    await dialog.getByLabel("Reason").fill("A new signature.");
    const uuid = chosen?.split("/").at(-1) ?? "";
    await (await credentials()).invalidateCredential({ uuid, reason: "Someone was faster." });
    await dialog.getByRole("button", { name: "Reissue 2 credentials" }).click();
    await dialog.getByText("Something has changed since this plan was made.").waitFor();
    expect(await dialog.getByLabel("Reason").inputValue()).toBe("A new signature.");
    await dialog.getByRole("button", { name: "Update the plan" }).click();
    await dialog.getByText("1 credential will be replaced by a new one.").waitFor();
    await dialog.getByRole("button", { name: "Reissue 1 credential" }).click();
    await page.getByText("1 credential was reissued.").waitFor();
    // The browser itself reports the refused call.
    expect(noise).toEqual([expect.stringContaining("409 (Conflict)")]);
  });

  test("a learner is erased by the plan and the typed username, and the page keeps nothing about them", async () => {
    const { page, clicks, expectQuiet } = await visit({ username: "adam", roles: ["admin"] });
    await page.goto(`${academy.service.httpUrl}/console/learners/anahit.terghazaryan`);
    await page.getByRole("button", { name: "Erase…" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByText("The following will be erased:").waitFor();
    const erase = dialog.getByRole("button", { name: "Erase permanently" });
    const confirmation = dialog.getByLabel("Type anahit.terghazaryan to confirm");
    await confirmation.fill("anahit");
    await expectMissing(erase, confirmation, "Type anahit.terghazaryan to confirm");
    await confirmation.fill("anahit.terghazaryan");
    await erase.click();
    await page.getByRole("dialog").getByText("Credentials from which the name is removed").waitFor();
    expect(await page.evaluate<string>("document.documentElement.outerHTML")).not.toContain("erghazaryan");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.getByRole("heading", { name: "Learners", level: 1 }).waitFor();
    expect(await clicks()).toBeLessThanOrEqual(5);
    const rest = await page.evaluate<string>(
      "document.documentElement.outerHTML + location.href + JSON.stringify({...localStorage, ...sessionStorage})",
    );
    expect(rest).not.toContain("terghazaryan");
    expectQuiet();
  });

  test("a schedule for Mondays at six in Madrid lists its next five runs, across both clock changes", async () => {
    const { page, clicks, expectQuiet } = await visit({ roles: ["designer", "registrar"] });
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole("link", { name: "Credential types" }).click();
    const row = page.getByRole("row", { name: "Certificate of Achievement" });
    await row.getByRole("link", { name: "Courses and paths" }).click();
    await page.locator(".offers").getByRole("link").first().click();
    await page.getByRole("button", { name: "Change the schedule" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Weekly").click(); // the default is Mondays at six
    await dialog.getByLabel("Time zone").fill("Europe/Madrid");
    const times = dialog.getByRole("status").getByRole("listitem");
    await dialog.getByText("Next runs, in the schedule’s time zone Europe/Madrid").waitFor();
    expect(await times.count()).toBe(5);
    for (const [day, offsets] of [
      ["2099-03-16", [1, 1, 2, 2, 2]],
      ["2099-10-12", [2, 2, 1, 1, 1]],
    ] as const) {
      await dialog.getByLabel("Not before").fill(`${day}T00:00`);
      await expect
        .poll(() => times.allInnerTexts())
        .toEqual(
          offsets.map((offset, week) => {
            const monday = new Date(Date.parse(day) + week * 7 * 86_400_000);
            const date = monday.toLocaleDateString("en-GB", { dateStyle: "medium", timeZone: "UTC" });
            return `Mon, ${date}, 06:00 GMT+${offset}`;
          }),
        );
    }
    const save = dialog.getByRole("button", { name: "Save the schedule" });
    for (const seen of [times.first(), times.last(), save])
      expect(await isInSight(seen, page.locator(".modal"))).toBe(true);
    await save.click();
    await page.getByText(/Every .Monday. at .06:00/).waitFor();
    expect(await clicks()).toBeLessThanOrEqual(6);
    expectQuiet();
  });

  test("a viewer sees everything, and buttons that name the missing role", async () => {
    const { page, expectQuiet } = await visit({ username: "vera", roles: ["viewer"] });
    await page.getByRole("link", { name: "Credentials", exact: true }).click();
    await page.locator(".row-link").first().click();
    await page.locator('figure.pdf[data-outcome="shown"]').waitFor();
    for (const name of ["Reissue…", "Withdraw…"]) {
      const button = page.getByRole("button", { name });
      expect(await button.isDisabled()).toBe(true);
      expect(await button.locator("..").getAttribute("title")).toBe("This requires the role registrar.");
    }
    expectQuiet();
  });

  test("each address shows the same when it is opened again, and Back works", async () => {
    const { page, expectQuiet } = await visit();
    await page.getByRole("link", { name: "Credentials", exact: true }).click();
    await page.getByRole("link", { name: /^Withdrawn \d/ }).click();
    await page.getByRole("searchbox").fill("jean");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByRole("link", { name: "Jean-Noël Le Guennec" }).waitFor();
    expect(new URL(page.url()).search).toBe("?status=invalidated&q=jean");
    // The former list stays until the response arrives.
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    const rows = await page.getByRole("row").allInnerTexts();
    await page.reload();
    await page.getByRole("link", { name: "Jean-Noël Le Guennec" }).waitFor();
    expect(await page.getByRole("row").allInnerTexts()).toEqual(rows);
    await page.getByRole("link", { name: "Jean-Noël Le Guennec" }).click();
    await page.getByRole("heading", { level: 1, name: "Jean-Noël Le Guennec" }).waitFor();
    await page.goBack();
    await page.getByRole("row").nth(1).waitFor();
    expect(await page.getByRole("row").allInnerTexts()).toEqual(rows);
    await page.goBack();
    expect(new URL(page.url()).search).toBe("?status=invalidated");
    expectQuiet();
  });

  test("the PDFs of a selection are saved as a ZIP", async () => {
    const { page, expectQuiet } = await visit();
    await page.goto(`${academy.service.httpUrl}/console/credentials?status=valid`);
    await page.locator(".row-link").first().waitFor();
    const saved = page.waitForEvent("download");
    for (const number of [1, 2]) await page.getByRole("checkbox").nth(number).check();
    await page.getByRole("button", { name: "Save 2 PDFs as ZIP" }).click();
    const files = Object.values(unzipSync(await readFile(await (await saved).path())));
    expect(files.map((content) => Buffer.from(content.subarray(0, 5)).toString())).toEqual([
      "%PDF-",
      "%PDF-",
    ]);
    await page.getByText("2 PDFs were saved.").waitFor();
    expectQuiet();
  });

  test("a ZIP has the other PDFs if one credential was withdrawn meanwhile", async () => {
    const { page, noise } = await visit();
    await page.goto(`${academy.service.httpUrl}/console/credentials?status=valid`);
    const rows = page.getByRole("row").filter({ has: page.getByRole("checkbox") });
    for (const number of [1, 2]) await rows.nth(number).getByRole("checkbox").check();
    const chosen = await rows.nth(1).getByRole("link").first().getAttribute("href");
    const uuid = chosen?.split("/").at(-1) ?? "";
    await (await credentials()).invalidateCredential({ uuid, reason: "Someone was faster." });
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save 2 PDFs as ZIP" }).click();
    expect(Object.values(unzipSync(await readFile(await (await saved).path())))).toHaveLength(1);
    await page.getByText("1 PDF was saved. 1 was no longer available.").waitFor();
    // The browser itself reports the refused request.
    expect(noise).toEqual([expect.stringContaining("400 (Bad Request)")]);
  });

  test("every page in the navigation shows the same when it is opened again, and Back leads back", async () => {
    const { page, expectQuiet } = await visit({ username: "adam", roles: ["admin"] });
    const places = await page.getByRole("navigation", { name: "Pages" }).getByRole("link").allInnerTexts();
    expect(places.length).toBeGreaterThan(8);
    for (const name of places.slice(1)) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { level: 1, name }).waitFor();
      await page.waitForLoadState("networkidle");
      // The response times of dependencies differ each time.
      const text = async () => (await page.locator("main").innerText()).replaceAll(/[\d.,]+\s?ms\b/g, "ms");
      const shown = await text();
      await page.reload();
      await expect.poll(text).toBe(shown);
      await page.goBack();
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    }
    expectQuiet();
  });

  test("credentials that expire before a day are listed, and the address says so", async () => {
    const client = await credentials();
    const token = await tokenOf({ username: "dana", isStaff: true });
    const configurations = academy.service.client(ConfigurationService, token);
    const { credentials: found } = await client.searchCredentials({
      filter: { statuses: [CredentialSearchStatus.VALID] },
    });
    const { uuid = "", username = "", configurationId: id = 0 } = found[0] ?? {};
    const { customOptions = {} } = await configurations.getCredentialConfiguration({ id });
    const validity = { ...customOptions, validity: "2099-06-30" };
    await configurations.updateCredentialConfiguration({
      credentialConfiguration: { id, customOptions: validity },
    });
    await client.invalidateCredential({ uuid, reason: "The next one expires." });
    const credential = await client.issueCredential({ configurationId: id, username });

    const { page, expectQuiet } = await visit();
    await page.goto(`${academy.service.httpUrl}/console/credentials?q=${username}`);
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByRole("button", { name: "This month" }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("from")).toMatch(/^\d{4}-\d{2}-01$/);
    await page.getByRole("button", { name: /^Remove filter: Issued from/ }).click();
    await page.getByLabel("Expires before (UTC)").fill("2099-07-01");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect.poll(() => page.locator(".row-link").count()).toBe(1);
    expect(await page.locator(".row-link").getAttribute("href")).toContain(credential.uuid);
    expect(new URL(page.url()).searchParams.get("expires")).toBe("2099-07-01");
    await page.getByRole("button", { name: "Remove filter: Expires before (UTC) 2099-07-01" }).waitFor();
    await page.locator(".row-link").click();
    await page.getByText("30 Jun 2099").waitFor();
    await page.goto(`${academy.service.httpUrl}/console/credentials?expires=2099-06-30&q=${username}`);
    await page.getByRole("heading", { name: "No results" }).waitFor();
    expectQuiet();
  });

  test("invalid parts of an address are ignored, so that an old link still shows something", async () => {
    const { page, expectQuiet } = await visit();
    await page.goto(`${academy.service.httpUrl}/console/credentials?status=lost&type=none&from=yesterday`);
    await page.getByRole("table").getByRole("link").first().waitFor();
    await page.goto(`${academy.service.httpUrl}/console/emails?state=lost`);
    await page.getByRole("table").getByRole("link").first().waitFor();
    expectQuiet();
  });

  test("a list is saved as CSV, with the filters of the address", async () => {
    const { page, expectQuiet } = await visit();
    await page.goto(`${academy.service.httpUrl}/console/credentials?q=maria.francisca`);
    await page.locator(".row-link").first().waitFor();
    await page.getByRole("button", { name: /ZIP/ }).waitFor(); // available without selecting anything
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const stream = await (await saved).createReadStream();
    const text = Buffer.concat(await stream.toArray()).toString("utf8");
    const [header, ...lines] = text.trimEnd().split("\r\n");
    expect(header).toMatch(/^\ufeffuuid,verify_uuid,username,user_full_name,/);
    expect(lines.length).toBe(await page.locator(".row-link").count());
    expect(lines.every((line) => line.includes(",maria.francisca,"))).toBe(true);
    expectQuiet();
  });

  test("while the service restarts, an open page shows a banner and nothing typed is lost", async () => {
    const place = { beside: academy.service, worker: true, settings: await ownAddress() };
    const before = await startTestService(place);
    const { page } = await openVisitor(academy.browser, before);
    await page.goto(await linkTo(before));
    await page.getByRole("link", { name: "Credentials", exact: true }).click();
    await page.getByRole("link", { name: "Lê Hoàng Ngữ" }).first().click();
    await page.getByRole("button", { name: "Withdraw…" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByLabel("Reason").fill("Typed before the restart.");
    await before.stop();
    await dialog.getByRole("button", { name: "Withdraw 1 credential" }).click();
    await page.locator(".away-banner").waitFor({ state: "attached" });
    const after = await startTestService(place);
    await page.locator(".away-banner").waitFor({ state: "detached" });
    expect(await dialog.getByLabel("Reason").inputValue()).toBe("Typed before the restart.");
    await dialog.getByRole("button", { name: "Withdraw 1 credential" }).click();
    await page.getByText("Withdrawn on").waitFor();
    await page.context().close();
    await after.stop();
  });
});

/** Returns whether the whole element is visible without scrolling its container or the page. */
async function isInSight(element: Locator, place: Locator): Promise<boolean> {
  const [box, room] = await Promise.all([element.boundingBox(), place.boundingBox()]);
  const height = element.page().viewportSize()?.height ?? 0;
  if (!box || !room) return false;
  return box.y >= Math.max(room.y, 0) && box.y + box.height <= Math.min(room.y + room.height, height);
}
