import type { Language } from "../languages/languages.js";
import { createMemo } from "../memo.js";
import { builtInPaper, frameDepth, paperColor } from "./built-in-paper.js";
import { mix, parseColor, type Rgb } from "./color.js";
import type { DocumentLanguage } from "./document-language.js";
import { fitText, type Room, type TextBlock } from "./fit-text.js";
import { uncovered } from "./font-coverage.js";
import { type FontChain, fallbackChains } from "./fonts.js";
import type { CredentialFacts } from "./generator.js";
import { type Box, boxOf, type Figure, type Mark, type PageSize, type TextMark } from "./marks.js";
import type { Paper } from "./pdf/paper.js";
import { type BuiltInElements, type BuiltInKey, builtInElements, type TextElement } from "./text-elements.js";
import type { TextStyle } from "./text-lines.js";

/** What may be changed about the built-in design. Colours are hex, `#` optional. */
export interface DesignOptions {
  readonly color: string;
  readonly accentColor: string;
  readonly language: DocumentLanguage;
  /** The institution's fonts, for what the design's lack. */
  readonly ownFonts: FontChain;
}

/** The design that a credential has without a template, on pages of one size. */
export interface BuiltInDesign {
  /** Where its texts stand, and how much height they may take. */
  readonly elements: BuiltInElements;
  readonly rooms: ElementRooms;
  /** How far texts keep from the edges of the page. */
  readonly margin: number;
  readonly qr: Box;
  readonly ink: Rgb;
  /** What every document of it has. @param elements those of the options, in full */
  paper(elements: readonly TextElement[]): Promise<Paper>;
  /**
   * What stands on the paper but pictures, in reading order.
   * @param texts the text elements by key, laid out
   */
  marks(facts: CredentialFacts, texts: ReadonlyMap<string, TextMark>, qr: Figure | undefined): Mark[];
}

/** The room that texts have where they stand; options may move them elsewhere. */
export type ElementRooms = Readonly<
  Record<BuiltInKey, { readonly width?: number; readonly height?: number }>
>;

interface Geometry {
  readonly elements: BuiltInElements;
  readonly rooms: ElementRooms;
  /** Baselines and tops, from the bottom of the page. */
  readonly issuer: number;
  readonly title: { readonly top: number; readonly height: number; readonly size: number };
  /** Centre of the seal, as far from the left as the QR code's is from the right. */
  readonly corner: { readonly x: number; readonly y: number };
  readonly sealRadius: number;
  readonly qrSide: number;
  /** Width of the lines under issuer, date and signature, and the distance of their middles. */
  readonly line: number;
  readonly column: number;
  readonly address: { readonly y: number; readonly width: number };
}

interface Page extends PageSize {
  readonly geometry: Geometry;
  readonly ink: Rgb;
  readonly accent: Rgb;
  readonly muted: Rgb;
  readonly wording: Language<"document">;
  readonly language: DocumentLanguage;
  readonly ownFonts: FontChain;
  fit(text: string, style: TextStyle, room: Room): TextBlock;
}

/** Issuer and title above, name and context in the middle, below them seal, issuer, date, signature and QR code. */
export function createBuiltInDesign(size: PageSize, options: DesignOptions): BuiltInDesign {
  const geometry = size.width > size.height ? landscape(size) : portrait(size);
  const { corner, sealRadius, qrSide } = geometry;
  const accent = parseColor(options.accentColor);
  const ink = parseColor(options.color);
  const fitted = createMemo<TextBlock>(300);
  const page: Page = {
    ...size,
    geometry,
    ink,
    accent,
    muted: mix(ink, paperColor, 0.32),
    language: options.language,
    ownFonts: options.ownFonts,
    wording: options.language.words,
    fit: (text, style, room) =>
      fitted(`${styles.indexOf(style)} ${room.width} ${room.height} ${room.size} ${text}`, () =>
        fitText(text, adapted(style, options), room),
      ),
  };
  const { issuer, line, column } = geometry;

  return {
    elements: geometry.elements,
    rooms: geometry.rooms,
    margin: frameDepth + 32,
    qr: {
      x: size.width - corner.x - qrSide / 2,
      y: corner.y - qrSide / 2,
      width: qrSide,
      height: qrSide,
    },
    ink,
    paper(elements) {
      const middle = size.width / 2;
      const { y } = geometry.elements.date;
      const date = elements.find(({ key, align }) => key === "date" && align === "center");
      const texts = [
        { x: middle - column, y },
        { x: middle + column, y },
        ...(date ? [{ x: date.x ?? middle, y: date.y }] : []),
      ];
      return builtInPaper({
        ...size,
        seal: { ...corner, radius: sealRadius },
        divider: { y: issuer - 17, half: 92 },
        rules: texts.map((text) => ({ x: text.x, y: text.y - 7, length: line })),
        accent,
        ink,
      });
    },
    marks: (facts, texts, qr) => [
      ...heading(page, facts),
      ...award(page, texts),
      ...columns(page, facts, texts.get("date")),
      ...[...texts].filter(([key]) => !(key in builtInElements)).map(([, mark]) => mark),
      ...verification(page, facts, qr),
    ],
  };
}

function landscape({ width, height }: PageSize): Geometry {
  const fromSide = frameDepth + 82;
  const column = (width - 2 * fromSide) / 3.6;
  return {
    elements: builtInElements,
    rooms: { name: { height: 78 }, context: { height: 94 }, date: { width: column - 24 } },
    issuer: height - 102,
    title: { top: height - 138, height: 60, size: 43 },
    corner: { x: fromSide, y: frameDepth + 66 },
    sealRadius: 43,
    qrSide: 76,
    line: column - 20,
    column,
    address: { y: 66, width: width - 2 * fromSide - 120 },
  };
}

function portrait({ width, height }: PageSize): Geometry {
  const fromSide = frameDepth + 66;
  const column = (width - 2 * frameDepth - 70) / 3;
  return {
    elements: { name: { y: 460, size: 32 }, context: { y: 378, size: 28 }, date: { y: 196, size: 12 } },
    rooms: { name: { height: 90 }, context: { height: 110 }, date: { width: column - 20 } },
    issuer: height - 128,
    title: { top: height - 166, height: 110, size: 46 },
    corner: { x: fromSide, y: frameDepth + 66 },
    sealRadius: 43,
    qrSide: 76,
    line: column - 16,
    column,
    address: { y: 104, width: width - 2 * fromSide - 110 },
  };
}

const { regular, medium, italic } = fallbackChains;
const language = "und"; // replaced by the document's
const title: TextStyle = { fonts: medium, language, spacing: 0.012 };
const issuerStyle: TextStyle = { fonts: medium, language, spacing: 0.1 };
const label: TextStyle = { fonts: italic, language };
const plain: TextStyle = { fonts: regular, language };
const small: TextStyle = { fonts: regular, language, spacing: 0.02, features: ["plain"] };
const styles = [title, issuerStyle, label, plain];

/** A style in the language of the document, and with the institution's fonts behind those of the design. */
function adapted(
  style: TextStyle,
  { language, ownFonts }: Pick<DesignOptions, "language" | "ownFonts">,
): TextStyle {
  return {
    ...style,
    language: language.forms,
    fonts: ownFonts.length === 0 ? style.fonts : [...style.fonts, ...ownFonts],
  };
}

function heading(page: Page, facts: CredentialFacts): Mark[] {
  const { width, geometry } = page;
  const issuer = page.fit(capitals(facts.platformName, page.language.tag), issuerStyle, {
    width: width - 2 * frameDepth - 100,
    height: 26,
    size: 13.5,
    minSize: 8,
    maxLines: 1,
  });
  const { top, height, size } = geometry.title;
  const name = page.fit(facts.credentialType, title, {
    width: width - 2 * frameDepth - 90,
    height,
    size,
    minSize: 26,
    maxLines: 2,
  });
  return [
    centred(issuer, width / 2, geometry.issuer, page.accent),
    { ...centred(name, width / 2, top - (height - name.height) / 2 - name.ascent, page.ink), tag: "H1" },
  ];
}

const capitalised = createMemo<string>(200);

const greekWord = /\p{Script=Greek}[\p{Script=Greek}\p{M}]*/gu;

/**
 * By the rules of the language (Turkish has a dotted I), but of Greek by its own: its capitals lose the tonos in any
 * document. As it stands where the fonts lack the capitals.
 */
export function capitals(text: string, language: string): string {
  return capitalised(`${language} ${text}`, () => {
    const upper = text.replace(greekWord, (word) => word.toLocaleUpperCase("el")).toLocaleUpperCase(language);
    return uncovered(upper).length === 0 ? upper : text;
  });
}

/** Name and context, with what joins them halfway between. */
function award(page: Page, texts: ReadonlyMap<string, TextMark>): Mark[] {
  const { geometry, wording } = page;
  const name = texts.get("name");
  const context = texts.get("context");
  const marks: Mark[] = [];
  if (name) {
    const above = geometry.title.top - geometry.title.height;
    const top = boxOf(name).y + name.block.height;
    marks.push(
      ...joint(page, wording.awardedTo, name.x, Math.min((above + top) / 2, top + 40), above - top),
      name,
    );
  }
  if (context) {
    const top = boxOf(context).y + context.block.height;
    const bottom = name ? boxOf(name).y : top + 40;
    if (bottom > top) marks.push(...joint(page, wording.for, context.x, (bottom + top) / 2, bottom - top));
    marks.push(context);
  }
  return marks;
}

/** Words between two texts, `middle` halfway between them. */
function joint(page: Page, words: string, x: number, middle: number, room: number): Mark[] {
  const size = Math.min(15.5, room * 0.7);
  if (size < 6) return [];
  const block = page.fit(words, label, {
    width: page.width - 2 * frameDepth - 40,
    height: 22,
    size,
    minSize: 6,
    maxLines: 1,
  });
  const marked = centred(block, x, middle - block.size * 0.21, page.muted);
  return [{ ...marked, language: page.wording.tag }];
}

/** Issuer, date and signature, each over a line with what it is below. */
function columns(page: Page, facts: CredentialFacts, date: TextMark | undefined): Mark[] {
  const { width, geometry, wording } = page;
  const { line, elements } = geometry;
  // The first column is on the side on which reading begins.
  const column = wording.direction === "rtl" ? -geometry.column : geometry.column;
  const y = elements.date.y;
  const room = { width: line - 6, height: 24, size: 13, minSize: 8, maxLines: 2 };
  const issuer = page.fit(facts.platformName, plain, room);
  const raised = (issuer.lines.length - 1) * issuer.step;
  const under = (x: number, baseline: number, words: string): Mark => ({
    ...centred(page.fit(words, label, { ...room, size: 10.5, maxLines: 1 }), x, baseline - 19, page.muted),
    language: wording.tag,
  });
  return [
    centred(issuer, width / 2 - column, y + raised, page.ink),
    under(width / 2 - column, y, wording.issuedBy),
    ...(date
      ? [date, ...(date.align === "center" ? [under(date.x, date.baseline, wording.dateOfIssue)] : [])]
      : []),
    under(width / 2 + column, y, wording.signature),
  ];
}

function verification(page: Page, facts: CredentialFacts, qr: Figure | undefined): Mark[] {
  const { width, geometry, wording } = page;
  const { y, width: room } = geometry.address;
  // Not remembered: no two credentials share them.
  const style = adapted(small, page);
  const set = (words: string) =>
    fitText(words, style, { width: room, height: 17, size: 8.6, minSize: 6, maxLines: 2 });
  const muted = mix(page.ink, paperColor, 0.2);
  const address = set(labelled(wording, wording.verifyAt, facts.verifyUrl));
  const identifier = set(labelled(wording, wording.identifier, facts.verifyUuid));
  const raised = 12 + (address.lines.length - 1) * address.step;
  return [
    { ...centred(address, width / 2, y + raised, muted), link: facts.verifyUrl },
    ...(qr ? [qr] : []),
    centred(identifier, width / 2, y - 1, muted),
  ];
}

/** An address keeps its order beside words that run from right to left, isolated from them (UAX #9, LRI and PDI). */
function labelled({ direction }: Language<"document">, label: string, value: string): string {
  return direction === "rtl" ? `${label} \u2066${value}\u2069` : `${label} ${value}`;
}

function centred(block: TextBlock, x: number, baseline: number, color: Rgb): TextMark {
  return { kind: "text", block, x, baseline, color, align: "center" };
}
