import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { describe, expect, test } from "vitest";
import { unbakePdf } from "#formats/badges/unbake-pdf.js";
import { pdfCredentialGenerator } from "#formats/rendering/design/pdf-credential.js";
import type { LoadedAsset } from "#formats/rendering/generator.js";
import { givenDirectory } from "../support/directory.js";
import { ada } from "./ada.js";
import { missingTools, outputOf } from "./pdf-tools.js";
import { pdfTemplate, picture, svgTemplate } from "./templates.js";

const badge = JSON.stringify({
  type: ["VerifiableCredential", "OpenBadgeCredential"],
  name: "Ada endstream Lovelace",
});

const print = (options = {}) => pdfCredentialGenerator.render({ ...ada, badge }, options);
const onPage = (page: LoadedAsset) =>
  pdfCredentialGenerator.render({ ...ada, badge }, { template: "page" }, new Map([["page", page]]));

const designs = {
  "the built-in design": () => print(),
  "a PDF template": async () => onPage(await pdfTemplate()),
  "an SVG template": () => onPage(svgTemplate),
  "a picture as template": () => onPage(picture("png")),
};

describe.each(Object.entries(designs))("a badge in %s", (_name, render) => {
  test("is found by pdf.js, and by this service", async () => {
    const bytes = await render();
    const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
    const attachments = await document.getAttachments();
    await document.destroy();
    expect(Object.keys(attachments)).toEqual(["credential.json"]);
    expect(Buffer.from(attachments["credential.json"].content).toString()).toBe(badge);
    expect(unbakePdf(bytes)).toBe(badge);
  });

  test("is an associated file as PDF/A-3 defines it, and the same each time", async () => {
    const bytes = Buffer.from(await render());
    const source = bytes.toString("latin1");
    expect(source).toMatch(/\/AF \[\d+ 0 R\]/);
    expect(source).toContain("/AFRelationship /Alternative");
    expect(source).toContain("/Subtype /application#2Fvc");
    expect(source).toContain("/Params <</ModDate ");
    expect(Buffer.from(await render()).equals(bytes)).toBe(true);
  });
});

test("a document without a badge has the same bytes as before badges existed", async () => {
  const [without, with_] = [
    await pdfCredentialGenerator.render(ada, {}),
    await pdfCredentialGenerator.render({ ...ada, badge }, {}),
  ];
  expect(unbakePdf(without)).toBeUndefined();
  expect(Buffer.from(without).toString("latin1")).not.toMatch(/\/AF |\/EmbeddedFile/);
  expect(with_.length - without.length).toBeLessThan(badge.length + 1000);
});

test("several different badges are refused", async () => {
  const other = badge.replace("Ada", "Eve");
  const [one, two] = await Promise.all(
    [badge, other].map((each) => pdfCredentialGenerator.render({ ...ada, badge: each }, {})),
  );
  const both = Buffer.concat([one as Uint8Array, two as Uint8Array]);
  expect(() => unbakePdf(both)).toThrow("several different badges");
  expect(unbakePdf(Buffer.concat([one as Uint8Array, one as Uint8Array]))).toBe(badge);
});

test.each([
  "",
  "%PDF-1.7",
  "/EmbeddedFile",
  "1 0 obj <</Type /EmbeddedFile>> stream\n{}",
  "stream /EmbeddedFile endstream",
])("there is no badge in %j", (text) => expect(unbakePdf(Buffer.from(text))).toBeUndefined());

const missing = await missingTools("qpdf", "pdfdetach", "pdfinfo");

describe.skipIf(missing.length > 0)("according to qpdf and poppler", () => {
  const directory = givenDirectory("attachment");
  const file = join(directory, "credential.pdf");
  const detached = join(directory, "credential.json");

  const encrypted = () => print({ encrypt: true });
  test.each(Object.entries({ ...designs, "an encrypted document": encrypted }))(
    "%s",
    async (_name, render) => {
      writeFileSync(file, await render());
      expect(await outputOf("qpdf", "--check", file)).toContain("No syntax or stream encoding errors found");
      expect(await outputOf("pdfdetach", "-list", file)).toContain("credential.json");
      await outputOf("pdfdetach", "-save", "1", "-o", detached, file);
      expect(readFileSync(detached, "utf8")).toBe(badge);
      expect(await outputOf("qpdf", "--list-attachments", "--verbose", file)).toMatch(
        /description: Open Badge 3.0/,
      );
    },
  );

  test("the built-in design still claims PDF/A-3b", async () => {
    writeFileSync(file, await designs["the built-in design"]());
    expect(await outputOf("pdfinfo", "-meta", file)).toContain("<pdfaid:part>3</pdfaid:part>");
  });

  test("it is found after qpdf has rewritten the document, compressed or not", async () => {
    writeFileSync(file, await designs["the built-in design"]());
    const other = join(directory, "other.pdf");
    for (const options of [
      ["--compress-streams=y"],
      ["--qdf"],
      ["--object-streams=generate", "--linearize"],
    ]) {
      await outputOf("qpdf", ...options, file, other);
      expect(unbakePdf(readFileSync(other)), options.join()).toBe(badge);
    }
  });

  test("for an encrypted document, the error says how to extract it", async () => {
    expect(() => unbakePdf(Buffer.alloc(0))).not.toThrow();
    const bytes = await print({ encrypt: true });
    expect(() => unbakePdf(bytes)).toThrow("pdfdetach");
  });
});
