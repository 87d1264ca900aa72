import { failedPrecondition } from "#foundation/errors.js";
import type { Mark } from "../pdf/marks.js";
import { pdfNumber } from "../pdf/pdf-object.js";
import { sum } from "../text/break-lines.js";
import { MIN_LEGIBLE_SIZE, type TextBlock } from "../text/fit-text.js";
import type { Blocks } from "./page-options.js";

/** Marks that move together when their block is laid out. Lengths are in points. */
export interface Piece {
  /** Name of the piece's block; undefined if the piece doesn't move. */
  readonly block: string | undefined;
  /** Vertical position as stated in the options. */
  readonly y: number;
  /** Extent as designed: one line at full size. */
  readonly designed: Extent;
  /** Extent as printed; undefined if there is nothing to print. */
  readonly printed: Extent | undefined;
  /** The piece's marks, at the positions that they have if the piece is at `y`. */
  readonly marks: readonly Mark[];
  /**
   * The piece doesn't shrink below this share of its printed size, unless other texts of the block would then be too
   * small to read.
   */
  readonly minScale?: number | undefined;
}

interface Extent {
  readonly above: number;
  readonly below: number;
}

/** Share of the free space that is above an optically centred block. */
const opticalCentre = 0.46;
/** Gaps shrink to this share of their designed size before texts shrink. */
const MIN_GAPS = 0.45;
/** Pieces whose vertical positions differ by less than this (in points) are on the same line. */
const sameLine = 0.75;

interface Row {
  readonly y: number;
  readonly pieces: readonly Piece[];
  /** Distance from the row above, as designed. */
  readonly gap: number;
}

/**
 * Lays out blocks: closes the gaps of missing texts, and makes room for texts that are taller than designed.
 * @returns the marks of all pieces, from top to bottom
 * @throws Problem `failed-precondition` if a text of a block would be too small to read
 */
export function layOutBlocks(pieces: readonly Piece[], blocks: Blocks, lenient = false): Mark[] {
  const settled = pieces.flatMap((piece) =>
    piece.printed && (piece.block === undefined || !Object.hasOwn(blocks, piece.block))
      ? [{ top: piece.y + piece.printed.above, marks: piece.marks }]
      : [],
  );
  for (const [name, room] of Object.entries(blocks)) {
    const rows = printedRows(pieces.filter(({ block }) => block === name));
    if (rows.length === 0) continue;
    const heights = sum(rows.map(heightOf));
    const gaps = sum(rows.slice(1).map(({ gap }) => gap));
    const free = room.top - room.bottom - heights;
    const spread = gaps === 0 ? 1 : Math.min(1, Math.max(MIN_GAPS, free / gaps));
    const available = room.top - room.bottom - gaps * spread;
    const common = Math.min(1, Math.max(0.05, available / heights));
    if (common < 1 && !lenient) refuseUnreadable(name, rows, common);
    const scaleOf = scalesOf(rows, available, common);
    const left = Math.max(0, room.top - room.bottom - heights * common - gaps * spread);
    let top = room.top - left * { top: 0, center: opticalCentre, bottom: 1 }[room.align];
    rows.forEach((row, index) => {
      const scale = scaleOf(row);
      if (index > 0) top -= row.gap * spread;
      const y = top - extentOf(row, "above") * scale;
      for (const piece of row.pieces) {
        settled.push({ top, marks: piece.marks.map((mark) => moved(mark, piece.y, y, scale)) });
      }
      top -= heightOf(row) * scale;
    });
  }
  return settled.sort((one, other) => other.top - one.top).flatMap(({ marks }) => marks);
}

/**
 * Returns the scale of each row. Rows whose minimum scale is above the common scale get their minimum, and the other
 * rows shrink further. If that would make their texts too small to read, all rows get the common scale.
 */
function scalesOf(rows: readonly Row[], available: number, common: number): (row: Row) => number {
  const held = rows.filter((row) => minScaleOf(row) > common);
  if (held.length === 0) return () => common;
  const others = rows.filter((row) => !held.includes(row));
  const rest = available - sum(held.map((row) => heightOf(row) * minScaleOf(row)));
  const scale = rest / sum(others.map(heightOf));
  if (!(scale > 0) || unreadableText(others, scale)) return () => common;
  return (row) => (held.includes(row) ? minScaleOf(row) : scale);
}

function minScaleOf({ pieces }: Row): number {
  return Math.max(...pieces.map(({ minScale = 0 }) => minScale));
}

/** Returns the rows from top to bottom, each with its designed distance from the row above. */
function printedRows(pieces: readonly Piece[]): Row[] {
  const sorted = [...pieces].sort((one, other) => other.y - one.y);
  const rows: Piece[][] = [];
  for (const piece of sorted) {
    const last = rows.at(-1);
    if (last?.[0] && last[0].y - piece.y < sameLine) last.push(piece);
    else rows.push([piece]);
  }
  return rows.flatMap((row, index) => {
    const printed = row.filter((piece) => piece.printed);
    const above = rows[index - 1] ?? [];
    const lower = Math.min(...above.map(({ y, designed }) => y - designed.below));
    const upper = Math.max(...row.map(({ y, designed }) => y + designed.above));
    const gap = above.length === 0 ? 0 : Math.max(0, lower - upper);
    return printed.length === 0 ? [] : [{ y: row[0]?.y ?? 0, pieces: printed, gap }];
  });
}

function extentOf({ pieces }: Row, side: keyof Extent): number {
  return Math.max(...pieces.map(({ printed }) => printed?.[side] ?? 0));
}

function heightOf(row: Row): number {
  return extentOf(row, "above") + extentOf(row, "below");
}

/**
 * Moves a mark along with its piece, from one vertical position to another. Texts are scaled, and so is their distance
 * from that position. Lines between texts get closer together. Other drawings keep their size.
 */
function moved(mark: Mark, from: number, to: number, scale: number): Mark {
  const move = (y: number) => to + (y - from) * scale;
  if (mark.kind === "text") {
    if (scale === 1 && from === to) return mark;
    return { ...mark, baseline: move(mark.baseline), block: scaled(mark.block, scale) };
  }
  const { box } = mark;
  if (mark.kind === "decoration" && mark.stretches && scale !== 1) {
    const shrunk = `1 0 0 ${pdfNumber(scale)} 0 ${pdfNumber(to - from * scale)} cm\n${mark.operators}`;
    return {
      ...mark,
      operators: shrunk,
      ...(box && { box: { ...box, y: move(box.y), height: box.height * scale } }),
    };
  }
  const rise = `1 0 0 1 0 ${pdfNumber(to - from)} cm\n${mark.operators}`;
  return { ...mark, operators: rise, ...(box && { box: { ...box, y: box.y + to - from } }) };
}

function scaled(block: TextBlock, scale: number): TextBlock {
  if (scale === 1) return block;
  const { size, step, ascent, height, width } = block;
  return {
    ...block,
    size: size * scale,
    step: step * scale,
    ascent: ascent * scale,
    height: height * scale,
    width: width * scale,
  };
}

function refuseUnreadable(name: string, rows: readonly Row[], scale: number): void {
  const unreadable = unreadableText(rows, scale);
  if (!unreadable) return;
  const { text, size } = unreadable;
  throw failedPrecondition(
    `The texts don't fit in the block ${name}: "${text}" would be printed at ` +
      `${(size * scale).toFixed(1)} points, but legible text needs at least ${MIN_LEGIBLE_SIZE}. ` +
      `Give blocks.${name} more room, or use fewer characters.`,
    { reason: "NOT_PRINTABLE" },
  );
}

/** Returns the first text that would become too small to read. */
function unreadableText(rows: readonly Row[], scale: number): TextBlock | undefined {
  const marks = rows.flatMap(({ pieces }) => pieces.flatMap((piece) => piece.marks));
  const texts = marks.flatMap((mark) => (mark.kind === "text" ? [mark.block] : []));
  return texts.find(({ size }) => size * scale < Math.min(size, MIN_LEGIBLE_SIZE));
}
