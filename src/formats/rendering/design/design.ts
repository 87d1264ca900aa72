import { createBoundedCache } from "#foundation/concurrency/bounded-cache.js";
import { invalid } from "#foundation/errors.js";
import {
  type Assets,
  type CredentialFacts,
  editionOf,
  type PrintSettings,
  type RenderMode,
} from "../generator.js";
import type { PreviewedDocument, PreviewMode } from "../layout.js";
import type { Attachment } from "../pdf/attachment.js";
import { colorToHex } from "../pdf/color.js";
import { createDocumentFormat } from "../pdf/document-format.js";
import type { Mark, PageSize, TextMark } from "../pdf/marks.js";
import { emptyPaper, type Paper } from "../pdf/paper.js";
import { fitText, nominalAscent, nominalDescent } from "../text/fit-text.js";
import { hasCharacterOf } from "../text/font-coverage.js";
import { type FontChain, fallbackChains } from "../text/fonts.js";
import type { TextStyle } from "../text/text-lines.js";
import { layOutBlocks, type Piece } from "./blocks.js";
import { createBuiltInDesign } from "./built-in-design.js";
import { commonFonts } from "./common-fonts.js";
import { documentLanguage } from "./document-language.js";
import { fitted } from "./fitted.js";
import { ownFaces, ownFontName, pictureOf, templatePaperOf } from "./institution-assets.js";
import { layoutOf, type RequestedText } from "./layout-of.js";
import { mirrored } from "./mirrored.js";
import { type PageFrame, plainFrame, qrFigure } from "./page-frame.js";
import { preparePageParts } from "./page-parts.js";
import { type Palette, paletteOf } from "./palette.js";
import { styleOf } from "./part-texts.js";
import type { PdfOptions } from "./pdf-options.js";
import { phrasesIn } from "./phrases.js";
import type { WordsOf } from "./placeholders.js";
import { previewStamp } from "./preview-stamp.js";
import { printedValues } from "./printed-values.js";
import { prepareShapes } from "./shapes.js";
import { refuseUncovered } from "./text-check.js";
import { isBuiltInElement, resolveTextElements, type TextElement } from "./text-elements.js";
import { prepareWords, smallerThan, type WordContext } from "./text-words.js";
import { type Typesetting, typesettingOf } from "./typesetting.js";

/** Options, assets and settings, prepared for rendering any number of credentials. */
export interface Design {
  render(facts: CredentialFacts, mode: RenderMode): Uint8Array;
  preview(facts: CredentialFacts, mode: PreviewMode): PreviewedDocument;
}

interface DesignContext {
  /** BCP 47 tag of the requested language. */
  readonly language: string;
  readonly settings: PrintSettings | undefined;
  /** True if the context name has more than one line. */
  readonly multiline: boolean;
  /** Issuer on the seal of the built-in design. */
  readonly platformName: string;
  /** Whether to print texts that would be too small to read, instead of refusing them. */
  readonly lenient?: boolean;
}

const papers: Record<PdfOptions["page"]["size"], readonly [number, number]> = {
  A4: [595.28, 841.89],
  LETTER: [612, 792],
};

/** A text shrinks to this share of its size. If it still doesn't fit, it wraps to at most `MAX_LINES` lines. */
const MIN_SHRINK = 0.68;
const MAX_LINES = 3;

/**
 * Prepares a design for rendering.
 * @throws Problem `invalid` if an asset is missing or of the wrong kind
 */
export async function compileDesign(
  requestedOptions: PdfOptions,
  assets: Assets,
  { language: requested, settings, multiline, platformName, lenient = false }: DesignContext,
): Promise<Design> {
  const { context: printed } = requestedOptions.text_elements;
  const hasLines = multiline || (printed !== undefined && printed !== false && /\n/.test(printed.text ?? ""));
  const template = hasLines
    ? (requestedOptions.template_multiline ?? requestedOptions.template)
    : requestedOptions.template;
  const edition = editionOf(settings);
  const language = documentLanguage(requested, template !== undefined, edition);
  const size = pageSize(requestedOptions.page);
  const isOnPaper = template === undefined && requestedOptions.paper !== undefined;
  const isMirrored = isOnPaper && requestedOptions.mirror && language.words.direction === "rtl";
  const drawnFor =
    isOnPaper && requestedOptions.page.drawn_for
      ? pageSize({ ...requestedOptions.page, size: requestedOptions.page.drawn_for })
      : size;
  const sized = drawnFor.width === size.width ? requestedOptions : fitted(requestedOptions, drawnFor, size);
  const options = isMirrored ? mirrored(sized, size.width) : sized;
  const palette = paletteOf(options);
  const phrases = phrasesIn(options, language, edition);
  const own = ownFaces(options, assets);
  const ink = palette(options.defaults.color ?? "#000");
  const typesetting = typesettingOf(edition);
  const context = { assets, own, language, palette, phrases, platformName, edition, typesetting };
  const builtIn =
    template === undefined && options.paper === undefined
      ? await createBuiltInDesign(size, options, ink, context)
      : undefined;
  const resolved = resolveTextElements(options, settings, builtIn?.elements);
  const paper = await (builtIn
    ? builtIn.paper(resolved)
    : template === undefined
      ? emptyPaper(size)
      : templatePaperOf(template, assets, size));
  const ownCharacters = own.map(hasCharacterOf);
  const frame = builtIn ?? plainFrame(paper, isOnPaper);
  const surroundings = { ...context, paper, frame, drawnFor, isOnPaper, isMirrored, lenient };
  const elements = resolved.map((element) => prepareElement(element, surroundings));
  const parts = await preparePageParts(options, context);
  const shapes = prepareShapes(options, palette, { size: paper, isMirrored });
  const listed = await Promise.all(options.images.map((image, index) => pictureOf(image, index, assets)));
  const isDrawn = ({ operators }: { readonly operators: string }) => operators !== "";
  const pictures = [...(builtIn?.logo ? [builtIn.logo] : []), ...listed.filter(isDrawn)];
  const format = createDocumentFormat({
    paper,
    common: commonFonts(
      [
        ...elements.map(({ style }) => style.fonts),
        ...parts.styles.map(({ fonts }) => fonts),
        ...(builtIn ? [fallbackChains.regular] : []),
      ],
      language.forms,
      elements.flatMap(({ style }) => (style.features ? [[style.fonts, style.features] as const] : [])),
    ),
    shared: [...pictures, ...(builtIn?.signatures ?? []), ...shapes.fixed, ...parts.fixed].flatMap(
      (picture) => (picture.resources ?? []).map(({ object }) => object),
    ),
    encrypt: options.encrypt,
  });
  if (options.pdf_a && !format.archival) {
    throw invalid(
      "pdf_a can't be combined with a PDF template or a CMYK picture. Use the built-in design, or pictures in RGB or greyscale.",
    );
  }

  const isArranged =
    options.paper !== undefined ||
    Object.keys(options.blocks).length > 0 ||
    Object.keys(options.places).length > 0;

  function arranged(
    texts: ReadonlyMap<string, TextMark>,
    wordsOf: WordsOf,
    verifyUrl: string,
  ): readonly Mark[] {
    if (!isArranged) return [...texts.values()];
    const linked = elements.map((element) => element.piece(texts.get(element.key), verifyUrl));
    return layOutBlocks([...linked, ...shapes.pieces, ...parts.pieces(wordsOf)], options.blocks, lenient);
  }

  function refuseUnprintable(facts: CredentialFacts): void {
    const issueDate = printedValues(facts, language.tag)({ kind: "fact", name: "issue_date" });
    refuseUncovered({ ...facts, issueDate }, options, ownCharacters);
  }

  function marksOf(facts: CredentialFacts): Mark[] {
    const wordsOf = printedValues(facts, language.tag, phrases);
    const texts = layTexts(elements, wordsOf);
    const qr = qrFigure(options, facts.verifyUrl, frame, palette);
    const drawn: Mark[] = builtIn
      ? builtIn.marks(texts, wordsOf, qr)
      : [...arranged(texts, wordsOf, facts.verifyUrl), ...(qr ? [qr] : [])];
    return [...shapes.fixed, ...parts.fixed, ...pictures, ...drawn];
  }

  function write(facts: CredentialFacts, marks: readonly Mark[]): Uint8Array {
    const metadata = {
      title: `${facts.credentialType} – ${facts.userFullName}`,
      subject: facts.learningContextName.replace(/\s*[\r\n]+\s*/g, " "),
      keywords: facts.verifyUrl,
      language: language.tag,
      created: facts.created,
    };
    return format.write([marks], {
      metadata,
      seed: JSON.stringify(facts),
      attachment: attachmentOf(facts),
      seal: facts.seal,
    });
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
        drawnFor: isOnPaper ? drawnFor : { width: paper.width, height: paper.height },
        mirrored: isMirrored,
        margin: frame.margin,
        marks: [...shapes.outlines, ...listed.filter((image) => !isDrawn(image)), ...marks],
        requested: new Map(elements.map(({ key, requested }) => [`text_elements.${key}`, requested])),
        own: ownCharacters,
        fontName: fontNames(assets),
      });
      return layoutOnly
        ? { layout }
        : {
            layout,
            pdf: Uint8Array.from(
              write(facts, stamp === "none" ? marks : [...marks, previewStamp(paper, stamp)]),
            ),
          };
    },
  };
}

/** Returns a function that names the institution's fonts by slug, and built-in fonts by family. */
function fontNames(assets: Assets): (face: string) => string {
  const slugs = new Map([...assets].map(([slug, { sha256 }]) => [ownFontName(sha256), slug]));
  return (face) => slugs.get(face) ?? face.replace(/_\d+(?:Regular|Medium)/, "").replace("_", " ");
}

/** Returns the badge as an attachment. The file name is always the same, so that programs can find the file. */
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

function pageSize({ size, orientation }: Pick<PdfOptions["page"], "size" | "orientation">): PageSize {
  const [short, long] = papers[size];
  return orientation === "landscape" ? { width: long, height: short } : { width: short, height: long };
}

/**
 * Lays out the texts and returns them by key. Some texts must stay smaller than the learner's name: in the built-in
 * design, the context, unless the options state its size; in all designs, the texts in the name's block whose designed
 * size is below 80 % of the name's. For this, the title shrinks below its minimum size only if it would otherwise be
 * about as large as the name.
 */
function layTexts(elements: readonly PreparedElement[], wordsOf: WordsOf): Map<string, TextMark> {
  const texts = new Map<string, TextMark>();
  const name = elements.find(({ key }) => key === "name");
  for (const element of elements) {
    const { key, giving, lay, heldSize } = element;
    const gives = giving || (name !== undefined && isLesser(element, name));
    const most = gives ? smallerThan(texts.get("name"), heldSize) : Number.POSITIVE_INFINITY;
    const mark = lay(wordsOf, most);
    if (mark) texts.set(key, mark);
  }
  return texts;
}

function isLesser({ element }: PreparedElement, { element: name }: PreparedElement): boolean {
  return element.block !== undefined && element.block === name.block && element.size < name.size * 0.8;
}

interface Surroundings extends WordContext, Pick<Required<DesignContext>, "lenient"> {
  readonly palette: Palette;
  readonly frame: PageFrame;
  /** The page size for which the options are designed. */
  readonly drawnFor: PageSize;
  readonly isOnPaper: boolean;
  readonly isMirrored: boolean;
  readonly paper: Paper;
  readonly assets: Assets;
  readonly own: FontChain;
  readonly typesetting: Typesetting;
}

interface PreparedElement {
  readonly key: string;
  readonly requested: RequestedText;
  readonly element: TextElement;
  /**
   * Returns the laid-out text as a piece of a block. The piece is a link if the text shows the address of the
   * verification page.
   */
  piece(text: TextMark | undefined, verifyUrl: string): Piece;
  readonly style: TextStyle;
  /** True if the text must stay smaller than the learner's name. */
  readonly giving: boolean;
  /** The text doesn't shrink below this size for the sake of other texts, if everything fits. */
  readonly heldSize: number;
  /** @returns undefined if there is nothing to print */
  lay(wordsOf: WordsOf, maxSize: number): TextMark | undefined;
}

function prepareElement(element: TextElement, surroundings: Surroundings): PreparedElement {
  const { key, align, size, color } = element;
  const { paper, frame, palette, drawnFor, isOnPaper, isMirrored, edition, typesetting } = surroundings;
  const { of, traits } = prepareWords(element.text, element.uppercase, surroundings);
  const style: TextStyle = {
    ...styleOf(element.font, surroundings),
    ...(traits.language !== undefined && { language: traits.language }),
    spacing: element.charSpace / size,
    ...(element.smallCaps && { features: [edition === 1 ? "smcp" : "small-capitals"] }),
  };
  const x = element.x ?? paper.width / 2;
  const rgb = palette(color);
  const room = roomOf(element, x, surroundings);
  const marks = createBoundedCache<TextMark>(200);
  const heldSize = traits.isTitle ? size * typesetting.minTitleShare : 0;

  function markOf(words: string, maxSize: number): TextMark {
    const fit = lineHeightFor(words, element, room);
    const block = fitText(words, style, {
      ...fit,
      size: Math.min(fit.size, maxSize),
    });
    const wrapped = block.lines.length - words.trim().split("\n").length;
    // A wrapped name has its last line on the baseline. Other wrapped texts have their first line there.
    const raised = key === "name" && wrapped > 0 && element.block === undefined ? wrapped * block.step : 0;
    const option = `text_elements.${key}`;
    return { kind: "text", option, block, x, baseline: element.y + raised, align, color: rgb };
  }

  return {
    key,
    requested: {
      // x and y are in the coordinates of the options.
      x: (isMirrored ? paper.width - x : x) * (isOnPaper ? drawnFor.width / paper.width : 1),
      y: element.y * (isOnPaper ? drawnFor.height / paper.height : 1),
      align,
      color: colorToHex(rgb),
      requestedSize: size,
      font: element.font,
      ...(Number.isFinite(room.width) && { room: room.width }),
    },
    element,
    piece(text, verifyUrl) {
      const mark: TextMark | undefined = text && {
        ...text,
        ...(traits.isTitle && { tag: "H1" }),
        ...(traits.language !== undefined && { language: traits.language }),
        ...(traits.isLinked && { link: verifyUrl }),
      };
      return {
        block: element.block,
        y: element.y,
        designed: { above: size * nominalAscent, below: size * nominalDescent },
        printed: mark && { above: mark.block.ascent, below: mark.block.height - mark.block.ascent },
        marks: mark ? [mark] : [],
        minScale: mark && Math.min(1, heldSize / mark.block.size),
      };
    },
    style,
    heldSize,
    giving: isBuiltInElement(key) && frame.elements[key].isLesser === true && !element.requestedSize,
    lay(wordsOf, maxSize) {
      const words = of(wordsOf);
      if (words.trim() === "") return undefined;
      return marks(maxSize < room.size ? `${maxSize} ${words}` : words, () => markOf(words, maxSize));
    },
  };
}

function roomOf(element: TextElement, x: number, { paper, frame, lenient }: Surroundings) {
  const { key, align, size, y, maxWidth } = element;
  const wraps = maxWidth !== undefined || key === "name" || key === "context";
  const margin = wraps ? frame.margin : 0;
  const [left, right] = [x - margin, paper.width - margin - x];
  const free = { left: right, center: 2 * Math.min(left, right), right: left }[align];
  const partRoom = isBuiltInElement(key) ? frame.elements[key].room : undefined;
  const below = key === "name" ? paper.height - y : y;
  return {
    width: Math.min(
      maxWidth ?? partRoom?.width ?? Number.POSITIVE_INFINITY,
      free > 0 ? free : Number.POSITIVE_INFINITY,
    ),
    height:
      element.block === undefined
        ? (partRoom?.height ?? (wraps && below > 0 ? below + size : Number.POSITIVE_INFINITY))
        : Number.POSITIVE_INFINITY,
    size,
    minSize: Math.max(size * (element.shrink ?? MIN_SHRINK), element.minSize ?? 0),
    maxLines: element.maxLines ?? (wraps ? MAX_LINES : 1),
    keepsLines: element.maxLines !== undefined,
    ...(element.minSize !== undefined && { leastSize: element.minSize }),
    ...(!lenient && { named: `text_elements.${key}` }),
  };
}

const TALL_SCRIPTS =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/u;

/**
 * Returns the room with the element's line height. For texts in tall scripts, the room has no line height, so that the
 * lines get the distance that the script needs. If the options state a line height, it also applies to these scripts.
 */
function lineHeightFor(words: string, element: TextElement, room: ReturnType<typeof roomOf>) {
  const isFree = !element.requestedLineHeight && TALL_SCRIPTS.test(words);
  return isFree ? room : { ...room, lineHeight: element.lineHeight };
}
