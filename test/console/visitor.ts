import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { createSignInLink } from "#infrastructure/sessions/sign-in-link.js";
import type { Link } from "../edges/console/console-session.js";
import type { TestService } from "../support/service.js";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Long enough for a busy machine. On a quick machine, nothing waits that long. */
const PATIENCE_MS = 200_000;

/** A user with their own browser window. */
export interface Visitor {
  readonly page: Page;
  /** Scripts, styles and calls that the browser has requested, by URL. */
  readonly requests: readonly string[];
  clicks(): Promise<number>;
  /** Returns the faults that axe finds in the visible page, by these rules. Default: all rules */
  faults(rules?: readonly string[]): Promise<unknown[]>;
  /** Messages in the browser's console, violations of the policy, and requests to other sites. */
  readonly noise: string[];
  /** Fails on any message in the browser's console, violation of the policy, or request to another site. */
  expectQuiet(): void;
  leave(): Promise<void>;
  /** Checks the same as `expectQuiet`, and leaves. */
  leaveQuietly(): Promise<void>;
}

/** Opens a browser window that records messages, violations and requests to other sites. */
export async function openVisitor(
  browser: Browser,
  service: Pick<TestService, "httpUrl">,
  options: BrowserContextOptions & {
    /** Stored choices, for example `{ language: "ar", theme: "dark" }`. */
    readonly chosen?: Readonly<Record<string, string>>;
  } = {},
): Promise<Visitor> {
  const { chosen = {}, ...rest } = options;
  const context = await browser.newContext({
    locale: "en-GB",
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce", // colours during a transition would not be those of any state
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
  // A preview in a sandbox has no storage.
  await page.addInitScript(`
    if (self === top) for (const [name, value] of Object.entries(${JSON.stringify(chosen)})) localStorage.setItem("console." + name, value);
    globalThis.clicks = 0;
    addEventListener("pointerup", () => { globalThis.clicks += 1; }, true); // a key press on a button is also a click, so only pointers are counted
    // React hides a page that is already shown if a part of it has to wait. The page would lose the focus.
    new MutationObserver((changes) => {
      for (const { target } of changes)
        if (target.getAttribute("style") === "display: none !important;")
          console.warn("hidden while a part of it is loaded: " + target.tagName + "." + target.className);
    }).observe(document, { attributeFilter: ["style"], subtree: true });
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

/** With `SCREENSHOTS=<directory>`, stores a picture of the whole page, for visual review. */
export async function storePicture(page: Page, name: string): Promise<void> {
  const directory = process.env.SCREENSHOTS;
  if (directory) await page.screenshot({ path: `${directory}/${name}.png`, fullPage: true });
}

/** Returns an address that signs in one person, once. */
export function linkTo({ app }: TestService, link: Link = {}): Promise<string> {
  const request = { username: "rita", roles: [], organisations: [], lifetimeS: 600, ...link };
  return createSignInLink(app.database.knex, app.publicUrl, request);
}

/** Signs in, and waits until the first page is shown. An earlier navigation would interrupt the sign-in. */
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

/** Label, name or text of the element with the focus. */
export const FOCUSED = `(() => {
  const { labels, ariaLabel, innerText } = document.activeElement;
  return labels?.[0]?.innerText || ariaLabel || innerText || document.activeElement.tagName;
})()`;

/** Presses Tab until this element has the focus. Expects that some element always has it. */
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

/** Waits for the title of a page that is shown after the sign-in. */
export function seePage(page: Page): Promise<void> {
  return page.locator("main:not(.sign-in) h1").waitFor();
}

/** Presses the button of a form. Expects that the form focuses the field, and says below it what is missing. */
export async function expectMissing(button: Locator, field: Locator, message: string): Promise<void> {
  await button.click();
  const page = field.page();
  await expect.poll(() => field.and(page.locator(":focus")).count()).toBe(1);
  await expect.poll(() => page.evaluate<string>(DESCRIPTION)).toContain(message);
  expect(await field.getAttribute("aria-invalid")).toBe("true");
}

/** The texts that describe the field with the focus. */
const DESCRIPTION = `(document.activeElement.getAttribute("aria-describedby") ?? "").split(" ")
  .map((id) => document.getElementById(id)?.innerText).join(" ")`;
