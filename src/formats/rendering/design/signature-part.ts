import { alignShare, boxOf, type Mark, type TextMark } from "../pdf/marks.js";
import { nominalAscent, nominalDescent } from "../text/fit-text.js";
import type { Piece } from "./blocks.js";
import { placedPicture } from "./institution-assets.js";
import {
  depthOf,
  labelClearance,
  lineAt,
  type PartContext,
  type PartOptions,
  partTexts,
  thinLines,
} from "./part-texts.js";
import type { PdfOptions } from "./pdf-options.js";

/** Distance from the baseline of a name to that of the title, as a share of the title's size. */
const titleDistance = 1.42;

interface Signing {
  readonly name: string;
  readonly title?: string | undefined;
  /** Horizontal position of the texts. */
  readonly anchor: number;
}

export async function prepareSignatures(
  partBox: PartOptions<"signatures">,
  options: PdfOptions,
  context: PartContext,
) {
  const { y, height, line, block } = partBox;
  const texts = partTexts("places.signatures", partBox, options, context);
  const { styles, size, smaller } = texts;
  const rise = size * 1.2;
  const { column, columns } = await placedColumns(partBox, options, context, rise);
  const tallest = Math.max(0, ...columns.map(({ picture }) => picture?.box.height ?? 0));
  const hasPicture = columns.some(({ picture }) => picture);
  const printed = textsOf(columns, column, { ...partBox, ...texts }, context);
  const marks = columns.flatMap(({ name, left, picture }, index): Mark[] => [
    ...(picture && line !== undefined
      ? [thinLines([lineAt(left, y + size * 0.98, column, 0)], context.palette(line))]
      : []),
    ...(picture ? [signaturePicture(picture, `${context.language.words.signature}: ${name}`)] : []),
    ...(printed[index] ?? []),
  ]);
  const titles = printed.flatMap((each) => each.slice(1));
  const below = Math.max(0, ...titles.map((mark) => y - boxOf(mark).y), size * nominalDescent);
  const above = hasPicture ? rise + tallest : size * nominalAscent;
  const piece: Piece = {
    block,
    y,
    designed: { above: rise + height, below: smaller * 1.75 },
    printed: columns.length > 0 ? { above, below } : undefined,
    marks,
  };
  return { styles, piece };
}

/**
 * Places one column for each person who signs.
 * @param rise distance from the name's baseline to the picture
 * @returns the columns and their width
 */
async function placedColumns(
  { x, y, width, align, height, column: widest, gap }: PartOptions<"signatures">,
  { signatory, signatories }: PdfOptions,
  context: PartContext,
  rise: number,
) {
  const signing = signatories.length > 0 ? signatories : signatory ? [signatory] : [];
  const isDivided = gap !== undefined && align === "center";
  const cell = isDivided
    ? (width - gap) / 2 / Math.max(1, Math.ceil(signing.length / 2))
    : width / Math.max(1, signing.length);
  const column = Math.min(widest, signing.length > 1 ? cell - 16 : cell);
  const reachesEdge = context.typesetting.alignsSignatures && signing.length > 1;
  const most = reachesEdge ? (width - column) / (signing.length - 1) : cell;
  const step = align === "center" ? cell : Math.min(most, column + 32);
  const columns = await Promise.all(
    signing.map(async ({ name, title, image }, index) => {
      const isMirrored = context.language.words.direction === "rtl";
      const inOrder = isMirrored ? signing.length - 1 - index : index;
      const anchor = isDivided
        ? x + besideGap(inOrder, signing.length, { width, gap, cell, isMirrored })
        : x + (inOrder + alignShare(align)) * step - signing.length * step * alignShare(align);
      const box = { x: anchor - column * alignShare(align), y: y + rise, width: column, height };
      const picture =
        image === undefined
          ? undefined
          : await placedPicture(image, box, align, { ...context, name: `Signature${index}` });
      return { name, title, anchor, left: box.x, picture };
    }),
  );
  return { column, columns };
}

/** Sets the name in each column, and the title below it if there is one. */
function textsOf(
  columns: readonly Signing[],
  width: number,
  { y, align, size, smaller, main, small }: PartOptions<"signatures"> & ReturnType<typeof partTexts>,
  { typesetting: { alignsSignatures, clearsInk } }: PartContext,
): TextMark[][] {
  const nameRoom = { width, height: size * 1.35, minSize: size * 0.7, maxLines: 1 };
  const titleRoom = { width, height: smaller * 2.6, minSize: smaller * 0.86, maxLines: 2 };
  const namesOf = (size: number) =>
    columns.map(({ name, anchor }) => main(name, { ...nameRoom, size }, anchor, y, align));
  const titlesOf = (size: number) =>
    columns.map(({ title, anchor }) =>
      title === undefined
        ? []
        : [small(title, { ...titleRoom, size }, anchor, y - smaller * titleDistance, align)],
    );
  const names = namesOf(size);
  const titles = titlesOf(smaller);
  const evenNames = alignsSignatures ? namesOf(smallestOf(names)) : names;
  const evenTitles = alignsSignatures ? titlesOf(smallestOf(titles.flat())) : titles;
  const ink =
    Math.max(0, ...evenNames.map(({ block }) => depthOf(block))) +
    Math.max(0, ...evenTitles.flat().map(({ block }) => block.ascent));
  const lowered = clearsInk ? Math.max(0, ink + smaller * (labelClearance - titleDistance)) : 0;
  return evenNames.map((name, index) => [
    name,
    ...(evenTitles[index] ?? []).map((title) => ({ ...title, baseline: title.baseline - lowered })),
  ]);
}

function smallestOf(texts: readonly TextMark[]): number {
  return Math.min(...texts.map(({ block }) => block.size));
}

function signaturePicture(picture: Awaited<ReturnType<typeof placedPicture>>, alt: string): Mark {
  return { kind: "figure", option: "places.signatures", ...picture, alt };
}

/**
 * Returns the distance of a column from the middle of its row. The row has a gap in the centre. If the number of
 * columns is odd, the side where reading ends has one more column.
 */
function besideGap(
  index: number,
  count: number,
  { width, gap, cell, isMirrored }: { width: number; gap: number; cell: number; isMirrored: boolean },
): number {
  const left = isMirrored ? Math.ceil(count / 2) : Math.floor(count / 2);
  const [side, among, at] = index < left ? [-1, left, index] : [1, count - left, index - left];
  return side * ((width + gap) / 4) + (at - (among - 1) / 2) * cell;
}
