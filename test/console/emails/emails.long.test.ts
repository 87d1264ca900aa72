import { describe, expect, test, vi } from "vitest";
import { languageTags } from "#foundation/languages/list.js";
import { EmailKind, EmailState } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { findChromium } from "../../edges/pages/chromium.js";
import { startSmtpSink } from "../../email/smtp-sink.js";
import { freePort } from "../../support/free-port.js";
import { givenConsole } from "../given-console.js";
import { openPage, storePicture } from "../visitor.js";

const executable = findChromium();
const smtpPort = await freePort();
const sentEmail = { SMTP_URL: `smtp://127.0.0.1:${smtpPort}`, MAIL_FROM: "registry@academy.test" };

describe.skipIf(executable === undefined)("emails", () => {
  const academy = givenConsole(executable, { worker: true, settings: sentEmail }, async () => {});

  const report = (username: string, email: string) =>
    academy.report({ case: "learner", value: { username, fullName: `Learner ${username}`, email } });

  async function emailed(username: string, email: string, state: EmailState): Promise<string> {
    await academy.enrol(username);
    await report(username, email);
    const { credentials } = academy;
    const { uuid } = await academy.issue(username);
    await vi.waitFor(
      async () => {
        const { emails } = await credentials.listEmails({ credentialUuid: uuid });
        expect(emails[0]?.state).toBe(state);
      },
      { timeout: 60_000, interval: 100 },
    );
    return uuid;
  }

  test("before there are any, the page says when there will be", async () => {
    const { page, faults, leaveQuietly } = await openPage(academy, "/");
    await page.getByRole("link", { name: "Emails" }).click();
    await page.getByRole("heading", { name: "No emails yet" }).waitFor();
    expect(await faults()).toEqual([]);
    await leaveQuietly();
  });

  test("are listed with their states; a refused one is resent to the current address", async () => {
    const sink = await startSmtpSink("none", undefined, smtpPort);
    await emailed("sent", "sent@uni.test", EmailState.SENT);
    sink.answers.rcptTo.push("550 5.1.1 nobody here");
    const refused = await emailed("refused", "wrong@uni.test", EmailState.REFUSED);
    await emailed("without", "", EmailState.NO_ADDRESS);
    const { page, faults, leaveQuietly } = await openPage(academy, "/emails");
    await page.getByRole("row").nth(3).waitFor();
    const states = await page.locator("tbody .status").allInnerTexts();
    expect(states).toEqual(["No address", "Refused", "Sent"]);
    await storePicture(page, "emails-wide");
    expect(await faults()).toEqual([]);

    await page.getByRole("link", { name: "Refused", exact: true }).click();
    await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
    expect(new URL(page.url()).search).toBe("?state=refused");
    await page.getByText("Correct the address, then resend").waitFor();
    await page.reload();
    await report("refused", "right@uni.test");
    await page.getByRole("button", { name: "Resend: Certificate, Learner refused" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("right@uni.test").waitFor();
    await dialog.getByText("History: Refused").waitFor();
    expect(await faults()).toEqual([]);
    await dialog.getByText("As an API call").click();
    await dialog.getByText(`{"uuid":"${refused}"}`).waitFor();
    await dialog.getByRole("button", { name: "Resend" }).click();
    await dialog.getByText("The email is being sent.").waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("heading", { name: "No matching emails" }).waitFor();
    await page.getByRole("button", { name: "Show all emails" }).click();
    // While an email is being sent, the list shows its progress.
    const row = page.getByRole("row", { name: /refused/ });
    await row.getByText("Sent", { exact: true }).waitFor();
    await row.getByText("Resent once").waitFor();
    expect(sink.received.at(-1)?.to).toEqual(["right@uni.test"]);
    await page.getByLabel("Username").fill("refused");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
    expect(new URL(page.url()).search).toBe("?q=refused");
    await page.getByRole("link", { name: "Sent", exact: true }).click();
    await page.getByRole("row", { name: /refused/ }).waitFor();
    await page.getByRole("link", { name: "Pending", exact: true }).click();
    await page.getByRole("heading", { name: "No matching emails" }).waitFor();
    await leaveQuietly();
  });

  test("are listed for a credential; without an address, the dialog says what to do", async () => {
    const uuid = await emailed("nowhere", "", EmailState.NO_ADDRESS);
    const { page, faults, leaveQuietly } = await openPage(academy, `/credentials/${uuid}`);
    const opener = page.getByRole("button", { name: "Resend email" });
    await storePicture(page, "credential-wide");
    await opener.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The learner has no email address.").waitFor();
    expect(await dialog.getByRole("button", { name: "Resend" }).isDisabled()).toBe(true);
    expect(await faults()).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Resend email");
    await page.getByRole("link", { name: "Emails" }).last().click();
    await page.getByText(`About the credential: ${uuid}`).waitFor();
    await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
    await leaveQuietly();
  });

  test("can't be resent more than five times a day, and the dialog says so", async () => {
    await startSmtpSink("none", undefined, smtpPort);
    const uuid = await emailed("often", "often@uni.test", EmailState.SENT);
    for (let times = 1; times <= 5; times++) {
      await academy.credentials.resendEmail({ uuid });
      await vi.waitFor(
        async () => {
          const { emails } = await academy.credentials.listEmails({ credentialUuid: uuid });
          expect(emails[0]?.state).toBe(EmailState.SENT);
        },
        { timeout: 30_000 },
      );
    }
    const { page, leave } = await openPage(academy, `/emails?credential=${uuid}`);
    await page.getByText("Resent 5 times").waitFor();
    await page.getByRole("button", { name: /^Resend:/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Resend" }).click();
    await dialog.getByRole("alert").getByText("5 times within 24 hours").waitFor();
    await leave();
  });

  test("about a change are previewed, and can be left out", async () => {
    await startSmtpSink("none", undefined, smtpPort);
    const uuid = await emailed("told", "told@uni.test", EmailState.SENT);
    const { page, faults, leaveQuietly } = await openPage(academy, `/credentials/${uuid}`);
    await page.getByRole("button", { name: "Withdraw…" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByLabel("Reason").fill("Issued twice");
    await dialog.getByText("Preview the email").click();
    await dialog.getByText("told@uni.test").waitFor();
    await dialog.frameLocator("iframe").getByText("Reason: Issued twice").waitFor();
    expect(await faults()).toEqual([]);
    await storePicture(page, "withdraw-email");
    await dialog.getByLabel("Send an email").uncheck();
    await expect.poll(() => dialog.getByText("told@uni.test").count()).toBe(0);
    await dialog.getByRole("button", { name: "Withdraw 1 credential" }).click();
    await dialog.waitFor({ state: "detached" });
    const { emails } = await academy.credentials.listEmails({ credentialUuid: uuid });
    expect(emails.map(({ kind }) => kind)).toEqual([EmailKind.AVAILABLE]);
    await leaveQuietly();
  });

  test.each(languageTags)(
    "in %s, axe finds nothing on their page and in the dialog, and they fit a phone",
    async (language) => {
      const { page, faults, leaveQuietly } = await openPage(academy, "/emails", {
        language,
        width: 320,
        theme: "dark",
      });
      await page.locator("tbody tr").first().waitFor();
      expect(await faults()).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
      await storePicture(page, `emails-${language}`);
      await page.locator("tbody .button").first().click();
      await page.locator(".dialog-actions").waitFor();
      await page.waitForLoadState("networkidle");
      expect(await faults()).toEqual([]);
      await storePicture(page, `resend-${language}`);
      await page.keyboard.press("Escape");
      await page.setViewportSize({ width: 720, height: 800 });
      expect(await page.evaluate(BROKEN_WORDS)).toEqual([]);
      await leaveQuietly();
    },
  );
});

/** Buttons in rows whose text has more lines than words, because a word is broken. */
const BROKEN_WORDS = `[...document.querySelectorAll("tbody .button")]
  .filter((button) => {
    const range = document.createRange();
    range.selectNodeContents(button);
    const lines = new Set([...range.getClientRects()].map(({ top }) => top));
    return lines.size > button.textContent.split(/[\\s-]/).length;
  })
  .map(({ textContent }) => textContent)`;
