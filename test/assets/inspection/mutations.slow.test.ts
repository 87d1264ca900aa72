import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inspectContent } from "#domain/assets/inspection/inspect-content.js";
import { Problem } from "#foundation/errors.js";
import { processorMs } from "../../support/processor-time.js";
import { armenian, charstring, composite, openType, triangle, trueType } from "./make-font.js";
import { tinyJpeg } from "./make-jpeg.js";
import { flate, onePage, pdfkitTemplate, stream } from "./make-pdf.js";
import { plainPng } from "./make-png.js";
import { FONT_SEED, mutated, quietly } from "./mutate.js";

quietly();

const { call, end, line, move } = charstring;
const objects = stream("/Type /ObjStm /N 2 /First 10", Buffer.from("20 0 21 3 12 << /A 20 0 R >>"));

const good: [name: string, bytes: Buffer, runs: number][] = [
  ["PDF of pdfkit", await pdfkitTemplate(), 250],
  ["small PDF", onePage({ page: "/Rotate 90", more: [objects, flate("q Q")] }), 800],
  ["PNG", plainPng({ colorType: 6 }), 500],
  ["JPEG", tinyJpeg, 1500],
  [
    "SVG",
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><g id="a" style="fill:red"><path d="M0 0h9z"/></g></svg>',
    ),
    1500,
  ],
  ["font", armenian, 60],
  ["TrueType font", trueType([Buffer.alloc(0), triangle, composite(1, 1), triangle]), 150],
  [
    "OpenType font",
    openType([end, Buffer.concat([move, call(0), end])], [Buffer.concat([line, charstring.return])]),
    150,
  ],
];

describe("the inspection of a file with a few changed bytes ends with its kind or a reason:", () => {
  test.each(good)("%s", { timeout: 180_000 }, async (name, bytes, runs) => {
    await fc.assert(
      fc.asyncProperty(mutated(bytes), async (content) => {
        const begun = process.cpuUsage();
        const outcome = await inspectContent(content).catch((error: unknown) => error);
        expect(processorMs(begun)).toBeLessThan(5000);
        if (typeof outcome !== "string") expect(outcome).toBeInstanceOf(Problem);
      }),
      name.includes("font") ? { numRuns: runs, seed: FONT_SEED } : { numRuns: runs },
    );
  });

  test.each(good)("%s, cut off anywhere", async (_, bytes) => {
    const step = Math.max(1, Math.floor(bytes.length / 60));
    for (let length = 1; length < bytes.length; length += step) {
      const outcome = await inspectContent(bytes.subarray(0, length)).catch((error: unknown) => error);
      if (typeof outcome !== "string") expect(outcome).toBeInstanceOf(Problem);
    }
  });
});
