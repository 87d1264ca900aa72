import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@bufbuild/protobuf";
import { PDFDocument } from "@cantoo/pdf-lib";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { describe, expect, test } from "vitest";
import { designs } from "#formats/rendering/designs/list.js";
import { assetParts } from "../../assets/asset-parts.js";
import { findChromium } from "../../edges/pages/chromium.js";
import { bytesOf, missingTools, outputOf } from "../../rendering/pdf-tools.js";
import { givenDirectory } from "../../support/directory.js";
import { openVisitor, signIn, storePicture } from "../visitor.js";
import { drawn, givenDesigner, onPage, save, viewport } from "./given-designer.js";
import { universityFiles } from "./university-files.js";

const executable = findChromium();
const missing = await missingTools("pdftoppm", "pdftotext");

describe.skipIf(executable === undefined)("files in the designer", () => {
  const { academy, newType, optionsOf, openDesigner } = givenDesigner(executable);
  const directory = givenDirectory("designer-files");

  test("a sample with unsaved changes is downloaded as PDF, marked as a preview", async () => {
    const { id } = await newType(designs.modern as object as JsonObject);
    const { page, leaveQuietly } = await openDesigner(id);
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Diploma: a/b");
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download sample PDF" }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe("Diploma a b.pdf");
    const file = join(directory, "sample.pdf");
    await download.saveAs(file);
    if (missing.length === 0) {
      const words = await outputOf("pdftotext", "-layout", file, "-");
      expect(words).toContain("Diploma: a/b");
      // The stamp consists of outlines in translucent red, on a page that is blue and white.
      const picture = await loadImage(await bytesOf("pdftoppm", "-png", "-singlefile", "-r", "50", file));
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

  test("an imported PDF page replaces the paper and shapes of every design, and that can be undone", async () => {
    const visitor = await openVisitor(academy.browser, academy.service, {
      viewport,
    });
    await signIn(visitor, academy.service, { username: "dana.page", roles: ["designer"] });
    const { page } = visitor;
    const made = await PDFDocument.create();
    made.addPage([841.89, 595.28]).drawRectangle({ x: 40, y: 40, width: 200, height: 100 });
    const letterhead = join(directory, "Letterhead.pdf");
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
  ])(
    "in a browser set to %s, the design %s starts with the usual paper size",
    async (locale, name, size, ratio) => {
      const visitor = await openVisitor(academy.browser, academy.service, {
        locale,
        chosen: { language: "en" },
        viewport,
      });
      await signIn(visitor, academy.service, { username: "dana.paper", roles: ["designer"] });
      const { page } = visitor;
      await page.goto(`${academy.service.httpUrl}/console/types/new?design=${name}#design`);
      await drawn(page);
      expect(await page.getByLabel("Paper size", { exact: true }).inputValue()).toBe(size);
      const sheet = await page.locator(".stage-page").boundingBox();
      expect((sheet?.width ?? 0) / (sheet?.height ?? 1)).toBeCloseTo(ratio, 1);
      await visitor.leaveQuietly();
    },
  );

  test("a design with a place for a photograph shows the picture that is chosen for it", async () => {
    const { id } = await newType(designs.photograph as object as JsonObject);
    const { page, noise, faults, leave } = await openDesigner(id);
    const [place] = designs.photograph.images;
    const canvas = createCanvas(400, 300);
    canvas.getContext("2d").fillRect(0, 0, 400, 300);
    const campus = { name: "Quayside.jpg", mimeType: "image/jpeg", buffer: canvas.toBuffer("image/jpeg") };
    await page.locator('[data-item="images.0"]').click();
    await page.getByRole("button", { name: "File Choose a file…" }).click();
    await page.getByLabel("Upload a file", { exact: true }).setInputFiles(campus);
    await page.getByRole("button", { name: "File quayside" }).waitFor();
    await drawn(page);
    expect(await faults()).toEqual([]);
    await storePicture(page, "photograph");
    await save(page);
    expect(await optionsOf(id)).toEqual({
      ...designs.photograph,
      images: [{ ...place, asset: "quayside" }],
    });
    expect(noise).toEqual([]);
    await leave();
  });

  test("pictures that are imported together are placed side by side, and can't be dragged off the page", async () => {
    const visitor = await openVisitor(academy.browser, academy.service, {
      viewport,
    });
    await signIn(visitor, academy.service, { username: "dana.files", roles: ["designer"] });
    const { page } = visitor;
    await page.goto(`${academy.service.httpUrl}/console/types/new?design=minimal#design`);
    await drawn(page);
    const { crest } = universityFiles(directory);
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

  test("a file that was already uploaded is not stored again over plain HTTP, where browsers offer no hashes", async () => {
    const buffer = createCanvas(8, 8).toBuffer("image/png");
    await academy.staff.uploadAsset(assetParts("crown", buffer));
    const { id } = await newType(designs.diploma as object as JsonObject);
    const { page, leave } = await openDesigner(id);
    // As if the page weren't on 127.0.0.1, which browsers trust without TLS.
    await page.evaluate(`Object.defineProperty(self, "isSecureContext", { value: false });
      Object.defineProperty(crypto, "subtle", { value: undefined });`);
    await page.locator('[data-item="places.logo"]').click();
    await page.getByRole("button", { name: "Logo Choose a file…" }).click();
    await page
      .getByLabel("Upload a file", { exact: true })
      .setInputFiles({ name: "Crown copy.png", mimeType: "image/png", buffer });
    await page.getByRole("dialog").getByText("was already uploaded as").waitFor({ timeout: 30_000 });
    const { assets } = await academy.staff.listAssets({});
    expect(assets.map(({ slug }) => slug).filter((slug) => slug.startsWith("crown"))).toEqual(["crown"]);
    await leave();
  });

  test("files are selected by picture, and a large photo is scaled down, rotated and stripped of its location", async () => {
    const { id } = await newType(designs.diploma as object as JsonObject);
    const { page, noise, faults, leave } = await openDesigner(id);
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
    const properties = page.getByRole("region", { name: "Properties" });
    const missing = properties.getByText("This design shows a logo, but there is none.");
    await missing.getByRole("link", { name: "Branding" }).waitFor();
    await storePicture(page, "missing-logo");
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
    await chooser.getByRole("alert").getByText("TrueType").waitFor(); // with the service’s message
    const buffer = Buffer.alloc(21 * 1024 * 1024);
    await upload.setInputFiles({ name: "a.png", mimeType: "image/png", buffer });
    await chooser.getByRole("alert").getByText("must be 1 to 20971520 bytes").waitFor();
    expect((await academy.staff.listAssets({})).assets.filter(({ slug }) => slug.startsWith("a"))).toEqual(
      [],
    );

    // Someone else has uploaded a file with the same name since the page read the list.
    const banner = await academy.staff.uploadAsset(assetParts("banner", campus));
    const other = await picture("image/png", 90, 60);
    await upload.setInputFiles({ name: "Banner.png", mimeType: "image/png", buffer: other });
    await chooser.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Logo banner-2" }).locator("img").waitFor();
    expect(await academy.staff.getAsset({ slug: "banner" })).toMatchObject({
      asset: { sha256: banner.sha256 },
    });

    await page.getByRole("button", { name: "Logo banner-2" }).click();
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
});

/** Returns a JPEG with the Exif data of a camera that was held upright. */
function turned(jpeg: Buffer): Buffer {
  const entry = [0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0];
  const exif = Buffer.from([...Buffer.from("Exif\0\0II*\0"), 8, 0, 0, 0, 1, 0, ...entry, 0, 0, 0, 0]);
  const header = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), header, exif, jpeg.subarray(2)]);
}
