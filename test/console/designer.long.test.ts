import { copyFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@bufbuild/protobuf";
import { PDFDocument } from "@cantoo/pdf-lib";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import fc from "fast-check";
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { designs } from "#formats/rendering/designs/list.js";
import { languageTags } from "#foundation/languages/list.js";
import {
  type PreviewElement,
  type PreviewLayout,
  PreviewStamp,
} from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { findChromium } from "../edges/pages/chromium.js";
import { missingTools, say, sayBytes } from "../rendering/pdf-tools.js";
import { tokenOf } from "../support/service.js";
import { givenDesigners, settled } from "./academy.js";
import { expectMissing, openVisitor, signIn, storePicture, type Visitor } from "./visitor.js";

const executable = findChromium();
const missing = await missingTools("pdftoppm", "pdftotext", "pdffonts");
/** With `DESIGNER_PAGES=<directory>`, stores the certificates that are designed from nothing, for visual review. */
const pages = process.env.DESIGNER_PAGES;

describe.skipIf(executable === undefined)("the designer", () => {
  const academy = givenDesigners(executable);

  async function newType(customOptions: JsonObject) {
    const client = academy.staff;
    const { credentialTypes } = await client.listCredentialTypes({});
    const { retrievalFunc = "", generationFunc = "" } = credentialTypes[0] ?? {};
    const name = `Designed ${crypto.randomUUID()}`;
    return client.createCredentialType({
      credentialType: { name, retrievalFunc, generationFunc, customOptions },
    });
  }
  const optionsOf = async (id: number) => (await academy.staff.getCredentialType({ id })).customOptions;
  async function designer(id: number, chosen: Readonly<Record<string, string>> = {}): Promise<Visitor> {
    const visitor = await openVisitor(academy.browser, academy.service, {
      chosen,
      viewport: { width: 1400, height: 900 },
    });
    await signIn(visitor, academy.service, { username: `dana.${crypto.randomUUID()}`, roles: ["designer"] });
    await visitor.page.goto(`${academy.service.httpUrl}/console/types/${id}#design`);
    await drawn(visitor.page);
    return visitor;
  }
  const drawn = (page: Page) => page.locator('.stage-page canvas[data-drawn="true"]').waitFor();
  const onPage = (page: Page, path: string) => page.locator(`.stage-item[data-path="${path}"]`);
  /** Returns the number of pixels per point on the page. */
  const scaleOf = async (page: Page) =>
    ((await page.locator(".stage-page").boundingBox())?.width ?? 0) / 841.89;
  async function openForm(page: Page) {
    await page.locator(".workshop-more summary").click();
    await page.getByRole("button", { name: "Form" }).click();
  }
  async function save(page: Page) {
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
  }

  test.each([
    [1366, 768],
    [1024, 700],
    [911, 480], // the size of a laptop screen of 1,366 pixels at a zoom of 150 %
  ])(
    "at %d x %d, the designer has the window: what saves and undoes stays in sight, and nothing jumps",
    async (width, height) => {
      const { id } = await newType(designs.diploma as object as JsonObject);
      const { page, faults, leaveQuietly } = await designer(id);
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

  test("an ornament is one layer, text is typed on the page, and overlaps are reported instead of “fits”", async () => {
    const { id } = await newType(designs.diploma as object as JsonObject);
    const { page, faults, leaveQuietly } = await designer(id);
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

  test("a sample with unsaved changes is downloaded as PDF, marked as a preview", async () => {
    const { id } = await newType(designs.modern as object as JsonObject);
    const { page, leaveQuietly } = await designer(id);
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Diploma: a/b");
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download sample PDF" }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe("Diploma a b.pdf");
    const file = join(mkdtempSync(join(tmpdir(), "sample-")), "sample.pdf");
    await download.saveAs(file);
    if (missing.length === 0) {
      const words = await say("pdftotext", "-layout", file, "-");
      expect(words).toContain("Diploma: a/b");
      // The stamp consists of outlines in translucent red, on a page that is blue and white.
      const picture = await loadImage(await sayBytes("pdftoppm", "-png", "-singlefile", "-r", "50", file));
      const context = createCanvas(picture.width, picture.height).getContext("2d");
      context.drawImage(picture, 0, 0);
      const { data } = context.getImageData(0, 0, picture.width, picture.height);
      let red = 0;
      for (let at = 0; at < data.length; at += 4)
        if ((data[at] ?? 0) - Math.max(data[at + 1] ?? 0, data[at + 2] ?? 0) > 30) red++;
      expect(red / (data.length / 4)).toBeGreaterThan(0.02);
    }
    await leaveQuietly();
  });

  test("7: moving by pointer, and by keys and numbers, stores the same; the element snaps to its neighbours", async () => {
    const options = { paper: "#ffffff", text_elements: { issuer: { text: "{platform_name}", y: 500 } } };
    const [pointed, typed] = [await newType(options), await newType(options)];

    const { page, faults, leaveQuietly } = await designer(pointed.id);
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

    const keys = await designer(typed.id);
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

  test.each([
    ["en", "ArrowRight"],
    ["ar", "ArrowLeft"],
  ])("in %s, the toolbar is one Tab stop, and %s moves within it", async (language, onwards) => {
    const { id } = await newType(designs.modern as object as JsonObject);
    const { page, faults, leaveQuietly } = await designer(id, { language });
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
    const { page, leaveQuietly } = await designer(id);
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

  test("a design without the learner’s name says so, until the deletion is undone", async () => {
    const { id } = await newType({ paper: "#ffffff" });
    const { page, faults, leaveQuietly } = await designer(id);
    const note = page.getByText("The document doesn’t show the learner’s name.");
    await onPage(page, "text_elements.name").focus();
    expect(await note.count()).toBe(0);
    await page.keyboard.press("Delete");
    await note.waitFor();
    expect(await faults()).toEqual([]);
    await page.keyboard.press("ControlOrMeta+z");
    await note.waitFor({ state: "detached" });
    await leaveQuietly();
  });

  test("discarded changes are one step that can be undone", async () => {
    const { id } = await newType({ paper: "#ffffff" });
    const { page, leaveQuietly } = await designer(id);
    const undo = page.getByRole("button", { name: "Undo" });
    await onPage(page, "text_elements.name").focus();
    await page.keyboard.press("Shift+ArrowDown");
    await page.getByRole("status").getByText("Not saved yet").waitFor();
    await page.locator("summary", { hasText: "More" }).first().click();
    await page.getByRole("button", { name: "Discard changes" }).click();
    await page.getByRole("status").getByText("Saved.").waitFor();
    await undo.click();
    await page.getByRole("status").getByText("Not saved yet").waitFor();
    await save(page);
    expect(await optionsOf(id)).toMatchObject({ text_elements: { name: { y: expect.any(Number) } } });
    await leaveQuietly();
  });

  test("values typed in millimetres are shown as typed, also after the page is laid out again", async () => {
    const shapes = [{ kind: "rectangle", x: 100, y: 100, width: 90, height: 40 }];
    const { id } = await newType({ paper: "#ffffff", shapes });
    const { page, leaveQuietly } = await designer(id);
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

  test("fonts are chosen by samples, results of the course are listed as facts, and learners without a name are left out", async () => {
    const { id } = await newType({ ...(designs.modern as object), required_grades: { Total: 0.5 } });
    await academy.staff.createCredentialConfiguration({
      credentialConfiguration: {
        credentialTypeId: id,
        learningContextKey: "course-v1:HarbourLight+AST101+2025",
      },
    });
    const { page, faults, leaveQuietly } = await designer(id);
    await onPage(page, "text_elements.name").focus();
    await page.getByRole("button", { name: "Samples: Font" }).click();
    const fonts = page.getByRole("dialog");
    await fonts.locator('canvas[data-drawn="true"]').first().waitFor();
    expect(await faults()).toEqual([]);
    const sample = fonts.getByRole("button", { name: /^In / }).nth(2);
    const font = (await sample.getAttribute("aria-label"))?.replace("In ", "");
    await sample.click();
    await fonts.waitFor({ state: "detached" });
    expect(await page.getByLabel("Font", { exact: true }).inputValue()).toBe(font);

    await page.getByRole("button", { name: "Placeholder", exact: true }).click();
    const content = page.getByLabel("Content", { exact: true });
    const addContent = page.getByRole("button", { name: "Add: Content" });
    await expectMissing(addContent, content, "Select an option for “Content”.");
    await content.selectOption("Grade in final");
    await addContent.click();
    await onPage(page, "text_elements.text_1").waitFor({ state: "attached" });

    await page.locator(`[data-item="places.signatures"]`).click();
    await page.getByRole("button", { name: "Add: Signatories" }).click();
    await page.getByText("A signatory without a name is left out").waitFor();
    await drawn(page);
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(await faults()).toEqual([]);

    await page.evaluate('document.documentElement.style.fontSize = "200%"');
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    await page.evaluate('document.documentElement.style.fontSize = ""');
    await page.setViewportSize({ width: 320, height: 640 });
    // On a small screen, the page, the elements and their properties are stacked. The selection is kept.
    await page.locator('[data-item="places.signatures"][aria-pressed="true"]').waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    expect(await faults()).toEqual([]);
    await openForm(page);
    await page.getByRole("group", { name: "Signatories", exact: true }).waitFor();
    expect(await faults()).toEqual([]);
    await leaveQuietly();
  });

  test("12: thirty steps are undone, kept over a reload, and redone", async () => {
    const { id } = await newType(designs.modern as object as JsonObject);
    const { page, leaveQuietly } = await designer(id);
    await onPage(page, "qr").focus();
    for (let step = 0; step < 30; step++) {
      await page.keyboard.press(step % 2 === 0 ? "ArrowUp" : "Alt+ArrowRight"); // each key press is a separate step
    }
    const field = page.getByLabel("From top (mm)");
    const last = await field.inputValue();
    const undo = page.getByRole("button", { name: "Undo" });
    for (let step = 0; step < 30; step++) {
      await onPage(page, "qr").focus();
      await page.keyboard.press("ControlOrMeta+z");
    }
    expect(await undo.isDisabled()).toBe(true);
    await page.reload();
    await drawn(page);
    for (let step = 0; step < 30; step++) await page.getByRole("button", { name: "Redo" }).click();
    expect(await page.getByRole("button", { name: "Redo" }).getAttribute("aria-disabled")).toBe("true");
    await onPage(page, "qr").click();
    expect(await field.inputValue()).toBe(last);
    await openForm(page); // the form shows the same values
    await page.getByRole("group", { name: "QR code" }).waitFor();
    await page.getByRole("button", { name: "Discard changes" }).click();
    expect(await optionsOf(id)).toEqual(designs.modern);
    await leaveQuietly();
  });

  test.each<[string, string, JsonObject]>([
    [
      "mirrored, on US Letter",
      "text_elements.issuer",
      { language: "ar", page: { size: "LETTER", drawn_for: "A4" } },
    ],
    ["mirrored", "places.signatures", { language: "ar" }],
    ["in a block", "text_elements.to", {}],
    ["on US Letter", "qr", { page: { size: "LETTER", drawn_for: "A4" } }],
  ])("a dragged element stays where it was dropped: %s", async (_, path, own) => {
    const base = designs.modern as object as JsonObject;
    const { id } = await newType({ ...base, signatories: [{ name: "Ada Moreau" }], ...own });
    const { page, leave } = await designer(id);
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

  test("9: the longest of 100,000 names is shown in the strip with its verdict, without a click", async () => {
    const learningContextKey = "course-v1:HarbourLight+BIG1+2027";
    const { knex } = academy.service.app.database;
    await knex("courses").insert({
      course_key: learningContextKey,
      display_name: "A big course",
      assignment_types: ["final"],
      weights: [1],
      observed_at: new Date(),
      is_deleted: false,
    });
    await knex.raw(
      `insert into learners (username, email, full_name, is_active, locale, search_words, observed_at, is_deleted)
       select 'many.' || number, '', case number when 77777 then ? else 'Learner Number ' || number end,
         true, '', '', now(), false from generate_series(1, 100000) number`,
      [LONGEST],
    );
    await knex.raw(
      `insert into enrollments (username, learning_context_key, is_active, observed_at, is_deleted)
       select 'many.' || number, ?, true, now(), false from generate_series(1, 100000) number`,
      [learningContextKey],
    );
    const { id: credentialTypeId } = await newType({
      ...(designs.modern as object),
      required_grades: { Total: 0.5 },
    });
    const { id } = await academy.staff.createCredentialConfiguration({
      credentialConfiguration: { credentialTypeId, learningContextKey },
    });
    const visitor = await openVisitor(academy.browser, academy.service, {
      viewport: { width: 1400, height: 900 },
    });
    await signIn(visitor, academy.service, { username: "dana.nine", roles: ["designer"] });
    const { page } = visitor;
    await page.goto(`${academy.service.httpUrl}/console/configurations/${id}#design`);
    const first = page.locator(".designer-stress li").first();
    await first.locator('canvas[data-drawn="true"]').waitFor();
    console.info(`the strip is there after ${Math.round(await page.evaluate("performance.now()"))} ms`);
    expect(await first.locator("bdi").innerText()).toBe(LONGEST);
    expect(await first.innerText()).toMatch(/Name: (?:shrunk to \d+%|on lines: \d)/);
    expect(await visitor.clicks()).toBe(0);
    await visitor.leave();
  });

  test("a PDF page replaces the paper and shapes of every design, until that is undone", async () => {
    const visitor = await openVisitor(academy.browser, academy.service, {
      viewport: { width: 1400, height: 900 },
    });
    await signIn(visitor, academy.service, { username: "dana.page", roles: ["designer"] });
    const { page } = visitor;
    const made = await PDFDocument.create();
    made.addPage([841.89, 595.28]).drawRectangle({ x: 40, y: 40, width: 200, height: 100 });
    const letterhead = join(mkdtempSync(join(tmpdir(), "letterhead-")), "Letterhead.pdf");
    writeFileSync(letterhead, await made.save());
    for (const [name, options] of Object.entries(designs)) {
      await page.goto(`${academy.service.httpUrl}/console/types/new?design=${name}#design`);
      await drawn(page);
      const shapes = page.locator('.stage-item[data-path^="shapes."]');
      const before = await shapes.count();
      const texts = page.locator('.stage-item[data-kind="text"]');
      const printed = await texts.count();
      await page.getByLabel("Import a file").setInputFiles(letterhead);
      if ("paper" in options) await page.getByText("is the page now.").waitFor();
      await expect.poll(() => shapes.count()).toBe(0);
      await drawn(page);
      expect([name, await page.getByRole("alert").count()]).toEqual([name, 0]);
      // No text is lost.
      expect([name, await texts.count()]).toEqual([name, printed]);
      const undo = page.getByRole("button", { name: "Undo" });
      await undo.click();
      await expect.poll(() => shapes.count()).toBe(before);
      await drawn(page);
      expect([name, await undo.isDisabled()]).toEqual([name, true]); // no further step can be undone
      await page.evaluate("sessionStorage.clear()"); // the next design starts from nothing
    }
    await visitor.leaveQuietly();
  });

  test.each([
    ["en-US", "modern", "LETTER", 279.4 / 215.9],
    ["en-GB", "modern", "", 297 / 210],
    ["es-MX", "portrait", "LETTER", 215.9 / 279.4],
  ])("in a browser of %s, %s begins on the paper that is usual there", async (locale, name, size, ratio) => {
    const visitor = await openVisitor(academy.browser, academy.service, {
      locale,
      chosen: { language: "en" },
      viewport: { width: 1400, height: 900 },
    });
    await signIn(visitor, academy.service, { username: "dana.paper", roles: ["designer"] });
    const { page } = visitor;
    await page.goto(`${academy.service.httpUrl}/console/types/new?design=${name}#design`);
    await drawn(page);
    expect(await page.getByLabel("Paper size").inputValue()).toBe(size);
    const sheet = await page.locator(".stage-page").boundingBox();
    expect((sheet?.width ?? 0) / (sheet?.height ?? 1)).toBeCloseTo(ratio, 1);
    await visitor.leaveQuietly();
  });

  test("pictures dropped together are placed side by side, and nothing is dragged out of sight", async () => {
    const visitor = await openVisitor(academy.browser, academy.service, {
      viewport: { width: 1400, height: 900 },
    });
    await signIn(visitor, academy.service, { username: "dana.files", roles: ["designer"] });
    const { page } = visitor;
    await page.goto(`${academy.service.httpUrl}/console/types/new?design=minimal#design`);
    await drawn(page);
    const { crest } = givenFiles();
    await page.getByLabel("Import a file").setInputFiles([crest, crest]);
    await onPage(page, "images.1").waitFor();
    const [one, other] = [
      await onPage(page, "images.0").boundingBox(),
      await onPage(page, "images.1").boundingBox(),
    ];
    if (!one || !other) throw new Error("the pictures lie nowhere");
    expect(other.x).toBeGreaterThanOrEqual(one.x + one.width);
    await page.locator('[data-item="images.1"]').click();
    await page.mouse.move(other.x + 9, other.y + 9);
    await page.mouse.down();
    await page.mouse.move(other.x + 9, other.y + 890, { steps: 4 });
    await page.mouse.up();
    const [dropped, sheet] = [
      await onPage(page, "images.1").boundingBox(),
      await page.locator(".stage-page").boundingBox(),
    ];
    expect(dropped?.y).toBeLessThan((sheet?.y ?? 0) + (sheet?.height ?? 0));
    await page.getByRole("textbox", { name: "Name", exact: true }).fill(`Made ${crypto.randomUUID()}`);
    await page.getByRole("button", { name: "Create" }).click();
    await page.waitForURL(/\/types\/\d+#design$/); // still on the page of the design
    await drawn(page);
    await visitor.leave();
  });

  test("files are chosen by picture; a large photo is scaled, turned upright and loses its location", async () => {
    const { id } = await newType(designs.diploma as object as JsonObject);
    const { page, noise, faults, leave } = await designer(id);
    const chooser = page.getByRole("dialog");
    const upload = page.getByLabel("Upload a file", { exact: true });
    const stored = async (slug: string) => (await academy.staff.getAsset({ slug })).content;
    const picture = async (type: "image/jpeg" | "image/png", width: number, height: number) => {
      const canvas = createCanvas(width, height);
      const context = canvas.getContext("2d");
      if (type === "image/jpeg") context.fillRect(0, 0, width, height);
      context.fillStyle = "#d02020";
      context.fillRect(0, 0, width / 2, height / 2);
      return type === "image/jpeg" ? canvas.toBuffer(type, 90) : canvas.toBuffer(type);
    };
    await page.locator('[data-item="places.logo"]').click();
    await page.getByRole("button", { name: "Logo Choose a file…" }).click();
    await upload.setInputFiles({
      name: "Campus.jpg",
      mimeType: "image/jpeg",
      buffer: turned(await picture("image/jpeg", 5000, 4000)),
    });
    await chooser.getByText(/Scaled down from .4,000 × 5,000. to .2,806 × 3,508. pixels/).waitFor();
    await chooser.getByText("Details that the camera had stored").waitFor();
    await chooser.getByRole("button", { name: "campus", pressed: true }).locator("img").waitFor();
    expect(await faults()).toEqual([]);
    const campus = Buffer.from(await stored("campus"));
    expect(campus.includes("Exif")).toBe(false);
    const upright = await loadImage(campus);
    expect([upright.width, upright.height]).toEqual([2806, 3508]);
    const context = createCanvas(2806, 3508).getContext("2d");
    context.drawImage(upright, 0, 0);
    expect([...context.getImageData(2700, 100, 1, 1).data.slice(0, 3)]).toEqual([
      expect.closeTo(0xd0, -1),
      expect.closeTo(0x20, -1),
      expect.closeTo(0x20, -1),
    ]); // the red corner at the upper left is at the upper right of the rotated photo

    await upload.setInputFiles({ name: "Campus copy.jpg", mimeType: "image/jpeg", buffer: campus });
    await chooser.getByText("was already uploaded as").waitFor();
    await upload.setInputFiles({ name: "a.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-") });
    await chooser.getByRole("alert").getByText("can’t be used here").waitFor();
    await upload.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
    await chooser.getByRole("alert").getByText("PNG").waitFor(); // with the service's message
    expect((await academy.staff.listAssets({})).assets.filter(({ slug }) => slug.startsWith("a"))).toEqual(
      [],
    );

    // Drops a drawing on the chooser, not on the page behind it. The service would refuse a transparent picture of this
    // size, so the browser scales it down.
    const bytes = [...(await picture("image/png", 3000, 2000))];
    const dropped = await page.evaluateHandle(
      `(() => { const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(${JSON.stringify(bytes)})], "Faculty seal.png", { type: "image/png" }));
        return data; })()`,
    );
    await chooser.locator(".file-drop").dispatchEvent("drop", { dataTransfer: dropped });
    await chooser.getByText(/Scaled down from .3,000 × 2,000./).waitFor();
    const [seal] = (await academy.staff.listAssets({})).assets.filter(({ slug }) =>
      slug.startsWith("faculty"),
    );
    const small = await loadImage(Buffer.from(await stored(seal?.slug ?? "")));
    expect(small.width * small.height).toBeLessThanOrEqual(2_500_000);
    await page.keyboard.press("Escape");
    await chooser.waitFor({ state: "detached" });
    await page
      .locator(":focus")
      .and(page.getByRole("button", { name: `Logo ${seal?.slug}` }))
      .waitFor();
    await drawn(page);
    await save(page);
    expect(await optionsOf(id)).toEqual({ ...designs.diploma, logo: seal?.slug });
    expect(noise).toEqual([]);
    await leave();
  });

  test("10: of two people who design at once, neither loses anything", async () => {
    const { id } = await newType(designs.modern as object as JsonObject);
    const [first, second] = [await designer(id), await designer(id)];
    for (const [visitor, path] of [
      [first, "qr"],
      [second, "places.seal"],
    ] as const) {
      await visitor.page.locator(`[data-item="${path}"]`).click();
      await onPage(visitor.page, path).press("Shift+ArrowUp");
    }
    await save(first.page);
    await second.page.getByRole("button", { name: "Save" }).click();
    await second.page.getByRole("button", { name: "Continue with this version" }).click();
    await save(second.page);
    const { qr, places } = (await optionsOf(id)) as { qr: { y: number }; places: { seal: { y: number } } };
    expect([qr.y, places.seal.y]).toEqual([86.34, 84.36]); // ten millimetres above 58 and 56
    await first.leave();
    await second.leave();
  });

  test("a certificate is designed by pointer alone, and by keys alone, with the same options", async () => {
    const files = givenFiles();
    const stored: JsonObject[] = [];
    let made = 0;
    /** The positions at which the pointer has dropped elements. The keyboard types the same numbers. */
    const places: [string, string][] = [];
    for (const handOf of [pointer, keys]) {
      const { id } = await newType({ required_grades: { Total: 0.1 } });
      made = id;
      const { page, noise, faults, leave } = await designer(id);
      const presses = await countPresses(page);
      const begun = Date.now();
      const { hand, steps } = counted(handOf(page, places));
      const text = async (what: string, down: number, size: string) => {
        await hand.press("Text");
        await hand.type("Text", what);
        await hand.type("Size (points)", size);
        await hand.place(`text_elements.text_${++texts}`, down);
      };
      const title = async (what: string, down: number, size: string) => {
        await hand.press("Placeholder");
        await hand.choose("Content", what);
        await hand.press("Add: Content");
        await hand.choose("Colour", "Accent");
        await hand.type("Size (points)", size);
        await hand.place(`text_elements.text_${++texts}`, down);
      };
      /** Waits until a file field shows the name of a file. */
      const named = (label: string, name: RegExp, at = 0) =>
        page
          .getByRole("button", { name: new RegExp(`^${label} `) })
          .nth(at)
          .getByText(name)
          .waitFor();
      /** Uploads a file in the chooser, which then closes. */
      const choose = async (file: string) => {
        await hand.upload("Upload a file", file);
        await page.getByRole("dialog").waitFor({ state: "detached" });
      };
      let texts = 0;

      await hand.press("Start with an empty page");
      await hand.press("Page");
      await hand.choose("Orientation", "landscape");
      await hand.choose("Language of the document", "English");
      await hand.choose("Second language", "Español");
      await hand.type("English", "Certificate in Marine Studies");
      await hand.type("Español", "Certificado en Estudios Marinos");
      await hand.upload("Import a file", files.font);
      await page.getByText("Uploaded: greywater-roman").waitFor({ state: "attached" });
      await hand.press("Logo");
      await choose(files.crest);
      await onPage(page, "places.logo").waitFor();
      await text("University of Greywater · Universidad de Greywater", -56, "15");
      await title("Title", -38, "36");
      await title("Title in the second language", -26, "20");
      await text("is awarded to · se otorga a", -14, "13");
      await hand.select("text_elements.name");
      await hand.type("Size (points)", "38");
      await hand.move("text_elements.name", 0, 2);
      await text("for completing · por completar", 15, "13");
      await hand.select("text_elements.context");
      await hand.type("Size (points)", "22");
      await hand.select("text_elements.date");
      await hand.append("Text", " · ");
      await hand.choose("Insert a placeholder", "Date of issue in the second language");
      await hand.press("Add: Insert a placeholder");
      await hand.move("text_elements.date", 0, -26);
      await hand.press("Signatures");
      for (const [at, { name, office, picture }] of files.signatories.entries()) {
        const one = `Signatories ${at + 1}`;
        await hand.press("Add: Signatories");
        await hand.type("Name", name, one);
        await hand.type("Title", office, one);
        await hand.press("Image of the signature Choose a file…");
        await choose(picture);
        await named("Image of the signature", /^hand-of-/, at);
      }
      await hand.press("Seal");
      await hand.press("Seal image Choose a file…");
      await choose(files.seal);
      await named("Seal image", /^seal/);
      await hand.press("QR code");
      await hand.press("Rectangle");
      await hand.type("Width (mm)", "277");
      await hand.type("Height (mm)", "190");
      await hand.type("From left (mm)", "10");
      await hand.type("From top (mm)", "10");
      expect(await faults()).toEqual([]);
      await hand.press("Save");
      await page.getByText("Saved.").waitFor();
      const time = Date.now() - begun;
      stored.push(withoutNumbers((await optionsOf(id)) ?? {}));
      console.info(`${handOf.name}: ${steps()} steps, ${await presses()}, ${time} ms`);
      if (pages) await page.screenshot({ path: join(pages, `made-by-${handOf.name}.png`), fullPage: true });
      // A signatory has no name until a name is typed.
      expect(noise.filter((message) => !message.includes("400 (Bad Request)"))).toEqual([]);
      await leave();
    }
    expect(stored[1]).toEqual(nearly(stored[0]));
    expect(stored[0]).toMatchObject({
      paper: "#ffffff",
      page: { orientation: "landscape" },
      language: "en",
      second_language: "es",
      defaults: { font: "greywater-roman" },
      logo: "crest",
      seal: "seal",
      signatories: [{ image: "hand-of-ada" }, { image: "hand-of-ines" }],
    });
    // Nothing that was dragged is lost.
    const { text_elements } = stored[0] as { text_elements: Record<string, { y: number }> };
    expect(text_elements.text_5?.y).toBeLessThan(265);
    const pdf = join(pages ?? mkdtempSync(join(tmpdir(), "nothing-")), "certificate.pdf");
    writeFileSync(pdf, await issuedOf(made));
    if (missing.length > 0) return;
    expect(await say("pdffonts", pdf)).toContain("FrankRuhl");
    const words = await say("pdftotext", "-layout", pdf, "-");
    for (const each of [
      "Certificate in Marine Studies",
      "Certificado en Estudios Marinos",
      "Greywater",
      "Rector",
    ])
      expect(words).toContain(each);
    for (const { name, office } of files.signatories) {
      expect(words).toContain(name);
      expect(words).toContain(office);
    }
  });

  async function issuedOf(credentialTypeId: number): Promise<Buffer> {
    const credentials = academy.service.client(
      CredentialService,
      await tokenOf({ username: "registrar", isStaff: true }),
    );
    const { id } = await academy.staff.createCredentialConfiguration({
      credentialConfiguration: { credentialTypeId, learningContextKey: COURSE },
    });
    const { uuid } = await credentials.issueCredential({ configurationId: id, username: "ana.kovac" });
    await settled(academy.service);
    const { url } = await credentials.getDownloadUrl({ uuid });
    return Buffer.from(await (await fetch(url)).arrayBuffer());
  }

  test.skipIf(missing.length > 0)(
    "8: of 20 random designs, what the page shows is what pdftoppm shows of the issued PDF",
    async () => {
      const client = academy.staff;
      const credentials = academy.service.client(
        CredentialService,
        await tokenOf({ username: "registrar", isStaff: true }),
      );
      const issued: { configuration: number; uuid: string }[] = [];
      for (const options of fc.sample(anyDesign, { numRuns: 20, seed: 8 })) {
        const { id } = await newType({ ...options, required_grades: { Total: 0.1 } });
        const configuration = await client.createCredentialConfiguration({
          credentialConfiguration: { credentialTypeId: id, learningContextKey: COURSE },
        });
        const { uuid } = await credentials.issueCredential({
          configurationId: configuration.id,
          username: "ana.kovac",
        });
        issued.push({ configuration: configuration.id, uuid });
      }
      await settled(academy.service);
      const differences: number[] = [];
      const moved: number[] = [];
      const visitor = await openVisitor(academy.browser, academy.service, {
        viewport: { width: 1400, height: 900 },
        // Programs smooth edges differently. With finer pixels, edges are a smaller share of the picture.
        deviceScaleFactor: 2,
      });
      await signIn(visitor, academy.service, { username: "dana.eight", roles: ["designer"] });
      for (const { configuration, uuid } of issued) {
        const { page } = visitor;
        await page.goto(`${academy.service.httpUrl}/console/configurations/${configuration}#design`);
        await page.locator(".designer").waitFor();
        await drawn(page);
        const seen = await page
          .locator(".stage-page canvas")
          .evaluate((canvas) => (canvas as unknown as { toDataURL(): string }).toDataURL());
        const { url } = await credentials.getDownloadUrl({ uuid });
        const pdf = Buffer.from(await (await fetch(url)).arrayBuffer());
        const { layout, pdf: previewed } = await client.previewCredential({
          source: { case: "configurationId", value: configuration },
          stamp: PreviewStamp.CORNER,
        });
        if (!layout) throw new Error("the design tells no layout");
        // These elements contain the credential's own address, so they are not compared.
        const own = layout.elements.filter(
          ({ option, text }) => option === "qr" || text?.words.includes("/v/"),
        );
        const shown = await loadImage(seen);
        differences.push(await differenceOf(shown, pdf, layout, own));
        moved.push(await differenceOf(await printed(previewed, shown), pdf, layout, own));
      }
      console.info(`mean differences: ${differences.map((each) => (each * 100).toFixed(2)).join(" ")} %`);
      // If the same program draws both, the preview and the issued document are the same.
      expect(Math.max(...moved)).toBeLessThan(0.0005);
      // The remaining difference is how two programs draw edges. On these files, mutool and pdftoppm also differ by up
      // to 1.3 %.
      expect(Math.max(...differences)).toBeLessThan(0.015);
      await visitor.leave();
    },
  );

  /** The same steps with a pointer, and with the keyboard alone. Names are typed in both cases. */
  interface Hand {
    press(name: string): Promise<void>;
    choose(label: string, choice: string): Promise<void>;
    /** @param inside the name of the group that contains the field */
    type(label: string, text: string, inside?: string): Promise<void>;
    append(label: string, text: string): Promise<void>;
    select(path: string): Promise<void>;
    /** Moves an element by millimetres, or to the position at which the pointer dropped it before. */
    move(path: string, x: number, y: number): Promise<void>;
    /** Moves a text that was added in the middle to this number of millimetres below the middle of the page. */
    place(path: string, down: number): Promise<void>;
    upload(label: string, file: string): Promise<void>;
  }

  /** Returns a `Hand` that counts its steps, and a function that returns the count. */
  function counted(hand: Hand): { hand: Hand; steps: () => number } {
    let steps = 0;
    const get = (target: Hand, name: keyof Hand) => {
      steps++;
      return target[name].bind(target);
    };
    return {
      hand: new Proxy(hand, { get: (target, name) => get(target, name as keyof Hand) }),
      steps: () => steps,
    };
  }

  /** Counts key presses and clicks from now on. Typing a text is one key press. */
  async function countPresses(page: Page): Promise<() => Promise<string>> {
    await page.evaluate(`for (const kind of ["pointerdown", "keydown"])
      addEventListener(kind, () => { window[kind + "s"] = (window[kind + "s"] ?? 0) + 1; }, true)`);
    return async () => {
      const [pointer, keys] = await page.evaluate<number[]>(
        "[window.pointerdowns ?? 0, window.keydowns ?? 0]",
      );
      return `${pointer} presses of the pointer, ${keys} of keys`;
    };
  }

  const fileOf = (page: Page, label: string) =>
    page.locator("input[type=file]").and(page.getByLabel(label, { exact: true }));
  const within = (page: Page, inside: string | undefined) =>
    inside === undefined ? page : page.getByRole("group", { name: inside, exact: true });

  function pointer(page: Page, places: [string, string][]): Hand {
    return {
      press: (name) => page.getByRole("button", { name, exact: true }).first().click(),
      async choose(label, choice) {
        await page.getByLabel(label, { exact: true }).selectOption(choice);
      },
      async type(name, text, inside) {
        await within(page, inside).getByRole("textbox", { name, exact: true }).first().fill(text);
        await page.locator(".designer-properties h2").click(); // a number is applied when the field loses focus
      },
      async append(name, text) {
        await page.getByRole("textbox", { name, exact: true }).click();
        await page.keyboard.press("ControlOrMeta+End");
        await page.keyboard.insertText(text);
      },
      select: (path) => page.locator(`[data-item="${path}"]`).click(),
      async move(path, across, down) {
        const box = await onPage(page, path).boundingBox();
        if (!box) throw new Error(`${path} lies nowhere`);
        const mm = ((await scaleOf(page)) * 72) / 25.4;
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x + across * mm, y + down * mm, { steps: 5 });
        await page.mouse.up();
        const fields = page.locator(".designer-properties .field-measure input");
        places.push([await fields.nth(0).inputValue(), await fields.nth(1).inputValue()]);
      },
      async place(path, down) {
        await onPage(page, path).waitFor();
        const fields = page.locator(".designer-properties .field-measure input");
        const [x, y] = [Number(await fields.nth(0).inputValue()), Number(await fields.nth(1).inputValue())];
        await this.move(path, 148.5 - x, 105 + down - y);
      },
      async upload(label, file) {
        const chooser = page.waitForEvent("filechooser");
        await fileOf(page, label).locator("xpath=..").click();
        await (await chooser).setFiles(file);
      },
    };
  }

  function keys(page: Page, places: [string, string][]): Hand {
    const { keyboard } = page;
    /**
     * Moves the focus to an element. Uses arrow keys within the toolbar, Enter from the page to the properties, Escape
     * from the properties back to the page, and Tab everywhere else.
     */
    async function tabTo(selector: string) {
      const way = `(() => {
        const wanted = document.querySelector(${JSON.stringify(selector)});
        const focused = document.activeElement;
        if (!wanted || wanted === focused) return wanted ? "there" : "nowhere";
        if (focused.matches(".stage-item") && wanted.closest(".designer-properties")) return "Enter";
        const isAfter = focused.compareDocumentPosition(wanted) & 4;
        const bar = focused.closest("[role=toolbar]");
        if (bar?.contains(wanted)) return isAfter ? "ArrowRight" : "ArrowLeft";
        const leaves = focused.closest(".designer-properties") && wanted.closest(".designer-bar, .stage");
        if (leaves && document.querySelector('.stage-item[aria-pressed="true"]')) return "Escape";
        return isAfter ? "Tab" : "Shift+Tab";
      })()`;
      for (let tries = 0; tries < 150; tries++) {
        const next = await page.evaluate<string>(way);
        if (next === "there") return;
        if (next === "nowhere") break;
        await keyboard.press(next);
      }
      throw new Error(`Tab does not lead to ${selector}`);
    }
    const tabToNamed = (role: "button" | "combobox" | "textbox", name: string, inside?: string) =>
      tabToThis(within(page, inside).getByRole(role, { name, exact: true }).first());
    async function tabToThis(wanted: Locator) {
      await wanted.evaluate((element) => element.setAttribute("data-wanted", "yes"));
      await tabTo("[data-wanted]");
      await wanted.evaluate((element) => element.removeAttribute("data-wanted"));
    }
    return {
      async press(name) {
        await tabToNamed("button", name);
        await keyboard.press("Enter");
      },
      async choose(label, choice) {
        await tabToNamed("combobox", label);
        // Typing selects a choice; Enter would open the list. Only ASCII is typed, because Playwright has no keys for
        // other letters, and Chromium would insert them into selected text.
        await keyboard.type(/^[ -~]*/.exec(choice)?.[0] ?? "");
      },
      async type(label, text, inside) {
        await tabToNamed("textbox", label, inside);
        await keyboard.press("ControlOrMeta+a");
        await keyboard.insertText(text);
        await keyboard.press("Tab");
      },
      async append(label, text) {
        await tabToNamed("textbox", label);
        await keyboard.press("ControlOrMeta+End");
        await keyboard.insertText(text);
      },
      async select(path) {
        await tabTo('[data-item][tabindex="0"]');
        await keyboard.press("ArrowDown");
        for (let tries = 0; tries < 40; tries++) {
          if ((await page.locator(":focus").getAttribute("data-item")) === path) return;
          await keyboard.press("ArrowDown");
        }
        throw new Error(`arrow keys do not lead to ${path}`);
      },
      async move(path) {
        await this.select(path);
        await keyboard.press("Enter"); // moves the focus to the page
        await page.locator(`:focus[data-path="${path}"]`).waitFor();
        await keyboard.press("ArrowDown");
        await keyboard.press("Enter"); // moves the focus to the properties
        for (const place of places.shift() ?? []) {
          await keyboard.press("ControlOrMeta+a");
          await keyboard.type(place);
          await keyboard.press("Tab");
        }
      },
      place(path) {
        return this.move(path, 0, 0);
      },
      async upload(label, file) {
        const chooser = page.waitForEvent("filechooser");
        // Moving the focus also gives the browser time to process that the test waits for a file chooser.
        await tabToThis(fileOf(page, label));
        await keyboard.press("Enter");
        await (await chooser).setFiles(file);
      },
    };
  }
});

const COURSE = "course-v1:HarbourLight+AST101+2025";
const LONGEST =
  "Maria Francisca Isabel Josefa Antónia Gertrudes Rita Joana de Bragança e Bourbon-Duas Sicílias";

/** Dark enough for a QR code. */
const dark = fc
  .array(fc.integer({ min: 0, max: 0x70 }), { minLength: 3, maxLength: 3 })
  .map((parts) => `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`);
const { engraved: _, ...placed } = designs;

/** Designs to start from, with changed colours, moved elements and additions. */
const anyDesign: fc.Arbitrary<JsonObject> = fc
  .record({
    base: fc.constantFrom(...Object.values(placed)),
    accent_color: dark,
    size: fc.constantFrom("A4", "LETTER"),
    language: fc.constantFrom(...languageTags),
    font: fc.constantFrom("EB Garamond", "Source Sans SemiBold", "Source Sans Light"),
    x: fc.integer({ min: 60, max: 500 }),
    y: fc.integer({ min: 60, max: 500 }),
    align: fc.constantFrom("left", "center", "right"),
    kind: fc.constantFrom("line", "rectangle", "ellipse"),
  })
  .map(({ base, accent_color, size, language, font, x, y, align, kind }) => {
    const options = base as object as { text_elements: JsonObject; page?: JsonObject; shapes?: JsonObject[] };
    return {
      ...options,
      accent_color,
      language,
      facts: ["grade"], // the same for the learner as for the sample in a preview
      page: { ...options.page, size },
      text_elements: {
        ...options.text_elements,
        own: { text: "Per mare ad astra", font, x, y, align, size: 18 },
      },
      shapes: [...(options.shapes ?? []), { kind, x, y, width: 90, height: 40, color: "accent" }],
    } as JsonObject;
  });

type Image = Awaited<ReturnType<typeof loadImage>>;

/** Draws a PDF with pdftoppm, at the size of another picture. */
async function printed(pdf: Uint8Array, { width, height }: Image): Promise<Image> {
  const size = ["-scale-to-x", `${width}`, "-scale-to-y", `${height}`];
  const file = join(mkdtempSync(join(tmpdir(), "story-8-")), "page.pdf");
  writeFileSync(file, pdf);
  return loadImage(await sayBytes("pdftoppm", "-png", "-singlefile", ...size, file));
}

/**
 * Returns the mean difference of two pictures of a page, as a share. Excludes these boxes and the corner with the mark.
 */
async function differenceOf(
  shown: Image,
  pdf: Uint8Array,
  layout: PreviewLayout,
  own: readonly PreviewElement[],
): Promise<number> {
  const { width, height } = shown;
  const scale = width / layout.pageWidth;
  const hidden = [
    ...own.map(({ x, y, width, height }) => ({ x, y: layout.pageHeight - y - height, width, height })),
    { x: layout.pageWidth - 110, y: 0, width: 110, height: 30 },
  ];
  const pixelsOf = (image: Image) => {
    const context = createCanvas(width, height).getContext("2d");
    context.drawImage(image, 0, 0, width, height);
    context.fillStyle = "#fff";
    for (const box of hidden)
      context.fillRect(box.x * scale - 4, box.y * scale - 4, box.width * scale + 8, box.height * scale + 8);
    return context.getImageData(0, 0, width, height).data;
  };
  const [one, other] = [pixelsOf(shown), pixelsOf(await printed(pdf, shown))];
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += Math.abs((one[index] ?? 0) - (other[index] ?? 0));
  return sum / ((one.length / 4) * 3 * 255);
}

/** Returns a JPEG with the Exif data of a camera that was held upright. */
function turned(jpeg: Buffer): Buffer {
  const entry = [0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0];
  const exif = Buffer.from([...Buffer.from("Exif\0\0II*\0"), 8, 0, 0, 0, 1, 0, ...entry, 0, 0, 0, 0]);
  const header = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), header, exif, jpeg.subarray(2)]);
}

/** Creates files of a fictional university on the disk, like those of a designer. */
function givenFiles() {
  const folder = mkdtempSync(join(tmpdir(), "greywater-"));
  const drawn = (name: string, box: string, drawing: string) => {
    const file = join(folder, `${name}.svg`);
    writeFileSync(file, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${drawing}</svg>`);
    return file;
  };
  const font = join(folder, "Greywater Roman.ttf");
  copyFileSync(
    "node_modules/@expo-google-fonts/frank-ruhl-libre/500Medium/FrankRuhlLibre_500Medium.ttf",
    font,
  );
  const ink = (path: string) =>
    `<path d="${path}" fill="none" stroke="#1b2a4a" stroke-width="3" stroke-linecap="round"/>`;
  const rays = Array.from(
    { length: 24 },
    (_, at) => `<path d="M50 5v9" transform="rotate(${at * 15} 50 50)"/>`,
  );
  const waves =
    "M25 52q6 -7 12.500 0t12.500 0t12.500 0t12.500 0M25 61q6 -7 12.500 0t12.500 0t12.500 0t12.500 0";
  return {
    font,
    crest: drawn(
      "crest",
      "0 0 100 112",
      `<path d="M8 6h84v52q0 34-42 50q-42-16-42-50z" fill="#1f4a5f"/>
      <path d="M14 12h72v45q0 29-36 44q-36-15-36-44z" fill="none" stroke="#fff" stroke-width="1.500"/>
      <path d="M50 22l4 12h12l-10 7 4 12-10-7-10 7 4-12-10-7h12z" fill="#fff"/>
      <path d="M24 68q6.500-7 13 0t13 0 13 0 13 0M28 78q5.500-6 11 0t11 0 11 0 11 0" fill="none" stroke="#fff" stroke-width="2.500"/>`,
    ),
    seal: drawn(
      "seal",
      "0 0 100 100",
      `<g fill="none" stroke="#1f4a5f"><circle cx="50" cy="50" r="47" stroke-width="1.500"/>
      <circle cx="50" cy="50" r="33"/><g stroke-width="1.200">${rays.join("")}</g>
      <path d="${waves}" stroke-width="2"/></g><path d="M50 24l3 9h9l-7 5 3 9-8-5-8 5 3-9-7-5h9z" fill="#1f4a5f"/>`,
    ),
    signatories: [
      {
        name: "Prof. Dr. Ada Moreau",
        office: "Rector · Rectora",
        picture: drawn(
          "hand-of-ada",
          "0 0 200 60",
          ink(
            "M10 48C30 40 42 4 48 6s-14 44-4 42 18-26 24-24-8 22 0 22 14-20 20-18-4 18 4 18 14-36 20-38 0 38 8 36 20-16 26-14 8 10 44 2",
          ),
        ),
      },
      {
        name: "Dr. Inés Calderón",
        office: "Dean of Studies · Decana",
        picture: drawn(
          "hand-of-ines",
          "0 0 200 60",
          ink(
            "M14 10c16-4 30-4 40-2M34 10c-4 14-10 26-14 40 10 0 20-4 26-12M60 46c2-10 6-16 12-18 2 8-2 16 4 16s10-20 18-18-4 18 6 16 18-34 22-32-16 36-4 34 22-14 60-12",
          ),
        ),
      },
    ],
  };
}

/**
 * Matches equal options. Numbers may differ by less than 0.05 points, because the form, from which the keyboard copies,
 * rounds them.
 */
function nearly(options: JsonObject | undefined): unknown {
  return JSON.parse(JSON.stringify(options), (_, value) =>
    typeof value === "number" ? expect.closeTo(value, 1) : value,
  );
}

function withoutNumbers(options: JsonObject): JsonObject {
  return JSON.parse(
    JSON.stringify(options).replace(/"(greywater-roman|crest|seal|hand-of-[a-z]+)-\d+"/g, '"$1"'),
  );
}
