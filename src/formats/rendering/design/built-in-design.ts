import { mix, type Rgb } from "../pdf/color.js";
import {
  type Box,
  boxOf,
  type Decoration,
  type Figure,
  type Mark,
  type PageSize,
  type TextMark,
} from "../pdf/marks.js";
import type { Paper } from "../pdf/paper.js";
import type { Room, TextBlock } from "../text/fit-text.js";
import type { TextStyle } from "../text/text-lines.js";
import { builtInPaper, frameDepth, paperColor } from "./built-in-paper.js";
import { inRows, layFacts } from "./fact-row.js";
import { placedPicture } from "./institution-assets.js";
import type { PageFrame } from "./page-frame.js";
import { sealWordsOf } from "./page-parts.js";
import { type PartContext, styleOf } from "./part-texts.js";
import type { PdfOptions } from "./pdf-options.js";
import { type Placeholder, placeholdersOf, type WordsOf } from "./placeholders.js";
import { type Baseline, prepareSetting, type TextAppearance } from "./set-text.js";
import { isBuiltInElement, type TextElement } from "./text-elements.js";
import { prepareWords, smallerThan, type WordContext } from "./text-words.js";

/** The design of credentials without a template, for pages of one size. */
interface BuiltInDesign extends PageFrame {
  readonly logo: Decoration | undefined;
  readonly signatures: readonly Figure[];
  /**
   * Returns the paper that all documents of the design share.
   * @param elements all text elements of the options
   */
  paper(elements: readonly TextElement[]): Promise<Paper>;
  /**
   * Returns everything on the paper except pictures, in reading order.
   * @param elements laid out, by key
   */
  marks(elements: ReadonlyMap<string, TextMark>, wordsOf: WordsOf, qr: Figure | undefined): Mark[];
}

/** What determines the positions of all elements. */
interface Draft extends PageSize {
  readonly options: PdfOptions;
  readonly context: PartContext & WordContext;
  /** 1 if text starts on the left; -1 if it starts on the right. */
  readonly begins: 1 | -1;
  readonly ink: Rgb;
}

type Signatory = PdfOptions["signatories"][number];

interface ShownSignatory extends Signatory {
  readonly option: string;
  /** False if the credential states the name and title, which are those of the time of issue. */
  readonly isListed: boolean;
}

interface Page extends Draft {
  readonly geometry: Geometry;
  readonly regular: TextStyle;
  readonly italic: TextStyle;
  readonly muted: Rgb;
}

/**
 * Creates the design: logo, issuer and title at the top, name and context in the middle, facts below them, and seal,
 * date, signatures and QR code at the bottom.
 * @param ink colour of the texts
 */
export async function createBuiltInDesign(
  size: PageSize,
  options: PdfOptions,
  ink: Rgb,
  context: PartContext & WordContext,
): Promise<BuiltInDesign> {
  const begins = context.language.words.direction === "rtl" ? -1 : 1;
  const draft: Draft = { ...size, options, context, begins, ink };
  const page: Page = {
    ...draft,
    geometry: size.width > size.height ? landscape(draft) : portrait(draft),
    regular: styleOf(undefined, context),
    italic: styleOf("EB Garamond Italic", context),
    muted: mix(ink, paperColor, 0.32),
  };
  const { elements, corner, qrSide: side } = page.geometry;
  const { quietsCode } = context.typesetting;
  const codeAt = { x: size.width - corner.x - side / 2, y: corner.y - side / 2 };
  const texts = ownTexts(page);
  const layFactRow = prepareFactRow(page);
  const minTitle = MAX_TITLE_SIZE * context.typesetting.minTitleShare;
  const { title: titleArea } = page.geometry;
  const { logo, signatures } = await picturesOf(page);
  const signed = preparePeople(page, texts, signatures);
  return {
    elements,
    margin: frameDepth + 32,
    code: {
      isPrinted: true,
      side,
      at: () => codeAt,
      color: quietsCode ? mix(ink, context.palette("accent"), 0.6) : ink,
      background: undefined,
    },
    logo,
    signatures: signatures.filter((each) => each !== undefined),
    paper: (requested) => paperOf(page, requested),
    marks(placed, wordsOf, qr) {
      const [name, course, date] = [placed.get("name"), placed.get("context"), placed.get("date")];
      const title = texts.title(wordsOf, {
        size: smallerThan(name, minTitle),
        height: minTitle > 0 ? heightAbove(name, titleArea) : titleArea.height,
      });
      const belowDate = date && { x: date.x, baseline: date.baseline - 19 };
      return [
        ...texts.issuer(wordsOf),
        ...title,
        ...joined(name, title[0], 36, context, (at) => texts.to(wordsOf, at)),
        ...joined(course, name, Number.POSITIVE_INFINITY, context, (at) => texts.for(wordsOf, at)),
        ...layFactRow(wordsOf),
        ...(date ? [date] : []),
        ...(date?.align === "center" ? texts.dateLabel(wordsOf, belowDate) : []),
        ...signed(wordsOf),
        ...[...placed].filter(([key]) => !isBuiltInElement(key)).map(([, mark]) => mark),
        ...texts.address(wordsOf),
        ...(qr ? [qr] : []),
        ...(quietsCode ? [] : texts.identifier(wordsOf)),
      ];
    },
  };
}

function hasFacts({ facts, hours, credits }: PdfOptions): boolean {
  const rare = new Set([
    "award_date",
    "valid_until",
    ...(hours ? [] : ["hours"]),
    ...(credits ? [] : ["credits"]),
  ]);
  return facts.some((name) => !rare.has(name));
}

type Geometry = ReturnType<typeof landscape>;

function nameStyle({ context }: Draft): { readonly font?: string } {
  return context.typesetting.contrastsName ? { font: "EB Garamond Italic" } : {};
}

function landscape(draft: Draft) {
  const { width, height, options, context } = draft;
  const sealRadius = 50;
  const fromSide = frameDepth + 86;
  const { line, dated, signed } = columns(width / 2 - fromSide - sealRadius - 12, draft);
  const lower = hasFacts(options) ? 0 : 16;
  const lowered = context.typesetting.contrastsName ? 9 : 0; // leaves room for "is awarded to" below a long title
  return {
    elements: {
      name: { y: 324 - lower / 2 - lowered, size: 48, room: { height: 76 }, ...nameStyle(draft) },
      context: { y: 254 - lower, size: 28, room: { height: 64 - lower / 2 }, isLesser: true },
      date: { y: 129, size: 12.5, x: width / 2 + dated, room: { width: line - 16 } },
    },
    logo: { y: height - 101, height: 46 },
    issuer: height - (options.logo ? 121 : 104),
    title: { top: height - (options.logo ? 148 : 136), height: 46, maxHeight: 62 },
    /** Position of the values; their labels are below them. */
    facts: { y: 189, width: width - 2 * (frameDepth + 62), inRow: 6 },
    /** Centre of the seal, as far from the left edge as the QR code's centre is from the right edge. */
    corner: { x: fromSide, y: frameDepth + 70 },
    sealRadius,
    qrSide: context.typesetting.quietsCode ? 64 : 76,
    line,
    signed,
    address: { y: 64, width: width - 2 * fromSide - 110 },
  };
}

function portrait(draft: Draft): Geometry {
  const { width, height, options, context } = draft;
  const { line, dated, signed } = columns(width / 2 - frameDepth - 34, draft);
  const middle = height - 842; // the design is drawn for A4; US Letter is shorter
  const lower = hasFacts(options) ? 0 : 24;
  return {
    elements: {
      name: { y: 490 + middle - lower / 2, size: 42, room: { height: 92 }, ...nameStyle(draft) },
      context: { y: 412 + middle * 0.7 - lower, size: 26, room: { height: 62 - lower / 2 }, isLesser: true },
      date: { y: 230, size: 12.5, x: width / 2 + dated, room: { width: line - 16 } },
    },
    logo: { y: height - 154, height: 70 },
    issuer: height - (options.logo ? 180 : 148),
    title: { top: height - (options.logo ? 208 : 184), height: 84, maxHeight: 84 },
    facts: { y: 334 + middle * 0.2, width: width - 2 * (frameDepth + 36), inRow: 3 },
    corner: { x: frameDepth + 78, y: frameDepth + 96 },
    sealRadius: 52,
    qrSide: context.typesetting.quietsCode ? 68 : 80,
    line,
    signed,
    address: { y: 68, width: width - 2 * (frameDepth + 24) },
  };
}

/**
 * Returns the width of the lines under the date and the signatures, and the distance of each line's middle from the
 * middle of the page.
 * @param half half of the width available for the lines
 */
function columns(half: number, draft: Draft) {
  const count = signatoriesOf(draft).length;
  if (count === 0) return { line: 206, dated: 0, signed: [] };
  const line = (2 * half - 32 * count) / (count + 1);
  const middle = (index: number) => draft.begins * (half - line / 2) * ((2 * index) / count - 1);
  return { line, dated: middle(0), signed: Array.from({ length: count }, (_, index) => middle(index + 1)) };
}

/** Returns the people whose signatures fit. The first edition shows only the option `signatory`. */
function signatoriesOf({ options: { signatory, signatories }, context }: Draft): ShownSignatory[] {
  const listed = context.typesetting.showsSignatories ? signatories.slice(0, 2) : [];
  if (listed.length > 0)
    return listed.map((person, index) => ({ ...person, option: `signatories.${index}`, isListed: true }));
  return signatory ? [{ ...signatory, option: "signatory", isListed: false }] : [];
}

/** A centred text whose position is set by the design, not by options. */
interface OwnText extends TextAppearance {
  /** May contain placeholders. */
  readonly text: string;
  readonly uppercase?: boolean;
  readonly room: Room;
  readonly at: Position;
  readonly cached?: number;
}

interface Position {
  readonly x?: number;
  readonly baseline: Baseline;
}

/** Changes to a text in an individual document. */
type Change = Partial<Position> & { readonly size?: number | undefined; readonly height?: number };

type LayOwn = (wordsOf: WordsOf, change?: Change) => TextMark[];

function ownTexts(page: Page) {
  const { width, geometry, context, ink, options, regular, italic, muted } = page;
  const { issuer, title, line, address, elements } = geometry;
  const { tag } = context.language.words;
  const across = width - 2 * frameDepth;
  const { date } = options.text_elements;
  const isAward = date ? placeholdersOf(date.text ?? "").some(isAwardDate) : false;
  const joint = {
    style: italic,
    color: muted,
    language: tag,
    at: { baseline: 0 },
    room: { width: across - 40, height: 22, size: MAX_JOINT_SIZE, minSize: MIN_JOINT_SIZE, maxLines: 1 },
  };
  const label = {
    style: italic,
    color: muted,
    room: { width: line - 4, height: 15, size: 10.5, minSize: 7, maxLines: 2 },
  };
  const footer = (size: number) => ({
    style: { ...regular, features: ["plain"] },
    color: mix(ink, paperColor, 0.2),
    room: { width: address.width, height: size * 2.1, size, minSize: 6.5, maxLines: 2 },
    cached: 1, // each credential has different texts
  });
  const own = (text: OwnText) => prepareOwn(text, page);
  return {
    issuer: own({
      text: "{platform_name}",
      uppercase: true,
      style: { ...regular, spacing: 0.1 },
      color: context.palette("accent"),
      room: { width: across - 100, height: 26, size: 13.5, minSize: 8, maxLines: 1 },
      at: { baseline: issuer },
    }),
    title: own({
      text: "{credential_type}",
      style: regular, // without letter spacing, which would break up ligatures
      color: ink,
      tag: "H1",
      room: titleRoom(across - 90, title.height, context),
      at: { baseline: ({ height, ascent }) => title.top - Math.max(0, title.height - height) / 2 - ascent },
    }),
    to: own({ ...joint, text: "{words.awarded_to}" }),
    for: own({ ...joint, text: "{words.for}" }),
    dateLabel: own({
      ...label,
      text: isAward ? "{words.date_of_award}" : "{words.date_of_issue}",
      language: tag,
      at: { baseline: 0 },
    }),
    signatory: own({
      text: "{signatory_name}",
      style: regular,
      color: ink,
      option: "signatory",
      room: { width: line - 4, height: 16, size: 12, minSize: 8, maxLines: 1 },
      at: { baseline: elements.date.y - 20 },
    }),
    office: own({
      ...label,
      text: "{signatory_title}",
      option: "signatory",
      at: { baseline: elements.date.y - 33 },
    }),
    address: own({
      ...footer(9.4),
      text: "{words.verify_at} {verify_short_url}",
      at: {
        baseline: ({ lines, step }) =>
          address.y + (context.typesetting.quietsCode ? 4 : 12.5) + (lines.length - 1) * step,
      },
    }),
    identifier: own({
      ...footer(8),
      text: "{words.credential_id} {verify_uuid}",
      at: { baseline: address.y },
    }),
  };
}

function isAwardDate(placeholder: Placeholder): boolean {
  return placeholder.kind === "fact" && placeholder.name === "award_date";
}

function prepareOwn(own: OwnText, { width, context }: Page): LayOwn {
  const { text, uppercase = false, room, at, cached, ...look } = own;
  const { of, traits } = prepareWords(text, uppercase, context);
  const set = prepareSetting(look, cached);
  return (wordsOf, change = {}) => {
    const { size = room.size, height = room.height, x = at.x ?? width / 2, baseline = at.baseline } = change;
    const words = of(wordsOf);
    if (words === "") return [];
    const mark = set(words, { ...room, height, size: Math.min(size, room.size) }, x, baseline, "center");
    return [traits.isLinked ? { ...mark, link: wordsOf({ kind: "fact", name: "verify_url" }) } : mark];
  };
}

const MAX_TITLE_SIZE = 36;

function titleRoom(width: number, height: number, { typesetting }: PartContext): Room {
  const minSize = Math.max(22, MAX_TITLE_SIZE * typesetting.minTitleShare);
  return { width, height, size: MAX_TITLE_SIZE, minSize, maxLines: 2 };
}

/** Returns the height of a title that stays clear of the name, even if the name has several lines. */
function heightAbove(name: TextMark | undefined, { top, height, maxHeight }: Geometry["title"]): number {
  if (!name) return maxHeight;
  const box = boxOf(name);
  return Math.min(maxHeight, Math.max(height, top - box.y - box.height - 4));
}

/** Maximum and minimum size of joining texts such as "is awarded to", in points. */
const MAX_JOINT_SIZE = 15.5;
const MIN_JOINT_SIZE = 6;

/**
 * Returns a text. If a joining text fits halfway between it and the text above, the joining text comes first.
 * @param most maximum distance from the text to the middle of the joining text
 */
function joined(
  text: TextMark | undefined,
  above: TextMark | undefined,
  most: number,
  { typesetting }: PartContext,
  join: (at: Change) => TextMark[],
): TextMark[] {
  if (!text) return [];
  const top = boxOf(text).y + text.block.height;
  const bottom = above ? boxOf(above).y : top + 40;
  const size = Math.min(MAX_JOINT_SIZE, (bottom - top) * 0.7);
  const middle = Math.min((bottom + top) / 2, top + most);
  if (size < MIN_JOINT_SIZE) return [text];
  const joint = typesetting.clearsInk
    ? {
        height: Math.min(22, (bottom - top) * 0.7),
        baseline: ({ ascent, height }: TextBlock) => middle - ascent + height / 2,
      }
    : { baseline: ({ size }: TextBlock) => middle - size * 0.21 };
  return [...join({ x: text.x, size, ...joint }), text];
}

function prepareFactRow({ width, geometry, options, context, begins, ink, regular, italic, muted }: Page) {
  const { words: wording, tag: language } = context.language;
  const { y, width: total, inRow } = geometry.facts;
  const label = { style: italic, color: muted, option: "facts" };
  const setLabel = prepareSetting(label);
  const setOurLabel = prepareSetting({ ...label, language: wording.tag });
  const setValue = prepareSetting({ style: regular, color: ink, option: "facts" });
  return (wordsOf: WordsOf): TextMark[] => {
    const cells = inRows(layFacts({ ...options, wording, language, wordsOf }), inRow, begins);
    return cells.flatMap(({ value, words, isOurs, row, column, count }) => {
      const cell = Math.min(124, total / count);
      const x = width / 2 + (column - (count - 1) / 2) * cell;
      const room = { width: cell - 12, height: 17, size: 12.5, minSize: 8, maxLines: 2 };
      const smaller = { ...room, height: 15, size: 10, minSize: 7 };
      return [
        (isOurs ? setOurLabel : setLabel)(words, smaller, x, y - row * 38 - 13, "center"),
        setValue(value, room, x, y - row * 38, "center"),
      ];
    });
  };
}

/** Prepares the picture, name and title of each person who signs. People without a name are left out. */
function preparePeople(
  page: Page,
  { signatory, office }: ReturnType<typeof ownTexts>,
  pictures: readonly (Figure | undefined)[],
) {
  const { width, geometry } = page;
  const people = signatoriesOf(page).map((person, index) => ({
    at: { x: width / 2 + (geometry.signed[index] ?? 0) },
    picture: pictures[index],
    wordsIn: (wordsOf: WordsOf) => (person.isListed ? wordsAbout(person, wordsOf) : wordsOf),
  }));
  const inOneSize = (lay: LayOwn, wordsOf: WordsOf): TextMark[][] => {
    const layAll = (size?: number) => people.map(({ at, wordsIn }) => lay(wordsIn(wordsOf), { ...at, size }));
    const laid = layAll();
    return people.length < 2 ? laid : layAll(Math.min(...laid.flat().map(({ block }) => block.size)));
  };
  return (wordsOf: WordsOf): Mark[] => {
    const names = inOneSize(signatory, wordsOf);
    const titles = inOneSize(office, wordsOf);
    return people.flatMap(({ picture }, index) => {
      const name = names[index] ?? [];
      return [...(picture && name.length > 0 ? [picture] : []), ...name, ...(titles[index] ?? [])];
    });
  };
}

function wordsAbout({ name, title = "" }: Signatory, wordsOf: WordsOf): WordsOf {
  return (placeholder) => {
    if (placeholder.kind !== "fact") return wordsOf(placeholder);
    if (placeholder.name === "signatory_name") return name;
    return placeholder.name === "signatory_title" ? title : wordsOf(placeholder);
  };
}

async function picturesOf(page: Page) {
  const { width, geometry, options, context } = page;
  const { logo, signed, line, elements } = geometry;
  const placed = (slug: string | undefined, box: Box, name: string) =>
    slug === undefined ? undefined : placedPicture(slug, box, "center", { ...context, name });
  const ruled = { y: elements.date.y - 4, width: line - 16, height: 40 };
  const { words } = context.language;
  const [crest, ...pictures] = await Promise.all([
    placed(options.logo, { x: width / 2 - 110, width: 220, ...logo }, "Logo"),
    ...signatoriesOf(page).map(({ image }, index) => {
      const x = width / 2 + (signed[index] ?? 0) - (line - 16) / 2;
      return placed(image, { x, ...ruled }, index === 0 ? "Signature" : `Signature${index}`);
    }),
  ]);
  const signatures = signatoriesOf(page).map(({ name, option }, index): Figure | undefined => {
    const picture = pictures[index];
    const alt = `${words.signature}: ${name}`;
    return picture && { kind: "figure", option: `${option}.image`, ...picture, alt };
  });
  return {
    // A decoration, which screen readers skip, because the printed name already identifies the issuer.
    logo: crest && ({ kind: "decoration", option: "logo", ...crest } as const),
    signatures,
  };
}

function paperOf(page: Page, requested: readonly TextElement[]): Promise<Paper> {
  const { width, height, geometry, context, ink } = page;
  const { corner, sealRadius, issuer, line, signed, elements } = geometry;
  const date = requested.find(({ key, align }) => key === "date" && align === "center");
  const texts = [
    ...signed.map((x) => ({ x: width / 2 + x, y: elements.date.y })),
    ...(date ? [{ x: date.x ?? width / 2, y: date.y }] : []),
  ];
  return builtInPaper({
    width,
    height,
    seal: { ...corner, radius: sealRadius },
    sealWords: sealWordsOf(context),
    divider: { y: issuer - 16, half: 92 },
    rosettes: context.typesetting.centresRosette ? "centre" : "sides",
    rules: texts.map(({ x, y }) => ({ x, y: y - 7, length: line })),
    accent: context.palette("accent"),
    ink,
  });
}
