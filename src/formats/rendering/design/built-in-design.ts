import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import type { Language } from "#foundation/languages/languages.js";
import type { CredentialFacts } from "../generator.js";
import { mix, parseColor, type Rgb } from "../pdf/color.js";
import { type Box, boxOf, type Figure, type Mark, type PageSize, type TextMark } from "../pdf/marks.js";
import type { Paper } from "../pdf/paper.js";
import { fitText, type Room, type TextBlock } from "../text/fit-text.js";
import { uncovered } from "../text/font-coverage.js";
import { type FontChain, fallbackChains } from "../text/fonts.js";
import type { TextStyle } from "../text/text-lines.js";
import { builtInPaper, frameDepth, paperColor } from "./built-in-paper.js";
import type { DocumentLanguage } from "./document-language.js";
import { layFacts } from "./fact-row.js";
import type { PdfOptions } from "./pdf-options.js";
import { type Placeholder, placeholdersOf, type WordsOf } from "./placeholders.js";
import { type BuiltInElements, type BuiltInKey, isBuiltIn, type TextElement } from "./text-elements.js";

/** The options that affect the built-in design. */
export interface DesignOptions
  extends Pick<
    PdfOptions,
    "accent_color" | "credits" | "facts" | "hours" | "labels" | "logo" | "signatory" | "text_elements"
  > {
  /** Colour of the texts. */
  readonly ink: Rgb;
  readonly language: DocumentLanguage;
  /** Name of the issuer, shown on the seal. */
  readonly platformName: string;
  /** The institution's fonts, used for characters that the design's fonts lack. */
  readonly ownFonts: FontChain;
}

/** The built-in design for pages of one size. Credentials without a template use it. */
export interface BuiltInDesign {
  /** Positions and maximum sizes of its texts. */
  readonly elements: BuiltInElements;
  readonly rooms: ElementRooms;
  /** Distance of texts from the edges of the page. */
  readonly margin: number;
  readonly qr: Box;
  /** Boxes into which logo and signature are fitted. */
  readonly logo: Box;
  readonly signature: Box;
  /** Text with which screen readers describe the signature. */
  readonly signatureAlt: string;
  readonly ink: Rgb;
  /**
   * Returns the paper that all documents of the design share.
   * @param elements all text elements of the options
   */
  paper(elements: readonly TextElement[]): Promise<Paper>;
  /** Returns everything on the paper except pictures, in reading order. */
  marks(facts: CredentialFacts, contents: DesignContents): Mark[];
}

/** The contents of a document that depend on its credential. */
export interface DesignContents {
  /** The text elements by key, laid out. */
  readonly texts: ReadonlyMap<string, TextMark>;
  readonly wordsOf: WordsOf;
  readonly signature: Figure | undefined;
  readonly qr: Figure | undefined;
}

/** The space for texts at their built-in positions; options can move the texts elsewhere. */
export type ElementRooms = Readonly<
  Record<BuiltInKey, { readonly width?: number; readonly height?: number }>
>;

interface Geometry {
  readonly elements: BuiltInElements;
  readonly rooms: ElementRooms;
  /** Vertical positions (baselines and upper edges), measured from the bottom of the page. */
  readonly logo: { readonly y: number; readonly width: number; readonly height: number };
  readonly issuer: number;
  readonly title: { readonly top: number; readonly height: number; readonly size: number };
  /** Position of the values; their labels are below them. */
  readonly facts: { readonly y: number; readonly width: number; readonly inRow: number };
  /** Centre of the seal. Its distance from the left edge equals that of the QR code's centre from the right edge. */
  readonly corner: { readonly x: number; readonly y: number };
  readonly sealRadius: number;
  readonly qrSide: number;
  /**
   * Width of the lines under date and signature. If both are printed, `column` is the distance of each from the middle.
   */
  readonly line: number;
  readonly column: number;
  readonly address: { readonly y: number; readonly width: number };
}

interface PageGeometry extends PageSize {
  readonly geometry: Geometry;
  readonly options: DesignOptions;
  readonly ink: Rgb;
  readonly accent: Rgb;
  readonly muted: Rgb;
  readonly wording: Language<"document">;
  readonly language: DocumentLanguage;
  fit(text: string, style: TextStyle, room: Room): TextBlock;
}

/**
 * Creates the design: logo, issuer and title at the top, name and context in the middle, facts below them, and seal,
 * date, signature and QR code at the bottom.
 */
export function createBuiltInDesign(size: PageSize, options: DesignOptions): BuiltInDesign {
  const { signatory, platformName, language } = options;
  const isWide = size.width > size.height;
  const begins = language.words.direction === "rtl" ? -1 : 1;
  const has = {
    logo: options.logo !== undefined,
    signatory: signatory !== undefined,
    facts: hasFacts(options),
    begins,
  };
  const geometry = isWide ? landscape(size, has) : portrait(size, has);
  const { corner, sealRadius, qrSide, logo } = geometry;
  const accent = parseColor(options.accent_color);
  const { ink } = options;
  const fitted = createBoundedCache<TextBlock>(300);
  const page: PageGeometry = {
    ...size,
    geometry,
    options,
    ink,
    accent,
    muted: mix(ink, paperColor, 0.32),
    language,
    wording: language.words,
    fit: (text, style, room) =>
      fitted(`${styles.indexOf(style)} ${room.width} ${room.height} ${room.size} ${text}`, () =>
        fitText(text, adapted(style, options), room),
      ),
  };
  const { issuer, line, column, elements } = geometry;
  const middle = size.width / 2;

  return {
    elements,
    rooms: geometry.rooms,
    margin: frameDepth + 32,
    qr: {
      x: size.width - corner.x - qrSide / 2,
      y: corner.y - qrSide / 2,
      width: qrSide,
      height: qrSide,
    },
    logo: { x: middle - logo.width / 2, ...logo },
    signature: {
      x: middle + column - (line - 16) / 2,
      y: elements.date.y - 4,
      width: line - 16,
      height: 40,
    },
    signatureAlt: `${page.wording.signature}: ${signatory?.name ?? ""}`,
    ink,
    paper(requested) {
      const date = requested.find(({ key, align }) => key === "date" && align === "center");
      const texts = [
        ...(signatory ? [{ x: middle + column, y: elements.date.y }] : []),
        ...(date ? [{ x: date.x ?? middle, y: date.y }] : []),
      ];
      return builtInPaper({
        ...size,
        seal: { ...corner, radius: sealRadius },
        sealWords: { text: capitals(platformName, language.tag), style: adapted(sealStyle, options) },
        divider: { y: issuer - 16, half: 92 },
        rules: texts.map((text) => ({ x: text.x, y: text.y - 7, length: line })),
        accent,
        ink,
      });
    },
    marks(facts, { texts, wordsOf, signature, qr }) {
      const title = titleOf(page, facts, texts.get("name"));
      return [
        issuerOf(page, facts),
        title,
        ...award(page, texts, boxOf(title).y),
        ...factRow(page, wordsOf),
        ...dated(page, texts.get("date")),
        ...signed(page, facts, signature),
        ...[...texts].filter(([key]) => !isBuiltIn(key)).map(([, mark]) => mark),
        ...verification(page, facts, wordsOf, qr),
      ];
    },
  };
}

/** Optional parts, which take up space and therefore move the other parts. */
interface Parts {
  readonly logo: boolean;
  readonly signatory: boolean;
  /** True if credentials are likely to have facts. */
  readonly facts: boolean;
  /** 1 if text starts on the left; -1 if it starts on the right. */
  readonly begins: number;
}

function hasFacts({ facts, hours, credits }: DesignOptions): boolean {
  const rare = new Set([
    "award_date",
    "valid_until",
    ...(hours ? [] : ["hours"]),
    ...(credits ? [] : ["credits"]),
  ]);
  return facts.some((name) => !rare.has(name));
}

function landscape({ width, height }: PageSize, has: Parts): Geometry {
  const sealRadius = 50;
  const fromSide = frameDepth + 86;
  const half = width / 2 - fromSide - sealRadius - 12;
  const line = has.signatory ? half - 16 : 206;
  const column = has.signatory ? has.begins * (half - line / 2) : 0;
  const lower = has.facts ? 0 : 16;
  return {
    elements: {
      name: { y: 324 - lower / 2, size: 48 },
      context: { y: 254 - lower, size: 28 },
      date: { y: 129, size: 12.5, x: width / 2 - column },
    },
    rooms: { name: { height: 76 }, context: { height: 64 - lower / 2 }, date: { width: line - 16 } },
    logo: { y: height - 101, width: 220, height: 46 },
    issuer: height - (has.logo ? 121 : 104),
    title: { top: height - (has.logo ? 148 : 136), height: 46, size: 36 },
    facts: { y: 189, width: width - 2 * (frameDepth + 62), inRow: 6 },
    corner: { x: fromSide, y: frameDepth + 70 },
    sealRadius,
    qrSide: 76,
    line,
    column,
    address: { y: 64, width: width - 2 * fromSide - 110 },
  };
}

function portrait({ width, height }: PageSize, has: Parts): Geometry {
  const fromSide = frameDepth + 78;
  const half = width / 2 - frameDepth - 34;
  const line = has.signatory ? half - 16 : 206;
  const column = has.signatory ? has.begins * (half - line / 2) : 0;
  const middle = height - 842; // the design is drawn for A4; US Letter is shorter
  const lower = has.facts ? 0 : 24;
  return {
    elements: {
      name: { y: 490 + middle - lower / 2, size: 42 },
      context: { y: 412 + middle * 0.7 - lower, size: 26 },
      date: { y: 230, size: 12.5, x: width / 2 - column },
    },
    rooms: { name: { height: 92 }, context: { height: 62 - lower / 2 }, date: { width: line - 16 } },
    logo: { y: height - 154, width: 220, height: 70 },
    issuer: height - (has.logo ? 180 : 148),
    title: { top: height - (has.logo ? 208 : 184), height: 84, size: 36 },
    facts: { y: 334 + middle * 0.2, width: width - 2 * (frameDepth + 36), inRow: 3 },
    corner: { x: fromSide, y: frameDepth + 96 },
    sealRadius: 52,
    qrSide: 80,
    line,
    column,
    address: { y: 68, width: width - 2 * (frameDepth + 24) },
  };
}

const { regular, medium, italic } = fallbackChains;
const language = "und"; // replaced by the document's language
/** Has no letter spacing, because spacing would break up ligatures. */
const title: TextStyle = { fonts: regular, language };
const issuerStyle: TextStyle = { fonts: regular, language, spacing: 0.1 };
const label: TextStyle = { fonts: italic, language };
const plain: TextStyle = { fonts: regular, language };
const small: TextStyle = { fonts: regular, language, features: ["plain"] };
const sealStyle: TextStyle = { fonts: medium, language };
const styles = [title, issuerStyle, label, plain];

/** Adapts a style to the document's language, and adds the institution's fonts after those of the design. */
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

function issuerOf(page: PageGeometry, { platformName }: CredentialFacts): TextMark {
  const { width, geometry } = page;
  const words = page.fit(capitals(platformName, page.language.tag), issuerStyle, {
    width: width - 2 * frameDepth - 100,
    height: 26,
    size: 13.5,
    minSize: 8,
    maxLines: 1,
  });
  return centred(words, width / 2, geometry.issuer, page.accent);
}

function titleOf(
  page: PageGeometry,
  { credentialType }: CredentialFacts,
  learner: TextMark | undefined,
): TextMark {
  const { top, height, size } = page.geometry.title;
  const words = page.fit(credentialType, title, {
    width: page.width - 2 * frameDepth - 90,
    height,
    size: Math.min(size, smallerThan(learner)),
    minSize: 22,
    maxLines: 2,
  });
  const baseline = top - (height - words.height) / 2 - words.ascent;
  return { ...centred(words, page.width / 2, baseline, page.ink), tag: "H1" };
}

/**
 * Returns the maximum size of texts that must stay smaller than the learner's name, however small a long name is set.
 */
export function smallerThan(name: TextMark | undefined): number {
  return name ? name.block.size * 0.8 : Number.POSITIVE_INFINITY;
}

const capitalised = createBoundedCache<string>(200);

const greekWord = /\p{Script=Greek}[\p{Script=Greek}\p{M}]*/gu;

/**
 * Converts a text to capitals by the rules of the document's language: Turkish has a dotted I. Greek words always
 * follow Greek rules, so that their capitals lose the tonos. If the fonts lack the capitals, the text is returned
 * unchanged.
 */
export function capitals(text: string, language: string): string {
  return capitalised(`${language} ${text}`, () => {
    const upper = text.replace(greekWord, (word) => word.toLocaleUpperCase("el")).toLocaleUpperCase(language);
    return uncovered(upper).length === 0 ? upper : text;
  });
}

/**
 * Places name and context, each with a joining text halfway between it and the text above.
 * @param above the lower edge of the title
 */
function award(page: PageGeometry, texts: ReadonlyMap<string, TextMark>, above: number): Mark[] {
  const { wording } = page;
  const name = texts.get("name");
  const context = texts.get("context");
  const marks: Mark[] = [];
  if (name) {
    const top = boxOf(name).y + name.block.height;
    marks.push(
      ...joint(page, wording.awardedTo, name.x, Math.min((above + top) / 2, top + 36), above - top),
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

/** Places a joining text whose middle is halfway between two other texts. */
function joint(page: PageGeometry, words: string, x: number, middle: number, room: number): Mark[] {
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

/** Places the facts that the options list, each over its label. */
function factRow(page: PageGeometry, wordsOf: WordsOf): Mark[] {
  const { facts, labels } = page.options;
  const { geometry, wording, width, ink, muted } = page;
  const cells = layFacts({ facts, labels, wording, language: page.language.tag, wordsOf });
  const { y, width: total, inRow } = geometry.facts;
  const marks: Mark[] = [];
  for (let row = 0; row * inRow < cells.length; row++) {
    const inThis = cells.slice(row * inRow, (row + 1) * inRow);
    const cell = Math.min(124, total / inThis.length);
    const rightToLeft = wording.direction === "rtl";
    inThis.forEach(({ value, words, isOurs }, index) => {
      const offset = (index - (inThis.length - 1) / 2) * cell;
      const x = width / 2 + (rightToLeft ? -offset : offset);
      const room = { width: cell - 12, height: 17, size: 12.5, minSize: 8, maxLines: 2 };
      const baseline = y - row * 38;
      const named = page.fit(words, label, { ...room, height: 15, size: 10, minSize: 7 });
      marks.push(
        {
          ...centred(named, x, baseline - 13, muted),
          option: "facts",
          ...(isOurs && { language: wording.tag }),
        },
        { ...centred(page.fit(value, plain, room), x, baseline, ink), option: "facts" },
      );
    });
  }
  return marks;
}

/** Places the date above its line and the label below it. */
function dated(page: PageGeometry, date: TextMark | undefined): Mark[] {
  if (!date) return [];
  if (date.align !== "center") return [date];
  const { wording, options } = page;
  const own = options.text_elements.date;
  const isAward = own ? placeholdersOf(own.text ?? "").some(isAwardDate) : false;
  const words = isAward ? wording.dateOfAward : wording.dateOfIssue;
  return [date, under(page, date.x, date.baseline - 19, words, wording.tag)];
}

function isAwardDate(placeholder: Placeholder): boolean {
  return placeholder.kind === "fact" && placeholder.name === "award_date";
}

/** Places the signature on its line, and the signatory's name and position below it. */
function signed(page: PageGeometry, { particulars }: CredentialFacts, signature: Figure | undefined): Mark[] {
  const { signatory } = particulars ?? {};
  if (!signatory) return [];
  const { width, geometry, ink } = page;
  const { elements, line, column } = geometry;
  const x = width / 2 + column;
  const y = elements.date.y - 20;
  const room = { width: line - 4, height: 16, size: 12, minSize: 8, maxLines: 1 };
  const name = { ...centred(page.fit(signatory.name, plain, room), x, y, ink), option: "signatory" };
  const { title: office } = signatory;
  return [
    ...(signature ? [signature] : []),
    name,
    ...(office === undefined ? [] : [{ ...under(page, x, y - 13, office), option: "signatory" }]),
  ];
}

function under(page: PageGeometry, x: number, baseline: number, words: string, language?: string): Mark {
  const room = { width: page.geometry.line - 4, height: 15, size: 10.5, minSize: 7, maxLines: 2 };
  const mark = centred(page.fit(words, label, room), x, baseline, page.muted);
  return language === undefined ? mark : { ...mark, language };
}

function verification(
  page: PageGeometry,
  facts: CredentialFacts,
  wordsOf: WordsOf,
  qr: Figure | undefined,
): Mark[] {
  const { width, geometry, wording, options } = page;
  const { y, width: room } = geometry.address;
  // Not cached, because no two credentials share these texts.
  const set = (words: string, size: number) =>
    fitText(words, adapted(small, options), {
      width: room,
      height: size * 2.1,
      size,
      minSize: 6.5,
      maxLines: 2,
    });
  const muted = mix(page.ink, paperColor, 0.2);
  const short = wordsOf({ kind: "fact", name: "verify_short_url" });
  const address = set(labelled(wording, wording.verifyAt, short), 9.4);
  const identifier = set(labelled(wording, wording.identifier, facts.verifyUuid), 8);
  const raised = 12.5 + (address.lines.length - 1) * address.step;
  return [
    { ...centred(address, width / 2, y + raised, muted), link: facts.verifyUrl },
    ...(qr ? [qr] : []),
    centred(identifier, width / 2, y, muted),
  ];
}

/**
 * Joins a label and an address or identifier. Beside right-to-left text, the value is isolated so that it
 * keeps its order (UAX #9, LRI and PDI).
 */
function labelled({ direction }: Language<"document">, label: string, value: string): string {
  return direction === "rtl" ? `${label} \u2066${value}\u2069` : `${label} ${value}`;
}

function centred(block: TextBlock, x: number, baseline: number, color: Rgb): TextMark {
  return { kind: "text", block, x, baseline, color, align: "center" };
}
