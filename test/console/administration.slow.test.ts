import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBackground } from "#app/background.js";
import { Role } from "#gen/learning_credentials/options/v1/options_pb.js";
import { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { LtiRosterMode, LtiService } from "#gen/learning_credentials/v1/lti_service_pb.js";
import { type FakeMoodle, startFakeMoodle } from "../connectors/fake-moodle.js";
import { CLIENT_SECRET } from "../connectors/fake-open-edx.js";
import { createPlatformData } from "../connectors/platform-data.js";
import { findChromium, launchChromium } from "../edges/pages/chromium.js";
import { givenDirectory } from "../support/directory.js";
import { startTestService, type TestService, tokenOf } from "../support/service.js";
import { buildConsole } from "./built-console.js";
import { ownAddress } from "./given-console.js";
import { expectMissing, openVisitor, seePage, signIn } from "./visitor.js";

const executable = findChromium();

describe.skipIf(executable === undefined)("administration in the console", () => {
  const directory = givenDirectory("administration");
  let moodle: FakeMoodle;
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    buildConsole();
    moodle = await startFakeMoodle(createPlatformData({ courses: 2, learners: 8 }), new Set());
    const connector = {
      id: "campus",
      type: "moodle",
      base_url: moodle.url,
      allow_http: true,
      token_file: join(directory, "token"),
      organisation: "Uni",
      courses: { only_configured: false },
      requests_per_minute: 100_000,
    };
    await writeFile(connector.token_file, CLIENT_SECRET);
    await writeFile(join(directory, "connectors.json"), JSON.stringify([connector]));
    const settings = {
      ...(await ownAddress()),
      CONNECTORS_FILE: join(directory, "connectors.json"),
      CONNECTORS_ALLOWED_NETWORKS: "127.0.0.0/8",
      LTI_SECRET: "a secret of platforms that only this test knows",
    };
    service = await startTestService({ settings });
    startBackground(service.app, ["operations", "connector operations", "brands"]);
    browser = await launchChromium(executable as string);
    const token = await tokenOf({ username: "lms", service: "write" });
    await service.client(LearnerRecordService, token).upsertRecords({
      records: [
        { kind: { case: "learner", value: { username: "ada", fullName: "Ada Admin" } } },
        { kind: { case: "learner", value: { username: "rita", fullName: "Rita Registrar" } } },
      ],
    });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await moodle?.close();
  });

  async function open(tab: string) {
    const visitor = await openVisitor(browser, service);
    await signIn(visitor, service, { username: "ada", roles: ["admin"] });
    await visitor.page.goto(`${service.httpUrl}/console/administration?tab=${tab}`);
    await seePage(visitor.page);
    return visitor;
  }

  test("a link is created for a registrar, signs in once, and the session is ended; the page then says whom to contact", async () => {
    const staff = service.client(ConfigurationService, await tokenOf({ username: "dora", isStaff: true }));
    await staff.updateBrand({ brand: { contact: "registrar@uni.example" } });
    const visitor = await open("access");
    const { page } = visitor;
    await page.getByRole("button", { name: "Create a sign-in link…" }).click();
    const dialog = page.getByRole("dialog");
    const make = dialog.getByRole("button", { name: "Create the link" });
    await expectMissing(make, dialog.getByLabel("Username"), "Fill in “Username”.");
    await dialog.getByLabel("Username").fill("rita");
    for (const role of ["viewer", "registrar"]) await dialog.getByRole("checkbox", { name: role }).uncheck();
    const [first] = await dialog.getByRole("checkbox").all();
    if (!first) throw new Error("no role can be chosen");
    await expectMissing(make, first, "Select an option for “Roles”.");
    expect(await visitor.faults()).toEqual([]);
    for (const role of ["viewer", "registrar"]) await dialog.getByRole("checkbox", { name: role }).check();
    await dialog.getByLabel("Restrict to organisations").fill("Uni, Law");
    expect(await visitor.faults()).toEqual([]);
    await make.click();
    const url = (await dialog.locator("code").textContent()) ?? "";
    expect(new URL(url).hash).toMatch(/^#sign-in=[\w-]{22}$/);
    expect(await visitor.faults()).toEqual([]);
    await dialog.getByRole("button", { name: "Close" }).click();
    expect(await page.content()).not.toContain(new URL(url).hash);

    const guest = await openVisitor(browser, service);
    await guest.page.goto(url);
    await guest.page.getByText("Signed in as").getByText("Rita Registrar").waitFor();
    await page.reload();
    const row = page.getByRole("row").filter({ hasText: "Rita Registrar" });
    await row.waitFor();
    expect(await row.textContent()).toContain("registrar");
    expect((await row.textContent())?.replaceAll(/[\u2068\u2069]/g, "")).toContain("Uni, Law");
    expect(await page.getByRole("row").filter({ hasText: "This is you" }).textContent()).toContain(
      "Ada Admin",
    );
    await row.getByRole("button", { name: "End: Rita Registrar" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "End", exact: true }).click();
    await row.waitFor({ state: "detached" });
    await guest.page.getByRole("link", { name: "Credentials", exact: true }).click();
    await guest.page.getByRole("link", { name: "registrar@uni.example" }).waitFor();
    expect(await guest.faults()).toEqual([]);
    await guest.leave();
    visitor.expectQuiet();
    await visitor.leave();
  });

  test("a platform is connected, checked and turned on without a file; its token can only be replaced", async () => {
    const visitor = await open("connections");
    const { page } = visitor;
    await page.getByRole("button", { name: "Connect a platform…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Platform").selectOption("Moodle");
    await dialog.getByLabel("ID", { exact: true }).fill("school");
    await dialog.getByLabel("Address").fill(moodle.url);
    await dialog.getByLabel("Organisation").fill("School");
    const token = dialog.getByLabel("Token", { exact: true });
    await expectMissing(dialog.getByRole("button", { name: "Connect" }), token, "Fill in “Token”.");
    await dialog.getByLabel("Token", { exact: true }).fill(CLIENT_SECRET);
    await dialog.getByLabel("Only courses with a credential").uncheck();
    await dialog.getByText("As an API call").click();
    await dialog.locator("pre, code").filter({ hasText: "baseUrl" }).first().waitFor();
    expect(await dialog.textContent()).not.toContain(CLIENT_SECRET);
    expect(await visitor.faults()).toEqual([]);
    await dialog.getByRole("button", { name: "Connect" }).click();
    const card = page.getByRole("region", { name: "Connectors: school" });
    await card.getByText("Turned off: only read on request").waitFor();
    await card.getByRole("button", { name: "Check school" }).click();
    await card.getByText("grades: the grades of one learner can be read").waitFor();
    await card.getByRole("button", { name: "Turn on school" }).click();
    await card.getByRole("button", { name: "Turn off school" }).waitFor();

    await card.getByRole("button", { name: "Change… school" }).click();
    await dialog.getByText(/^Set on .*Leave empty to keep it\.$/).waitFor();
    expect(await dialog.getByLabel("Token", { exact: true }).inputValue()).toBe("");
    await dialog.getByLabel("Address").fill("https://elsewhere.example.org");
    await dialog
      .getByText(
        "Enter it again, because you changed an address, a port or the encryption of the connection.",
      )
      .waitFor();
    await expectMissing(dialog.getByRole("button", { name: "Save" }), token, "Fill in “Token”.");
    await dialog.getByLabel("Address").fill(moodle.url);
    await dialog.getByText("More settings").click();
    await dialog.getByLabel("Language of names").fill("es");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    const client = service.client(
      AdministrationService,
      await tokenOf({ username: "lms", service: "write" }),
    );
    expect(await client.getConnectorSettings({ id: "school" })).toMatchObject({
      isEnabled: true,
      options: { organisation: "School", language: "es", courses: { only_configured: false } },
    });

    await client.createConnector({
      connector: {
        id: "law",
        type: "canvas",
        baseUrl: "https://law.example.org",
        options: { organisation: "Law" },
      },
      secrets: { token: CLIENT_SECRET },
    });
    await page.getByRole("button", { name: "Change… law" }).click();
    await dialog.getByLabel("Remove it: Token").check();
    await dialog.getByLabel("Client ID").fill("7");
    await dialog.getByLabel("Client secret").fill("a secret");
    await dialog.getByLabel("Refresh token", { exact: true }).fill("another");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    const { secrets } = await client.getConnectorSettings({ id: "law" });
    expect(secrets.map(({ name }) => name).sort()).toEqual(["client_secret", "refresh_token"]);
    await client.deleteConnector({ id: "law" });

    await page.getByRole("region", { name: "Connectors: campus" }).getByText("Set in a file.").waitFor();
    await card.getByRole("button", { name: "Delete… school" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete the connection" }).click();
    await card.waitFor({ state: "detached" });
    visitor.expectQuiet();
    await visitor.leave();
  });

  test("a platform is registered by hand, and the LTI key is replaced", async () => {
    const visitor = await open("connections");
    const { page } = visitor;
    const keys = async () =>
      ((await (await fetch(`${service.httpUrl}/lti/jwks`)).json()) as { keys: [] }).keys.length;
    const before = await keys();
    await page.getByRole("button", { name: "New key…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Create a new key" }).click();
    await expect.poll(keys).toBe(before + 1);
    await page.getByRole("button", { name: "Register by hand…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Issuer").fill("https://blackboard.example");
    const addresses = await dialog.locator(".code-line code").allTextContents();
    expect(addresses).toEqual(["launch", "login", "jwks"].map((path) => `${service.httpUrl}/lti/${path}`));
    await dialog.getByText("Steps in Open edX").click();
    await dialog.getByText("Tool Initiate Login URL (OIDC)").waitFor();
    const register = dialog.getByRole("button", { name: "Register", exact: true });
    await dialog.getByLabel("Client ID").fill("client-9");
    await dialog.getByLabel("Authentication request URL").fill("https://blackboard.example/auth");
    await dialog.getByLabel("Access token URL").fill("https://blackboard.example/token");
    const keySet = dialog.getByLabel("Key set URL of the platform");
    await expectMissing(register, keySet, "Fill in “Key set URL of the platform”.");
    await dialog.getByLabel("Key set URL of the platform").fill("https://blackboard.example/keys");
    expect(await visitor.faults()).toEqual([]);
    await register.click();
    const card = page.getByRole("region", { name: "LTI platforms: https://blackboard.example" });
    await card.getByText("Pending approval").waitFor();
    await card.getByRole("button", { name: /^Delete…/ }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete the platform" }).click();
    await card.waitFor({ state: "detached" });
    visitor.expectQuiet();
    await visitor.leave();
  });

  test("a platform is checked, planned and read; a platform waiting for LTI is accepted", async () => {
    const lti = service.client(LtiService, await tokenOf({ username: "lms", service: "write" }));
    const address = "https://campus.example";
    await lti.createLtiPlatform({
      settings: {
        issuer: address,
        clientId: "client-7",
        name: "Campus",
        authorizationUrl: `${address}/auth`,
        tokenUrl: `${address}/token`,
        jwksUrl: `${address}/jwks`,
      },
    });
    const visitor = await open("connections");
    const { page } = visitor;
    const card = page.getByRole("region", { name: "Connectors: campus" });
    const done = (what: string) =>
      card.getByRole("status").filter({ hasText: what }).getByText("Done").waitFor();
    await card.getByRole("button", { name: "Check campus" }).click();
    await done("Check");
    await card.getByText("Fine").first().waitFor();
    await card.getByRole("button", { name: "What would change? campus" }).click();
    await done("What would change");
    await card.getByText("enrollment.written").waitFor();
    expect(await service.app.database.knex("connector_contexts")).toEqual([]);
    expect(await visitor.faults()).toEqual([]);
    await card.getByRole("button", { name: "Sync now campus" }).click();
    await done("Sync");
    await expect
      .poll(async () => (await card.textContent()) ?? "", { timeout: 30_000 })
      .toMatch(/Courses and paths2/);

    const platform = page.getByRole("region", { name: "LTI platforms: Campus" });
    await platform.getByText("Pending approval").waitFor();
    await platform.getByRole("button", { name: "Check Campus" }).click();
    await platform.getByText("The platform’s key set URL can’t be reached.").waitFor();
    await platform.getByRole("button", { name: "Accept…" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByLabel("Its courses belong to").fill("Uni");
    await dialog.getByLabel("Role of teachers in this console").selectOption({ label: "viewer" });
    await dialog.getByLabel("Member lists").selectOption({ label: "Enrol everyone on the list" });
    expect(await visitor.faults()).toEqual([]);
    await dialog.getByRole("button", { name: "Accept the platform" }).click();
    await platform.getByText("Accepted").waitFor();
    expect((await lti.listLtiPlatforms({})).platforms[0]?.acceptance).toMatchObject({
      organisations: ["Uni"],
      teacherRole: Role.VIEWER,
      rosters: LtiRosterMode.LISTED,
    });
    visitor.expectQuiet();
    await visitor.leave();
  });

  test("the history shows names, values before and after, and everything about one object", async () => {
    const visitor = await open("changes");
    const { page } = visitor;
    const row = page.getByRole("row").filter({ hasText: "AcceptLtiPlatform" });
    await row.waitFor();
    expect(await row.textContent()).toMatch(/Ada Admin.*Changed.*teacherRole.*nothing.*viewer/s);
    await row.getByRole("link", { name: /^Platform/ }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("object")).toMatch(/^platform:\d+$/);
    await page.getByRole("row").filter({ hasText: "CreateSignInLink" }).waitFor({ state: "detached" });
    expect(await visitor.faults()).toEqual([]);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save this page as CSV" }).click();
    expect((await download).suggestedFilename()).toBe("changes.csv");
    visitor.expectQuiet();
    await visitor.leave();
  });

  test("an examination runs, and reports no problems; a setting is found by its meaning", async () => {
    const visitor = await open("health");
    const { page } = visitor;
    await page.getByText("Everything works").waitFor();
    await page.getByRole("button", { name: "Run the check", exact: true }).click();
    await page.getByText("No problems found.").waitFor();
    expect(await visitor.faults()).toEqual([]);
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    await page.getByLabel("Name or meaning").fill("time zone of issue");
    await page.getByText("TIME_ZONE").waitFor();
    await expect.poll(() => page.getByRole("row").count()).toBeLessThan(6);
    expect(await page.content()).not.toContain("only this test knows");
    visitor.expectQuiet();
    await visitor.leave();
  });
});
