import { createCanvas, loadImage } from "@napi-rs/canvas";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { loadChapter } from "#console/i18n/load-chapter.js";
import { languages, languageTags } from "#foundation/languages/list.js";
import { assetParts } from "../../assets/asset-parts.js";
import { findChromium } from "../../edges/pages/chromium.js";
import { givenConsole } from "../given-console.js";
import { openVisitor, seePage, signIn, storePicture } from "../visitor.js";

const executable = findChromium();
const ACCENT = "#8a1c3c";
const LOGO = "#00ff00";

describe.skipIf(executable === undefined)("the preview of an email", () => {
  const academy = givenConsole(executable, {}, async ({ configurations }) => {
    const canvas = createCanvas(80, 40);
    const context = canvas.getContext("2d");
    context.fillStyle = LOGO;
    context.fillRect(0, 0, 80, 40);
    await configurations.uploadAsset(assetParts("crest", canvas.toBuffer("image/png")));
    await configurations.updateBrand({
      brand: { name: "Uni <b>Nord</b>", accentColor: ACCENT, logo: "crest" },
    });
    await configurations.updateBrand({ brand: { organisation: "Arts", contact: "arts@uni.example" } });
  });

  async function branding(chosen: Record<string, string>, width = 1280) {
    const visitor = await openVisitor(academy.browser, academy.service, {
      chosen,
      viewport: { width, height: 900 },
    });
    await signIn(visitor, academy.service, { username: "dana", roles: ["designer"] });
    await visitor.page.goto(`${academy.service.httpUrl}/console/types/branding`);
    await seePage(visitor.page);
    return visitor;
  }

  test.each(["light", "dark"])(
    "shows it as email programs do, %s, and runs or opens nothing",
    async (theme) => {
      const visitor = await branding({ theme });
      const { page } = visitor;
      const frame = page.frameLocator(".email-shown iframe");
      await frame.getByText("Uni <b>Nord</b>").waitFor();
      await expect.poll(() => shows(page, LOGO)).toBe(true);
      expect(await shows(page, theme === "dark" ? "#121212" : "#ffffff")).toBe(true);
      await frame.getByRole("link").first().scrollIntoViewIfNeeded();
      await expect.poll(() => shows(page, ACCENT)).toBe(true);
      await storePicture(page, `email-${theme}`);

      // An organisation without its own values uses those of the whole service.
      await page.getByLabel("Organisation").selectOption("Arts");
      await frame.getByText("arts@uni.example").waitFor();
      await frame.getByText("Uni <b>Nord</b>").waitFor();

      const hostile =
        '<script>parent.x = 1</script><img src="https://evil.example/x.png"><a href="https://evil.example">';
      await page.getByLabel("Text after the greeting").fill(hostile);
      await frame.getByText(hostile).waitFor();
      expect(await page.locator(".email-shown iframe").getAttribute("sandbox")).toBe("");
      const windows = page.context().pages().length;
      await frame.getByRole("link").first().click();
      await frame.getByText(hostile).waitFor();
      expect([page.context().pages().length, new URL(page.url()).pathname]).toEqual([
        windows,
        "/console/types/branding",
      ]);
      // The sandbox reports what it blocked: the window of the link, and Playwright's own script.
      expect(visitor.noise.splice(0).filter((line) => !/allow-(?:popups|scripts)/.test(line))).toEqual([]);

      await page.getByLabel("As text").check();
      await page.locator("pre", { hasText: hostile }).waitFor();
      expect(await page.locator(".email-shown iframe").count()).toBe(0);
      expect(await visitor.faults()).toEqual([]);
      await visitor.leaveQuietly();
    },
  );

  test.each(languageTags)("in %s, is found by its label and fits a phone", async (language) => {
    const visitor = await branding({ language, theme: "dark" }, 320);
    const { page } = visitor;
    const { asEmail, asText } = await loadChapter("emails", language);
    const frame = page.frameLocator(".email-shown iframe");
    await frame.locator(`html[dir=${languages[language].direction}] h1`).waitFor();
    expect(await visitor.faults()).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    await page.locator(".email-shown iframe").scrollIntoViewIfNeeded();
    await storePicture(page, `email-${language}`);
    await page.getByLabel(asText).check();
    await page.locator("pre.email-text").waitFor();
    await page.getByLabel(asEmail).check();
    await frame.locator("h1").waitFor();
    await visitor.leaveQuietly();
  });
});

/** Returns whether the frame shows a colour, as `#rrggbb`. */
async function shows(page: Page, colour: string): Promise<boolean> {
  const image = await loadImage(await page.locator(".email-shown iframe").screenshot());
  const context = createCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  for (let at = 0; at < data.length; at += 4)
    if (`#${Buffer.from(data.slice(at, at + 3)).toString("hex")}` === colour) return true;
  return false;
}
