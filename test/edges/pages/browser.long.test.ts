import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { pageLanguages } from "#edges/pages/languages.js";
import { readHtml } from "../../email/read-html.js";
import { givenAcademy } from "../../support/academy.js";
import { findChromium, launchChromium } from "./chromium.js";

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 320, height: 640 };
const UNKNOWN = "00000000-0000-4000-8000-000000000000";
/** Texts that extend beyond their card or verdict, which cuts them off. */
const CUT_OFF = `[...document.querySelectorAll(".card :is(h1, h2, .verdict p)")]
  .filter((words) => {
    const text = document.createRange();
    text.selectNodeContents(words);
    const [own, box] = [text, words.closest(".verdict, .card")].map((each) => each.getBoundingClientRect());
    return own.left < box.left || own.right > box.right || own.top < box.top || own.bottom > box.bottom;
  })
  .map(({ textContent }) => textContent)`;
const executable = findChromium();
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const english = pageLanguages.choose(["en"]);

describe.skipIf(executable === undefined)("in a browser", () => {
  const academy = givenAcademy({ settings: { PLATFORM_NAME: "Harbour Light Academy" } });
  let browser: Browser;
  let genuine: { path: string; file: Buffer };
  let invalidated: { path: string; file: Buffer };
  let expired: { path: string; file: Buffer };

  beforeAll(async () => {
    await academy.enrol("ana", "ben", "eli");
    genuine = await make("ana", "Wolfeschlegelsteinhausenbergerdorff-Grossherzogin von und zu Ana Kovač");
    invalidated = await make("ben", "بن علي");
    const [, uuid = ""] = /verify\/(.*)\//.exec(invalidated.path) ?? [];
    await academy.service.app.database
      .knex("credentials")
      .where("verify_uuid", uuid)
      .first("uuid")
      .then((row) => academy.invalidate(row.uuid));
    expired = await make("eli", "Elisabeth Ábel");
    await academy.service.app.database
      .knex("credentials")
      .where({ user_full_name: "Elisabeth Ábel" })
      .update({ created_at: "2024-05-20T08:00:00Z", valid_until: "2026-05-21T00:00:00Z" });
    browser = await launchChromium(executable ?? "", "credentials.test");
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  afterAll(async () => {
    await browser?.close();
  });

  async function make(username: string, fullName: string) {
    await academy.report({ case: "learner", value: { username, fullName } });
    const { uuid, verifyUuid } = await academy.made(username);
    const [name = ""] = await academy.filesOf(uuid);
    return { path: `/verify/${verifyUuid}/`, file: await readFile(name) };
  }

  /** Opens a page. Expects that it logs no errors, and requests nothing except the picture of its credential. */
  async function open(path: string, options: BrowserContextOptions = {}, origin = academy.service.httpUrl) {
    const context = await browser.newContext({ viewport: DESKTOP, locale: "en", ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => {
      // The page of the form has its own script, which requests nothing before a file is chosen.
      const own = ["/verify/check-file.js", `${path.replace(/\?.*/, "")}picture.png`];
      if (own.some((each) => request.url() === origin + each)) return;
      if (!request.isNavigationRequest() && !request.url().startsWith("data:")) requests.push(request.url());
    });
    await page.goto(origin + path);
    const expectQuiet = () => {
      // Chromium itself logs each page with an error status.
      expect(complaints.filter((text) => !text.startsWith("Failed to load resource"))).toEqual([]);
      expect(requests).toEqual([]);
    };
    return { page, expectQuiet };
  }

  async function faults(page: Page): Promise<unknown[]> {
    await page.evaluate(axe);
    const results: AxeResults = await page.evaluate("axe.run()");
    return results.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }));
  }

  const [genuinePath, invalidatedPath] = [() => genuine.path, () => invalidated.path];
  const expiredPath = () => expired.path;
  const notFoundPath = () => `/verify/${UNKNOWN}/`;
  const formPath = () => "/verify/?id=nonsense";
  const downloadPath = () => "/download/x/";
  const tags = pageLanguages.all.map(({ tag }) => tag);
  test.each([
    ...tags.map((tag) => [tag, "genuine", "light", "desktop", genuinePath] as const),
    ...tags.map((tag) => [tag, "invalidated", "dark", "phone", invalidatedPath] as const),
    ...tags.map((tag) => [tag, "expired", "light", "phone", expiredPath] as const),
    ...tags.map((tag) => [tag, "notFound", "light", "phone", notFoundPath] as const),
    ...["en", "ar"].flatMap(
      (tag) =>
        [
          [tag, "form", "dark", "desktop", formPath],
          [tag, "download", "light", "phone", downloadPath],
        ] as const,
    ),
    ["en", "expired", "dark", "desktop", expiredPath],
    ["en", "genuine", "light", "phone", genuinePath],
    ["en", "genuine", "dark", "desktop", genuinePath],
    ["en", "genuine", "dark", "phone", genuinePath],
  ] as const)("in %s, the page %s, %s, on a %s, has no fault that axe finds, and fits", async (...row) => {
    const [tag, heading, colorScheme, device, path] = row;
    const { direction, ...words } = pageLanguages.choose([tag]);
    const viewport = device === "phone" ? PHONE : DESKTOP;
    const { page, expectQuiet } = await open(path(), { locale: tag, colorScheme, viewport });
    expect(await page.locator("h1").innerText()).toBe(words[heading]);
    expect(await page.locator("html").getAttribute("dir")).toBe(direction);
    expect(await faults(page)).toEqual([]);
    const [content, window] = await page.evaluate<[number, number]>(
      "[document.documentElement.scrollWidth, innerWidth]",
    );
    expect(content).toBeLessThanOrEqual(window);
    expect(await page.evaluate(CUT_OFF)).toEqual([]);
    await page.evaluate('document.documentElement.style.fontSize = "200%"');
    expect(await page.evaluate(CUT_OFF)).toEqual([]);
    await page.evaluate('document.documentElement.style.fontSize = ""');
    const paper = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    const [red = 0] = paper.match(/\d+/g) ?? [];
    expect(Number(red) < 128).toBe(colorScheme === "dark");
    if (process.env.SCREENSHOTS)
      await page.screenshot({
        path: `${process.env.SCREENSHOTS}/${heading}-${tag}-${colorScheme}-${device}.png`,
        fullPage: true,
      });
    expectQuiet();
  });

  test("browsers parse the pages as they were written", async () => {
    for (const path of [
      genuine.path,
      invalidated.path,
      `/verify/${UNKNOWN}/`,
      "/verify/?id=x",
      "/download/x/",
    ]) {
      const { page } = await open(path, { javaScriptEnabled: false });
      const response = await fetch(academy.service.httpUrl + path, { headers: { "accept-language": "en" } });
      const written = readHtml(await response.text()).tags.map(({ name }) => name);
      const taken = await page.evaluate<string[]>(`{
        const walk = (node) => [node.localName, ...[...(node instanceof HTMLTemplateElement ? node.content : node).children].flatMap(walk)];
        walk(document.documentElement)
      }`);
      expect(taken).toEqual(written);
      expect(await page.evaluate("document.compatMode")).toBe("CSS1Compat");
    }
  });

  test("without JavaScript the facts and the form are the same", async () => {
    for (const { path } of [genuine, invalidated]) {
      const [scripted, plain] = [await open(path), await open(path, { javaScriptEnabled: false })];
      const facts = async (page: Page) =>
        (await page.locator("article").innerText()).replace(/Checked\s.*/, "");
      expect(await facts(plain.page)).toBe(await facts(scripted.page));
      expect(await plain.page.locator(".drop").isVisible()).toBe(false);
      // The sentence about checking in the browser is not shown.
      expect(await plain.page.getByText(english.fileCheckMeans).isVisible()).toBe(false);
      expect(await scripted.page.getByText(english.fileCheckMeans).isVisible()).toBe(true);
      expect(await plain.page.locator("button").filter({ visible: true }).count()).toBe(0);
      expect(await plain.page.getByText("sha256sum file.pdf").isVisible()).toBe(true);
      expect(await scripted.page.getByText("sha256sum file.pdf").isVisible()).toBe(false);
    }
    const { page } = await open("/verify/", { javaScriptEnabled: false });
    await page.getByLabel("Credential ID").fill(genuine.path.split("/")[2] ?? "");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "This credential is genuine" }).waitFor();
  });

  describe("the file check", () => {
    const changed = (file: Buffer) => {
      const bytes = Buffer.from(file);
      bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
      return bytes;
    };

    test.each([
      ["the file that was issued", () => genuine, () => genuine.file, english.fileIdenticalMeans],
      ["that with one byte changed", () => genuine, () => changed(genuine.file), english.fileDifferent],
      ["another certificate", () => genuine, () => invalidated.file, english.fileDifferent],
      ["an empty file", () => genuine, () => Buffer.alloc(0), english.fileDifferent],
      [
        "the file of one that was invalidated",
        () => invalidated,
        () => invalidated.file,
        english.fileIdenticalInvalidated,
      ],
    ])("names the result for %s", async (_case, of, file, words) => {
      const { page, expectQuiet } = await open(of().path);
      const answer = page.locator("[aria-live=polite]");
      expect(await answer.innerText()).toBe("");
      const name = "<b>my</b> certificate.pdf";
      await page.setInputFiles("#file", { name, mimeType: "application/pdf", buffer: file() });
      await answer.getByText(words).waitFor();
      expect(await answer.getByText(name).isVisible()).toBe(true);
      expectQuiet();
    });

    test("names the file of an imported credential, and who imported it", async () => {
      await academy.enrol("ida");
      const imported = await make("ida", "Ida Imported");
      await academy.service.app.database
        .knex("credentials")
        .where({ user_full_name: "Ida Imported" })
        .update({ imported_at: "2024-05-20T08:00:00Z", original_issuer: "Old Academy" });
      const { page } = await open(imported.path);
      const answer = page.locator("[aria-live=polite]");
      const file = { name: "mine.pdf", mimeType: "application/pdf", buffer: imported.file };
      await page.setInputFiles("#file", file);
      await answer.getByText("identical to the one that Harbour Light Academy imported").waitFor();
      expect(await answer.getByText("mine.pdf").isVisible()).toBe(true);
    });

    test("accepts one file after another, and one that is dropped anywhere", async () => {
      const { page, expectQuiet } = await open(genuine.path);
      const answer = page.locator("[aria-live=polite]");
      for (const [buffer, words] of [
        [invalidated.file, english.fileDifferent],
        [genuine.file, english.fileIdentical],
        [changed(genuine.file), english.fileDifferent],
      ] as const) {
        await page.setInputFiles("#file", { name: "a.pdf", mimeType: "application/pdf", buffer });
        await answer.getByText(words, { exact: true }).waitFor();
        expect(await faults(page)).toEqual([]);
      }
      const dropped = await page.evaluateHandle((base64) => {
        const { atob, DataTransfer, File } = globalThis as unknown as Record<string, CallableFunction>;
        const transfer = Reflect.construct(DataTransfer as never, []) as {
          items: { add(file: unknown): void };
        };
        const bytes = Uint8Array.from(atob?.(base64) as string, (each) => each.charCodeAt(0));
        transfer.items.add(Reflect.construct(File as never, [[bytes], "dropped.pdf"]));
        return transfer;
      }, genuine.file.toString("base64"));
      await page.dispatchEvent("h1", "dragover", { dataTransfer: dropped });
      await page.dispatchEvent("h1", "drop", { dataTransfer: dropped });
      await answer.getByText("dropped.pdf").waitFor();
      await answer.getByText(english.fileIdenticalMeans).waitFor();
      expectQuiet();
    });

    test("asks the visitor to compare by hand if the browser withholds crypto from the page", async () => {
      const { port } = new URL(academy.service.httpUrl);
      const { page } = await open(genuine.path, {}, `http://credentials.test:${port}`);
      expect(await page.evaluate("isSecureContext")).toBe(false);
      expect(await page.locator(".drop").isVisible()).toBe(false);
      expect(await page.getByText("sha256sum file.pdf").isVisible()).toBe(true);
      expect(await page.getByRole("button").count()).toBe(0);
    });
  });

  test("everything can be reached and used by keyboard", async () => {
    const { page } = await open(genuine.path, { permissions: ["clipboard-read", "clipboard-write"] });
    const chooser = page.waitForEvent("filechooser");
    const reached: string[] = [];
    for (;;) {
      await page.keyboard.press("Tab");
      const [name, isMarked] = await page.evaluate<[string, boolean]>(`{
        const element = document.activeElement;
        const marked = element.type === "file" ? element.nextElementSibling : element;
        const words = element.type === "file" ? marked.textContent : element.value || element.textContent;
        [element === document.body ? "" : words.trim(), getComputedStyle(marked).outlineStyle !== "none"]
      }`);
      if (name === "" || reached.length > 30) break;
      expect(isMarked, name).toBe(true);
      reached.push(name);
    }
    expect(reached).toEqual([
      english.chooseFile,
      english.byHand,
      `https://credentials.test${genuine.path}`,
      english.copyLink,
      english.addToLinkedIn,
      ...pageLanguages.all.map(({ languageName }) => languageName),
      english.verifyAnother,
    ]);

    await page.locator("#file").focus();
    await page.keyboard.press("Enter");
    await (await chooser).setFiles({ name: "a.pdf", mimeType: "application/pdf", buffer: genuine.file });
    await page.getByText(english.fileIdenticalMeans).waitFor();
    await page.getByRole("button", { name: english.copyLink }).press("Enter");
    await page.getByText(english.linkCopied, { exact: true }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
      `https://credentials.test${genuine.path}`,
    );
  });

  test("a chosen language is kept, from page to form to page", async () => {
    const german = pageLanguages.choose(["de"]);
    const { page } = await open(genuine.path);
    await page.getByRole("link", { name: "Deutsch" }).click();
    await page.getByRole("heading", { name: german.genuine }).waitFor();
    await page.getByRole("link", { name: german.verifyAnother }).click();
    await page.getByLabel(german.identifier).fill(`https://credentials.test${invalidated.path}`);
    await page.getByRole("button", { name: german.verify }).click();
    await page.getByRole("heading", { name: german.invalidated }).waitFor();
    expect(page.url()).toBe(`${academy.service.httpUrl}${invalidated.path}?lang=de`);
  });

  test("the printed page has the facts, and nothing to click", async () => {
    const { page } = await open(genuine.path);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("article dl").isVisible()).toBe(true);
    for (const selector of ["nav", ".file-check", ".for-holder"]) {
      expect(await page.locator(selector).isVisible()).toBe(false);
    }
    const [ink, paper] = await page.evaluate<[string, string]>(`{
      const heading = getComputedStyle(document.querySelector("h1"));
      [heading.color, getComputedStyle(document.querySelector(".verdict")).backgroundColor]
    }`);
    expect([ink, paper]).toEqual(["rgb(0, 0, 0)", "rgba(0, 0, 0, 0)"]);
    // People who read the printed page can type the address.
    const address = page.locator("article").getByText(`${academy.service.app.publicUrl}${genuine.path}`);
    expect(await address.isVisible()).toBe(true);
  });
});
