import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { createSignInLink } from "../../../src/sessions/sign-in-link.js";
import { freePort } from "../../support/free-port.js";
import type { TestService } from "../../support/service.js";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const TIMEOUT_MS = 100_000;

/** A tab with the console, and what went wrong in it. */
export interface ConsoleTab {
  readonly page: Page;
  /** Messages of the browser's console, requests to other places, and reports of the policy. */
  readonly faults: string[];
  /** Number of clicks since the last call. */
  clicks(): Promise<number>;
  /** What axe finds, as rule and element. */
  violations(): Promise<string[]>;
}

/** Settings of a service that a browser reaches by its public URL, as the session's cookie expects. */
export async function reachable(): Promise<Record<string, string>> {
  const port = await freePort();
  return { HTTP_PORT: `${port}`, PUBLIC_URL: `http://127.0.0.1:${port}` };
}

/** Opens the console at a path, signed in by a link as staff. */
export async function openConsole(
  browser: Browser,
  { app, httpUrl }: TestService,
  options: {
    readonly path: string;
    readonly language?: string;
    readonly width?: number;
    readonly theme?: "light" | "dark";
  },
): Promise<ConsoleTab> {
  const { path, language = "en", width = 1280, theme = "light" } = options;
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    locale: language,
    colorScheme: theme,
    reducedMotion: "reduce", // the colours of a transition are nobody's
    acceptDownloads: true,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const faults: string[] = [];
  page.on("console", (message) => faults.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(httpUrl) && !/^(?:blob|data):/.test(url)) faults.push(`request: ${url}`);
  });
  await page.addInitScript("globalThis.clicks = 0; addEventListener('pointerup', () => clicks++, true);");

  const link = await createSignInLink(app.database.knex, httpUrl, {
    username: "rita",
    roles: ["registrar"],
    organisations: [],
    lifetimeS: 600,
  });
  await page.goto(link);
  await page.locator(".search-launcher").waitFor();
  faults.length = 0; // a browser tells of every call that was refused before the session began
  await page.goto(`${httpUrl}/console${path}`);
  await page.locator("h1").waitFor();
  return {
    page,
    faults,
    clicks: () => page.evaluate("(() => { const n = clicks; clicks = 0; return n; })()"),
    async violations() {
      await page.evaluate(axe);
      const { violations }: AxeResults = await page.evaluate("axe.run()");
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    },
  };
}
