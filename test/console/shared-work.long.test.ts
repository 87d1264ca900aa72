import { describe, expect, test } from "vitest";
import { findChromium } from "../edges/pages/chromium.js";
import { startTestService } from "../support/service.js";
import { givenConsole, ownAddress } from "./given-console.js";
import { openVisitor, seePage, signIn } from "./visitor.js";

const executable = findChromium();

describe.skipIf(executable === undefined)("the console, while others work and the service restarts", () => {
  const academy = givenConsole(executable, {}, ({ enrol }) => enrol("ana", "bea", "cem", "dora"));

  async function issue(username: string): Promise<string> {
    const { uuid } = await academy.made(username);
    return uuid;
  }
  async function signedIn(at = academy.service, username = "rita") {
    const visitor = await openVisitor(academy.browser, at);
    await signIn(visitor, at, { username });
    return visitor;
  }

  test("if two windows change the same credential, the second is informed, and loses nothing", async () => {
    const uuid = await issue("ana");
    const [first, second] = [await signedIn(), await signedIn(academy.service, "sam")];
    for (const { page } of [first, second]) {
      await page.goto(`${academy.service.httpUrl}/console/credentials/${uuid}`);
      await page.getByRole("button", { name: "Withdraw…" }).click();
    }
    const dialogs = [first, second].map(({ page }) => page.getByRole("alertdialog"));
    const confirm = { name: "Withdraw 1 credential" };
    await dialogs[1]?.getByLabel("Reason").fill("What the second has typed.");
    await dialogs[0]?.getByLabel("Reason").fill("The first was faster.");
    await dialogs[0]?.getByRole("button", confirm).click();
    await first.page.getByText("Withdrawn on").waitFor();
    await dialogs[1]?.getByRole("button", confirm).click();
    await dialogs[1]?.getByRole("alert").waitFor();
    expect(await dialogs[1]?.getByLabel("Reason").inputValue()).toBe("What the second has typed.");
    const { invalidationReason } = await academy.credentials.getCredential({ uuid });
    expect(invalidationReason).toBe("The first was faster.");
    await first.leave();
    await second.leave();
  });

  test("a watched run continues in the open page when the service is back", async () => {
    const place = { beside: academy.service, settings: await ownAddress() };
    const before = await startTestService(place);
    const { configurationId } = academy;
    const plan = await academy.credentials.startIssuanceRun({ configurationId, dryRun: true });
    const { run } = await academy.credentials.startIssuanceRun({
      configurationId,
      planHash: plan.plan?.planHash ?? "",
    });
    const { page, leave } = await signedIn(before);
    await page.goto(`${before.httpUrl}/console/runs/${run?.id}`);
    await page
      .getByText(/^0 of \d done/)
      .first()
      .waitFor();
    await before.stop();
    await page.locator("main .notice-warn").waitFor();
    const after = await startTestService({ ...place, worker: true });
    await page.locator(".status", { hasText: "Complete" }).waitFor();
    await page.locator(".away-banner").waitFor({ state: "detached" });
    expect(await page.locator("main .notice-warn").count()).toBe(0);
    await leave();
    await after.stop();
  });

  test("pages can be opened while the service is unavailable; pages not fetched before appear when it is back", async () => {
    const place = { beside: academy.service, settings: await ownAddress() };
    const before = await startTestService(place);
    const { page, requests, leave } = await signedIn(before);
    await expect.poll(() => requests.filter((url) => /\/webhook-page-/.test(url)).length).toBe(1);
    await expect.poll(() => requests.filter((url) => /\/erase-dialog-/.test(url)).length).toBe(1);
    const saving = await page.context().newPage();
    await saving.addInitScript(
      "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })",
    );
    await saving.goto(page.url());
    await seePage(saving);
    await before.stop();
    await page.getByRole("link", { name: "Learners" }).click();
    await page.getByRole("heading", { name: "Learners", level: 1 }).waitFor();
    await page.locator(".away-banner").waitFor();
    await saving.getByRole("link", { name: "Emails" }).click();
    await saving.locator("main").getByRole("alert").waitFor();
    await saving.locator(".away-banner").waitFor();
    await saving.getByRole("link", { name: "Learners" }).waitFor();
    const after = await startTestService(place);
    await page.getByRole("row").nth(1).waitFor();
    await saving.getByRole("heading", { name: "Emails", level: 1 }).waitFor();
    await leave();
    await after.stop();
  });

  test.each([
    ["opened", false],
    ["opened while it is being loaded in advance", true],
  ])(
    "a tab of an earlier release, whose assets are gone, reloads once if a page is %s",
    async (_, inAdvance) => {
      const { page, leave } = await signedIn();
      const loaded: string[] = [];
      page.on("load", () => loaded.push(page.url()));
      const asset = /\/assets\/email-list-page-[^/]+\.js$/;
      const link = page.getByRole("link", { name: "Emails" });
      let gone = 0;
      await page.route(asset, async (route) => {
        if (gone++ > 0) return route.continue();
        if (inAdvance) {
          await link.click();
          await page.waitForURL(/\/console\/emails$/);
        }
        await route.fulfill({ status: 404 });
      });
      if (inAdvance) await page.waitForRequest(asset);
      else await link.click();
      await page.getByRole("heading", { name: "Emails", level: 1 }).waitFor();
      expect(loaded).toEqual([`${academy.service.httpUrl}/console/emails`]);
      await leave();
    },
  );

  test("a screen reader reads a credential, and the question of its dialog, in this order", async () => {
    const uuid = await issue("dora");
    const { page, leaveQuietly } = await signedIn();
    await page.goto(`${academy.service.httpUrl}/console/credentials/${uuid}`);
    await page.locator('figure.pdf[data-outcome="shown"]').waitFor();
    await page.locator(".timeline li").first().waitFor();
    expect(reported(await page.locator("main").ariaSnapshot())).toMatchInlineSnapshot(`
      "- main:
        - paragraph:
          - link "Course One":
            - /url: /console/credentials?context=course-v1%3AUni%2BC1%2B2026
        - heading "Learner dora" [level=1]
        - paragraph: Certificate Valid
        - button "Download PDF"
        - link "Public page":
          - /url: http://(host)/verify/(uuid)/
        - button "Copy link"
        - status
        - button "Resend email"
        - button "Correct the name…"
        - button "Reissue…"
        - button "Withdraw…"
        - term: Learner
        - definition:
          - link "dora":
            - /url: /console/learners/dora
        - term: Course or path
        - definition:
          - text: Course One
          - code: course-v1:Uni+C1+2026
        - term: Issued
        - definition:
          - time: (time)
          - text: by registrar
        - term: Email
        - definition:
          - text: Not sent
          - link "Emails":
            - /url: /console/emails?credential=(uuid)
        - term: Run
        - definition:
          - link "(uuid)":
            - /url: /console/credentials?run=(uuid)
            - code: (uuid)
        - term: Verification UUID
        - definition:
          - code: (uuid)
          - button "Copy"
          - status
        - term: Credential UUID
        - definition:
          - code: (uuid)
          - button "Copy"
          - status
        - region "History":
          - heading "History" [level=2]
          - list:
            - listitem:
              - paragraph: Document generated
              - paragraph:
                - time: (time)
                - text: · Worker
            - listitem:
              - paragraph: Issued
              - paragraph:
                - time: (time)
                - text: · registrar
        - figure:
          - img "Document of Learner dora""
    `);
    await page.getByRole("button", { name: "Withdraw…" }).click();
    await page.getByRole("alertdialog").getByLabel("Reason").fill("Issued by mistake.");
    expect(reported(await page.getByRole("alertdialog").ariaSnapshot())).toMatchInlineSnapshot(`
      "- alertdialog "Withdraw this credential":
        - heading "Withdraw this credential" [level=2]
        - paragraph: Learner dora · Course One
        - paragraph: Its page will immediately say that it was withdrawn, and its file is no longer available. This can’t be undone.
        - text: Reason
        - textbox "Reason": Issued by mistake.
        - paragraph: Anyone who verifies the credential can read this.
        - figure "The public page will say":
          - text: The public page will say
          - blockquote: Issued by mistake.
        - checkbox "Send an email" [checked]
        - text: Send an email
        - paragraph: The learner gets an email that gives the reason, if an address is known.
        - group: Preview the email
        - group: As an API call
        - button "Cancel"
        - button "Withdraw 1 credential""
    `);
    await leaveQuietly();
  });
});

function reported(snapshot: string): string {
  return snapshot
    .replace(/[\da-f]{8}-[\da-f-]{27}/g, "(uuid)")
    .replace(/[\da-f]{64}/g, "(hash)")
    .replace(/\d{1,2} \w{3,4} \d{4}, \d{2}:\d{2} UTC/gu, "(time)")
    .replace(/127\.0\.0\.1:\d+/g, "(host)");
}
