export function segment(marker: number, ...data: number[]): Buffer {
  const length = data.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...data]);
}

export const start = Buffer.from([0xff, 0xd8]);
export const end = Buffer.from([0xff, 0xd9]);
export const quantization = segment(0xdb, 0, ...Array<number>(64).fill(1));
/** One-bit codes: a difference of 0, and the end of a block. */
export const huffman = Buffer.concat(
  [0x00, 0x10].map((table) => segment(0xc4, table, 1, ...Array<number>(15).fill(0), 0)),
);

/** Builds a frame header. */
export function frame(
  options: { marker?: number; precision?: number; width?: number; height?: number; components?: number } = {},
): Buffer {
  const { marker = 0xc0, precision = 8, width = 8, height = 8, components = 1 } = options;
  const specifications = Array.from({ length: components }, (_, i) => [i + 1, 0x11, 0]).flat();
  return segment(
    marker,
    precision,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    components,
    ...specifications,
  );
}

/** A scan of one grey block of 8 x 8. */
export const scan = Buffer.concat([segment(0xda, 1, 1, 0, 0, 63, 0), Buffer.from([0x3f])]);

/** A complete picture that any viewer shows: 8 x 8 grey pixels. */
export const tinyJpeg = Buffer.concat([start, quantization, frame(), huffman, scan, end]);
