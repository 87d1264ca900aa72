import { createBoundedCache } from "../../concurrency/bounded-cache.js";
import { invalid } from "../../errors.js";
import type { Assets, CredentialFacts, PrintSettings, RenderMode } from "../generator.js";
import type { PreviewedDocument, PreviewMode } from "../layout.js";
import type { Attachment } from "../pdf/attachment.js";
import { parseColor, type Rgb, toHex } from "../pdf/color.js";
import { createDocumentFormat } from "../pdf/document-format.js";
import type { Figure, Mark, PageSize, TextMark } from "../pdf/marks.js";
import type { Paper } from "../pdf/paper.js";
import { fitText } from "../text/fit-text.js";
import { type FontChain, fallbackChains } from "../text/fonts.js";
import type { TextStyle } from "../text/text-lines.js";
import {
  type BuiltInDesign,
  capitals,
  createBuiltInDesign,
  type DesignOptions,
  smallerThan,
} from "./built-in-design.js";
import { commonFonts } from "./common-fonts.js";
import { type DocumentLanguage, documentLanguage } from "./document-language.js";
import {
  fontOf,
  logoOf,
  ownFaces,
  ownFontName,
  pictureOf,
  signatureOf,
  templateOf,
} from "./institution-assets.js";
import { type AskedText, layoutOf } from "./layout-of.js";
import type { PdfOptions } from "./pdf-options.js";
import { prepareFilling, type WordsOf } from "./placeholders.js";
import { previewStamp } from "./preview-stamp.js";
import { printedValues } from "./printed-values.js";
import { drawQr } from "./qr.js";
import { refuseUncovered } from "./text-check.js";
import { isBuiltIn, resolveTextElements, type TextElement } from "./text-elements.js";

/** A compiled design: options, assets and settings prepared for any number of credentials. */
export interface Design {
  render(facts: CredentialFacts, mode: RenderMode): Uint8Array;
  preview(facts: CredentialFacts, mode: PreviewMode): PreviewedDocument;
}

export interface DesignContext {
  /** BCP 47: the requested language. */
  readonly language: string;
  readonly settings: PrintSettings | undefined;
  /** True if the context name has more than one line. */
  readonly multiline: boolean;
  /** Name of the issuer on the seal of the built-in design. */
  readonly platformName: string;
  /** Whether texts that would be too small to read are set all the same. */
  readonly lenient?: boolean;
}

const papers: Record<PdfOptions["page"]["size"], readonly [number, number]> = {
  A4: [595.28, 841.89],
  LETTER: [612, 792],
};

/**
 * A text is shrunk to this share of its size at most. If that is not enough, it wraps, on at most `mostLines`
 * lines.
 */
const leastShrink = 0.68;
const mostLines = 3;

/** @throws Problem `invalid` if an asset is missing or of the wrong kind */
export async function compileDesign(
  options: PdfOptions,
  assets: Assets,
  context: DesignContext,
): Promise<Design> {
  const { language: asked, settings, multiline, platformName, lenient = false } = context;
  const template = multiline ? (options.template_multiline ?? options.template) : options.template;
  const language = documentLanguage(asked, template !== undefined);
  const size = pageSize(options.page);
  const own = ownFaces(options, assets);
  const ours = builtInDesign(size, options, { language, platformName, ownFonts: own });
  const builtIn = template === undefined ? ours : undefined;
  const resolved = resolveTextElements(options, settings, builtIn?.elements);
  const paper = await (template === undefined ? ours.paper(resolved) : templateOf(template, assets, size));
  const ownCharacters = own.map(
    ({ font }) =>
      (codePoint: number) =>
        font.hasGlyphFor(codePoint),
  );
  const elements = resolved.map((element) =>
    prepareElement(element, { paper, builtIn, assets, own, language, lenient }),
  );
  const pictures = await Promise.all([
    ...(builtIn && options.logo !== undefined ? [logoOf(options.logo, builtIn.logo, assets)] : []),
    ...options.images.map((image, index) => pictureOf(image, index, assets)),
  ]);
  const { signatory } = options;
  const signature =
    builtIn && signatory?.image !== undefined
      ? await signatureOf(signatory.image, builtIn.signature, builtIn.signatureAlt, assets)
      : undefined;
  const format = createDocumentFormat({
    paper,
    common: commonFonts(
      [...elements.map(({ style }) => style.fonts), ...(builtIn ? [fallbackChains.regular] : [])],
      language.forms,
    ),
    shared: [...pictures, ...(signature ? [signature] : [])].flatMap((picture) =>
      (picture.resources ?? []).map(({ object }) => object),
    ),
    encrypt: options.encrypt,
  });
  if (options.pdf_a && !format.archival) {
    throw invalid(
      "pdf_a asks for PDF/A-3b, which is made in the built-in design or on a picture, not on a PDF template or with a picture in CMYK.",
    );
  }

  function refuseUnprintable(facts: CredentialFacts): void {
    const issueDate = printedValues(facts, language.tag)({ kind: "fact", name: "issue_date" });
    refuseUncovered({ ...facts, issueDate }, options, ownCharacters);
  }

  function marksOf(facts: CredentialFacts): Mark[] {
    const wordsOf = printedValues(facts, language.tag);
    const texts = layTexts(elements, wordsOf);
    const qr = qrFigure(options, facts.verifyUrl, paper, builtIn);
    const drawn: Mark[] = builtIn
      ? builtIn.marks(facts, { texts, wordsOf, signature, qr })
      : [...texts.values(), ...(qr ? [qr] : [])];
    return [...pictures, ...drawn];
  }

  function write(facts: CredentialFacts, marks: readonly Mark[]): Uint8Array {
    const metadata = {
      title: `${facts.credentialType} – ${facts.userFullName}`,
      subject: facts.learningContextName.replace(/\s*[\r\n]+\s*/g, " "),
      keywords: facts.verifyUrl,
      language: language.tag,
      created: facts.created,
    };
    return format.write(marks, { metadata, seed: JSON.stringify(facts), attachment: attachmentOf(facts) });
  }

  return {
    render(facts, { preview = false }) {
      refuseUnprintable(facts);
      return write(facts, [...marksOf(facts), ...(preview ? [previewStamp(paper)] : [])]);
    },
    preview(facts, { stamp, layoutOnly, lenient }) {
      if (!lenient) refuseUnprintable(facts);
      const marks = marksOf(facts);
      const layout = layoutOf({
        page: { width: paper.width, height: paper.height },
        margin: builtIn?.margin ?? marginOf(paper),
        marks,
        asked: new Map(elements.map(({ key, asked }) => [`text_elements.${key}`, asked])),
        own: ownCharacters,
        fontName: fontNames(assets),
      });
      return layoutOnly
        ? { layout }
        : { layout, pdf: Uint8Array.from(write(facts, [...marks, previewStamp(paper, stamp)])) };
    },
  };
}

/** Names own fonts by their slugs, and others by their families. */
function fontNames(assets: Assets): (face: string) => string {
  const slugs = new Map([...assets].map(([slug, { sha256 }]) => [ownFontName(sha256), slug]));
  return (face) => slugs.get(face) ?? face.replace(/_\d+(?:Regular|Medium)/, "").replace("_", " ");
}

/** Distance that texts keep from the edges of a template. */
function marginOf({ width }: PageSize): number {
  return Math.min(36, width * 0.06);
}

/** The name is the same in all documents, so that programs can find the file. */
function attachmentOf({ badge, created }: CredentialFacts): Attachment | undefined {
  if (badge === undefined) return undefined;
  return {
    name: "credential.json",
    mediaType: "application/vc",
    description: "Open Badge 3.0",
    modified: created,
    bytes: Buffer.from(badge),
  };
}

function pageSize({ size, orientation }: PdfOptions["page"]): PageSize {
  const [short, long] = papers[size];
  return orientation === "landscape" ? { width: long, height: short } : { width: short, height: long };
}

function builtInDesign(
  size: PageSize,
  options: PdfOptions,
  of: Pick<DesignOptions, "language" | "platformName" | "ownFonts">,
): BuiltInDesign {
  return createBuiltInDesign(size, { ...options, color: options.defaults.color ?? "#000", ...of });
}

/** Lays out the texts, by key. In the built-in design, the context never outdoes the learner's name. */
function layTexts(elements: readonly PreparedElement[], wordsOf: WordsOf): Map<string, TextMark> {
  const texts = new Map<string, TextMark>();
  for (const { key, giving, lay } of elements) {
    const mark = lay(wordsOf, giving ? smallerThan(texts.get("name")) : Number.POSITIVE_INFINITY);
    if (mark) texts.set(key, mark);
  }
  return texts;
}

interface Surroundings extends Pick<Required<DesignContext>, "lenient"> {
  readonly paper: Paper;
  readonly builtIn: BuiltInDesign | undefined;
  readonly assets: Assets;
  readonly own: FontChain;
  readonly language: DocumentLanguage;
}

interface PreparedElement {
  readonly key: string;
  readonly asked: AskedText;
  readonly style: TextStyle;
  /** True if it must stay smaller than the learner's name. */
  readonly giving: boolean;
  /** @returns undefined if there is nothing to print */
  lay(wordsOf: WordsOf, mostSize: number): TextMark | undefined;
}

function prepareElement(element: TextElement, surroundings: Surroundings): PreparedElement {
  const { key, align, size, color } = element;
  const { paper, assets, own, language, builtIn } = surroundings;
  const fill = prepareFilling(element.text);
  const fonts = fontOf(element.font, assets);
  const style: TextStyle = {
    fonts: [...fonts, ...own.filter((face) => !fonts.includes(face))],
    language: language.forms,
    spacing: element.charSpace / size,
  };
  const x = element.x ?? paper.width / 2;
  const rgb = parseColor(color);
  const room = roomOf(element, x, surroundings);
  const marks = createBoundedCache<TextMark>(200);

  function markOf(words: string, mostSize: number): TextMark {
    const given = lineHeightFor(words, element, room);
    const block = fitText(words, style, { ...given, size: Math.min(given.size, mostSize) });
    const wrapped = block.lines.length - words.trim().split("\n").length;
    // A wrapped name grows upwards from its baseline; other wrapped texts hang down from their first line.
    const raised = key === "name" && wrapped > 0 ? wrapped * block.step : 0;
    const option = `text_elements.${key}`;
    return { kind: "text", option, block, x, baseline: element.y + raised, align, color: rgb };
  }

  return {
    key,
    asked: {
      x,
      y: element.y,
      align,
      color: toHex(rgb),
      askedSize: size,
      font: element.font,
      ...(Number.isFinite(room.width) && { room: room.width }),
    },
    style,
    giving: builtIn !== undefined && key === "context" && !element.sizeAsked,
    lay(wordsOf, mostSize) {
      const filled = fill(wordsOf);
      if (filled.trim() === "") return undefined;
      const words = element.uppercase ? capitals(filled, language.tag) : filled;
      return marks(mostSize < room.size ? `${mostSize} ${words}` : words, () => markOf(words, mostSize));
    },
  };
}

function roomOf(element: TextElement, x: number, { paper, builtIn, lenient }: Surroundings) {
  const { key, align, size, y, maxWidth } = element;
  const wraps = maxWidth !== undefined || key === "name" || key === "context";
  const margin = wraps ? (builtIn?.margin ?? marginOf(paper)) : 0;
  const [left, right] = [x - margin, paper.width - margin - x];
  const free = { left: right, center: 2 * Math.min(left, right), right: left }[align];
  const place = isBuiltIn(key) ? builtIn?.rooms[key] : undefined;
  const below = key === "name" ? paper.height - y : y;
  return {
    width: Math.min(
      maxWidth ?? place?.width ?? Number.POSITIVE_INFINITY,
      free > 0 ? free : Number.POSITIVE_INFINITY,
    ),
    height: place?.height ?? (wraps && below > 0 ? below + size : Number.POSITIVE_INFINITY),
    size,
    minSize: size * leastShrink,
    maxLines: wraps ? mostLines : 1,
    ...(!lenient && { named: `text_elements.${key}` }),
  };
}

const tall = /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/u;

/**
 * Lets lines of scripts that are taller than Latin keep clear of each other, unless the options state a line
 * height.
 */
function lineHeightFor(words: string, element: TextElement, room: ReturnType<typeof roomOf>) {
  const isFree = !element.lineHeightAsked && tall.test(words);
  return isFree ? room : { ...room, lineHeight: element.lineHeight };
}

/**
 * Chooses the QR code's background. A template may have anything there, so the default is white; the built-in
 * design's paper is light and needs none.
 */
function qrBackground(
  asked: string | false | undefined,
  builtIn: BuiltInDesign | undefined,
): Rgb | undefined {
  if (asked === undefined) return builtIn ? undefined : [1, 1, 1];
  return asked === false ? undefined : parseColor(asked);
}

function qrFigure(
  { qr }: PdfOptions,
  url: string,
  paper: Paper,
  builtIn: BuiltInDesign | undefined,
): Figure | undefined {
  if (qr === false || (qr === undefined && !builtIn)) return undefined;
  const asked = typeof qr === "object" ? qr : {};
  const side = asked.size ?? builtIn?.qr.width ?? 76;
  const x = asked.x ?? builtIn?.qr.x ?? paper.width - 36 - side;
  const y = asked.y ?? builtIn?.qr.y ?? 36;
  const color = asked.color === undefined ? (builtIn?.ink ?? [0, 0, 0]) : parseColor(asked.color);
  return {
    kind: "figure",
    option: "qr",
    operators: drawQr(url, { x, y, side, color, background: qrBackground(asked.background, builtIn) }),
    box: { x, y, width: side, height: side },
    alt: url,
    link: url,
  };
}
