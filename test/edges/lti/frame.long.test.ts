import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { execute } from "../../../src/db/query.js";
import { COURSE, givenAcademy } from "../../credentials/academy.js";
import { type FakePlatform, type Launch, startFakePlatform } from "../../lti/fake-platform.js";
import { connect, LTI_SETTINGS } from "../../lti/lti-service.js";
import { freePort } from "../../support/free-port.js";
import { findChromium } from "../pages/chromium.js";

const executable = findChromium();
const pictures = process.env.SCREENSHOTS;
const port = await freePort();
/** Another site than the platform's at 127.0.0.1. */
const TOOL = `http://localhost:${port}`;

/** The storage of a platform, as the drafts of 1EdTech describe it: for each origin its own. */
const STORAGE = `<script>
const kept = {};
addEventListener("message", ({ data, origin, source }) => {
  const answer = (more) => source.postMessage({ subject: data.subject + ".response", message_id: data.message_id, ...more }, origin);
  if (data.subject === "lti.capabilities")
    answer({ supported_messages: [{ subject: "lti.put_data", frame: "_parent" }, { subject: "lti.get_data", frame: "_parent" }] });
  if (data.subject === "lti.put_data") { kept[origin + data.key] = data.value; answer({ key: data.key, value: data.value }); }
  if (data.subject === "lti.get_data") answer({ key: data.key, value: kept[origin + data.key] });
});
</script>`;

describe.skipIf(executable === undefined)("in the frame of a platform of another site", () => {
  const academy = givenAcademy({
    settings: { ...LTI_SETTINGS, HOST: "127.0.0.1", HTTP_PORT: String(port), PUBLIC_URL: TOOL },
  });
  let platform: FakePlatform;
  let context: BrowserContext;
  let profile: string;

  beforeAll(async () => {
    const { service } = academy;
    platform = await startFakePlatform();
    const id = await connect(service, platform);
    await academy.enrol("ana", "ben");
    const { configurationId } = academy;
    const { uuid } = await academy.credentials.issueCredential({ configurationId, username: "ana" });
    await academy.generate(await academy.idOf(uuid));
    // Ana and Ben are known here from before.
    for (const name of ["ana", "ben"])
      await execute(
        service.app.database.knex,
        "insert into connector_people (connector, external_id, username) values ('school', ?, ?)",
        [name, name],
      );
    await execute(
      service.app.database.knex,
      `insert into connector_contexts (connector, context_key, external_id, display_name, seen_sweep)
       values ('school', ?, '2', 'Astronomy', 1)`,
      [COURSE],
    );
    await execute(
      service.app.database.knex,
      "update lti_registrations set connector = 'school' where id = ?",
      [id],
    );
    profile = await mkdtemp(join(tmpdir(), "lti-chromium-"));
    await mkdir(join(profile, "Default"));
    const preferences = { profile: { block_third_party_cookies: true, cookie_controls_mode: 1 } };
    await writeFile(join(profile, "Default", "Preferences"), JSON.stringify(preferences));
    context = await chromium.launchPersistentContext(profile, {
      executablePath: executable ?? "",
      args: ["--no-sandbox", "--disable-gpu", "--no-first-run"],
      viewport: { width: 900, height: 900 },
      locale: "en",
    });
  });
  afterAll(async () => {
    await context?.close();
    await platform?.close();
    if (profile) await rm(profile, { recursive: true, force: true });
  });

  /** Opens a course of the platform, with our page in a frame. */
  async function openCourse(launch: Launch, { storage = false, width = 900 } = {}) {
    const { sub = "ana" } = launch;
    platform.launches.set(sub, launch);
    const parameters = platform.loginParameters(TOOL, launch);
    if (storage) parameters.set("lti_storage_target", "_parent");
    const frame = `<iframe name="tool" src="${TOOL}/lti/login?${parameters.toString().replaceAll("&", "&amp;")}" style="width: 100%; height: 700px; border: 1px solid"></iframe>`;
    platform.pages.set("/course", `<h1>A course of the platform</h1>${frame}${storage ? STORAGE : ""}`);
    const page = await context.newPage();
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${platform.url}/course`);
    return { page, tool: page.frameLocator("iframe") };
  }

  async function picture(page: Page, name: string) {
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `lti-${name}.png`) });
  }

  /** Loses our cookies between login and launch, as a browser does that keeps none in frames. */
  async function withoutCookies(work: () => Promise<void>) {
    const auth = `${platform.url}/auth?*`;
    await context.route(auth, async (route) => {
      await context.clearCookies();
      await route.continue();
    });
    try {
      await work();
    } finally {
      await context.unroute(auth);
    }
  }

  it("cookies of other sites are blocked in this browser", async () => {
    await context.addCookies([{ name: "plain", value: "1", url: TOOL, sameSite: "None", secure: true }]);
    const { page, tool } = await openCourse({ sub: "ana" });
    await tool.getByRole("heading", { name: "Your credentials in this course" }).waitFor();
    const frame = page.frames().find((each) => each.name() === "tool");
    expect(await frame?.evaluate("document.cookie")).toBe("");
    await page.goto(`${TOOL}/verify/`);
    expect(await page.evaluate("document.cookie")).toBe("plain=1");
    await context.clearCookies();
    await page.close();
  });

  it("a learner sees what they have, and refreshes it", async () => {
    const { page, tool } = await openCourse({ sub: "ana" });
    await tool.getByRole("heading", { name: "Your credentials in this course" }).waitFor();
    await tool.getByRole("link", { name: "Download the PDF" }).waitFor();
    await picture(page, "learner");
    await tool.getByRole("button", { name: "Refresh" }).click();
    await tool.getByRole("link", { name: "Download the PDF" }).waitFor();
    const names = (await context.cookies(TOOL)).map(({ name }) => name);
    expect(names).toEqual([]);
    await page.close();
  });

  it.each([
    ["narrow-arabic", { sub: "ben", locale: "ar" }, 320],
    ["german", { sub: "ben", locale: "de" }, 900],
  ] as const)("a learner sees how far they are: %s", async (name, launch, width) => {
    const { page, tool } = await openCourse(launch, { width });
    await tool.getByRole("table").waitFor();
    const frame = page.frames().find((each) => each.name() === "tool");
    const isWider = await frame?.evaluate("document.documentElement.scrollWidth > innerWidth");
    expect(isWider).toBe(false);
    await picture(page, name);
    await page.close();
  });

  it("the storage of the platform takes the place of the cookie", async () => {
    await withoutCookies(async () => {
      const { page, tool } = await openCourse({ sub: "ana" }, { storage: true });
      await tool.getByRole("heading", { name: "Your credentials in this course" }).waitFor();
      await page.close();
    });
  });

  it("without cookie and storage, a new tab is offered, which works", async () => {
    let launched: Awaited<ReturnType<typeof openCourse>> | undefined;
    await withoutCookies(async () => {
      launched = await openCourse({ sub: "ana" });
      await launched.tool.getByRole("link", { name: "Open this page in a new tab" }).waitFor();
      await picture(launched.page, "new-tab");
    });
    if (!launched) throw new Error("nothing was launched");
    const opening = context.waitForEvent("page");
    await launched.tool.getByRole("link", { name: "Open this page in a new tab" }).click();
    const tab = await opening;
    await tab.getByRole("heading", { name: "Your credentials in this course" }).waitFor();
    await tab.close();
    await launched.page.close();
  });

  it("a teacher opens the console in a tab of its own", async () => {
    const again = await openCourse({ sub: "tea", roles: ["Instructor"] });
    const opening = context.waitForEvent("page");
    await picture(again.page, "teacher");
    await again.tool.getByRole("link", { name: "Open the console" }).click();
    const console = await opening;
    await console.getByRole("main").waitFor();
    await console.getByText("lti:1:tea").first().waitFor();
    await console.close();
    await again.page.close();
  });

  it("no other site may hold the page in a frame", async () => {
    const thief = await startFakePlatform();
    const parameters = platform.loginParameters(TOOL, { sub: "ana" });
    thief.pages.set(
      "/trap",
      `<iframe name="tool" src="${TOOL}/lti/login?${parameters.toString().replaceAll("&", "&amp;")}"></iframe>`,
    );
    const page = await context.newPage();
    const refused = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
    await page.goto(`${thief.url}/trap`);
    await refused;
    await page.close();
    await thief.close();
  });
});
