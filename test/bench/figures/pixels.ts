import type { Page } from "playwright-core";
import { designs } from "#formats/rendering/designs/list.js";
import { openDatabase } from "#infrastructure/db/open-database.js";
import { createSignInLink } from "#infrastructure/sessions/sign-in-link.js";
import { findChromium, launchChromium } from "../../edges/pages/chromium.js";
import { freePort } from "../../support/free-port.js";
import { GENERATE_PDF, GRADES } from "../credentials.js";
import type { Figure } from "../figure.js";
import { startService, tokenOf } from "../service.js";

const EDITS = 10;
/** Pause between two edits. During the pause, the samples below the page are drawn. */
const REST_MS = 1500;

export const pixels: Figure = {
  name: "pixels",
  subject:
    "from a key that moves a text in the designer until the page is drawn anew: median of ten, in Chromium",
  baseline: "the call for that preview alone, without a browser",
  unit: "ms",
  reach: { usually: 150 },

  async prepare(stage) {
    const executable = findChromium();
    if (executable === undefined) throw new Error("There is no Chromium.");
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    await startService(stage, undefined, false, { HTTP_PORT: String(port), PUBLIC_URL: url });
    const token = await tokenOf("platform", true);
    const call = async (method: string, request: object) => {
      const response = await fetch(`${url}/learning_credentials.v1.ConfigurationService/${method}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify(request),
      });
      if (!response.ok) throw new Error(`${method}: ${await response.text()}`);
      return (await response.json()) as { id?: number };
    };
    const credentialType = {
      name: "Certificate",
      retrievalFunc: GRADES,
      generationFunc: GENERATE_PDF,
      customOptions: { ...designs.modern, required_grades: { Total: 0.5 } },
    };
    const { id } = await call("CreateCredentialType", { credentialType });

    const browser = await launchChromium(executable);
    stage.defer(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    const database = openDatabase(stage.databaseUrl);
    stage.defer(() => database.close());
    const link = { username: "dana", roles: ["designer"] as const, organisations: [], lifetimeS: 600 };
    await page.goto(await createSignInLink(database.knex, url, link));
    await page.locator("main:not(.sign-in) h1").waitFor();
    await page.goto(`${url}/console/types/${id}#design`);
    await page.locator('.stage-page canvas[data-drawn="true"]').waitFor();

    let moved = 0;
    return {
      subject: async () => middleOf(EDITS, () => editOnce(page)),
      baseline: async () =>
        middleOf(EDITS, async () => {
          const name = { ...designs.modern.text_elements?.name, x: 420 + (moved++ % 50) / 10 };
          const begun = performance.now();
          await call("PreviewCredential", {
            credentialType,
            customOptions: { text_elements: { name } },
            stamp: "PREVIEW_STAMP_CORNER",
            lenient: true,
          });
          return performance.now() - begun;
        }),
    };
  },
};

/**
 * Moves the name by a millimetre.
 * @returns the time until the page is drawn in milliseconds, by the clock of the page
 */
async function editOnce(page: Page): Promise<number> {
  await page.waitForTimeout(REST_MS);
  await page.locator('.stage-item[data-path="text_elements.name"]').focus();
  await page.evaluate(`
    globalThis.drawn = new Promise((resolve) => {
      let begun;
      addEventListener("keydown", () => { begun = performance.now(); }, { once: true, capture: true });
      const canvas = document.querySelector(".stage-page canvas");
      new MutationObserver((_, observer) => {
        if (begun === undefined || canvas.dataset.drawn !== "true") return;
        observer.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - begun));
      }).observe(canvas, { attributes: true, attributeFilter: ["data-drawn"] });
    });
    undefined; // keeps the browser from waiting for the promise before the key is pressed`);
  await page.keyboard.press("ArrowDown");
  return page.evaluate("globalThis.drawn");
}

/** Returns the median of several measurements, which run one after another. */
async function middleOf(count: number, measure: () => Promise<number>): Promise<number> {
  const all: number[] = [];
  for (let each = 0; each < count; each++) all.push(await measure());
  return all.sort((one, other) => one - other)[Math.floor(count / 2)] ?? 0;
}
