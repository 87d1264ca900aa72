import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { designNames } from "#formats/rendering/designs/list.js";
import { findChromium } from "../../edges/pages/chromium.js";
import { givenDesigners } from "../given-console.js";
import { openVisitor, signIn, storePicture } from "../visitor.js";

const executable = findChromium();

/** Records in each frame how the first screen looks while it is loading. */
const record = `
  Object.assign(globalThis, { shift: 0, empty: 0, emptied: false, messages: 0 });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  const look = () => {
    const boxes = [...document.querySelectorAll(".design-picture")];
    const isEmpty = (box) =>
      box.getBoundingClientRect().top < innerHeight &&
      ![...box.querySelectorAll("img, canvas")].some(
        (each) =>
          getComputedStyle(each).visibility === "visible" &&
          (each.dataset.drawn === "true" || each.naturalWidth > 0),
      );
    globalThis.empty = boxes.filter(isEmpty).length;
    if (globalThis.empty > 0 && globalThis.hasLoaded) globalThis.emptied = true;
    if (boxes.length > 0 && globalThis.empty === 0) globalThis.hasLoaded = true;
    globalThis.messages += boxes.filter((box) => box.innerText.trim() !== "").length;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
`;

interface DrawnCanvas {
  readonly height: number;
  getContext(kind: "2d"): {
    getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray };
  };
}

/** Returns the colour of the left edge of a drawn page. */
async function colourOfEdge(canvas: Locator): Promise<string> {
  const rgb = await canvas.evaluate((element) => {
    const drawn = element as unknown as DrawnCanvas;
    return [
      ...drawn
        .getContext("2d")
        .getImageData(1, Math.floor(drawn.height / 2), 1, 1)
        .data.slice(0, 3),
    ];
  });
  return `#${Buffer.from(rgb).toString("hex")}`;
}

const brandings = [
  { branding: "without branding", brand: undefined },
  { branding: "in the colour of the service", brand: { organisation: "", accentColor: "#7a1f2b" } },
  {
    branding: "in the colour of the only organisation that has one",
    brand: { organisation: "HarbourLight", accentColor: "#0f6b3c" },
  },
];

describe.skipIf(executable === undefined)("the gallery of designs", () => {
  const academy = givenDesigners(executable);

  async function openGallery(prepare: (page: Page) => Promise<unknown>) {
    const visitor = await openVisitor(academy.browser, academy.service);
    await signIn(visitor, academy.service, { username: "nora", roles: ["designer"] });
    await prepare(visitor.page);
    await visitor.page.goto(`${academy.service.httpUrl}/console/types/new`);
    const gallery = visitor.page.getByRole("navigation", { name: "Start from a design" });
    await gallery
      .getByRole("link")
      .nth(designNames.length - 1)
      .waitFor();
    return { ...visitor, cards: gallery.getByRole("link") };
  }

  describe.each(brandings)("$branding", ({ brand }) => {
    beforeAll(async () => {
      if (brand) await academy.staff.updateBrand({ brand });
    });
    afterAll(async () => {
      if (brand) await academy.staff.updateBrand({ brand: { organisation: brand.organisation } });
    });

    test("its first screen has no empty boxes, doesn’t jump, and loads few pictures", async () => {
      const pictures: Promise<Buffer>[] = [];
      const previews = { all: 0, running: 0, most: 0 };
      const { page, leaveQuietly } = await openGallery(async (page) => {
        await page.addInitScript(record);
        page.on("request", (request) => {
          if (!request.url().includes("PreviewCredential")) return;
          previews.all += 1;
          previews.running += 1;
          previews.most = Math.max(previews.most, previews.running);
        });
        page.on("response", (response) => {
          if (response.url().includes("PreviewCredential")) previews.running -= 1;
          if (response.url().endsWith(".webp")) pictures.push(response.body());
        });
      });
      const drawn = page.locator(".design-picture canvas[data-drawn=true]");
      if (brand) await expect.poll(() => drawn.count()).toBeGreaterThanOrEqual(4);
      await page.waitForLoadState("networkidle");
      await expect.poll(() => page.evaluate("empty")).toBe(0);
      const sizes = (await Promise.all(pictures)).map(({ length }) => length);
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      const shift = await page.evaluate<number>("shift");
      console.info(
        `gallery: ${bytes} bytes of pictures in ${sizes.length} requests, ${previews.all} previews, layout shift ${shift}`,
      );
      expect(sizes.length).toBeLessThanOrEqual(designNames.length);
      expect(bytes).toBeLessThan(300_000);
      expect(shift).toBeLessThanOrEqual(0.1);
      expect(await page.evaluate("emptied")).toBe(false);
      expect(await page.evaluate("messages")).toBe(0);
      expect(previews.most).toBeLessThanOrEqual(2);
      expect(previews.all).toBeLessThan(brand ? designNames.length : 1);
      await leaveQuietly();
    });

    test.runIf(brand)("its designs are drawn in this colour when they come near", async () => {
      const { page, cards, faults, leaveQuietly } = await openGallery(async () => {});
      for (const card of await cards.all()) {
        await card.scrollIntoViewIfNeeded();
        await card.locator("canvas[data-drawn=true]").waitFor();
      }
      const modern = cards.filter({ hasText: "Modern" });
      expect(await colourOfEdge(modern.locator("canvas"))).toBe(brand?.accentColor);
      expect(await faults()).toEqual([]);
      await storePicture(page, `gallery-${brand?.organisation}`);
      await modern.click();
      const pageInDesigner = page.locator(".stage canvas[data-drawn=true]");
      await pageInDesigner.waitFor();
      expect(await colourOfEdge(pageInDesigner)).toBe(brand?.accentColor);
      await leaveQuietly();
    });
  });
});
