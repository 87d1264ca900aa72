import { describe } from "vitest";
import { end, frame, huffman, quantization, scan, segment, start, tinyJpeg } from "./make-jpeg.js";
import { accepts, refuses } from "./refusal.js";

const jpeg = (...segments: Buffer[]) => Buffer.concat([start, ...segments, end]);
const rest = [huffman, scan];

describe("a JPEG is accepted", () => {
  accepts("jpeg", {
    "in grey": tinyJpeg,
    "in colour": jpeg(quantization, frame({ components: 3 }), ...rest),
    "progressive, of several scans": jpeg(quantization, frame({ marker: 0xc2 }), huffman, scan, scan),
    "with metadata": jpeg(
      segment(0xe0, 74, 70, 73, 70, 0),
      segment(0xfe, 104, 105),
      quantization,
      frame(),
      ...rest,
    ),
    "with restarts": jpeg(quantization, frame(), huffman, scan, Buffer.from([0xff, 0xd0, 0x3f, 0xff, 0, 1])),
    "followed by a second picture, as by a camera": Buffer.concat([tinyJpeg, tinyJpeg]),
  });
});

describe("a JPEG is refused", () => {
  refuses({
    "ends early": {
      "that is cut off in its pixels": tinyJpeg.subarray(0, -2),
      "that is cut off in its header": tinyJpeg.subarray(0, 30),
    },
    "is in CMYK": { "in CMYK": jpeg(quantization, frame({ components: 4 }), ...rest) },
    "2 colour components": { "of two components": jpeg(quantization, frame({ components: 2 }), ...rest) },
    "12 bits": { "of 12 bits": jpeg(quantization, frame({ marker: 0xc1, precision: 12 }), ...rest) },
    "lossless coding": { "with lossless coding": jpeg(quantization, frame({ marker: 0xc3 }), ...rest) },
    "arithmetic coding": { "with arithmetic coding": jpeg(quantization, frame({ marker: 0xca }), ...rest) },
    "40 million": {
      "of too many pixels": jpeg(quantization, frame({ width: 65_500, height: 65_500 }), ...rest),
    },
    "8 x 0 pixels": { "of a height to be told later": jpeg(quantization, frame({ height: 0 }), ...rest) },
    "two frames": { "of two frames": jpeg(quantization, frame(), frame(), ...rest) },
    "lacks tables that are needed": { "without tables": jpeg(frame(), scan) },
    "no picture": {
      "without pixels": jpeg(quantization, frame(), huffman),
      "of metadata alone": jpeg(segment(0xe1, 1, 2, 3)),
    },
    "broken scan": { "with a scan before its frame": jpeg(quantization, huffman, scan, frame()) },
    scans: {
      "of a thousand scans": jpeg(quantization, frame({ marker: 0xc2 }), huffman, ...Array(1000).fill(scan)),
    },
    damaged: {
      "with padding, which pdf-lib can't read": jpeg(Buffer.from([0xff]), quantization, frame(), ...rest),
      "with a segment of no length": jpeg(Buffer.from([0xff, 0xe0, 0, 0]), quantization),
    },
    "followed by 4 bytes": { "followed by an archive": Buffer.concat([tinyJpeg, Buffer.from("PK\x03\x04")]) },
  });
});
