import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createCanvas } from "@napi-rs/canvas";
import { beforeAll, describe, expect, test } from "vitest";
import { languageTags } from "#foundation/languages/list.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { WebhookService } from "#gen/learning_credentials/v1/webhook_service_pb.js";
import { assetParts } from "../assets/asset-parts.js";
import { findChromium } from "../edges/pages/chromium.js";
import { tokenOf } from "../support/service.js";
import { CONSOLE } from "./built-console.js";
import { givenDesigners, settled } from "./given-console.js";
import { openVisitor, seePage, signIn, type Visitor } from "./visitor.js";

const executable = findChromium();
/** Texts of the innermost elements that extend beyond the window. */
const WIDEST = `[...document.querySelectorAll("body *")]
  .filter((each) => each.childElementCount === 0 && each.getBoundingClientRect().right > innerWidth + 1)
  .map((each) => each.tagName + " " + each.className + ": " + each.textContent)`;
/** Captions of tables that are cut off at the side. */
const CUT_TABLES = `[...document.querySelectorAll(".table-frame")]
  .filter((frame) => frame.scrollWidth > frame.clientWidth + 1)
  .map((frame) => "cut off: " + frame.querySelector("caption").textContent)`;
/**
 * For each list, what its rows open when they are clicked: "nothing" if the heading of a row has a link to another page, or
 * a button, but a click in the row doesn't follow it.
 */
const ROWS = `[...document.querySelectorAll("table.stacking")].map((table) => [
  table.caption.textContent,
  [...table.tBodies[0].rows].flatMap((row) => {
    const [opener] = row.querySelectorAll(".row-link");
    if (opener) return [opener.getAttribute("href") ?? "a dialog"];
    const links = [...row.querySelectorAll(":is(th, .main-cell) :is(a[href], button)")];
    return links.some((link) => link.pathname !== location.pathname) ? ["nothing"] : [];
  }),
])`;
const DESK = { width: 1280, height: 800 };
/** Each page is checked twice and drawn four times, which takes minutes if the browser shares the processors. */
const ALL_PAGES_MS = 900_000;
const NARROW = { width: 320, height: 640 };
/** Rules whose result depends on the theme. */
const COLOURS = ["color-contrast", "link-in-text-block"];
const JS_BUDGET = 190_000;
/** The designer has its own budget: the shell, which is loaded before it, already uses 149 kB. */
const DESIGNER_JS_BUDGET = 236_000;
const CSS_BUDGET = 15_000;

describe.skipIf(executable === undefined)("the console", () => {
  const academy = givenDesigners(executable);
  let uuid: string;
  let configuration: number;
  let type: number;
  let run: string;

  beforeAll(async () => {
    const client = academy.service.client(
      CredentialService,
      await tokenOf({ username: "rita", isStaff: true }),
    );
    const { credentials } = await client.searchCredentials({ query: "ana kovac", pageSize: 1 });
    uuid = credentials[0]?.uuid ?? "";
    configuration = credentials[0]?.configurationId ?? 0;
    const { credentialTypes } = await academy.staff.listCredentialTypes({});
    type = credentialTypes[0]?.id ?? 0;
    const started = await client.startIssuanceRun({ configurationId: configuration });
    run = started.run?.id ?? "";
    await settled(academy.service);
  });

  const pages = (): readonly string[] => [
    "/",
    "/credentials",
    "/credentials?q=nobody-has-this-name",
    `/credentials/${uuid}`,
    "/credentials/00000000-0000-4000-8000-000000000000",
    "/learners",
    "/learners/jonas.lindqvist",
    "/contexts",
    "/types",
    "/types/new",
    "/types/new?design=classic",
    `/types/${type}#form`,
    `/types/${type}#design`,
    "/types/999999",
    "/types/files",
    "/types/branding",
    "/figures",
    `/configurations/${configuration}`,
    `/configurations/${configuration}#design`,
    "/events",
    "/emails",
    "/emails?state=refused",
    "/webhooks",
    "/webhooks/00000000-0000-4000-8000-000000000000",
    "/administration",
    "/administration?tab=staff",
    "/administration?tab=access",
    "/administration?tab=organisations",
    "/administration?tab=connections",
    "/administration?tab=changes",
    "/administration?tab=settings",
    "/runs",
    `/runs/${run}`,
    "/runs/00000000-0000-4000-8000-000000000000",
    "/runs/new",
    `/runs/new?configuration=${configuration}`,
    "/without-credential",
    `/without-credential?configuration=${configuration}`,
    "/issue-from-list",
    `/issue-from-list?configuration=${configuration}`,
    "/no/such/page",
  ];

  async function signedIn(chosen: Readonly<Record<string, string>>, viewport = DESK) {
    const visitor = await openVisitor(academy.browser, academy.service, { chosen, viewport });
    await signIn(visitor, academy.service, { username: `rita.${crypto.randomUUID()}`, roles: ["admin"] });
    return visitor;
  }
  async function show(visitor: Awaited<ReturnType<typeof signedIn>>, path: string) {
    await visitor.page.goto(`${academy.service.httpUrl}/console${path}`);
    await seePage(visitor.page);
    await visitor.page.waitForLoadState("networkidle");
  }

  /** With `SCREENSHOTS=<directory>`, stores pictures of each page on a desktop and on a phone, for visual review. */
  async function storePictures({ page }: Visitor, look: string, path: string, widths = [1280, 390]) {
    if (!process.env.SCREENSHOTS) return;
    const size = page.viewportSize() ?? NARROW;
    const name = path.replace(uuid, "one").replace(/\W+/g, "-");
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await seePage(page);
      await page.locator('figure.pdf[data-outcome="loading"]').waitFor({ state: "detached" });
      const file = join(process.env.SCREENSHOTS, `${look}-${width}${name}.png`);
      await page.screenshot({ path: file, fullPage: true });
    }
    await page.setViewportSize(size);
  }

  test.each(languageTags)(
    "in %s axe finds nothing, light and dark, nothing scrolls sideways at 320 pixels, also with large text, no table is cut off at 1280, and the browser's console stays empty",
    async (language) => {
      const visitor = await signedIn({ language });
      const { page } = visitor;
      const found: Record<string, unknown> = {};
      for (const path of pages()) {
        await page.setViewportSize(DESK);
        await show(visitor, path);
        const cut = await page.evaluate<string[]>(CUT_TABLES);
        if (cut.length > 0) found[`${path} at ${DESK.width}`] = cut;
        for (const theme of ["light", "dark"]) {
          await page.locator("html").evaluate((root, chosen) => {
            root.setAttribute("data-theme", chosen); // as if the user had chosen it
          }, theme);
          const faults = await visitor.faults(theme === "dark" ? COLOURS : undefined);
          if (faults.length > 0) found[`${path}, ${theme}`] = faults;
          await storePictures(visitor, `${language}-${theme}`, path);
        }
        await page.setViewportSize(NARROW);
        for (const size of ["100%", "200%"]) {
          await page.evaluate(`document.documentElement.style.fontSize = "${size}"`);
          const width = await page.evaluate<number>("document.documentElement.scrollWidth");
          if (width > NARROW.width) found[`${path} at ${size}`] = await page.evaluate(WIDEST);
          await storePictures(visitor, `${language}-${size.slice(0, -1)}`, path, [NARROW.width]);
        }
        // Browsers log every 404, even for data that doesn't exist.
        const noise = visitor.noise.splice(0).filter((message) => !/^error: .* status of 404 /.test(message));
        if (noise.length > 0) found[`${path} says`] = noise;
      }
      expect(await page.locator("html").getAttribute("lang")).toBe(language);
      expect(await page.locator("html").getAttribute("dir")).toBe(language === "ar" ? "rtl" : "ltr");
      expect(found).toEqual({});
      await visitor.leave();
    },
    ALL_PAGES_MS,
  );

  test.each(["light", "dark"])("axe finds nothing in the dialogs either, %s", async (theme) => {
    const visitor = await signedIn({ theme });
    const { page } = visitor;
    const found: Record<string, unknown[]> = {};
    async function look(name: string, opener: string) {
      await page.getByRole("button", { name: opener }).click();
      await page.locator(".dialog, .search-dialog").waitFor();
      const faults = await visitor.faults();
      if (faults.length > 0) found[name] = faults;
      await page.keyboard.press("Escape");
      await page.locator(".dialog, .search-dialog").waitFor({ state: "detached" });
      // The focus returns to where it was.
      await expect.poll(() => page.evaluate("document.activeElement.textContent")).toContain(opener);
    }
    await show(visitor, `/credentials/${uuid}`);
    await look("invalidate", "Withdraw…");
    await look("reissue", "Reissue…");
    await show(visitor, "/credentials");
    await look("search", "Search by name, email, ID or page");
    await page.getByRole("checkbox").nth(1).check();
    await look("bulk", "Reissue…");
    await show(visitor, `/types/${type}#form`);
    await look("share", "Share a sample…");
    await look("history", "Version history");
    await look("offer", "Offer it in a course or path");
    await show(visitor, "/types/files");
    await look("upload", "Upload a file");
    await show(visitor, "/learners");
    await look("learner", "Add a learner…");
    await show(visitor, "/contexts");
    await look("course", "Create a course…");
    expect(found).toEqual({});
    await visitor.leave();
  });

  test("axe finds nothing with colours forced by the reader either", async () => {
    const visitor = await signedIn({});
    await visitor.page.emulateMedia({ forcedColors: "active" });
    const found: Record<string, unknown[]> = {};
    for (const path of pages()) {
      await show(visitor, path);
      const faults = await visitor.faults(COLOURS);
      if (faults.length > 0) found[path] = faults;
      await storePictures(visitor, "en-forced", path);
    }
    expect(found).toEqual({});
    await visitor.leave();
  });

  test("a click anywhere in a row opens what the row is about, in every list", async () => {
    await academy.staff.uploadAsset(assetParts("seal", createCanvas(8, 8).toBuffer("image/png")));
    const token = await tokenOf({ username: "lms", service: "write" });
    const webhookEndpoint = { url: "https://hooks.example.org/" };
    await academy.service.client(WebhookService, token).createWebhookEndpoint({ webhookEndpoint });
    const visitor = await signedIn({});
    const { page } = visitor;
    const lists = new Map<string, readonly string[]>();
    for (const path of pages()) {
      await show(visitor, path);
      for (const [caption, opened] of await page.evaluate<[string, string[]][]>(ROWS)) {
        lists.set(caption, [...(lists.get(caption) ?? []), ...opened]);
      }
    }
    const opening = [...lists].filter(([, opened]) => opened.length > 0);
    expect(opening.filter(([, opened]) => opened.includes("nothing"))).toEqual([]);
    expect(opening.map(([caption]) => caption)).toEqual(
      expect.arrayContaining([
        ...["Credentials", "Learners", "Courses and paths", "Credential types", "Design files", "Runs"],
        ...["Events", "Emails", "Webhooks", "Learners without a credential"],
      ]),
    );

    await show(visitor, "/types/files");
    await page.getByRole("row", { name: /seal/ }).getByText("PNG").click();
    await page.getByRole("dialog").getByRole("heading", { name: "seal" }).waitFor();
    await page.getByRole("dialog").getByRole("heading", { name: "seal" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await show(visitor, "/webhooks");
    await page
      .getByRole("row", { name: /hooks\.example/ })
      .getByText("All")
      .click();
    await page.waitForURL(/\/webhooks\/[\w-]{36}$/);
    await visitor.leave();
  });

  test("first load stays within its budget on every page, and the service compresses nothing at run time", async () => {
    const sizes = new Map(
      readdirSync(join(CONSOLE, "assets"))
        .filter((name) => name.endsWith(".gz"))
        .map((name) => [name.slice(0, -3), readFileSync(join(CONSOLE, "assets", name)).length]),
    );
    const over: string[] = [];
    const reader = await signedIn({});
    const state = await reader.page.context().storageState();
    for (const path of pages()) {
      const visitor = await openVisitor(academy.browser, academy.service, { storageState: state });
      // With Save-Data, browsers load nothing in advance.
      await visitor.page.addInitScript(
        "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })",
      );
      await show(visitor, path);
      const names = visitor.requests.flatMap((url) => /\/console\/assets\/([^?]+)$/.exec(url)?.[1] ?? []);
      // pdf.js has a separate budget.
      const shell = names.filter((name) => !/^(?:open-pdf|pdf\.worker)/.test(name));
      const sum = (type: string) =>
        shell
          .filter((name) => name.endsWith(type))
          .reduce((total, name) => total + (sizes.get(name) ?? 0), 0);
      expect(sum(".js")).toBeGreaterThan(50_000);
      console.info(`${path}: ${sum(".js")} bytes of JS, ${sum(".css")} of CSS`);
      const budget = /#design|\?design=/.test(path) ? DESIGNER_JS_BUDGET : JS_BUDGET;
      if (sum(".js") > budget || sum(".css") > CSS_BUDGET)
        over.push(`${path}: ${sum(".js")}, ${sum(".css")}`);
      visitor.page.removeAllListeners();
      await visitor.leave();
    }
    expect(over).toEqual([]);
    await reader.leave();
  });
});
