import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { createSignInLink } from "#infrastructure/sessions/sign-in-link.js";
import type { Link } from "../edges/console/console-door.js";
import type { TestService } from "../support/service.js";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A busy machine may take long; a quick one is not held up. */
const PATIENCE_MS = 100_000;

/** Someone at a browser of their own. */
export interface Visitor {
  readonly page: Page;
  /** Scripts, styles and calls that the browser has asked for, by URL. */
  readonly requests: readonly string[];
  /** How often they have clicked so far. */
  clicks(): Promise<number>;
  /** What axe finds wrong with what is shown, by all its rules or by these. */
  faults(rules?: readonly string[]): Promise<unknown[]>;
  /** Messages in the browser's console, violations of the policy, and requests to elsewhere. */
  readonly noise: string[];
  /** Fails on any message in the browser's console, violation of the policy, or request to elsewhere. */
  expectQuiet(): void;
  leave(): Promise<void>;
  /** Fails as `expectQuiet` does, or leaves. */
  leaveQuietly(): Promise<void>;
}

/** Opens a browser window that notes what must not happen. */
export async function openVisitor(
  browser: Browser,
  service: TestService,
  options: BrowserContextOptions & {
    /** Kept choices, such as `{ language: "ar", theme: "dark" }`. */
    readonly chosen?: Readonly<Record<string, string>>;
  } = {},
): Promise<Visitor> {
  const { chosen = {}, ...rest } = options;
  const context = await browser.newContext({
    locale: "en-GB",
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce", // the colours of a transition are nobody's
    ...rest,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const noise: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => noise.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => noise.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    requests.push(url);
    if (!url.startsWith(`${service.httpUrl}/`) && !/^(?:blob|data):/.test(url)) noise.push(`foreign: ${url}`);
  });
  await page.addInitScript(`
    for (const [name, value] of Object.entries(${JSON.stringify(chosen)})) localStorage.setItem("console." + name, value);
    globalThis.clicks = 0;
    addEventListener("pointerup", () => { globalThis.clicks += 1; }, true); // keys click, too
  `);

  return {
    page,
    requests,
    noise,
    clicks: () => page.evaluate("globalThis.clicks"),
    async faults(rules) {
      await page.evaluate(axe);
      const results: AxeResults = await page.evaluate(
        `axe.run(${JSON.stringify(rules ? { runOnly: rules } : {})})`,
      );
      return results.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }));
    },
    expectQuiet: () => expect(noise).toEqual([]),
    leave: () => context.close(),
    async leaveQuietly() {
      expect(noise).toEqual([]);
      await context.close();
    },
  };
}

/** For eyes: with `SCREENSHOTS=<directory>`, the whole page as it is. */
export async function storePicture(page: Page, name: string): Promise<void> {
  const directory = process.env.SCREENSHOTS;
  if (directory) await page.screenshot({ path: `${directory}/${name}.png`, fullPage: true });
}

/** The address that signs someone in, once. */
export function linkTo({ app }: TestService, link: Link = {}): Promise<string> {
  const request = { username: "rita", roles: [], organisations: [], lifetimeS: 600, ...link };
  return createSignInLink(app.database.knex, app.publicUrl, request);
}

/** Signs someone in, and waits until the first page is there: a navigation before that would end it. */
export async function signIn({ page }: Visitor, service: TestService, link?: Link): Promise<void> {
  await page.goto(await linkTo(service, link));
  await seePage(page);
}

/** Opens a page of the console, signed in as a registrar. */
export async function openPage(
  { browser, service }: { readonly browser: Browser; readonly service: TestService },
  path: string,
  { width = 1280, ...chosen }: { width?: number; language?: string; theme?: "light" | "dark" } = {},
): Promise<Visitor> {
  const visitor = await openVisitor(browser, service, { chosen, viewport: { width, height: 900 } });
  await signIn(visitor, service, { roles: ["registrar"] });
  await visitor.page.goto(`${service.httpUrl}/console${path}`);
  await seePage(visitor.page);
  return visitor;
}

/** What has the focus, by its label, name or text. */
export const FOCUSED = `(() => {
  const { labels, ariaLabel, innerText } = document.activeElement;
  return labels?.[0]?.innerText || ariaLabel || innerText || document.activeElement.tagName;
})()`;

/** Presses Tab until this has the focus. On the way, something always has it. */
export async function tabTo(page: Page, label: string | RegExp): Promise<void> {
  const reached: string[] = [];
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press("Tab");
    const focused = String(await page.evaluate(FOCUSED)).trim();
    reached.push(focused);
    if (typeof label === "string" ? focused === label : label.test(focused)) return;
  }
  throw new Error(`Tab does not lead to ${label}, but to ${reached.join(", ")}.`);
}

/** Waits for the title of a page of someone who is signed in. */
export function seePage(page: Page): Promise<void> {
  return page.locator("main:not(.sign-in) h1").waitFor();
}
