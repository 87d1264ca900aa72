import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openConsoleAcademy } from "../console/given-console.js";
import { linkTo, openVisitor } from "../console/visitor.js";
import { findChromium, launchChromium } from "../edges/pages/chromium.js";
import type { TestService } from "../support/service.js";
import { readPage } from "./documents.js";

const executable = findChromium();
if (executable === undefined) console.warn("skipped: the tutorial of the console; there is no Chromium");

/** Matches the instructions of the page, each with the browser action that performs it. */
const MOVES: readonly [RegExp, (page: Page, ...words: string[]) => Promise<unknown>][] = [
  [
    /Click \*\*([^*]+)\*\*/,
    (page, name) =>
      page
        .getByRole("button", { name, exact: true })
        .or(page.getByRole("link", { name, exact: true }))
        .first()
        .click(),
  ],
  [
    /In \*\*([^*]+)\*\*, choose \*\*([^*]+)\*\*/,
    async (page, label, option = "") => {
      await page.getByRole("combobox", { name: String(label) }).fill(option);
      await page.getByRole("option", { name: option }).click();
    },
  ],
  [
    /In \*\*([^*]+)\*\*, type `([^`]+)`/,
    (page, label, text = "") => page.getByLabel(String(label)).fill(text.replaceAll(" ⏎ ", "\n")),
  ],
  [/Tick \*\*([^*]+)\*\*/, (page, label) => page.getByLabel(String(label)).check()],
  [
    /You see \*\*([^*]+)\*\*/,
    (page, text) => page.getByText(String(text)).filter({ visible: true }).first().waitFor(),
  ],
  [
    /press \*\*([^*]+)\*\*, and type `([^`]+)`/,
    async (page, key, text = "") => {
      await page.keyboard.press(String(key));
      await page.getByRole("combobox").or(page.getByRole("searchbox")).first().waitFor();
      await page.keyboard.type(text);
    },
  ],
  [/Open the link that signs you in/, async () => {}],
];

describe.skipIf(executable === undefined)("the tutorial of the console", () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    service = await openConsoleAcademy();
    browser = await launchChromium(executable as string);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test("each of its steps can be taken, with the words on the page", async () => {
    const text = await readPage("first-credential-in-the-console");
    const steps = [...text.matchAll(/^(\d+)\. ((?:.+\n?)(?: {3,4}.+\n?)*)/gm)].map(
      ([, number, words = ""]) => ({
        number: Number(number),
        words: words.replaceAll(/\s+/g, " "),
      }),
    );
    expect(steps.map(({ number }) => number)).toEqual(steps.map((_, index) => index + 1));
    expect(steps.length).toBeGreaterThan(5);
    const visitor = await openVisitor(browser, service);
    await visitor.page.goto(await linkTo(service, { roles: ["admin"] }));
    for (const { number, words } of steps) {
      const moves = [...words.matchAll(new RegExp(MOVES.map(([{ source }]) => source).join("|"), "g"))];
      expect(moves.length, `step ${number}`).toBeGreaterThan(0);
      for (const [move] of moves) {
        const [pattern, take] = MOVES.find(([each]) => each.test(move)) ?? [];
        const [, ...given] = pattern?.exec(move) ?? [];
        await take?.(visitor.page, ...given).catch(async (error) => {
          if (process.env.SCREENSHOTS)
            await visitor.page.screenshot({ path: `${process.env.SCREENSHOTS}/step-${number}.png` });
          throw new Error(`step ${number}, ${move}: ${error.message}`);
        });
      }
    }
    await visitor.leave();
  });
});
