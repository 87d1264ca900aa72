import { pngOf } from "./png.js";

/** Width and height in pixels. */
const SIZE = 256;

/** Number of samples per pixel, in each direction. */
const SAMPLES = 3;

const RIM = [0x1f, 0x54, 0x68] as const;
const FACE = [0xff, 0xfe, 0xfb] as const;

/** Number of petals on the rim. */
const PETALS = 16;

/** Radii of the medal, as fractions of half its width. */
const rim = (angle: number) => 0.9 + 0.06 * Math.cos(PETALS * angle);
const FACE_RADIUS = 0.72;
const STAR_OUTER = 0.52;
const STAR_INNER = 0.24;
const STAR_POINTS = 5;

/** Returns the default picture for baking badges: a medal with a star, as PNG. */
export function pngPicture(): Buffer {
  picture ??= drawPng();
  return picture;
}

let picture: Buffer | undefined;

/**
 * Returns the same picture as SVG.
 * @param title alternative text, escaped for XML
 */
export function svgPicture(title: string): string {
  const points = (count: number, radius: (at: number) => number) =>
    Array.from({ length: count }, (_, at) => {
      const angle = (2 * Math.PI * at) / count - Math.PI / 2;
      return [Math.cos(angle), Math.sin(angle)]
        .map((part) => (SIZE / 2 + (SIZE / 2) * radius(at) * part).toFixed(1))
        .join(",");
    }).join(" ");
  const outline = points(8 * PETALS, (at) => rim((2 * Math.PI * at) / (8 * PETALS)));
  const star = points(2 * STAR_POINTS, (at) => (at % 2 === 0 ? STAR_OUTER : STAR_INNER));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}" role="img"><title>${title}</title><polygon fill="${hex(RIM)}" points="${outline}"/><circle fill="${hex(FACE)}" cx="${SIZE / 2}" cy="${SIZE / 2}" r="${(SIZE / 2) * FACE_RADIUS}"/><polygon fill="${hex(RIM)}" points="${star}"/></svg>`;
}

function hex(color: readonly number[]): string {
  return `#${color.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** @returns undefined if the point is outside the medal */
function colorAt(x: number, y: number): readonly number[] | undefined {
  const radius = Math.hypot(x, y);
  const angle = Math.atan2(y, x) + Math.PI / 2;
  if (radius > rim(angle)) return undefined;
  if (radius > FACE_RADIUS) return RIM;
  return isInStar(radius, angle) ? RIM : FACE;
}

/** Tests a point against the edge from a tip of the star to the next notch; all other edges are mirror images of it. */
function isInStar(radius: number, angle: number): boolean {
  const sector = Math.PI / STAR_POINTS;
  const turned = Math.abs(angle - 2 * sector * Math.round(angle / (2 * sector)));
  const [x, y] = [radius * Math.cos(turned), radius * Math.sin(turned)];
  const [notchX, notchY] = [STAR_INNER * Math.cos(sector), STAR_INNER * Math.sin(sector)];
  return (notchX - STAR_OUTER) * y - notchY * (x - STAR_OUTER) >= 0;
}

function drawPng(): Buffer {
  const rows = Buffer.alloc(SIZE * (1 + 4 * SIZE));
  for (let row = 0; row < SIZE; row++) {
    for (let column = 0; column < SIZE; column++) {
      rows.set(pixelAt(column, row), row * (1 + 4 * SIZE) + 1 + 4 * column);
    }
  }
  return pngOf({ width: SIZE, height: SIZE, rows });
}

/** Returns red, green, blue and alpha, as the mean of the pixel's samples. */
function pixelAt(column: number, row: number): number[] {
  const sum = [0, 0, 0];
  let covered = 0;
  for (let sample = 0; sample < SAMPLES ** 2; sample++) {
    const x = column + ((sample % SAMPLES) + 0.5) / SAMPLES;
    const y = row + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES;
    const color = colorAt((2 * x) / SIZE - 1, (2 * y) / SIZE - 1);
    if (!color) continue;
    covered++;
    for (const [part, value] of color.entries()) sum[part] = (sum[part] ?? 0) + value;
  }
  const alpha = Math.round((255 * covered) / SAMPLES ** 2);
  return [...sum.map((value) => Math.round(value / Math.max(1, covered))), alpha];
}
