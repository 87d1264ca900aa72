import type { JsonObject } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { designs } from "#formats/rendering/designs/list.js";
import { findChromium } from "../../edges/pages/chromium.js";
import { storePicture } from "../visitor.js";
import { drawn, givenDesigner, onPage, save, scaleOf } from "./given-designer.js";

const executable = findChromium();

describe.skipIf(executable === undefined)("the page in the designer", () => {
  const { newType, optionsOf, openDesigner } = givenDesigner(executable);

  test.each([
    [1366, 768],
    [1024, 700],
    [911, 480], // the size of a laptop screen of 1,366 pixels at a zoom of 150 %
  ])(
    "at %d x %d, the designer fills the window, the buttons stay visible, and nothing jumps",
    async (width, height) => {
      const { id } = await newType(designs.diploma as object as JsonObject);
      const { page, faults, leaveQuietly } = await openDesigner(id);
      await page.setViewportSize({ width, height });
      const strip = page.locator(".designer-samples[open]");
      // The samples are hidden in a low window, even if the window became low while the page was open, for example by
      // zooming.
      await expect.poll(() => strip.count()).toBe(height > 736 ? 1 : 0);
      await page.addInitScript(`
      globalThis.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value;
      }).observe({ type: "layout-shift", buffered: true });
    `);
      await page.reload();
      await drawn(page);
      if (height > 736) await page.locator('.designer-stress canvas[data-drawn="true"]').nth(5).waitFor();
      expect(await page.evaluate("shift")).toBeLessThanOrEqual(0.1);
      expect(await page.evaluate("document.documentElement.scrollHeight - innerHeight")).toBe(0);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
      const sheet = await page.locator(".stage-page").boundingBox();
      expect((sheet?.y ?? 0) + (sheet?.height ?? height)).toBeLessThan(height); // the whole page is visible
      await page.locator('[data-item="text_elements.date"]').click();
      await page.locator(".designer-properties").evaluate((panel) => {
        (panel as unknown as { scrollTop: number }).scrollTop = 10_000;
      });
      for (const name of ["Undo", "Redo", "Save", "Download sample PDF"]) {
        const box = await page.getByRole("button", { name, exact: true }).boundingBox();
        expect([name, (box?.y ?? -1) >= 0 && (box?.y ?? height) < 120]).toEqual([name, true]);
      }
      await page.getByText("Saved.").waitFor();
      await onPage(page, "text_elements.date").press("ArrowDown");
      await page.getByText("Not saved yet").waitFor();
      await drawn(page);
      const before = (await page.locator(".stage-page").boundingBox())?.width ?? 0;
      await page.getByRole("button", { name: "Zoom to selection" }).click();
      await expect
        .poll(async () => (await page.locator(".stage-page").boundingBox())?.width)
        .toBeGreaterThan(before);
      const [chosen, stage] = [
        await onPage(page, "text_elements.date").boundingBox(),
        await page.locator(".stage").boundingBox(),
      ];
      if (!chosen || !stage) throw new Error("the date lies nowhere");
      expect(chosen.x).toBeGreaterThanOrEqual(stage.x);
      expect(chosen.x + chosen.width).toBeLessThanOrEqual(stage.x + stage.width);
      expect(chosen.y).toBeGreaterThanOrEqual(stage.y);
      expect(chosen.y + chosen.height).toBeLessThanOrEqual(stage.y + stage.height);
      expect(await faults()).toEqual([]);
      await leaveQuietly();
    },
  );

  test("with large text and on a phone, the notice is complete, and the page stays visible", async () => {
    const { id } = await newType({});
    const { page, leaveQuietly } = await openDesigner(id);
    const box = async (selector: string) => {
      const found = await page.locator(selector).boundingBox();
      if (!found) throw new Error(`${selector} is not shown`);
      return { ...found, bottom: found.y + found.height };
    };
    await page.setViewportSize({ width: 1366, height: 768 });
    await page.evaluate('document.documentElement.style.fontSize = "200%"');
    await expect.poll(async () => (await box(".stage")).height).toBeGreaterThan(200);
    expect((await box(".designer-note")).bottom).toBeLessThanOrEqual((await box(".stage")).y);
    expect((await box(".designer-zoom")).y).toBeGreaterThanOrEqual((await box(".stage")).y);
    await storePicture(page, "designer-200-percent");
    await page.evaluate('document.documentElement.style.fontSize = ""');
    await page.setViewportSize({ width: 320, height: 640 });
    await expect
      .poll(async () => (await box(".designer-note")).bottom)
      .toBeLessThanOrEqual((await box(".stage")).y);
    await storePicture(page, "designer-320");
    const text = await page.locator(".designer-note p").boundingBox();
    expect(text?.width).toBeGreaterThan(200); // beside a button, it would be a narrow column
    await leaveQuietly();
  });

  test("the verdict on each difficult name is visible without scrolling", async () => {
    const { id } = await newType({});
    const { page, leaveQuietly } = await openDesigner(id);
    await page.setViewportSize({ width: 1366, height: 768 });
    const strip = page.locator(".designer-stress");
    await strip.locator('canvas[data-drawn="true"]').nth(5).waitFor();
    const verdicts = await strip.locator("[data-look]").all();
    expect(verdicts.length).toBeGreaterThan(5);
    for (const verdict of verdicts) {
      const found = await verdict.boundingBox();
      expect((found?.y ?? 768) + (found?.height ?? 0)).toBeLessThanOrEqual(768);
    }
    await leaveQuietly();
  });

  test("an ornament is one layer, text is typed on the page, and overlaps are reported instead of “fits”", async () => {
    const { id } = await newType(designs.diploma as object as JsonObject);
    const { page, faults, leaveQuietly } = await openDesigner(id);
    const layers = page.getByRole("list", { name: "Layers" });
    const shapes = await page.locator('.stage-item[data-kind="shape"]').count();
    expect(shapes).toBeGreaterThan(10);
    expect(await layers.locator('[data-item^="shapes."]').count()).toBe(0);
    await layers.getByRole("button", { name: `(${shapes})` }).click();
    expect(await page.locator('.stage-item[data-kind="shape"][aria-pressed="true"]').count()).toBe(shapes);
    // Screen readers read the texts before the ornament.
    const order = await page
      .locator(".stage-item")
      .evaluateAll((all) =>
        all.map((each) => (each as unknown as { dataset: { kind: string } }).dataset.kind),
      );
    expect(order.lastIndexOf("text")).toBeLessThan(order.indexOf("shape"));

    const typing = page.locator("textarea.stage-typing");
    await onPage(page, "text_elements.name").dblclick();
    await typing.waitFor();
    expect(await typing.inputValue()).toBe("{name}");
    expect(await faults()).toEqual([]);
    await page.keyboard.press("Escape");
    await typing.waitFor({ state: "detached" });
    await page.locator(':focus[data-path="text_elements.name"]').waitFor();
    await page.getByRole("toolbar").getByRole("button", { name: "Text", exact: true }).click();
    await page.locator(':focus[data-path="text_elements.text_1"]').waitFor();
    await page.keyboard.press("F2");
    await typing.waitFor();
    await page.keyboard.insertText("with distinction");
    await page.keyboard.press("Enter");
    await page.locator(':focus[data-path="text_elements.text_1"]').waitFor();
    await drawn(page);

    // Within a block, elements never overlap, as they do after the alignment.
    await page.getByRole("button", { name: "Detach from block" }).click();
    await drawn(page);
    await page.getByRole("button", { name: "Align at the top" }).click();
    await drawn(page);
    const [from, to] = [
      await onPage(page, "text_elements.text_1").boundingBox(),
      await onPage(page, "text_elements.name").boundingBox(),
    ];
    if (!from || !to) throw new Error("a text lies nowhere");
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 });
    await page.mouse.up();
    await drawn(page);
    const properties = page.getByRole("region", { name: "Properties" });
    await properties.getByText("overlaps Name").waitFor();
    expect(await properties.getByText("fits", { exact: true }).count()).toBe(0);
    await save(page);
    const { text_elements } = (await optionsOf(id)) as { text_elements: Record<string, { text: string }> };
    expect(text_elements.text_1?.text).toBe("with distinction");
    await leaveQuietly();
  });

  test("moving an element by pointer stores the same as by keys and numbers, and the element snaps to its neighbours", async () => {
    const options = { paper: "#ffffff", text_elements: { issuer: { text: "{platform_name}", y: 500 } } };
    const [pointed, typed] = [await newType(options), await newType(options)];

    const { page, faults, leaveQuietly } = await openDesigner(pointed.id);
    const name = onPage(page, "text_elements.name");
    const before = await name.boundingBox();
    const scale = await scaleOf(page);
    if (!before) throw new Error("the name lies nowhere");
    const [x, y] = [before.x + before.width / 2, before.y + before.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    // Moves the name down by nearly 10 mm, and slightly off the middle. The name snaps to the middle.
    await page.mouse.move(x + 2, y + 28.3 * scale, { steps: 4 });
    await page.locator('.stage-guide[data-axis="x"]').waitFor({ state: "attached" });
    await page.mouse.up();
    await drawn(page);
    const typedBaseline = await page.getByLabel("Baseline, from top (mm)").inputValue();
    expect(await page.getByLabel("Middle, from left (mm)").inputValue()).toBe("148.5");
    expect(await faults()).toEqual([]);
    await save(page);
    await leaveQuietly();

    const keys = await openDesigner(typed.id);
    await onPage(keys.page, "text_elements.issuer").focus();
    for (let tries = 0; tries < 20; tries++) {
      if ((await keys.page.locator(":focus").getAttribute("data-path")) === "text_elements.name") break;
      await keys.page.keyboard.press("PageDown");
    }
    await keys.page.keyboard.press("ArrowDown");
    await keys.page.getByRole("status").getByText("Name: 148.5 mm from the left").waitFor();
    await keys.page.keyboard.press("Enter");
    await keys.page.locator(":focus").and(keys.page.getByLabel("Middle, from left (mm)")).waitFor();
    await keys.page.keyboard.press("Tab");
    await keys.page.keyboard.press("ControlOrMeta+a");
    await keys.page.keyboard.type(typedBaseline);
    await keys.page.keyboard.press("Enter");
    await save(keys.page);
    const stored = await optionsOf(typed.id);
    expect(stored).not.toEqual(options);
    // The field shows hundredths of a millimetre, and the design stores points.
    const dragged = Object(await optionsOf(pointed.id)).text_elements.name.y;
    expect(Object(stored).text_elements.name.y).toBeCloseTo(dragged, 1);
    Object(stored).text_elements.name.y = dragged;
    expect(stored).toEqual(await optionsOf(pointed.id));
    await keys.leaveQuietly();
  });

  test.each<[string, string, JsonObject]>([
    [
      "mirrored, on US Letter",
      "text_elements.verify",
      { language: "ar", page: { size: "LETTER", drawn_for: "A4" } },
    ],
    ["mirrored", "places.signatures", { language: "ar" }],
    ["in a block", "text_elements.to", {}],
    ["on US Letter", "qr", { page: { size: "LETTER", drawn_for: "A4" } }],
  ])("a dragged element stays where it was dropped: %s", async (_, path, own) => {
    const base = designs.modern as object as JsonObject;
    const { id } = await newType({ ...base, signatories: [{ name: "Ada Moreau" }], ...own });
    const { page, leave } = await openDesigner(id);
    const before = await onPage(page, path).boundingBox();
    if (!before) throw new Error(`${path} lies nowhere`);
    const [x, y] = [before.x + before.width / 2, before.y + before.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.keyboard.down("Alt"); // so that nothing snaps
    await page.mouse.move(x - 12, y - 8, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up("Alt");
    const dropped = await onPage(page, path).boundingBox();
    await page.getByText("Not saved yet").waitFor();
    await page.reload();
    await drawn(page);
    const laid = await onPage(page, path).boundingBox();
    const scale = await scaleOf(page);
    // The finest step of a pointer is half a millimetre.
    expect(Math.abs((dropped?.x ?? 0) - before.x + 12)).toBeLessThan(scale * 1.5);
    expect(Math.abs((laid?.x ?? 0) - (dropped?.x ?? 0))).toBeLessThan(1);
    expect(Math.abs((laid?.y ?? 0) - before.y + 8)).toBeLessThan(scale * 1.5 + 1);
    await leave();
  });

  test("values typed in millimetres are shown as typed, also after the page is laid out again", async () => {
    const shapes = [{ kind: "rectangle", x: 100, y: 100, width: 90, height: 40 }];
    const { id } = await newType({ paper: "#ffffff", shapes });
    const { page, leaveQuietly } = await openDesigner(id);
    const typed = {
      "From left (mm)": "10",
      "From top (mm)": "12.25",
      "Width (mm)": "33.33",
      "Height (mm)": "7",
    };
    const seen = () => Promise.all(Object.keys(typed).map((name) => page.getByLabel(name).inputValue()));
    await page.locator('[data-item="shapes.0"]').click();
    for (const [name, text] of Object.entries(typed)) {
      await page.getByLabel(name).fill(text);
      await page.keyboard.press("Enter");
    }
    expect(await seen()).toEqual(Object.values(typed));
    await storePicture(page, "designer");
    await save(page);
    await page.reload();
    await drawn(page);
    await page.locator('[data-item="shapes.0"]').click();
    expect(await seen()).toEqual(Object.values(typed));
    await leaveQuietly();
  });

  test.each([
    ["en", "ArrowRight"],
    ["ar", "ArrowLeft"],
  ])("in %s, the toolbar is one Tab stop, and %s moves within it", async (language, onwards) => {
    const { id } = await newType(designs.modern as object as JsonObject);
    const { page, faults, leaveQuietly } = await openDesigner(id, { language });
    const buttons = page.getByRole("toolbar").getByRole("button");
    const focused = page.locator(":focus");
    await buttons.nth(3).focus();
    await page.keyboard.press(onwards);
    await focused.and(buttons.nth(4)).waitFor();
    for (const [key, inside] of [
      ["Tab", 0],
      ["Shift+Tab", 1],
      ["Shift+Tab", 0],
      ["Tab", 1],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focused.and(buttons).count(), key).toBe(inside);
      if (inside) await focused.and(buttons.nth(4)).waitFor();
    }
    expect(await faults()).toEqual([]);
    await leaveQuietly();
  });

  test("the Tab key leads from a placeholder to its button, and a deleted element leaves the focus on the page", async () => {
    const { id } = await newType({ paper: "#ffffff" });
    const { page, leaveQuietly } = await openDesigner(id);
    const focused = page.locator(":focus");
    await page.getByRole("toolbar").getByRole("button", { name: "Placeholder", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Content", { exact: true }).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Tab");
    await focused.and(page.getByRole("button", { name: "Add: Content" })).waitFor();
    await page.keyboard.press("Enter");
    await page.locator('.stage-item:focus[data-path^="text_elements."]').waitFor();
    await page.keyboard.press("Delete");
    await focused.and(page.locator(".stage-page")).waitFor();
    await page.keyboard.press("ControlOrMeta+z");
    const layer = page.locator('[data-row][data-item^="text_elements."]').last();
    await layer.waitFor();
    await layer.focus();
    await page.keyboard.press("Delete");
    await focused.and(page.locator(".designer-items button").first()).waitFor();
    await leaveQuietly();
  });
});
