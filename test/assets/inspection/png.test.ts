import { deflateSync } from "node:zlib";
import { describe } from "vitest";
import { chunk, header, plainPng, png } from "./make-png.js";
import { accepts, refuses } from "./refusal.js";

const palette = (colors: number) => chunk("PLTE", Buffer.alloc(3 * colors, 128));
const transparency = (length: number) => chunk("tRNS", Buffer.alloc(length));
const pixels = (length: number) => chunk("IDAT", deflateSync(Buffer.alloc(length)));
const packedText = (type: "zTXt" | "iTXt", length: number) =>
  chunk(
    type,
    Buffer.concat([
      Buffer.from(type === "zTXt" ? "Comment\0\0" : "Comment\0\u0001\0en\0\0"),
      deflateSync(Buffer.alloc(length, 97)),
    ]),
  );

const profile = (length: number) =>
  chunk("iCCP", Buffer.concat([Buffer.from("Profile\0\0"), deflateSync(Buffer.alloc(length))]));

describe("a PNG is accepted", () => {
  accepts("png", {
    "in RGB": plainPng(),
    "in RGBA": plainPng({ colorType: 6 }),
    "in grey with alpha": plainPng({ colorType: 4 }),
    "in black and white": plainPng({ colorType: 0, depth: 1, width: 13 }),
    "with 16 bits a colour": plainPng({ depth: 16 }),
    "with a palette": plainPng({ colorType: 3, depth: 4 }, palette(16)),
    "with a palette and transparency": plainPng({ colorType: 3 }, palette(16), transparency(16)),
    "with texts and unknown chunks": plainPng({}, chunk("tEXt", Buffer.from("Author\0Me")), chunk("zzZz")),
    "with texts that are packed": plainPng({}, packedText("zTXt", 60_000), packedText("iTXt", 60_000)),
    "with a profile": plainPng({}, profile(500_000)),
    "with its pixels in parts": png(
      header({ width: 1, height: 1 }),
      ...[...deflateSync(Buffer.alloc(4))].map((byte) => chunk("IDAT", Buffer.from([byte]))),
    ),
    "of 36 megapixels": plainPng({ width: 6000, height: 6000, colorType: 0 }),
  });
});

describe("a PNG is refused", () => {
  const good = plainPng();
  const damaged = Buffer.from(good);
  damaged.writeUInt8(damaged.readUInt8(20) ^ 1, 20);
  const endless = Buffer.from(good);
  endless.writeUInt32BE(0xfffffff4, 8); // a length of -12, with which a reader can return to this chunk endlessly

  refuses({
    "ends early": {
      "that is cut off": good.subarray(0, -13),
      "of a signature alone": good.subarray(0, 8),
      "with a chunk of a negative length": endless,
    },
    "the checksum at byte 29 is wrong": { "with a wrong checksum": damaged },
    "followed by 4 bytes": { "followed by an archive": Buffer.concat([good, Buffer.from("PK\x03\x04")]) },
    "are damaged": {
      "without pixels": png(header()),
      "whose pixels are not compressed": png(header(), chunk("IDAT", Buffer.alloc(610))),
    },
    "begin with one header": { "with two headers": plainPng({}, header()) },
    "colour type": { "with an unknown colour type": plainPng({ colorType: 5 }) },
    "0 x 10 pixels": { "of no width": plainPng({ width: 0 }) },
    "at most 40 million pixels": {
      "of too many pixels": png(header({ width: 12_000, height: 12_000 }), pixels(9)),
    },
    "at most 40 million": {
      "of four billion pixels": png(header({ width: 0xffffffff, height: 1 }), pixels(9)),
    },
    "at most 2.5 million": {
      "of too many pixels with alpha": plainPng({ width: 2000, height: 1300, colorType: 6 }),
    },
    "at most 1.25 million": {
      "with alpha of 16 bits": plainPng({ width: 1500, height: 1000, colorType: 6, depth: 16 }),
    },
    "more pixels than it declares": {
      "that inflates to more than it declares": png(header(), pixels(50_000_000)),
    },
    "fewer pixels than it declares": { "that inflates to less than it declares": png(header(), pixels(609)) },
    "damaged in row 1": {
      "with an unknown filter": png(header(), chunk("IDAT", deflateSync(Buffer.alloc(610, 5)))),
    },
    "is interlaced": { "that is interlaced": plainPng({ interlacing: 1 }) },
    "no valid palette": {
      "without its palette": plainPng({ colorType: 3 }),
      "with too long a palette": plainPng({ colorType: 3, depth: 4 }, palette(17)),
    },
    "and a palette": { "with a palette that it doesn't use": plainPng({}, palette(2)) },
    "one transparent colour": { "with one transparent colour": plainPng({}, transparency(6)) },
    "in full colour": {
      "with a palette of 256 colours of which one is transparent": plainPng(
        { colorType: 3 },
        palette(256),
        transparency(1),
      ),
    },
    "is animated": {
      "that is animated": plainPng({}, chunk("acTL", Buffer.alloc(8)), chunk("fcTL", Buffer.alloc(26))),
    },
    "text metadata is damaged or larger than": {
      "with a long text that is packed": plainPng({}, packedText("zTXt", 50_000_000)),
      "with a long text in Unicode": plainPng({}, packedText("iTXt", 50_000_000)),
      "with many texts": plainPng({}, ...Array<Buffer>(2_000).fill(packedText("zTXt", 1_000))),
    },
    "colour profile is damaged or larger than": {
      "with a profile that is packed": plainPng({}, profile(50_000_000)),
    },
    "colour profile is damaged": {
      "with a damaged profile": plainPng({}, chunk("iCCP", Buffer.from("a\0\0b"))),
    },
    "text metadata is damaged": {
      "with a damaged text": plainPng({}, chunk("zTXt", Buffer.from("a\0\0b"))),
      "with a text of nothing": plainPng({}, chunk("iTXt")),
    },
    "contains a text of more than": {
      "with a long text": plainPng({}, chunk("tEXt", Buffer.alloc(200_000, 97))),
    },
    "save it as JPEG": {
      "with 7 MB of pixels": plainPng({}, chunk("IDAT", Buffer.alloc(7 * 1024 * 1024))),
    },
    "more than 10000 parts": {
      "of too many parts": plainPng({}, ...Array<Buffer>(10_001).fill(chunk("zzZz"))),
    },
  });
});
