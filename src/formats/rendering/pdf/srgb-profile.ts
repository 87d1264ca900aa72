/**
 * Returns an ICC profile of sRGB (IEC 61966-2-1), version 4.2. Its colorants are adapted to D50, and its transfer curve
 * is a parametric curve of type 3. It is generated, because existing profiles have licences.
 */
export function srgbProfile(): Buffer {
  const curve = tag("para", [
    u16(3),
    u16(0),
    fixed(2.4),
    fixed(1 / 1.055),
    fixed(0.055 / 1.055),
    fixed(1 / 12.92),
    fixed(0.04045),
  ]);
  const tags: [string, Buffer][] = [
    ["desc", words("sRGB")],
    ["cprt", words("CC0")],
    ["wtpt", xyz(0.9642, 1, 0.8249)],
    [
      "chad",
      tag(
        "sf32",
        [1.04788, 0.02292, -0.05022, 0.02959, 0.99048, -0.01707, -0.00925, 0.01508, 0.75168].map(fixed),
      ),
    ],
    ["rXYZ", xyz(0.43607, 0.22249, 0.01392)],
    ["gXYZ", xyz(0.38515, 0.71687, 0.09708)],
    ["bXYZ", xyz(0.14307, 0.06061, 0.7141)],
    ["rTRC", curve],
    ["gTRC", curve],
    ["bTRC", curve],
  ];
  return withHeader(tags);
}

function withHeader(tags: readonly [string, Buffer][]): Buffer {
  const start = 128 + 4 + 12 * tags.length;
  const bodies: Buffer[] = [];
  const placed = new Map<Buffer, number>();
  let end = start;
  const table = tags.map(([signature, body]) => {
    const offset = placed.get(body) ?? end;
    if (offset === end) {
      placed.set(body, end);
      bodies.push(body);
      end += body.length;
    }
    return Buffer.concat([Buffer.from(signature), u32(offset), u32(body.length)]);
  });
  const header = Buffer.alloc(128);
  header.writeUInt32BE(end, 0);
  header.writeUInt32BE(0x04200000, 8);
  header.write("mntrRGB XYZ ", 12, "latin1");
  [2026, 1, 1].forEach((part, index) => void header.writeUInt16BE(part, 24 + 2 * index));
  header.write("acsp", 36, "latin1");
  Buffer.concat([fixed(0.9642), fixed(1), fixed(0.8249)]).copy(header, 68);
  return Buffer.concat([header, u32(tags.length), ...table, ...bodies]);
}

function tag(type: string, parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat([Buffer.from(type), u32(0), ...parts]);
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
}

function xyz(...values: number[]): Buffer {
  return tag("XYZ ", values.map(fixed));
}

/** Returns a multi-localised string with a single record, in American English. */
function words(value: string): Buffer {
  const utf16 = Buffer.from(value, "utf16le").swap16();
  return tag("mluc", [u32(1), u32(12), Buffer.from("enUS"), u32(utf16.length), u32(28), utf16]);
}

function fixed(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Math.round(value * 65536));
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
