import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { invalid } from "#foundation/errors.js";
import type { AssetKind, Assets, LoadedAsset } from "../generator.js";
import { importPage } from "../pdf/import-page.js";
import { type DrawablePicture, importPicture } from "../pdf/import-picture.js";
import {
  type Align,
  alignShare,
  type Box,
  type Decoration,
  type Figure,
  type PageSize,
  type Resource,
} from "../pdf/marks.js";
import { emptyPaper, type Paper } from "../pdf/paper.js";
import { pdfNumber } from "../pdf/pdf-object.js";
import { fontFamilies, isFontFamily } from "../text/font-families.js";
import { type Face, type FontChain, fallbackChains, ownFontChain } from "../text/fonts.js";
import { pictureKinds, templateKinds } from "./asset-kinds.js";
import { assetsOfOptions } from "./assets-of-options.js";
import type { PdfOptions } from "./pdf-options.js";

const fontChains = createBoundedCache<FontChain>(50);
/** Preparing a large PNG takes seconds, so designs with the same picture share the result. */
const pictures = createBoundedCache<Promise<DrawablePicture>>(20);

/** Default width and height of a picture that isn't chosen yet, in points. */
const emptySide = 100;

/** Returns the font chain of a font asset or built-in family. Default: the font chain of the built-in design */
export function fontOf(name: string | undefined, assets: Assets): FontChain {
  if (name === undefined) return fallbackChains.regular;
  if (isFontFamily(name)) return fallbackChains[fontFamilies[name]];
  const { bytes, sha256 } = find(
    name,
    ["font"],
    assets,
    `; the built-in fonts are ${Object.keys(fontFamilies).join(", ")}`,
  );
  return fontChains(sha256, () => ownFontChain(ownFontName(sha256), bytes));
}

/** Returns a font asset's name within a design, from the SHA-256 of its bytes. */
export function ownFontName(sha256: string): string {
  return `asset ${sha256}`;
}

/**
 * Returns the institution's fonts in a design. Texts fall back on these fonts for characters that their own font chain
 * lacks.
 */
export function ownFaces(options: PdfOptions, assets: Assets): Face[] {
  const slugs = assetsOfOptions(options).flatMap(({ slug, kinds }) => (kinds.includes("font") ? [slug] : []));
  return [...new Set(slugs.flatMap((slug) => fontOf(slug, assets).slice(0, 1)))];
}

/** Returns a template as paper: a PDF page, or a picture that fills the page without distortion. */
export async function templatePaperOf(slug: string, assets: Assets, size: PageSize): Promise<Paper> {
  const asset = find(slug, templateKinds, assets);
  if (asset.kind === "pdf") return importPage(asset.bytes);
  const picture = await prepared(asset);
  return {
    ...emptyPaper(size),
    background: { category: "XObject", name: "Template", object: picture.object },
    backgroundMatrix: placing(picture, covering(picture, { ...size, x: 0, y: 0 })),
  };
}

/** A picture that is hidden or not chosen yet has a box, but nothing to draw. */
export async function pictureOf(
  image: PdfOptions["images"][number],
  index: number,
  assets: Assets,
): Promise<Decoration | Figure> {
  const option = `images.${index}`;
  const empty = (box: Box): Decoration => ({ kind: "decoration", option, box, operators: "" });
  if (image.asset === undefined) {
    const { x, y, width = emptySide, height = emptySide } = image;
    return empty({ x, y, width, height });
  }
  const picture = await prepared(find(image.asset, pictureKinds, assets));
  const scale = (image.width ?? 0) / picture.width || (image.height ?? 0) / picture.height || 1;
  const box = {
    x: image.x,
    y: image.y,
    width: image.width ?? picture.width * scale,
    height: image.height ?? picture.height * scale,
  };
  if (image.hidden) return empty(box);
  const name = `Picture${index}`;
  const drawing = { ...(image.crop ? cropped : drawn)(picture, box, name), box, option };
  return image.alt === undefined
    ? { kind: "decoration", ...drawing }
    : { kind: "figure", ...drawing, alt: image.alt };
}

interface PlacedPicture {
  readonly operators: string;
  readonly resources: readonly Resource[];
  readonly box: Box;
}

/**
 * Fits a picture into a box, aligned to its lower edge.
 * @param name unique on the page
 */
export async function placedPicture(
  slug: string,
  { x, y, width, height }: Box,
  align: Align,
  { assets, name }: { readonly assets: Assets; readonly name: string },
): Promise<PlacedPicture> {
  const picture = await prepared(find(slug, pictureKinds, assets));
  const scale = Math.min(width / picture.width, height / picture.height);
  const size = { width: picture.width * scale, height: picture.height * scale };
  const box = { x: x + (width - size.width) * alignShare(align), y, ...size };
  return { ...drawn(picture, box, name), box };
}

function drawn(picture: DrawablePicture, box: Box, name: string) {
  return {
    operators: `${placing(picture, box).map(pdfNumber).join(" ")} cm\n/${name} Do`,
    resources: [{ category: "XObject", name, object: picture.object }],
  } as const;
}

/** Scales the picture until it covers the box, and cuts off what is outside. */
function cropped(picture: DrawablePicture, box: Box, name: string) {
  const { operators, resources } = drawn(picture, covering(picture, box), name);
  const clip = `${[box.x, box.y, box.width, box.height].map(pdfNumber).join(" ")} re W n`;
  return { operators: `${clip}\n${operators}`, resources };
}

/** Returns the smallest box, with the same centre, in which the undistorted picture covers the given box. */
function covering(picture: PageSize, box: Box): Box {
  const scale = Math.max(box.width / picture.width, box.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  return { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height };
}

function prepared(asset: LoadedAsset): Promise<DrawablePicture> {
  return pictures(asset.sha256, () => importPicture(asset));
}

function placing({ drawn: size }: DrawablePicture, box: Box): readonly number[] {
  return [box.width / size.width, 0, 0, box.height / size.height, box.x, box.y];
}

function find(slug: string, kinds: readonly AssetKind[], assets: Assets, hint = ""): LoadedAsset {
  const asset = assets.get(slug);
  if (!asset) throw invalid(`There is no asset "${slug}"${hint}.`);
  // Copied, because some parsers reject shared memory.
  if (kinds.includes(asset.kind)) return { ...asset, bytes: Uint8Array.from(asset.bytes) };
  throw invalid(`The asset "${slug}" must be ${kinds.join(" or ")} here, but is ${asset.kind}.`);
}
