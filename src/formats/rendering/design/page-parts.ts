import type { Assets } from "../generator.js";
import { alignShare, boxOf, type Decoration, type Mark } from "../pdf/marks.js";
import type { PdfObject } from "../pdf/pdf-object.js";
import { pdfNumber } from "../pdf/pdf-object.js";
import { nominalAscent, nominalDescent, type Room } from "../text/fit-text.js";
import type { FontChain } from "../text/fonts.js";
import type { TextStyle } from "../text/text-lines.js";
import type { Piece } from "./blocks.js";
import { sealPaper } from "./built-in-paper.js";
import type { DocumentLanguage } from "./document-language.js";
import { layFacts } from "./fact-row.js";
import { fontOf, placedPicture } from "./institution-assets.js";
import type { Places } from "./page-options.js";
import type { Palette } from "./palette.js";
import type { PdfOptions } from "./pdf-options.js";
import type { Phrases } from "./phrases.js";
import type { WordsOf } from "./placeholders.js";
import type { SealWords } from "./seal-words.js";
import { prepareSetting } from "./set-text.js";
import { decorationOf } from "./shapes.js";
import { capitals } from "./text-words.js";

/** Logo, facts, signatures and seal, if the options place them. */
interface PageParts {
  /** Drawn below the texts. */
  readonly fixed: readonly Decoration[];
  readonly styles: readonly TextStyle[];
  pieces(wordsOf: WordsOf): Piece[];
}

export interface PartContext {
  readonly assets: Assets;
  readonly own: FontChain;
  readonly language: DocumentLanguage;
  readonly palette: Palette;
  readonly phrases: Phrases;
  readonly platformName: string;
}

type PartOptions<K extends keyof Places> = NonNullable<Places[K]>;

/** Size of labels, as a share of a part's main text. */
const labelSize = 0.78;
/** Size of labels in the second language, as a share of the labels' size. */
const secondLabelSize = 0.88;

/** @throws Problem `invalid` if an asset is missing or of the wrong kind */
export async function preparePageParts(options: PdfOptions, context: PartContext): Promise<PageParts> {
  const { logo, facts, signatures, seal } = options.places;
  const [logoPiece, sealMark, signaturePieces] = await Promise.all([
    logo && prepareLogo(logo, options.logo, context),
    seal && prepareSeal(seal, options.seal, context),
    signatures && prepareSignatures(signatures, options, context),
  ]);
  const factPiece = facts && prepareFacts(facts, options, context);
  return {
    fixed: sealMark ? [sealMark] : [],
    styles: [...(factPiece?.styles ?? []), ...(signaturePieces?.styles ?? [])],
    pieces: (wordsOf) => [
      ...(logoPiece ? [logoPiece] : []),
      ...(factPiece ? [factPiece.piece(wordsOf)] : []),
      ...(signaturePieces ? [signaturePieces.piece] : []),
    ],
  };
}

async function prepareLogo(
  partBox: PartOptions<"logo">,
  slug: string | undefined,
  context: PartContext,
): Promise<Piece> {
  const picture =
    slug === undefined
      ? undefined
      : await placedPicture(slug, partBox, partBox.align, { ...context, name: "Logo" });
  return {
    block: partBox.block,
    y: partBox.y,
    designed: { above: partBox.height, below: 0 },
    printed: picture && { above: picture.box.height, below: 0 },
    // A decoration, because the printed name already identifies the issuer.
    marks: picture ? [{ kind: "decoration", option: "places.logo", ...picture }] : [],
  };
}

async function prepareSeal(
  { x, y, size, color, look }: PartOptions<"seal">,
  slug: string | undefined,
  context: PartContext,
): Promise<Decoration | undefined> {
  if (slug !== undefined) {
    const picture = await placedPicture(slug, { x, y, width: size, height: size }, "center", {
      ...context,
      name: "Seal",
    });
    return { kind: "decoration", option: "places.seal", ...picture };
  }
  if (look === "none") return undefined;
  const { background } = await sealPaper(size, look, sealWordsOf(context), context.palette(color));
  const { operators, resources = [] } = decorationOf(background?.object as PdfObject, "Seal");
  return {
    kind: "decoration",
    option: "places.seal",
    box: { x, y, width: size, height: size },
    operators: `${[1, 0, 0, 1, x, y].map(pdfNumber).join(" ")} cm\n${operators}`,
    resources,
  };
}

export function sealWordsOf(context: PartContext): SealWords {
  const { platformName, language } = context;
  return { text: capitals(platformName, language.tag), style: styleOf("EB Garamond Medium", context) };
}

/** @param font undefined for the design's font */
export function styleOf(
  font: string | undefined,
  { assets, own, language }: Pick<PartContext, "assets" | "own" | "language">,
): TextStyle {
  const fonts = fontOf(font, assets);
  return { fonts: [...fonts, ...own.filter((face) => !fonts.includes(face))], language: language.forms };
}

function texts(
  option: string,
  partBox: PartOptions<"facts"> | PartOptions<"signatures">,
  { defaults }: PdfOptions,
  context: PartContext,
) {
  const { font = defaults.font, label_font = font } = partBox;
  const main = styleOf(font, context);
  const small = styleOf(label_font, context);
  const { size, color, label_color } = partBox;
  const set = (style: TextStyle, color: string) =>
    prepareSetting({ style, color: context.palette(color), option });
  return {
    styles: [main, small],
    main: set(main, color),
    small: set(small, label_color),
    size,
    smaller: size * labelSize,
  };
}

function prepareFacts(partBox: PartOptions<"facts">, options: PdfOptions, context: PartContext) {
  const { x, y, width, align, columns, labels, rule, block } = partBox;
  const { styles, main, small, size, smaller } = texts("places.facts", partBox, options, context);
  const { words: wording, tag } = context.language;
  const begins = wording.direction === "rtl" ? -1 : 1;
  const second = partBox.second_labels ? context.phrases.second?.words : undefined;
  /** Height of labels in the second language, which are below the others. */
  const under = second ? smaller * 1.35 : 0;
  const above = labels === "above" ? size * nominalAscent + smaller * 1.5 + under : size * nominalAscent;
  const below = labels === "below" ? smaller * 1.75 + under : size * nominalDescent;
  const step = (above + below) * (labels === "beside" ? 2.1 : 1.35);

  function marksOf(wordsOf: WordsOf): { rows: number; marks: Mark[] } {
    const cells = layFacts({
      facts: options.facts,
      labels: options.labels,
      wording,
      second,
      language: tag,
      wordsOf,
    });
    const inRow = labels === "beside" ? 1 : Math.ceil(cells.length / Math.ceil(cells.length / columns));
    const cell = labels === "beside" ? width : Math.min(width / inRow, size * 9);
    const marks: Mark[] = [];
    const lines: string[] = [];
    for (const { value, words, second: other, isOurs, row, column, count } of inRows(cells, inRow, begins)) {
      const baseline = y - row * step;
      const left = x - count * cell * alignShare(align);
      const anchor = left + column * cell + cell * alignShare(align);
      const language = isOurs ? { language: wording.tag } : {};
      if (labels === "beside") {
        const [start, end] = begins === 1 ? [left, left + width] : [left + width, left];
        const [near, far] = begins === 1 ? (["left", "right"] as const) : (["right", "left"] as const);
        const both = other === undefined ? words : `${words} · ${other}`;
        marks.push({
          ...small(both, roomOf(width * 0.5, smaller * 1.12, 1), start, baseline, near),
          ...language,
        });
        marks.push(main(value, roomOf(width * 0.48, size, 1), end, baseline, far));
        lines.push(lineAt(left, baseline + step / 2 + size * 0.22, width, 0));
        continue;
      }
      const text = align === "center" ? cell - 14 : cell - 16;
      const upper = size * nominalAscent + smaller * 0.62 + under;
      const label = baseline + (labels === "above" ? upper : -smaller * 1.4);
      marks.push({
        ...small(words, roomOf(text, smaller, second ? 1 : 2), anchor, label, align),
        ...language,
      });
      if (second && other !== undefined) {
        const room = roomOf(text, smaller * secondLabelSize, 1);
        marks.push({ ...small(other, room, anchor, label - under, align), language: second.tag });
      }
      marks.push(main(value, roomOf(text, size, 2), anchor, baseline, align));
      if (column > 0) {
        const between = left + column * cell - (align === "left" ? 10 : align === "right" ? -10 : 0);
        lines.push(lineAt(between, baseline - below, 0, above + below));
      }
    }
    const drawn =
      rule === undefined || lines.length === 0
        ? []
        : [`${context.palette(rule).map(pdfNumber).join(" ")} RG 0.5 w`, ...lines];
    const ruled: Mark[] =
      drawn.length === 0 ? [] : [{ kind: "decoration", option: "places.facts", operators: drawn.join("\n") }];
    return { rows: Math.ceil(cells.length / inRow), marks: [...ruled, ...marks] };
  }

  return {
    styles,
    piece(wordsOf: WordsOf): Piece {
      const { rows, marks } = marksOf(wordsOf);
      const printed = { above, below: below + (rows - 1) * step };
      return { block, y, designed: { above, below }, printed: rows > 0 ? printed : undefined, marks };
    },
  };
}

/** Arranges items in rows. Each item gets the number of items in its row, and its column counted from the left. */
export function inRows<T extends object>(items: readonly T[], inRow: number, begins: 1 | -1) {
  return items.map((item, index) => {
    const row = Math.floor(index / inRow);
    const count = Math.min(inRow, items.length - row * inRow);
    const column = begins === 1 ? index % inRow : count - 1 - (index % inRow);
    return { ...item, row, count, column };
  });
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

/** Returns the room for a text. Its height doesn't depend on the number of lines. */
function roomOf(width: number, size: number, maxLines: number): Room {
  return { width, height: size * 1.5, size, minSize: size * 0.7, maxLines };
}

function lineAt(x: number, y: number, across: number, up: number): string {
  return `${[x, y].map(pdfNumber).join(" ")} m ${[x + across, y + up].map(pdfNumber).join(" ")} l S`;
}

async function prepareSignatures(
  partBox: PartOptions<"signatures">,
  options: PdfOptions,
  context: PartContext,
) {
  const { x, y, width, align, height, column: widest, gap, line, block } = partBox;
  const { styles, main, small, size, smaller } = texts("places.signatures", partBox, options, context);
  const { words: wording } = context.language;
  const { signatory } = options;
  const signing = options.signatories.length > 0 ? options.signatories : signatory ? [signatory] : [];
  const isDivided = gap !== undefined && align === "center";
  const cell = isDivided
    ? (width - gap) / 2 / Math.max(1, Math.ceil(signing.length / 2))
    : width / Math.max(1, signing.length);
  const column = Math.min(widest, signing.length > 1 ? cell - 16 : cell);
  const step = align === "center" ? cell : Math.min(cell, column + 32);
  const rise = size * 1.2;
  const columns = await Promise.all(
    signing.map(async ({ name, title, image }, index) => {
      const isMirrored = wording.direction === "rtl";
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
  const hasPicture = columns.some(({ picture }) => picture);
  const tallest = Math.max(0, ...columns.map(({ picture }) => picture?.box.height ?? 0));
  const titled = columns.map(({ title, anchor }) =>
    title === undefined
      ? []
      : [
          small(
            title,
            { width: column, height: smaller * 2.6, size: smaller, minSize: smaller * 0.86, maxLines: 2 },
            anchor,
            y - smaller * 1.42,
            align,
          ),
        ],
  );
  const marks = columns.flatMap(({ name, anchor, left, picture }, index): Mark[] => [
    ...(picture && line !== undefined
      ? [signatureLine(lineAt(left, y + size * 0.98, column, 0), context.palette(line))]
      : []),
    ...(picture ? [signaturePicture(picture, `${wording.signature}: ${name}`)] : []),
    main(
      name,
      { width: column, height: size * 1.35, size, minSize: size * 0.7, maxLines: 1 },
      anchor,
      y,
      align,
    ),
    ...(titled[index] ?? []),
  ]);
  const below = Math.max(0, ...titled.flat().map((mark) => y - boxOf(mark).y), size * nominalDescent);
  const piece: Piece = {
    block,
    y,
    designed: { above: rise + height, below: smaller * 1.75 },
    printed:
      signing.length > 0 ? { above: hasPicture ? rise + tallest : size * nominalAscent, below } : undefined,
    marks,
  };
  return { styles, piece };
}

function signatureLine(line: string, colour: readonly number[]): Mark {
  return { kind: "decoration", operators: `${colour.map(pdfNumber).join(" ")} RG 0.5 w\n${line}` };
}

function signaturePicture(picture: Awaited<ReturnType<typeof placedPicture>>, alt: string): Mark {
  return { kind: "figure", option: "places.signatures", ...picture, alt };
}
