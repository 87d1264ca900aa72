import { describe, expect, test } from "vitest";
import { findChromium } from "../edges/pages/chromium.js";
import { readPdf } from "../rendering/read-pdf.js";
import { exam } from "../support/academy.js";
import { givenConsole } from "./given-console.js";
import { expectMissing, openVisitor, signIn, storePicture } from "./visitor.js";

const executable = findChromium();

describe.skipIf(executable === undefined)("a name is corrected in the console", () => {
  const academy = givenConsole(executable, { worker: true }, async ({ configure, enrol }) => {
    await configure({ text_elements: { total: { text: "Total {grade}", y: 60 } } });
    await enrol("ana");
  });

  const report = (fullName: string) =>
    academy.report({ case: "learner", value: { username: "ana", fullName } });

  test("on the learner's page, is reissued from there, and decided on when the platform reports another name", async () => {
    const { configurationId, credentials, service } = academy;
    await credentials.issueCredential({ configurationId, username: "ana" });
    await expect
      .poll(async () => (await credentials.searchCredentials({ query: "ana" })).credentials[0]?.status)
      .toBe(2);
    const visitor = await openVisitor(academy.browser, service);
    const { page } = visitor;
    await signIn(visitor, service, { roles: ["registrar"] });
    await page.goto(`${service.httpUrl}/console/learners/ana`);
    await page.getByRole("button", { name: "Correct the name…" }).click();
    const correcting = page.getByRole("dialog");
    await correcting.getByLabel("Name to print").fill("Ana Kovač");
    const save = correcting.getByRole("button", { name: "Correct" });
    await expectMissing(save, correcting.getByLabel("Reason"), "Fill in “Reason”.");
    await correcting.getByLabel("Reason").fill("As in her passport.");
    expect(await visitor.faults()).toEqual([]);
    await save.click();
    await page.getByRole("heading", { name: "Ana Kovač", level: 1 }).waitFor();
    await page.getByText("As in her passport.").waitFor();
    await page.getByText("1 valid credential shows a different name.").waitFor();
    await page.getByRole("button", { name: "Reissue…" }).click();
    const reissuing = page.getByRole("alertdialog");
    await reissuing.locator("del").getByText("Learner ana").waitFor();
    await reissuing.getByLabel("Reason").fill("Misspelt.");
    await reissuing.getByRole("button", { name: "Reissue" }).click();
    await page.getByRole("heading", { name: "Ana Kovač", level: 1 }).waitFor();
    await page.waitForURL("**/console/credentials/*");

    await report("Learner ana");
    await report("Ana Married");
    await page.goto(`${service.httpUrl}/console/`);
    await page.getByText("1 corrected name needs a decision").waitFor();
    await page.getByRole("main").getByRole("link", { name: "Ana Kovač" }).first().click();
    await page.getByRole("button", { name: /^Use .*Ana Married/ }).waitFor();
    expect(await visitor.faults()).toEqual([]);
    await page.getByRole("button", { name: /^Use .*Ana Married/ }).click();
    await page.getByRole("heading", { name: "Ana Married", level: 1 }).waitFor();
    await page.getByText("1 valid credential shows a different name.").waitFor();
    await visitor.leaveQuietly();
  });

  test("an address whose email was refused is corrected too, and the new one gets the email", async () => {
    const { service } = academy;
    const { knex } = service.app.database;
    await academy.report({
      case: "learner",
      value: { username: "ana", fullName: "Learner ana", email: "bounce@uni.test" },
    });
    await knex("credential_mails").update({ state: "refused", refusal: "RCPT TO failed with 550 5.1.1" });
    const visitor = await openVisitor(academy.browser, service);
    const { page } = visitor;
    await signIn(visitor, service, { roles: ["registrar"] });
    await page.goto(`${service.httpUrl}/console/emails?state=refused`);
    await page.getByText("No such mailbox: 550 5.1.1").first().waitFor();
    expect(await page.locator('nav.tabs [aria-current="page"]').allInnerTexts()).toEqual(["Refused"]);
    await storePicture(page, "emails-refused");
    const resend = page.getByRole("button", { name: /^Resend/ }).first();
    await resend.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("bounce@uni.test").waitFor();
    await dialog.getByText("No such mailbox: 550 5.1.1").waitFor();
    await storePicture(page, "emails-resend");
    await dialog.getByRole("button", { name: "Correct the address…" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Email" }).fill("ana@uni.test");
    await page.getByRole("textbox", { name: "Reason" }).fill("It bounced.");
    await dialog.getByText(/The record says .*bounce@uni\.test/).waitFor();
    expect(await visitor.faults()).toEqual([]);
    await storePicture(page, "emails-correct-address");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText("ana@uni.test").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Resend" }).click();
    await expect
      .poll(async () => (await academy.credentials.listEmails({ username: "ana" })).emails[0]?.resendCount)
      .toBe(1);
    await page.goto(`${service.httpUrl}/console/learners/ana`);
    await page.getByText(/The record says .*bounce@uni\.test/).waitFor();
    await visitor.leaveQuietly();
  });

  test("in the dialog that reissues, with the old name and the new one", async () => {
    const { service } = academy;
    const visitor = await openVisitor(academy.browser, service);
    const { page } = visitor;
    await signIn(visitor, service, { roles: ["registrar"] });
    await page.goto(`${service.httpUrl}/console/credentials?status=valid`);
    await page
      .getByRole("row")
      .filter({ has: page.getByRole("checkbox") })
      .nth(1)
      .getByRole("link")
      .first()
      .click();
    const before = await visitor.clicks();
    await page.getByRole("button", { name: "Correct the name…" }).click();
    const dialog = page.getByRole("alertdialog");
    const previewed = page
      .waitForResponse((response) => response.request().postData()?.includes('"userFullName":"Anna') ?? false)
      .then((response) => response.json())
      .then(({ pdf }) => readPdf(Buffer.from(pdf, "base64")));
    await dialog.getByLabel("Name on the new credential").fill("Anna Kovač");
    await dialog.getByLabel("Reason").fill("A letter was missing.");
    await dialog.locator("ins").getByText("Anna Kovač").waitFor();
    // The preview contains the learner's own facts, as they will be printed.
    const { text } = await previewed;
    expect([text.includes("Anna Kovač"), text.includes("Total 90%")]).toEqual([true, true]);
    await expect.poll(() => dialog.locator('figure.pdf[data-outcome="shown"]').count()).toBe(2);
    expect(await visitor.faults()).toEqual([]);
    await dialog.getByRole("button", { name: "Reissue" }).click();
    await page.getByRole("heading", { name: "Anna Kovač", level: 1 }).waitFor();
    expect((await visitor.clicks()) - before).toBe(2);
    await visitor.leaveQuietly();
  });

  test("a credential is issued to one learner from her page; without meeting the requirements only after confirmation", async () => {
    const { service } = academy;
    await academy.enrol("ida", "joe");
    await academy.report(exam("joe", 1));
    const visitor = await openVisitor(academy.browser, service);
    const { page } = visitor;
    await signIn(visitor, service, { roles: ["registrar"] });
    const dialog = page.getByRole("dialog");
    const issue = dialog.getByRole("button", { name: "Issue 1 credential" });

    await page.goto(`${service.httpUrl}/console/learners/ida`);
    const issueOne = page.getByRole("button", { name: "Issue a credential… Certificate" });
    await page.setViewportSize({ width: 320, height: 640 });
    const [line, button] = [await page.locator(".eligibility").boundingBox(), await issueOne.boundingBox()];
    if (!line || !button) throw new Error("nothing is shown of eligibility");
    expect(button.y - line.y - line.height).toBeGreaterThanOrEqual(8);
    await storePicture(page, "learner-320");
    await page.setViewportSize({ width: 1280, height: 800 });
    await issueOne.click();
    await dialog.getByText("A credential can be issued").waitFor();
    expect(await dialog.getByRole("combobox").inputValue()).toBe("Course One · Certificate");
    expect(await visitor.faults()).toEqual([]);
    await issue.click();
    await page.waitForURL("**/console/credentials/*");

    await page.goto(`${service.httpUrl}/console/learners/joe`);
    await page.getByRole("button", { name: "Issue a credential…", exact: true }).click();
    await expectMissing(issue, dialog.getByRole("combobox"), "Select an option for “Credential”.");
    await dialog.getByRole("combobox").fill("one cert");
    await page.keyboard.press("Enter");
    await dialog.getByText("Has not met the requirements").waitFor();
    expect(await issue.isDisabled()).toBe(true);
    await dialog.getByLabel("Issue without checking the requirements").check();
    await dialog.getByText("A credential can be issued").waitFor();
    await issue.click();
    await page.waitForURL("**/console/credentials/*");
    await visitor.leaveQuietly();
  });

  test("not by staff limited to an organisation", async () => {
    const { service } = academy;
    const visitor = await openVisitor(academy.browser, service);
    await signIn(visitor, service, { roles: ["registrar"], organisations: ["Uni"] });
    await visitor.page.goto(`${service.httpUrl}/console/learners/ana`);
    const button = visitor.page.getByRole("button", { name: "Correct the name…" });
    await button.waitFor();
    await expect.poll(() => button.isDisabled()).toBe(true);
    await visitor.page
      .getByText("All organisations share a learner’s name and address")
      .first()
      .waitFor({ state: "attached" });
    await visitor.leave();
  });
});
