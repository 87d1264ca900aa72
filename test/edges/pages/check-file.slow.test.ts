import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hash } from "#edges/pages/browser/node-crypto.js";
import { pageLanguages } from "#edges/pages/languages.js";
import {
  CredentialService,
  LearnerRecordFormat as RecordFormat,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { issuedFiles } from "../../credentials/issued-files.js";
import { type Academy, openAcademy } from "../../support/academy.js";
import { findChromium, launchChromium } from "./chromium.js";

const executable = findChromium();
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const english = pageLanguages.choose(["en"]);

test("the browser computes the same SHA-256 as Node", () => {
  for (const text of [
    "",
    "abc",
    "é".repeat(27),
    "x".repeat(55),
    "x".repeat(56),
    "x".repeat(64),
    "🎓".repeat(999),
  ]) {
    expect(hash("sha256", text)).toBe(createHash("sha256").update(text).digest("hex"));
  }
});

describe.skipIf(executable === undefined)("any file, in a browser", () => {
  let academy: Academy;
  let browser: Browser;
  let genuine: Record<"pdf" | "json" | "jwt" | "png" | "svg", Buffer>;
  let withdrawn: Record<"pdf" | "json" | "jwt" | "png" | "svg", Buffer>;
  let foreign: Buffer;
  let records: Record<"json" | "pdf", Buffer>;

  beforeAll(async () => {
    academy = await openAcademy({
      signs: true,
      settings: { PLATFORM_NAME: "Harbour Light", TIME_ZONE: "Pacific/Kiritimati" },
    });
    genuine = (await make("ana")).files;
    const { uuid, files } = await make("ben");
    withdrawn = files;
    await academy.credentials.invalidateCredential({ uuid, reason: "Misspelt." });
    const other = await openAcademy({ signs: true, settings: { PUBLIC_URL: "https://other.test" } });
    foreign = (await make("oda", other)).files.json;
    await other.service.stop();
    await make("rita");
    const record = async (format: RecordFormat) =>
      Buffer.from((await academy.credentials.getLearnerRecord({ username: "rita", format })).content);
    records = { json: await record(RecordFormat.JSON), pdf: await record(RecordFormat.PDF) };
    browser = await launchChromium(executable ?? "", "credentials.test");
  });
  afterAll(async () => {
    await browser?.close();
    await academy?.service.stop();
  });

  async function make(username: string, at = academy) {
    await at.enrol(username);
    const { uuid } = await at.issue(username);
    // In the service's time zone, it is already 2 March.
    await at.service.app.database
      .knex("credentials")
      .where({ uuid })
      .update({ created_at: "2026-03-01T23:30:00Z" });
    await at.generate(uuid);
    return { uuid, files: await issuedFiles(at, uuid) };
  }

  async function open(options: { locale?: string; scripted?: boolean; width?: number } = {}) {
    const context = await browser.newContext({
      viewport: { width: options.width ?? 1280, height: 900 },
      locale: options.locale ?? "en",
      javaScriptEnabled: options.scripted ?? true,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const complaints: string[] = [];
    const sent: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
    await page.goto(`${academy.service.httpUrl}/verify/`);
    return { page, complaints, sent };
  }

  async function check(page: Page, name: string, buffer: Buffer): Promise<string> {
    await page.locator(".any-file input[type=file]").setInputFiles({ name, mimeType: "", buffer });
    const outcome = page.locator(".any-file .answer .outcome:not(.checking)");
    await outcome.waitFor();
    return outcome.innerText();
  }

  const isPicture = (kind: string) => kind === "png" || kind === "svg";

  test("each kind of file, or the badge in a picture, is reported as genuine with its facts, and nothing of it is sent", async () => {
    const { page, complaints, sent } = await open();
    for (const [kind, file] of Object.entries(genuine)) {
      sent.length = 0;
      const said = await check(page, `ana.${kind}`, file);
      expect(said, kind).toContain(isPicture(kind) ? english.anyBadgeGenuine : english.anyGenuine);
      expect(said.includes(english.anyBadgeOnly), kind).toBe(isPicture(kind));
      expect(said).toContain("Learner ana");
      expect(said).toContain("Certificate: Course One");
      expect(said, kind).toContain("March 2, 2026");
      for (const request of sent) {
        expect(request).toContain(academy.service.httpUrl);
        expect(request).not.toContain("ana");
        expect(request.length).toBeLessThan(300);
      }
      expect(sent.length).toBeGreaterThan(0);
    }
    expect(complaints).toEqual([]);
    await page.locator(".any-file .answer a").click();
    await page.getByRole("heading", { name: english.genuine }).waitFor();
  });

  test("an invalidated credential is no longer valid, in each kind of file", async () => {
    const { page, complaints } = await open();
    for (const [kind, file] of Object.entries(withdrawn)) {
      const said = await check(page, `ben.${kind}`, file);
      expect(said, kind).toContain(english.anyWithdrawn);
      expect(said, kind).toContain(
        isPicture(kind) ? english.anyBadgeWithdrawnMeans : english.anyWithdrawnMeans,
      );
      expect(said.includes(english.anyBadgeOnly), kind).toBe(isPicture(kind));
    }
    expect(complaints).toEqual([]);
  });

  test("altered files, files of another issuer and unrelated files get different results", async () => {
    const { page, complaints } = await open();
    const renamed = genuine.json.toString().replace("Learner ana", "Learner eve");
    const [head, payload = "", signature] = genuine.jwt.toString().split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    claims.name = "Doctor";
    const forged = [head, Buffer.from(JSON.stringify(claims)).toString("base64url"), signature].join(".");
    for (const [name, text, words] of [
      ["eve.json", renamed, english.anyAltered],
      ["eve.jwt", forged, english.anyAltered],
      ["ana.jwt", `${genuine.jwt}=`, english.anyUnknown],
      ["oda.json", foreign.toString(), english.anyForeign],
      ["x.txt", "hello", english.anyUnknown],
      ["x.pdf", "%PDF-1.7", english.anyUnknown],
      ["null.json", "null", english.anyUnknown],
    ]) {
      expect(await check(page, name ?? "", Buffer.from(text ?? "")), name).toContain(words);
    }
    expect(complaints).toEqual([]);
  });

  test("a learner record is checked as a whole and by its badges, also inside a PDF", async () => {
    const { page, complaints } = await open();
    for (const [kind, file] of Object.entries(records)) {
      const said = await check(page, `rita.${kind}`, file);
      expect(said, kind).toContain(english.anyRecordGenuine);
      expect(said.includes(english.anyRecordPage), kind).toBe(kind === "pdf");
      expect(said).toContain("Learner rita");
      expect(await page.locator(".badges li").allInnerTexts()).toEqual([
        expect.stringMatching(/^Certificate: Course One\s+Valid$/),
      ]);
      if (process.env.SCREENSHOTS)
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/record-${kind}.png`, fullPage: true });
    }
    const renamed = records.json.toString().replaceAll("Learner rita", "Learner eve");
    expect(await check(page, "eve.json", Buffer.from(renamed))).toContain(english.anyAltered);
    const [{ uuid } = { uuid: "" }] = (await academy.credentials.listCredentials({ username: "rita" }))
      .credentials;
    await academy.credentials.invalidateCredential({ uuid, reason: "Misspelt." });
    expect(await check(page, "rita.json", records.json)).toContain(english.anyRecordPartly);
    expect(await page.locator(".badges strong").innerText()).toBe(english.statusInvalidated);
    expect(complaints).toEqual([]);
  });

  test("a PDF with one byte added is not the issued one", async () => {
    const { page } = await open();
    const said = await check(page, "ana.pdf", Buffer.concat([genuine.pdf, Buffer.from("\n")]));
    expect(said.includes(english.anyAltered) || said.includes(english.anyUnknown)).toBe(true);
  });

  test("while the service can't be reached, no file is reported as genuine", async () => {
    const { page } = await open();
    await page.route("**/*", (route) => route.abort());
    for (const kind of ["pdf", "json", "jwt"] as const) {
      expect(await check(page, `ana.${kind}`, genuine[kind])).toContain(english.anyUnchecked);
    }
  });

  test("the file chooser opens by keyboard, and a file can be dropped", async () => {
    const { page } = await open();
    await page.locator(".any-file .drop").waitFor(); // the script shows this area when it is ready
    await page.locator(".any-file input[type=file]").focus();
    const chosen = page.waitForEvent("filechooser");
    await page.evaluate("0"); // by now, the browser knows that the test waits for a file chooser
    await page.keyboard.press("Enter");
    const chooser = await chosen;
    await chooser.setFiles({ name: "ana.svg", mimeType: "", buffer: genuine.svg });
    await page.getByText(english.anyBadgeGenuine).waitFor();

    const text = genuine.json.toString();
    await page.evaluate(
      `{ const transfer = new DataTransfer(); transfer.items.add(new File([${JSON.stringify(text)}], "dropped.json"));
         document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: transfer })); }`,
    );
    await page.getByText("dropped.json").waitFor();
    const outcome = page.locator(".any-file .answer .outcome:not(.checking)");
    await outcome.waitFor();
    expect(await outcome.innerText()).toContain(english.anyGenuine);
  });

  test("without JavaScript, a sentence gives the alternative", async () => {
    const { page } = await open({ scripted: false });
    expect(await page.getByText(english.anyFileUnscripted).isVisible()).toBe(true);
    expect(await page.locator(".any-file .drop").isVisible()).toBe(false);
    const scripted = await open();
    expect(await scripted.page.getByText(english.anyFileUnscripted).isVisible()).toBe(false);
    expect(await scripted.page.locator(".any-file .drop").isVisible()).toBe(true);
  });

  test.each(pageLanguages.all.map(({ tag }) => [tag] as const))(
    "in %s the page has no fault that axe finds, and fits a phone",
    async (tag) => {
      const { page, complaints } = await open({ locale: tag, width: 320 });
      const { anyGenuine, anyBadgeGenuine, anyBadgeOnly } = pageLanguages.choose([tag]);
      await page.evaluate(axe);
      for (const [kind, words] of [
        ["json", anyGenuine],
        ["png", anyBadgeGenuine],
      ] as const) {
        const said = await check(page, `ana.${kind}`, genuine[kind]);
        expect(await page.locator(".any-file strong").innerText()).toBe(words);
        expect(said.includes(anyBadgeOnly)).toBe(kind === "png");
        const { violations }: AxeResults = await page.evaluate("axe.run()");
        expect(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))).toEqual([]);
        const [content, window] = await page.evaluate<[number, number]>(
          "[document.documentElement.scrollWidth, innerWidth]",
        );
        expect(content).toBeLessThanOrEqual(window);
        if (process.env.SCREENSHOTS)
          await page.screenshot({ path: `${process.env.SCREENSHOTS}/${tag}-${kind}.png`, fullPage: true });
      }
      expect(complaints).toEqual([]);
    },
  );

  test("the script is revalidated by its ETag", async () => {
    const answer = await fetch(`${academy.service.httpUrl}/verify/check-file.js`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "no-cache",
    });
    const again = await fetch(`${academy.service.httpUrl}/verify/check-file.js`, {
      headers: { "if-none-match": answer.headers.get("etag") ?? "" },
    });
    expect(again.status).toBe(304);
  });
});

test("the issuer and its keys are public", async () => {
  const academy = await openAcademy({ signs: true });
  try {
    const { did, keys } = await academy.service.client(CredentialService).getIssuer({});
    expect(did).toBe("did:web:credentials.test");
    expect(keys.map(({ jwk }) => JSON.parse(jwk).crv).sort()).toEqual(["Ed25519", "P-256"]);
    expect(keys.some(({ jwk }) => "d" in JSON.parse(jwk))).toBe(false);
  } finally {
    await academy.service.stop();
  }
});
