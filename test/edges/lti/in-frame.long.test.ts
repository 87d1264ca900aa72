import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { AxeResults } from "axe-core";
import {
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Frame,
  type Page,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { acceptPlatform } from "#domain/lti/manage-registrations.js";
import { buildConsole } from "../../console/built-console.js";
import { type FakePlatform, type Launch, startFakePlatform } from "../../lti/fake-platform.js";
import { connect, LTI_SETTINGS, ltiOf } from "../../lti/lti-service.js";
import { type Academy, COURSE, exam, openAcademy } from "../../support/academy.js";
import { freePort } from "../../support/free-port.js";
import { startTestService, type TestService } from "../../support/service.js";
import { CHROMIUM_ARGS, findChromium } from "../pages/chromium.js";

const executable = findChromium();
const HOST = "credentials.academy.test";
const CLAIM = "https://purl.imsglobal.org/spec/lti/claim/";
const keys = resolve(import.meta.dirname, "../tls");
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What a browser denies to a page in a frame of another site. */
type Refused = "cookies of other sites" | "all cookies in frames";

describe.skipIf(executable === undefined)("a launch in a frame of another site", () => {
  let academy: Academy;
  let service: TestService;
  let platform: FakePlatform;
  let id: number;
  let origin: string;
  let context: BrowserContext | undefined;
  let profile: string;

  beforeAll(async () => {
    buildConsole();
    academy = await openAcademy();
    const port = String(await freePort());
    origin = `https://${HOST}:${port}`;
    service = await startTestService({
      beside: academy.service,
      settings: {
        ...LTI_SETTINGS,
        HTTP_PORT: port,
        PUBLIC_URL: origin,
        TLS_CERT_FILE: resolve(keys, "localhost.crt"),
        TLS_KEY_FILE: resolve(keys, "localhost.key"),
      },
    });
    platform = await startFakePlatform({ product: "canvas" });
    id = await connect(service, platform);
    platform.setToolKeys(await (await ltiOf(service)).toolKeys.published(new AbortController().signal));
  });
  afterEach(async () => {
    await context?.close();
    context = undefined;
    await rm(profile, { recursive: true, force: true });
  });
  afterAll(async () => {
    await platform?.close();
    await service?.stop();
    await academy?.service.stop();
  });

  /** Opens a course of the platform, and waits for the page at the end of the launch. */
  async function openCourse(
    launched: Launch,
    { refused, storage }: { readonly refused: Refused; readonly storage: boolean },
    options: BrowserContextOptions = {},
  ): Promise<{ readonly page: Page; readonly frame: Frame }> {
    profile = await mkdtemp(join(tmpdir(), "lti-profile-"));
    const cookies = refused === "all cookies in frames" ? 2 : 1;
    await mkdir(join(profile, "Default"));
    await writeFile(
      join(profile, "Default/Preferences"),
      JSON.stringify({
        profile: {
          cookie_controls_mode: 1,
          default_content_setting_values: { cookies },
          // The service's own pages at the top level can use its cookies.
          content_settings: {
            exceptions: { cookies: { "[*.]academy.test,[*.]academy.test": { setting: 1 } } },
          },
        },
      }),
    );
    context = await chromium.launchPersistentContext(profile, {
      executablePath: executable ?? "",
      args: [
        ...CHROMIUM_ARGS,
        "--test-third-party-cookie-phaseout",
        `--host-resolver-rules=MAP ${HOST} 127.0.0.1`,
      ],
      ignoreHTTPSErrors: true,
      locale: "en-GB",
      viewport: { width: 1280, height: 800 },
      ...options,
    });
    const hint = JSON.stringify(launched);
    platform.launches.set(hint, launched);
    const parameters = platform.loginParameters(origin, { ...launched, sub: hint });
    if (storage) parameters.set("lti_storage_target", "_parent");
    platform.pages.set("/course", coursePage(origin, parameters, storage));
    const page = await context.newPage();
    await page.goto(`${platform.url}/course`);
    const frame = page.frame("tool");
    if (!frame) throw new Error("the page of the platform has no frame");
    await frame
      .locator("h2:visible, a.button:visible, form button:visible")
      .first()
      .waitFor({ timeout: 30_000 });
    return { page, frame };
  }

  async function look(page: Page, name: string): Promise<void> {
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/lti-${name}.png`, fullPage: true });
  }

  async function faultsOf(frame: Frame): Promise<unknown[]> {
    await frame.evaluate(axe);
    const results: AxeResults = await frame.evaluate("axe.run()");
    return results.violations.map(({ id: rule, nodes }) => ({ rule, nodes: nodes.map(({ html }) => html) }));
  }

  const course = { id: COURSE, label: "C1", title: "Course One" };
  const learner: Launch = { sub: "7", context: course };

  it.each<[string, { refused: Refused; storage: boolean }, BrowserContextOptions, string]>([
    ["by a cookie of this site only", { refused: "cookies of other sites", storage: false }, {}, "en"],
    [
      "by the platform's storage, without any cookie",
      { refused: "all cookies in frames", storage: true },
      { colorScheme: "dark", viewport: { width: 390, height: 844 } },
      "en",
    ],
    [
      "by the platform's storage, in Arabic",
      { refused: "all cookies in frames", storage: true },
      { viewport: { width: 390, height: 844 } },
      "ar",
    ],
  ])("shows the learner the available credentials, %s", async (name, browser, options, locale) => {
    const { page, frame } = await openCourse({ ...learner, locale }, browser, options);
    await look(page, name.replaceAll(/\W+/g, "-"));
    expect(await frame.locator("h2").allTextContents()).toEqual(["Certificate"]);
    expect(await frame.locator("html").getAttribute("dir")).toBe(locale === "ar" ? "rtl" : "ltr");
    expect(await frame.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await faultsOf(frame)).toEqual([]);
    await frame.locator("form button").click();
    await frame.waitForURL(`${origin}/lti/progress`);
    expect(await frame.locator("h2").allTextContents()).toEqual(["Certificate"]);
    expect(page.url()).toBe(`${platform.url}/course`);
  });

  it("shows the learner's credentials, after one was issued", async () => {
    const username = `lti:${id}:7`;
    await academy.report(exam(username, 9));
    await academy.made(username);
    const { page, frame } = await openCourse(learner, { refused: "cookies of other sites", storage: false });
    await look(page, "available");
    expect(await frame.locator("table tbody tr").allTextContents()).toHaveLength(2);
    const verify = frame.locator(`a[href^="${origin}/verify/"]`);
    const [opened] = await Promise.all([page.waitForEvent("popup"), verify.click()]);
    expect(new URL(opened.url()).pathname).toMatch(/^\/verify\/[0-9a-f-]{36}\/$/);
  });

  it.each([
    ["en", { viewport: { width: 1280, height: 800 } }],
    ["ar", { viewport: { width: 390, height: 844 }, colorScheme: "dark" }],
  ] as const)(
    "has a teacher place the learners' page in the course, from the platform's dialog, in %s",
    async (locale, options) => {
      const dl = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings";
      const settings = {
        deep_link_return_url: `${platform.url}/deep-links`,
        accept_types: ["ltiResourceLink"],
      };
      const claims = { [`${CLAIM}message_type`]: "LtiDeepLinkingRequest", [dl]: settings };
      const teacher: Launch = { sub: "t", roles: ["Instructor"], context: course, locale, claims };
      const { page, frame } = await openCourse(
        teacher,
        { refused: "all cookies in frames", storage: true },
        options,
      );
      await look(page, `place-${locale}`);
      expect(await faultsOf(frame)).toEqual([]);
      expect(await frame.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      await frame.locator("form button").focus();
      await page.keyboard.press("Enter");
      const link = page.locator("a.placed");
      await link.waitFor();
      await look(page, `placed-${locale}`);
      const title = locale === "en" ? "Your credentials in this course" : await link.textContent();
      expect(platform.placed.at(-1)).toEqual([
        { type: "ltiResourceLink", title, url: `${origin}/lti/launch` },
      ]);
      expect(await link.getAttribute("href")).toBe(`${origin}/lti/launch`);
    },
  );

  it("leads to a separate tab if neither is available, and the launch continues there", async () => {
    const refused = { refused: "all cookies in frames", storage: false } as const;
    const { page, frame } = await openCourse(learner, refused, { viewport: { width: 390, height: 844 } });
    const link = frame.locator("a.button");
    await look(page, "new-tab");
    expect(await faultsOf(frame)).toEqual([]);
    const [opened] = await Promise.all([page.waitForEvent("popup"), link.click()]);
    await opened.locator("h2").first().waitFor();
    expect(opened.url()).toBe(`${origin}/lti/launch`);
    expect(await opened.locator("h2").allTextContents()).toEqual(["Certificate"]);
  });

  it("leads a teacher to the console in a separate tab, limited to the organisation", async () => {
    const decided = {
      organisations: ["Uni"],
      teacherRole: "registrar",
      connector: "",
      rosters: "",
      hasColumns: false,
    } as const;
    await acceptPlatform(service.app.database, id, decided, new AbortController().signal);
    const { page, frame } = await openCourse(
      { sub: "t", roles: ["Instructor"], context: course },
      { refused: "cookies of other sites", storage: false },
    );
    await look(page, "teacher");
    expect(await faultsOf(frame)).toEqual([]);
    const [opened] = await Promise.all([page.waitForEvent("popup"), frame.locator("a.button").click()]);
    await opened.locator("main:not(.sign-in) h1").waitFor({ timeout: 30_000 });
    await look(opened, "console");
    expect(new URL(opened.url()).pathname).toMatch(/^\/console\//);
    expect(await context?.cookies(origin)).toMatchObject([{ sameSite: "Lax", httpOnly: true, secure: true }]);
  });
});

/**
 * Returns a page of a course that embeds the tool in a frame. If the platform offers storage, the page stores data for
 * the tool.
 */
function coursePage(origin: string, parameters: URLSearchParams, storage: boolean): string {
  const fields = [...parameters].map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value.replaceAll('"', "&quot;")}"/>`,
  );
  const keeping = `
    const kept = new Map();
    addEventListener("message", ({ data, source, origin }) => {
      const answer = (more) =>
        source.postMessage({ subject: data.subject + ".response", message_id: data.message_id, ...more }, origin);
      if (data.subject === "lti.capabilities")
        answer({ supported_messages: [{ subject: "lti.put_data" }, { subject: "lti.get_data" }] });
      if (data.subject === "lti.put_data") kept.set(origin + data.key, data.value), answer({ key: data.key, value: data.value });
      if (data.subject === "lti.get_data") answer({ key: data.key, value: kept.get(origin + data.key) });
    });`;
  const placing = `
    addEventListener("message", ({ data, origin }) => {
      if (data.subject !== "LtiDeepLinkingResponse" || origin !== location.origin) return;
      for (const { url, title } of data.content_items) {
        const link = Object.assign(document.createElement("a"), { href: url, textContent: title, className: "placed" });
        document.querySelector("iframe").replaceWith(link);
      }
    });`;
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Course One</title>
<style>body { margin: 0 } iframe { border: 0; width: 100%; height: 100vh; display: block }</style>
<iframe name="tool" title="Credentials"></iframe>
<form method="post" action="${origin}/lti/login" target="tool">${fields.join("")}</form>
<script>${storage ? keeping : ""}${placing} document.forms[0].submit()</script></html>`;
}
