import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { Code, ConnectError } from "@connectrpc/connect";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Asset, AssetKind } from "#gen/learning_credentials/v1/configuration_pb.js";
import { assetParts } from "../assets/asset-parts.js";
import { childProcesses } from "../assets/inspection/child-processes.js";
import {
  armenian,
  charstring,
  cmap,
  composite,
  multiplyingGsub,
  openType,
  triangle,
  trueType,
} from "../assets/inspection/make-font.js";
import { end, frame, huffman, quantization, scan, start, tinyJpeg } from "../assets/inspection/make-jpeg.js";
import { flate, onePage, pdf, pdfkitTemplate, stream } from "../assets/inspection/make-pdf.js";
import { chunk, header, plainPng, png } from "../assets/inspection/make-png.js";
import { mutated } from "../assets/inspection/mutate.js";
import { givenAcademy } from "../support/academy.js";

/** Number of damaged files of each kind. `FUZZ_RUNS=10` creates ten times as many. */
const DAMAGED = 4 * Number(process.env.FUZZ_RUNS ?? 1);

/** The inspection's own time limit, plus time to start and end it. */
const IN_TIME_MS = 40_000;
const MIB = 1024 * 1024;

const academy = givenAcademy();

function upload(bytes: Uint8Array): Promise<Asset | ConnectError> {
  const parts = assetParts("hostile", bytes);
  return academy.configurations.uploadAsset(parts).catch((error: unknown) => ConnectError.from(error));
}

const designs: Partial<Record<AssetKind, object>> = {
  [AssetKind.FONT]: { defaults: { font: "hostile" } },
};

/** Expects that a file is refused with a message for the uploader, is printed, or is refused when it is printed. */
async function expectAnswered(bytes: Uint8Array): Promise<"refused" | "printed"> {
  const begun = performance.now();
  const asset = await upload(bytes);
  expect(performance.now() - begun).toBeLessThan(IN_TIME_MS);
  if (asset instanceof ConnectError) {
    expect(asset.code, asset.message).toBe(Code.InvalidArgument);
    return "refused";
  }
  const outcome = await academy.configurations
    .previewCredential({
      source: { case: "configurationId", value: academy.configurationId },
      customOptions: (designs[asset.kind] ?? { template: "hostile" }) as never,
    })
    .catch((error: unknown) => ConnectError.from(error));
  expect(performance.now() - begun).toBeLessThan(IN_TIME_MS);
  if (outcome instanceof ConnectError) {
    expect([Code.InvalidArgument, Code.FailedPrecondition], outcome.message).toContain(outcome.code);
    return "refused";
  }
  expect(Buffer.from(outcome.pdf.subarray(0, 5)).toString()).toBe("%PDF-");
  return "printed";
}

/** Expects that uploads have left no processes, unreferenced files or memory behind. */
async function expectNothingLeft(rssBefore: number): Promise<void> {
  if (process.platform === "linux") expect(childProcesses()).toEqual([]);
  const { config, database } = academy.service.app;
  const entries = await readdir(join(config.dataDir, "files"), {
    recursive: true,
    withFileTypes: true,
  }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const files = names.filter((name) => !name.endsWith(".json")); // the local store writes a .json file for each file
  const named = await database.knex("asset_contents").select("file_key");
  expect(files.sort()).toEqual(named.map(({ file_key }) => file_key.split("/").at(-1)).sort());
  expect((process.memoryUsage().rss - rssBefore) / MIB).toBeLessThan(300);
}

const { call, end: endGlyph, line, move } = charstring;
const zeros = (mib: number) => deflateSync(Buffer.alloc(mib * MIB));
const twice = deflateSync(zeros(250));
const cyclicForm = flate(
  "/A Do",
  "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /A 5 0 R >> >>",
);
const claims = (groups: number) => {
  const table = cmap([65, 66, 1]);
  table.writeUInt32BE(groups, 12 + 12);
  return table;
};
const wide = (count: number) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${'<path d="M0 0h9z"/>'.repeat(count)}</svg>`,
  );

const attacks: Record<string, () => Buffer> = {
  "a page of 250 MiB packed in 250 KiB": () =>
    onePage({ content: stream("/Filter /FlateDecode", zeros(250)) }),
  "a page of 250 MiB packed twice": () =>
    onePage({ content: stream("/Filter [/FlateDecode /FlateDecode]", twice) }),
  "an object stream of 250 MiB": () =>
    onePage({ more: [stream("/Type /ObjStm /N 1000000 /First 9 /Filter /FlateDecode", zeros(250))] }),
  "a table of a billion references": () =>
    onePage({ more: [stream("/Type /XRef /Size 1000000000 /W [0 0 0]", Buffer.alloc(0))] }),
  "a thousand names for one megabyte": () =>
    onePage({
      page: `/Contents [${"5 0 R ".repeat(1_000)}]`,
      more: [stream("/Filter /FlateDecode", zeros(1))],
    }),
  "arrays nested 100,000 deep": () => onePage({ more: ["[".repeat(100_000)] }),
  "dictionaries nested 50,000 deep": () =>
    onePage({ more: [`${"<</A ".repeat(50_000)}1${">>".repeat(50_000)}`] }),
  "resources nested 400 deep": () =>
    onePage({ page: `/Resources ${"<</Pattern ".repeat(400)}<<>>${">>".repeat(400)}` }),
  "a form that draws itself": () =>
    onePage({ page: "/Resources << /XObject << /A 5 0 R >> >>", more: [cyclicForm] }),
  "a resource that is itself": () => onePage({ page: "/Resources 5 0 R", more: ["5 0 R"] }),
  "resources that lead in a circle": () =>
    onePage({ page: "/Resources 5 0 R", more: ["<< /Font 6 0 R >>", "<< /F 5 0 R >>"] }),
  "pages that lead in a circle": () =>
    pdf([
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 /Parent 3 0 R >>",
      "<< /Type /Pages /Kids [2 0 R] /Count 1 /Parent 2 0 R >>",
    ]),
  "a length that is itself": () => onePage({ content: "<< /Length 4 0 R >>\nstream\nq Q\nendstream" }),
  "a link that is no rectangle": () =>
    onePage({ page: "/Annots [<< /Subtype /Link /Rect /No /A << /S /URI /URI 7 >> >> 5 0 R null]" }),
  "resources that are a name": () => onePage({ page: "/Resources /No /Annots /No /Group 7" }),
  "a picture of a billion pixels": () =>
    png(header({ width: 31_000, height: 31_000 }), chunk("IDAT", zeros(10))),
  "a picture whose profile is 250 MiB": () =>
    plainPng({}, chunk("iCCP", Buffer.concat([Buffer.from("x\0\0"), zeros(250)]))),
  "a picture with a comment of 250 MiB": () =>
    plainPng({}, chunk("zTXt", Buffer.concat([Buffer.from("x\0\0"), zeros(250)]))),
  "pixels that don't end": () => png(header(), chunk("IDAT", zeros(250))),
  "a photograph of four billion pixels": () =>
    Buffer.concat([start, quantization, frame({ width: 65_535, height: 65_535 }), huffman, scan, end]),
  "a photograph of 50,000 scans": () =>
    Buffer.concat([
      start,
      quantization,
      frame({ marker: 0xc2 }),
      huffman,
      ...Array<Buffer>(50_000).fill(scan),
      end,
    ]),
  "a drawing of 19,000 shapes": () => wide(19_000),
  "a drawing that multiplies": () =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><g id="l0"/>${Array.from({ length: 30 }, (_, at) => `<g id="l${at + 1}">${`<use href="#l${at}"/>`.repeat(2)}</g>`).join("")}</svg>`,
    ),
  "a drawing with a path of two megabytes": () =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0${"a1 1 0 0 1 1 1".repeat(140_000)}"/></svg>`,
    ),
  "a font whose substitutions don't end": () =>
    trueType([Buffer.alloc(0), triangle], { GSUB: multiplyingGsub(2, 1, 0) }),
  "a font whose strokes multiply": () =>
    openType(
      [endGlyph, Buffer.concat([move, call(0), endGlyph])],
      Array.from({ length: 10 }, (_, at) =>
        Buffer.concat([...Array<Buffer>(20).fill(at < 9 ? call(at + 1) : line), charstring.return]),
      ),
    ),
  "a font whose glyph is part of itself": () => trueType([Buffer.alloc(0), composite(1, 1), triangle]),
  "a font that claims four billion characters": () =>
    trueType([Buffer.alloc(0), triangle], { cmap: claims(0xffffffff) }),
  "a font of every character there is": () =>
    trueType([Buffer.alloc(0), triangle], { cmap: cmap([0, 0x10ffff, 1]) }),
  "a font of 30,000 glyphs in no bytes": () => trueType(Array<Buffer>(30_000).fill(Buffer.alloc(0))),
  "20 MiB of nothing": () => Buffer.alloc(20 * MIB),
};

describe("a hostile upload gets a timely response, and the service keeps running:", () => {
  it.each(Object.entries(attacks))("%s", async (_, make) => {
    const bytes = make();
    const rss = process.memoryUsage().rss;
    await expectAnswered(bytes);
    await expectNothingLeft(rss);
    await academy.configurations.listAssets({});
  });
});

const template = await pdfkitTemplate();
const files: Record<string, Buffer> = {
  PDF: template,
  PNG: plainPng({ colorType: 6 }),
  JPEG: tinyJpeg,
  font: armenian,
  SVG: wide(3),
};

describe("files that are damaged, truncated or joined", () => {
  it.each(Object.entries(files))(
    "%s: are refused or printed, and leave nothing behind",
    { timeout: 75_000 * DAMAGED },
    async (_, good) => {
      const other = fc.constantFrom(...Object.values(files));
      const damaged = fc.oneof(
        { weight: 4, arbitrary: mutated(good) },
        fc.noBias(fc.nat(999)).map((share) => good.subarray(0, 1 + Math.floor((share / 1000) * good.length))),
        other.map((file) => Buffer.concat([good, file])),
        other.map((file) => Buffer.concat([file.subarray(0, file.length >> 1), good])),
      );
      const rss = process.memoryUsage().rss;
      await fc.assert(
        fc.asyncProperty(damaged, async (bytes) => {
          await expectAnswered(bytes);
        }),
        { numRuns: DAMAGED, endOnFailure: true },
      );
      await expectNothingLeft(rss);
      expect(await expectAnswered(tinyJpeg)).toBe("printed");
    },
  );
});

it("forty concurrent uploads of 20 MiB are accepted or deferred, and memory stays bounded", {
  timeout: 300_000,
}, async () => {
  const large = png(header(), chunk("IDAT", Buffer.alloc(20 * MIB - 100)));
  const rss = process.memoryUsage().rss;
  let peak = rss;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 20);
  const outcomes = await Promise.all(Array.from({ length: 40 }, () => upload(large)));
  clearInterval(watch);
  for (const outcome of outcomes) {
    expect([Code.InvalidArgument, Code.ResourceExhausted]).toContain((outcome as ConnectError).code);
  }
  expect((peak - rss) / MIB).toBeLessThan(1_000);
  if (process.platform === "linux") expect(childProcesses()).toEqual([]);
});
