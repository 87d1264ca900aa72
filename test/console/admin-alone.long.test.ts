import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ended, startOn } from "../commands/run-command.js";
import { createSite } from "../connectors/canvas-site.js";
import { type FakeCanvas, startFakeCanvas } from "../connectors/fake-canvas.js";
import { type FakeMoodle, startFakeMoodle } from "../connectors/fake-moodle.js";
import { CLIENT_SECRET as PLATFORM_TOKEN } from "../connectors/fake-open-edx.js";
import { createPlatformData } from "../connectors/platform-data.js";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProvider,
  startIdentityProvider,
} from "../edges/console/identity-provider.js";
import { findChromium, launchChromium } from "../edges/pages/chromium.js";
import { startSmtpSink } from "../email/smtp-sink.js";
import { givenDirectory } from "../support/directory.js";
import { startInstalledPostgres } from "../support/installed-postgres.js";
import { buildConsole } from "./built-console.js";
import { ownAddress } from "./given-console.js";
import { openVisitor, seePage, storePicture } from "./visitor.js";

const executable = findChromium();
const postgres = executable === undefined ? undefined : await startInstalledPostgres();
const MAIL_PASSWORD = "the-password-of-the-email-server";
const ISSUER = "University of the Harbour";

describe.skipIf(postgres === undefined)("an administrator with only a browser", () => {
  const directory = givenDirectory("admin-alone");
  let moodle: FakeMoodle;
  let canvas: FakeCanvas;
  let provider: IdentityProvider;
  let browser: Browser;
  let settings: { DATABASE_URL: string; DATA_DIR: string; PUBLIC_URL: string; SETTINGS_SECRET: string };
  let program: ChildProcessWithoutNullStreams;
  /** The output of the program so far. */
  let printed = "";
  /** The responses of the program to the console so far. */
  let answered = "";

  beforeAll(async () => {
    buildConsole();
    moodle = await startFakeMoodle(createPlatformData({ courses: 2, learners: 8 }), new Set());
    canvas = await startFakeCanvas(createSite({ courses: 2, learners: 8 }));
    provider = await startIdentityProvider();
    settings = {
      ...(await ownAddress()),
      DATABASE_URL: (await postgres?.create()) ?? "",
      DATA_DIR: directory,
      SETTINGS_SECRET: "the only key that the environment has for the console",
      ...{ CONNECTORS_ALLOWED_NETWORKS: "127.0.0.0/8", SETTINGS_ALLOWED_NETWORKS: "127.0.0.0/8" },
      ...{ LOG_LEVEL: "trace" },
    };
    program = startOn(settings, ["serve"]);
    for (const stream of [program.stdout, program.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        printed += text;
      });
    await vi.waitUntil(() => printed.includes('"msg":"serving"'), { timeout: 60_000 });
    browser = await launchChromium(executable as string);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    if (program?.kill()) await once(program, "close");
    await provider?.stop();
    await moodle?.close();
    await canvas?.close();
    await postgres?.stop();
  });

  test("connects platforms, sign-in, email and issuers, grants roles, and issues", async () => {
    const sink = await startSmtpSink("none", { user: "sender", pass: MAIL_PASSWORD });
    const admin = await openVisitor(browser, { httpUrl: settings.PUBLIC_URL });
    const { page } = admin;
    page.on("response", async (response) => {
      if (response.url().includes("/rpc/")) answered += await response.text().catch(() => "");
    });
    const link = await ended(startOn(settings, ["console", "ada", "--role", "admin"]));
    await page.goto(link.out.trim());
    await seePage(page);
    const { click, fill, choose, part, table } = countSteps(page);
    const dialog = page.getByRole("dialog");
    const button = (name: string, within: Locator = page.locator("body")) =>
      within.getByRole("button", { name, exact: true });
    const tab = (name: string) => page.getByRole("navigation").getByRole("link", { name, exact: true });
    const nowhereCutOff = async () => expect(await admin.faults()).toEqual([]);

    for (const [id, name, url, organisation] of [
      ["campus", "Moodle", moodle.url, "Uni"],
      ["college", "Canvas", canvas.url, "College"],
    ] as const)
      await part(`connect ${name}`, async () => {
        await click(tab("Administration"));
        await click(tab("Connections"));
        await click(button("Connect a platform…"));
        await choose(dialog.getByLabel("Platform"), name);
        await storePicture(page, `11-connect-${id}`);
        await fill(dialog.getByLabel("ID", { exact: true }), id);
        await fill(dialog.getByLabel("Address"), url);
        await fill(dialog.getByLabel("Organisation"), organisation);
        await fill(dialog.getByLabel("Token", { exact: true }), PLATFORM_TOKEN);
        await click(dialog.getByLabel("Only courses with a credential"));
        await nowhereCutOff();
        await click(button("Connect", dialog));
        const card = page.getByRole("region", { name: `Connectors: ${id}` });
        const done = (what: string) =>
          card.getByRole("status").filter({ hasText: what }).getByText("Done").waitFor();
        await click(button(`Check ${id}`, card));
        await done("Check");
        await storePicture(page, `14-checked-${id}`);
        await click(button(`Turn on ${id}`, card));
        await expect.poll(() => card.textContent(), { timeout: 60_000 }).toMatch(/Courses and paths2/);
        await storePicture(page, `15-synced-${id}`);
        await nowhereCutOff();
      });

    await part("set up sign-in", async () => {
      await click(tab("Settings"));
      const card = page.getByRole("region", { name: "Sign-in through an identity provider" });
      await card.waitFor();
      await click(button("Set up…", card));
      await fill(dialog.getByLabel("Issuer"), provider.url);
      await fill(dialog.getByLabel("Client ID"), CLIENT_ID);
      await fill(dialog.getByLabel("Client secret"), CLIENT_SECRET);
      await click(button("Check", dialog));
      await dialog.getByText("The keys that sign the tokens were read.").waitFor();
      await click(button("Save", dialog));
      await card.getByText("Set (secret)").waitFor();
    });
    await part("set up the email server", async () => {
      const card = page.getByRole("region", { name: "Email server and sender" });
      await click(button("Set up…", card));
      await fill(dialog.getByLabel("Server"), "127.0.0.1");
      await choose(dialog.getByLabel("Encryption"), "None (only in your own network)");
      await fill(dialog.getByLabel("Port"), String(sink.port));
      await fill(dialog.getByLabel("Username"), "sender");
      await fill(dialog.getByLabel("Password"), MAIL_PASSWORD);
      await fill(dialog.getByLabel("Sender address"), "registry@academy.test");
      await fill(dialog.getByLabel("Send a test email to"), "ada@academy.test");
      await click(button("Check and send a test email", dialog));
      await dialog.getByText("The server accepted the email.").waitFor();
      await click(button("Save", dialog));
      await button("Change…", card).waitFor();
    });
    await part("grant roles", async () => {
      await click(tab("Staff"));
      for (const username of ["ada", "rita"]) {
        await click(button("Add a person…"));
        await fill(dialog.getByLabel("Username"), username);
        if (username === "ada") await click(dialog.getByRole("checkbox", { name: "admin" }));
        await click(button("Grant roles", dialog));
        await page.getByRole("row").filter({ hasText: username }).first().waitFor();
      }
    });
    await part("sign in through the provider", async () => {
      provider.claims = { sub: "the account of ada", preferred_username: "ada" };
      await click(button("Preferences"));
      await click(button("Sign out"));
      await click(page.getByRole("link", { name: "Sign in", exact: true }));
      await page.getByText("Signed in as").getByText("ada").waitFor();
    });
    await part("name the platform and set up an issuer", async () => {
      await click(tab("Administration"));
      await click(tab("Organisations"));
      await page.getByRole("row", { name: "Uni" }).waitFor();
      await click(button("Change… The whole service"));
      await storePicture(page, "51-service");
      await fill(dialog.getByLabel("Name of the platform"), "Harbour Light Academy");
      await click(button("Save", dialog));
      await page.getByRole("row", { name: "The whole service" }).getByText("Harbour Light").waitFor();
      await click(button("Set up… Uni"));
      await storePicture(page, "52-issuer");
      await fill(dialog.getByLabel("Name in badges"), ISSUER);
      await fill(dialog.getByLabel("Website"), "https://uni.test");
      await click(button("Save", dialog));
      await page.getByRole("row", { name: "Uni" }).getByText(ISSUER).waitFor();
      await storePicture(page, "53-issuer-saved");
      await nowhereCutOff();
    });
    await part("set the branding", async () => {
      await click(page.getByRole("navigation").getByRole("link", { name: "Branding" }));
      await storePicture(page, "61-branding");
      await fill(page.getByLabel("Colour of links and buttons"), "#7a1f3d");
      await fill(page.getByLabel("Contact"), "registry@academy.test");
      await click(button("Save").first());
      await page.getByText("Saved. Pages show the change within ten seconds.").waitFor();
    });
    await part("design a credential type", async () => {
      await click(tab("Credential types"));
      await click(page.getByRole("link", { name: "New credential type" }));
      await storePicture(page, "70-new-type");
      await click(page.getByRole("navigation", { name: "Start from a design" }).getByRole("link").first());
      await fill(page.getByRole("textbox", { name: "Name", exact: true }), "Certificate");
      await click(button("Create"));
      await page.getByRole("heading", { name: "Certificate", level: 1 }).waitFor();
      await storePicture(page, "71-type");
    });
    await part("offer it in a course", async () => {
      await click(button("Offer it in a course or path"));
      const context = page.getByRole("combobox", { name: "Course or path", exact: true });
      await fill(context, "R&D");
      await click(page.getByRole("option", { name: /R&D.*Uni/ }));
      await click(button("Offer it"));
      await page.waitForURL("**/console/configurations/*");
      await storePicture(page, "72-offer");
    });
    await part("issue to a learner", async () => {
      await click(page.getByRole("main").getByRole("link", { name: "Issue from a list" }));
      await fill(page.getByLabel("Paste rows here"), "username,email\nlearner1,vera@academy.test");
      await click(page.getByLabel("Issue without checking the requirements"));
      await storePicture(page, "73-list");
      await click(button("Issue 1 credential"));
      await page.getByText("1 of 1 done").first().waitFor();
      await storePicture(page, "74-issued");
    });
    await expect.poll(() => sink.received.length, { timeout: 60_000 }).toBe(2);
    await click(tab("Credentials"));
    await click(page.getByRole("main").getByRole("row").nth(1));
    await page.locator('figure.pdf[data-outcome="shown"]').waitFor();
    await storePicture(page, "75-credential");
    console.log(table());

    await expect.poll(() => printed).toContain("email sent");
    const dump = (await postgres?.dumpAsSql(settings.DATABASE_URL)) ?? "";
    expect(dump).toContain(ISSUER);
    expect(answered).toContain(ISSUER);
    for (const secret of [PLATFORM_TOKEN, CLIENT_SECRET, MAIL_PASSWORD, settings.SETTINGS_SECRET])
      for (const text of [secret, Buffer.from(secret).toString("base64"), encodeURIComponent(secret)])
        for (const [place, content] of Object.entries({ dump, printed, answered }))
          expect(`${text} is in the ${place}: ${content.includes(text)}`).toMatch(/false$/);
    expect(dump + printed + answered).not.toMatch(/PRIVATE KEY|"d": ?"/);
  });
});

/** Counts the administrator's actions in each part: clicks, and fields that are filled in. */
function countSteps(page: Page) {
  const parts: { part: string; clicks: number; fields: number; seconds: number }[] = [];
  let current = { part: "", clicks: 0, fields: 0, seconds: 0 };
  return {
    async part(name: string, doIt: () => Promise<void>) {
      current = { part: name, clicks: 0, fields: 0, seconds: 0 };
      parts.push(current);
      const start = performance.now();
      try {
        await doIt();
      } catch (error) {
        await storePicture(page, "failed");
        throw error;
      }
      current.seconds = Math.round((performance.now() - start) / 100) / 10;
    },
    async click(on: Locator) {
      current.clicks++;
      await on.click({ timeout: 20_000 });
    },
    async fill(field: Locator, text: string) {
      current.fields++;
      await field.fill(text, { timeout: 20_000 });
    },
    async choose(field: Locator, label: string) {
      current.fields++;
      await field.selectOption({ label }, { timeout: 20_000 });
    },
    table: () => parts.map((each) => Object.values(each).join("\t")).join("\n"),
  };
}
