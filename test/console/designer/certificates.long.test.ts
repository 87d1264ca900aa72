import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@bufbuild/protobuf";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { designs } from "#formats/rendering/designs/list.js";
import { languageTags } from "#foundation/languages/list.js";
import {
  type PreviewElement,
  type PreviewLayout,
  PreviewStamp,
} from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { findChromium } from "../../edges/pages/chromium.js";
import { bytesOf, missingTools, outputOf } from "../../rendering/pdf-tools.js";
import { givenDirectory, newDirectory } from "../../support/directory.js";
import { tokenOf } from "../../support/service.js";
import { settled } from "../given-console.js";
import { openVisitor, signIn } from "../visitor.js";
import { drawn, givenDesigner, onPage, viewport } from "./given-designer.js";
import { counted, countPresses, keys, pointer } from "./hands.js";
import { universityFiles } from "./university-files.js";

const executable = findChromium();
const missing = await missingTools("pdftoppm", "pdftotext", "pdffonts");
/** With `DESIGNER_PAGES=<directory>`, stores the certificates that are designed from nothing, for visual review. */
const pages = process.env.DESIGNER_PAGES;
const COURSE = "course-v1:HarbourLight+AST101+2025";

describe.skipIf(executable === undefined)("a certificate from the designer", () => {
  const { academy, newType, optionsOf, openDesigner } = givenDesigner(executable);
  const directory = givenDirectory("designer-certificates");

  test("designing a certificate with the pointer alone or the keyboard alone gives the same options", async () => {
    const files = universityFiles(directory);
    const stored: JsonObject[] = [];
    let made = 0;
    /** The positions at which the pointer has dropped elements. The keyboard types the same numbers. */
    const places: [string, string][] = [];
    for (const handOf of [pointer, keys]) {
      const { id } = await newType({ required_grades: { Total: 0.1 } });
      made = id;
      const { page, noise, faults, leave } = await openDesigner(id);
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
    const pdf = join(pages ?? directory, "certificate.pdf");
    writeFileSync(pdf, await issuedOf(made));
    if (missing.length > 0) return;
    expect(await outputOf("pdffonts", pdf)).toContain("FrankRuhl");
    const words = await outputOf("pdftotext", "-layout", pdf, "-");
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

  test.skipIf(missing.length > 0)(
    "for 20 random designs, the designer shows the same page as the issued PDF",
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
        viewport,
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
});

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
        ...("trainer" in options.text_elements && { place: false, trainer: false }), // known only in previews
        own: { text: "Per mare ad astra", font, x, y, align, size: 18 },
      },
      shapes: [...(options.shapes ?? []), { kind, x, y, width: 90, height: 40, color: "accent" }],
    } as JsonObject;
  });

type Image = Awaited<ReturnType<typeof loadImage>>;

/** Draws a PDF with pdftoppm, at the size of another picture. */
async function printed(pdf: Uint8Array, { width, height }: Image): Promise<Image> {
  const size = ["-scale-to-x", `${width}`, "-scale-to-y", `${height}`];
  const file = join(newDirectory("printed"), "page.pdf");
  writeFileSync(file, pdf);
  return loadImage(await bytesOf("pdftoppm", "-png", "-singlefile", ...size, file));
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
