import { badgeColor } from "#foundation/color/badge-color.js";
import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { pngOf } from "./png.js";

export const badgeShapes = ["medal", "round", "hexagon"] as const;

type BadgeShape = (typeof badgeShapes)[number];

export interface BadgePicture {
  readonly shape: BadgeShape;
  /** Six lower-case hexadecimal digits. */
  readonly color: string;
}

const DEFAULT_PICTURE: BadgePicture = { shape: "medal", color: badgeColor() };

/** Width and height in pixels. */
const SIZE = 512;
const FACE = "fffefb";

/** Distances from the centre, as fractions of half the width. */
const OUTER = 0.96;
const RING = { from: 0.83, to: 0.86 };
const FACE_RADIUS = 0.72;
const STAR_OUTER = 0.5;
const STAR_INNER = 0.23;
const STAR_POINTS = 5;

const PETALS = 16;
const rim = (angle: number) => OUTER - 0.06 + 0.06 * Math.cos(PETALS * angle);

/** Ratio of the radii of the circles inside and around a hexagon. */
const APOTHEM = Math.sqrt(3) / 2;

/** Returns the radius of the shape whose outline passes through the point. */
function outlineRadius(shape: BadgeShape, x: number, y: number): number {
  if (shape !== "hexagon") return Math.hypot(x, y);
  return Math.max(Math.abs(x), Math.abs(x) / 2 + Math.abs(y) * APOTHEM) / APOTHEM;
}

/** Returns the picture as PNG. Equal shapes and colours give equal bytes. */
export function pngPicture(picture: BadgePicture = DEFAULT_PICTURE): Buffer {
  return pictures(`${picture.shape}-${picture.color}`, () => drawPng(picture));
}

/** Cache of pictures. It is small because an institution uses few colours. */
const pictures = createBoundedCache<Buffer>(100);

/**
 * Returns the picture as SVG, drawn like the PNG.
 * @param title alternative text, escaped for XML
 */
export function svgPicture(title: string, { shape, color }: BadgePicture = DEFAULT_PICTURE): string {
  const points = (count: number, radius: (at: number) => number) =>
    Array.from({ length: count }, (_, at) => {
      const angle = (2 * Math.PI * at) / count - Math.PI / 2;
      return [Math.cos(angle), Math.sin(angle)]
        .map((part) => (SIZE / 2 + (SIZE / 2) * radius(at) * part).toFixed(1))
        .join(",");
    }).join(" ");
  const outline = (radius: number, look: string) =>
    shape === "hexagon"
      ? `<polygon ${look} points="${points(6, () => radius)}"/>`
      : `<circle ${look} cx="${SIZE / 2}" cy="${SIZE / 2}" r="${(SIZE / 2) * radius}"/>`;
  const outer =
    shape === "medal"
      ? `<polygon fill="#${color}" points="${points(8 * PETALS, (at) => rim((2 * Math.PI * at) / (8 * PETALS)))}"/>`
      : outline(OUTER, `fill="#${color}"`) +
        outline(
          (RING.from + RING.to) / 2,
          `fill="none" stroke="#${FACE}" stroke-width="${((SIZE / 2) * (RING.to - RING.from)).toFixed(1)}"`,
        );
  const star = points(2 * STAR_POINTS, (at) => (at % 2 === 0 ? STAR_OUTER : STAR_INNER));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}" role="img"><title>${title}</title>${outer}${outline(FACE_RADIUS, `fill="#${FACE}"`)}<polygon fill="#${color}" points="${star}"/></svg>`;
}

/**
 * Returns how much of a pixel is covered, from 0 to 1.
 * @param distance from the pixel's centre to the edge, as a fraction of half the width; positive inside
 */
function coverage(distance: number): number {
  return Math.min(1, Math.max(0, 0.5 + (distance * SIZE) / 2));
}

/** Returns the distance from a point to the star's edge; positive inside. */
function insideStar(x: number, y: number): number {
  const sector = Math.PI / STAR_POINTS;
  const angle = Math.atan2(y, x) + Math.PI / 2;
  // Every edge is a rotated or mirrored copy of the edge from a tip to the next notch.
  const turned = Math.abs(angle - 2 * sector * Math.round(angle / (2 * sector)));
  const radius = Math.hypot(x, y);
  const [notchX, notchY] = [STAR_INNER * Math.cos(sector), STAR_INNER * Math.sin(sector)];
  const [along, across] = [notchX - STAR_OUTER, notchY];
  const side = along * radius * Math.sin(turned) - across * (radius * Math.cos(turned) - STAR_OUTER);
  return side / Math.hypot(along, across);
}

/** For each pixel, `light` mixes its colour, from 0 (ink) to 1 (face), and `alpha` is its opacity, from 0 to 255. */
interface Mask {
  readonly light: Float32Array;
  readonly alpha: Uint8Array;
}

const masks = createBoundedCache<Mask, BadgeShape>(badgeShapes.length);

function drawMask(shape: BadgeShape): Mask {
  const mask = { light: new Float32Array(SIZE * SIZE), alpha: new Uint8Array(SIZE * SIZE) };
  const scale = shape === "hexagon" ? APOTHEM : 1;
  for (let at = 0; at < SIZE * SIZE; at++) {
    const [x, y] = [(2 * (at % SIZE) + 1) / SIZE - 1, (2 * Math.floor(at / SIZE) + 1) / SIZE - 1];
    const radius = outlineRadius(shape, x, y);
    const outer = shape === "medal" ? rim(Math.atan2(y, x) + Math.PI / 2) : OUTER;
    const ring = shape === "medal" ? 0 : coverage(Math.min(radius - RING.from, RING.to - radius) * scale);
    const face = coverage((FACE_RADIUS - radius) * scale) * (1 - coverage(insideStar(x, y)));
    mask.light[at] = Math.max(ring, face);
    mask.alpha[at] = Math.round(255 * coverage((outer - radius) * scale));
  }
  return mask;
}

function drawPng({ shape, color }: BadgePicture): Buffer {
  const { light, alpha } = masks(shape, () => drawMask(shape));
  const [ink, face] = [Buffer.from(color, "hex"), Buffer.from(FACE, "hex")];
  const rows = Buffer.alloc(SIZE * (1 + 4 * SIZE));
  for (let at = 0; at < SIZE * SIZE; at++) {
    const place = 4 * at + 1 + Math.floor(at / SIZE);
    const share = light[at] ?? 0;
    for (let part = 0; part < 3; part++) {
      rows[place + part] = Math.round((ink[part] ?? 0) * (1 - share) + (face[part] ?? 0) * share);
    }
    rows[place + 3] = alpha[at] ?? 0;
  }
  return pngOf({ width: SIZE, height: SIZE, rows });
}
