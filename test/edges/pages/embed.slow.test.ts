import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { languages, languageTags } from "#foundation/languages/list.js";
import { type Academy, openAcademy } from "../../support/academy.js";
import { listen } from "../../support/listen.js";
import { findChromium, launchChromium } from "./chromium.js";

const SCRIPT = "embed/learning-credential.js";
const executable = findChromium();
if (!executable) console.warn("skipped: the element on pages of other sites; there is no Chromium");

let academy: Academy;
let url: string;
let verifyUuid: string;
let withdrawn: string;

beforeAll(async () => {
  academy = await openAcademy();
  url = academy.service.httpUrl;
  await academy.enrol("ada", "bob");
  ({ verifyUuid } = await academy.made("ada"));
  const second = await academy.made("bob");
  withdrawn = second.verifyUuid;
  await academy.invalidate(second.uuid);
});
afterAll(() => academy.service.stop());

test("the script is small, cached, and for pages of any origin", async () => {
  const response = await fetch(`${url}/${SCRIPT}`, { headers: { Origin: "https://any.example" } });
  const script = Buffer.from(await response.arrayBuffer());
  expect(response.status).toBe(200);
  expect(script.length).toBeLessThan(5000);
  const expected = {
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=3600",
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
  };
  expect(Object.fromEntries(response.headers)).toMatchObject(expected);
  const etag = response.headers.get("etag") ?? "";
  expect((await fetch(`${url}/${SCRIPT}`, { headers: { "If-None-Match": etag } })).status).toBe(304);
  expect((await fetch(`${url}/${SCRIPT}`, { method: "POST" })).status).toBe(405);
  expect(script.toString()).not.toMatch(
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(/,
  );
});

describe.skipIf(!executable)("in Chromium, on a page of another site", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium(executable ?? "");
  });
  afterAll(() => browser.close());

  /**
   * Opens a page of another origin.
   * @param body body of the page, in which SERVICE stands for the service's URL
   */
  async function open(
    body: string,
    {
      policy = "",
      lang = "en",
      answer,
    }: {
      policy?: string;
      lang?: string;
      answer?: (response: ServerResponse, request: IncomingMessage) => void;
    } = {},
  ) {
    const requested: string[] = [];
    const server = createServer((request, response) => {
      requested.push(request.url ?? "");
      if (request.url !== "/")
        return answer && request.url !== "/favicon.ico"
          ? answer(response, request)
          : response.writeHead(404).end();
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      if (policy) response.setHeader("Content-Security-Policy", policy.replaceAll("SERVICE", url));
      response.end(
        `<!doctype html><html lang="${lang}"><title>A portfolio</title>${body.replaceAll("SERVICE", url)}`,
      );
    });
    const port = await listen(server);
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (!message.location().url.endsWith("/favicon.ico")) complaints.push(message.text());
    });
    page.on("pageerror", (error) => void complaints.push(String(error)));
    page.on("dialog", (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    onTestFinished(async () => {
      await page.close();
      server.closeAllConnections();
      server.close();
    });
    await page.goto(`http://localhost:${port}/`);
    return { page, complaints, asked: requested, origin: `http://localhost:${port}` };
  }
  const LOAD = `<script type="module" src="SERVICE/${SCRIPT}"></script>`;
  const verdictOn = (page: Page) => page.locator("learning-credential p.v");

  const setOn = (page: Page, attributes: Record<string, string>) =>
    page.evaluate(
      `for (const [name, value] of Object.entries(${JSON.stringify(attributes)})) document.querySelector("learning-credential").setAttribute(name, value)`,
    );

  test("shows picture, verdict, names and a link, with the policy that its documentation names", async () => {
    const { page, complaints } = await open(
      `${LOAD}<learning-credential uuid="${verifyUuid}"></learning-credential>`,
      {
        policy:
          "default-src 'none'; script-src SERVICE; connect-src SERVICE; img-src SERVICE; require-trusted-types-for 'script'",
      },
    );
    await expect.poll(() => verdictOn(page).textContent()).toBe("✓ This credential is genuine");
    const link = page.locator("learning-credential a");
    expect(await link.getAttribute("href")).toBe(`${url}/verify/${verifyUuid}/`);
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
    expect(await link.textContent()).toBe(`Verify: ${new URL(url).host}`);
    const picture = page.locator("learning-credential img");
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(100);
    expect(await page.locator("learning-credential bdi").allTextContents()).toEqual([
      expect.stringContaining("ada"),
      expect.any(String),
      new URL(url).host,
    ]);
    expect(complaints).toEqual([]);
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/embed.png` });
  });

  test("names withdrawn and unknown credentials, and failed requests", async () => {
    const { page } = await open(
      `${LOAD}<learning-credential uuid="${withdrawn}"></learning-credential>
      <learning-credential uuid="00000000-0000-0000-0000-000000000000"></learning-credential>
      <learning-credential uuid="../../console/"></learning-credential>
      <learning-credential uuid="${verifyUuid}" service="http://127.0.0.1:1"></learning-credential>
      <learning-credential></learning-credential>
      <learning-credential uuid="${verifyUuid}" service="javascript:alert(1)"></learning-credential>`,
    );
    await expect.poll(() => verdictOn(page).count()).toBe(4);
    expect(await verdictOn(page).allTextContents()).toEqual([
      expect.stringMatching(/^✕ This credential was /),
      "? Credential not found",
      "? Credential not found",
      "… The service can’t respond at the moment. Try again later.",
    ]);
    expect(await page.locator("learning-credential img").count()).toBe(0);
    const links = await page
      .locator("learning-credential a")
      .evaluateAll((all) => all.map((link) => (link as unknown as { href: string }).href));
    expect(links).toEqual([
      `${url}/verify/${withdrawn}/`,
      `${url}/verify/00000000-0000-0000-0000-000000000000/`,
      `http://127.0.0.1:1/verify/${verifyUuid}/`,
    ]);
  });

  test("uses the language of its page, and English if there is no other", async () => {
    const places = [...languageTags, "de-AT", "ja", "__proto__"];
    const { page } = await open(
      LOAD +
        places
          .map(
            (tag) => `<p lang="${tag}"><learning-credential uuid="${verifyUuid}"></learning-credential></p>`,
          )
          .join(""),
    );
    await expect.poll(() => verdictOn(page).count()).toBe(places.length);
    const shown = await page
      .locator("learning-credential > div, learning-credential div")
      .evaluateAll((all) =>
        (all as unknown as { lang: string; dir: string }[]).map(({ lang, dir }) => [lang, dir]),
      );
    expect(shown).toEqual([
      ...languageTags.map((tag) => [tag, languages[tag].direction]),
      ["de", "ltr"],
      ["en", "ltr"],
      ["en", "ltr"],
    ]);
    const texts = await verdictOn(page).allTextContents();
    expect(new Set(texts).size).toBe(languageTags.length);
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/embed-languages.png`, fullPage: true });
  });

  test("follows its attributes, and an older response doesn't replace a newer one", async () => {
    const slow: ServerResponse[] = [];
    const {
      page,
      asked: requested,
      origin,
    } = await open(`${LOAD}<learning-credential></learning-credential>`, {
      answer: (response) => {
        response.setHeader("Access-Control-Allow-Origin", "*");
        slow.push(response);
      },
    });
    const set = (attributes: Record<string, string>) => setOn(page, attributes);
    await set({ uuid: withdrawn, service: origin });
    await expect.poll(() => slow.length).toBe(1);
    await set({ uuid: verifyUuid, service: url });
    await expect.poll(() => verdictOn(page).textContent()).toBe("✓ This credential is genuine");
    slow[0]?.setHeader("Content-Type", "application/json").end('{"status": "invalidated"}');
    await set({ lang: "de" });
    await expect.poll(() => verdictOn(page).textContent()).toBe("✓ Dieser Nachweis ist echt");
    expect(requested.filter((path) => path.includes("metadata"))).toHaveLength(1);
  });

  test.each([
    '{"status": "available", "user_full_name": "<img src=x onerror=alert(1)>", "learning_context_name": "</p><script>alert(1)</script>"}',
    '{"status": "constructor", "user_full_name": {"toString": 1}}',
    '{"status": "__proto__"}',
    '{"status": ["available"], "user_full_name": ["x"]}',
    '{"status": "invalidated", "invalidation_reason": {"length": 1}, "learning_context_name": "\u202egnp.exe"}',
    "null",
    "[]",
    '"available"',
    "<script>alert(1)</script>",
    "",
  ])("a hostile response becomes text or nothing: %s", async (body) => {
    const { page, complaints, origin } = await open(
      `${LOAD}<learning-credential uuid="${verifyUuid}"></learning-credential>`,
      {
        answer: (response) =>
          void response
            .writeHead(200, { "Access-Control-Allow-Origin": "*", "Content-Type": "application/json" })
            .end(body),
      },
    );
    await setOn(page, { service: `${origin}///` });
    const link = page.locator("learning-credential a");
    await expect
      .poll(() => link.getAttribute("href").catch(() => ""))
      .toBe(`${origin}/verify/${verifyUuid}/`);
    expect(
      await page.locator("learning-credential :is(script, iframe, object, svg, [onerror])").count(),
    ).toBe(0);
    expect(complaints.filter((each) => !each.includes("Failed to load resource"))).toEqual([]);
  });

  test("nothing about the visitor is sent to the service, and it can be loaded twice", async () => {
    const requests: IncomingMessage[] = [];
    const { page, complaints, origin } = await open(
      `${LOAD}<script type="module">await import("SERVICE/${SCRIPT}?again")</script><learning-credential></learning-credential>`,
      {
        answer: (response, request) => {
          requests.push(request);
          response.writeHead(200, { "Access-Control-Allow-Origin": "*", "Content-Type": "application/json" });
          response.end('{"status": "available"}');
        },
      },
    );
    const service = origin.replace("localhost", "127.0.0.1");
    await page.context().addCookies([{ name: "session", value: "secret", url: service }]);
    await setOn(page, { uuid: verifyUuid, service });
    await expect
      .poll(() => requests.map(({ url: path }) => path))
      .toEqual([`/api/learning_credentials/v1/metadata/${verifyUuid}/`, `/verify/${verifyUuid}/picture.png`]);
    expect(requests[0]?.headers).not.toHaveProperty("cookie");
    for (const { headers } of requests) expect(headers).not.toHaveProperty("referer");
    expect(complaints).toEqual([]);
  });

  test("the hash of the script can be pinned", async () => {
    const script = Buffer.from(await (await fetch(`${url}/${SCRIPT}`)).arrayBuffer());
    const hash = createHash("sha384").update(script).digest("base64");
    const element = `<learning-credential uuid="${verifyUuid}"></learning-credential>`;
    const pinned = (digest: string) =>
      `<script type="module" crossorigin integrity="sha384-${digest}" src="SERVICE/${SCRIPT}"></script>${element}`;
    const { page } = await open(pinned(hash));
    await expect.poll(() => verdictOn(page).count()).toBe(1);
    const wrong = await open(pinned(createHash("sha384").update("another").digest("base64")));
    await expect.poll(() => wrong.complaints.join()).toContain("integrity");
    expect(await verdictOn(wrong.page).count()).toBe(0);
  });

  test("is accessible to screen readers, in light and dark", async () => {
    const { page } = await open(
      `<meta name="color-scheme" content="light dark"><main><h1>A portfolio</h1>${LOAD}<learning-credential uuid="${verifyUuid}"></learning-credential><learning-credential uuid="${withdrawn}"></learning-credential></main>`,
    );
    await page.addScriptTag({
      path: new URL("../../../node_modules/axe-core/axe.min.js", import.meta.url).pathname,
    });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expect.poll(() => verdictOn(page).count()).toBe(2);
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } }).axe.run(),
      );
      expect(violations.map(({ id }) => id)).toEqual([]);
      if (process.env.SCREENSHOTS)
        await page.screenshot({
          path: `${process.env.SCREENSHOTS}/embed-${colorScheme}.png`,
          fullPage: true,
        });
    }
  });
});
