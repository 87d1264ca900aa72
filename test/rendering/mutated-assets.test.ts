import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inspectContent } from "#domain/assets/inspection/inspect-content.js";
import { createRenderer, type Renderer } from "#formats/rendering/engine/renderer.js";
import { Problem } from "#foundation/errors.js";
import { armenian, triangle, trueType } from "../assets/inspection/make-font.js";
import { tinyJpeg } from "../assets/inspection/make-jpeg.js";
import { flate, onePage, pdfkitTemplate, stream } from "../assets/inspection/make-pdf.js";
import { chunk, header, plainPng, png } from "../assets/inspection/make-png.js";
import { FONT_SEED, mutated, quietly } from "../assets/inspection/mutate.js";
import { ada } from "./ada.js";

quietly();

const GENERATOR = "learning_credentials.generators.generate_pdf_credential";
/** A factor for the number of cases: `FUZZ_RUNS=50` runs fifty times as many. A failure prints its seed. */
const MORE = Number(process.env.FUZZ_RUNS ?? 1);

let renderer: Renderer;
beforeAll(() => {
  renderer = createRenderer({ threads: 1 });
});
afterAll(() => renderer.close());

const objects = stream("/Type /ObjStm /N 2 /First 10", Buffer.from("20 0 21 3 12 << /A 20 0 R >>"));
const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><defs><linearGradient id="b"><stop offset="0" stop-color="#fff"/>' +
    '</linearGradient></defs><g id="a" style="fill:red" transform="rotate(4 5 6)"><path d="M0 0h9z" fill="#b80"/></g>' +
    '<circle r="1"/><rect width="5" height="5" opacity=".5"/></svg>',
);

const page = onePage({
  catalog: "/OCProperties << /D << >> /OCGs [] >> /Lang (en)",
  page:
    "/Rotate 90 /CropBox [0 0 800 500] /UserUnit 1 /Group << /S /Transparency >> /Resources << /XObject << /A 5 0 R >> >>" +
    " /Annots [<< /Subtype /Link /Rect [0 0 9 9] /Border [0 0 0] /A << /S /URI /URI (https://example.org) >> >>]",
  more: [objects, flate("q Q")],
});

/** Replaces one or two values of the file. The result is still a PDF, but some of its parts are wrong. */
function exchanged(file: Buffer): fc.Arbitrary<Buffer> {
  const tokens = file.toString("latin1").split(/(?<=[\s[\]<>()/])|(?=[\s[\]<>()/])/);
  const value = fc.constantFrom(
    ..."/No /Page /JavaScript 7 -1 0 1e9 99999999999999999999 0.0000001 nan null true (x) <41>".split(" "),
    ...["[]", "[1 2 3]", "<<>>", "<< /A 1 >>", "5 0 R", "3 0 R", "4 0 R", "99 0 R", "R", "<<", "]", ""],
  );
  const exchange = fc.tuple(fc.noBias(fc.nat(tokens.length - 1)), fc.integer({ min: 1, max: 3 }), value);
  return fc.array(exchange, { minLength: 1, maxLength: 2 }).map((exchanges) => {
    const changed: string[] = [...tokens];
    for (const [at, count, put] of exchanges) changed.splice(at, count, ` ${put} `);
    return Buffer.from(changed.join(""), "latin1");
  });
}

/** Mutates the pixels of a PNG. The checksums are correct, because the inspection accepts no other PNG. */
function pixelsMutated(): fc.Arbitrary<Buffer> {
  const pixels = Buffer.alloc(10 * (1 + 4 * 20));
  return mutated(pixels).map((changed) => png(header({ colorType: 6 }), chunk("IDAT", deflateSync(changed))));
}

const printed: [
  name: string,
  original: Buffer,
  change: (original: Buffer) => fc.Arbitrary<Buffer>,
  options: Record<string, unknown>,
  runs: number,
][] = [
  ["a PDF of pdfkit with a few bytes changed", await pdfkitTemplate(), mutated, { template: "it" }, 15],
  ["a small PDF with a few bytes changed", page, mutated, { template: "it" }, 60],
  ["a small PDF with values exchanged", page, exchanged, { template: "it" }, 60],
  [
    "a PNG with a few pixels changed",
    plainPng({ colorType: 6 }),
    pixelsMutated,
    { images: [{ asset: "it", x: 0, y: 0 }] },
    20,
  ],
  ["a JPEG with a few bytes changed", tinyJpeg, mutated, { template: "it" }, 60],
  ["an SVG with a few bytes changed", svg, mutated, { template: "it" }, 60],
  ["a font with a few bytes changed", armenian, mutated, { defaults: { font: "it" } }, 40],
  [
    "a small font with a few bytes changed",
    trueType([Buffer.alloc(0), triangle, triangle]),
    mutated,
    { text_elements: { x: { text: "AB", y: 5, font: "it" } } },
    60,
  ],
];

describe("an asset that passes inspection is soon printed, or refused with a reason:", () => {
  test.each(printed)("%s", { timeout: 60_000 * MORE }, async (name, original, change, options, runs) => {
    await fc.assert(
      fc.asyncProperty(change(original), async (bytes) => {
        const kind = await inspectContent(bytes).catch(() => undefined);
        if (kind === undefined) return;
        const sha256 = createHash("sha256").update(bytes).digest("hex");
        const outcome = await renderer
          .render(GENERATOR, ada, options, new Map([["it", { kind, bytes, sha256 }]]))
          .catch((error: unknown) => error);
        if (outcome instanceof Uint8Array) {
          expect(Buffer.from(outcome.subarray(0, 5)).toString()).toBe("%PDF-");
          return;
        }
        expect(outcome).toBeInstanceOf(Problem);
        expect((outcome as Problem).kind).toMatch(/^(invalid|failed-precondition)$/);
      }),
      { numRuns: runs * MORE, examples: [[original]], ...(name.includes("font") ? { seed: FONT_SEED } : {}) },
    );
  });
});

test("a font without a name is printed", async () => {
  const bytes = trueType([Buffer.alloc(0), triangle, triangle], { name: Buffer.from([0, 0, 0, 0, 0, 6]) });
  expect(await inspectContent(bytes)).toBe("font");
  const options = { text_elements: { initials: { text: "AB", y: 5, font: "it" } } };
  const pdf = await renderer.render(
    GENERATOR,
    ada,
    options,
    new Map([["it", { kind: "font", bytes, sha256: "" }]]),
  );
  expect(Buffer.from(pdf).toString("latin1")).toMatch(/\/BaseFont \/[A-Z]{6}\+Font\b/);
});
