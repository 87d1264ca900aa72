import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRawStream } from "@cantoo/pdf-lib";
import { invalid } from "#foundation/errors.js";
import { checkOperators, lengthOfPaths, paintsUnderMasks } from "./pdf-operators.js";
import { PRINT_TO_NEW_PDF, saveAgainAs } from "./remedies.js";

/**
 * Maximum number of objects that a viewer has to draw. Forms, patterns and masks are counted each time they are used.
 */
const MAX_DRAWS = 100_000;
/** Maximum number of bytes of content that a viewer has to interpret. Repeated content is counted each time. */
const MAX_CONTENT = 64 * 1024 * 1024;
/** Maximum number of dashes. Poppler needs about 90 bytes for each dash, for example 3.9 GB for 42 million. */
const MAX_DASHES = 1_000_000;
/**
 * Maximum number of layers (transparency groups, masks and shadings) that a viewer has to compose, measured in full
 * pages. A layer is counted each time it is used. PDFium takes a millisecond for a layer that fills the page.
 */
const MAX_LAYERS = 4000;
/** Cost of a shading, in full pages. A shading fills the page once, and is not composed separately. */
const SHADING = 0.2;
const MAX_DEPTH = 30;
const MAX_PIXELS = 100_000_000;
/** Maximum number of pixels in an inline image, which is written in the content stream itself. */
const MAX_INLINE_PIXELS = 4_000_000;

interface Cost {
  readonly draws: number;
  readonly bytes: number;
  /** Length of lines, in units of the content that draws them. */
  readonly length: number;
  /** Number of groups, masks and shadings. */
  readonly layers: number;
  /** Area that the layers fill, in pages. The limit applies to the smaller of `layers` and `area`. */
  readonly area: number;
}

/** Content to draw: either all content streams of a page, or one form, for example the appearance of an annotation. */
interface Drawing {
  readonly contents: readonly PDFRawStream[];
  readonly resources: PDFObject | undefined;
  /** Size of the page, in points. */
  readonly width: number;
  readonly height: number;
}

interface Estimate {
  contentOf(stream: PDFRawStream): Uint8Array;
  /**
   * Known costs by stream and resources. A stream without its own resources uses those of the drawing that contains it.
   */
  readonly costs: Map<PDFRawStream, Map<PDFDict | undefined, Cost>>;
  readonly inProgress: Set<PDFRawStream>;
  page: Pick<Drawing, "width" | "height">;
  /** The shortest dash or gap of all contents, in units of the content that contains it. */
  shortestDash: number;
  measuresLength: boolean;
}

/**
 * Creates a check of the cost of drawing. Without it, a few nested forms that each draw the next one several times
 * could occupy a viewer for hours. All drawings of a file share one check, which caches the costs of streams.
 * @param contentOf returns the decompressed data of a stream
 * @returns a function that throws Problem `invalid` if the cost is too high, or if a stream draws itself
 */
export function createDrawingCheck(
  contentOf: (stream: PDFRawStream) => Uint8Array,
): (drawing: Drawing) => void {
  const estimate: Estimate = {
    contentOf,
    costs: new Map(),
    inProgress: new Set(),
    page: { width: 0, height: 0 },
    shortestDash: Number.POSITIVE_INFINITY,
    measuresLength: false,
  };
  return (drawing) => {
    estimate.page = drawing;
    const resources = drawing.resources instanceof PDFDict ? drawing.resources : undefined;
    const [only, ...others] = drawing.contents;
    checkDashes(estimate, () => {
      const cost =
        only && others.length === 0
          ? costOfStream(estimate, only, resources, 0)
          : costOfContent(
              estimate,
              drawing.contents.map((content) => textOf(estimate, content)).join("\n"),
              resources,
              0,
            );
      if (!(Math.min(cost.layers, cost.area) <= MAX_LAYERS)) {
        throw invalid(
          `The page of the PDF has more than ${MAX_LAYERS} groups, masks and shadings: simplify it, or save it as a picture.`,
        );
      }
      return cost;
    });
  };
}

function costOfStream(
  estimate: Estimate,
  stream: PDFRawStream,
  inherited: PDFDict | undefined,
  depth: number,
): Cost {
  if (estimate.inProgress.has(stream))
    throw invalid(`A drawing of the PDF contains itself. ${PRINT_TO_NEW_PDF}`);
  const resources = dictOf(stream.dict, "Resources") ?? inherited;
  const cached = estimate.costs.get(stream)?.get(resources);
  if (cached) return cached;
  if (depth > MAX_DEPTH) {
    throw invalid(`The drawings of the PDF are nested more than ${MAX_DEPTH} deep. ${PRINT_TO_NEW_PDF}`);
  }
  estimate.inProgress.add(stream);
  const content = costOfContent(estimate, textOf(estimate, stream), resources, depth);
  const isGroup = dictOf(stream.dict, "Group") !== undefined;
  const matrix = numbersOf(stream.dict.lookup(PDFName.of("Matrix")));
  const own = isGroup ? { ...NOTHING, layers: 1, area: areaOf(estimate, stream) } : NOTHING;
  const cost = enlarged(plus(content, own, 1), determinant(matrix));
  estimate.inProgress.delete(stream);
  estimate.costs.set(stream, (estimate.costs.get(stream) ?? new Map()).set(resources, cost));
  return cost;
}

function costOfContent(
  estimate: Estimate,
  text: string,
  resources: PDFDict | undefined,
  depth: number,
): Cost {
  let total: Cost = {
    ...NOTHING,
    draws: 1,
    bytes: text.length,
    length: estimate.measuresLength ? lengthOfPaths(text) : 0,
  };
  for (const [, dashes = ""] of text.matchAll(DASHES))
    noteDashes(estimate, (dashes.match(NUMBER) ?? []).map(Number));
  checkInlineImages(text);
  checkOperators(text);
  const uses = usesIn(text);
  for (const [use, times] of uses) {
    total = plus(total, costOfUse(estimate, use, resources, depth), times);
    if (total.draws > MAX_DRAWS || total.bytes > MAX_CONTENT) {
      throw invalid(
        `The PDF draws more than ${MAX_DRAWS} times, or more than ${MAX_CONTENT / 1024 / 1024} MiB of drawings: simplify it.`,
      );
    }
  }
  return enlarged(plus(total, costOfMasks(estimate, text, uses, resources, depth), 1), growthIn(text));
}

/** Returns the cost of masks. A viewer draws a mask again for every painting under it. */
function costOfMasks(
  estimate: Estimate,
  text: string,
  uses: ReadonlyMap<string, number>,
  resources: PDFDict | undefined,
  depth: number,
): Cost {
  const maskIn = (name: string) => {
    const state = dictOf(resources, "ExtGState")?.lookup(PDFName.of(decodedName(name)));
    return state instanceof PDFDict ? state.lookup(PDFName.of("SMask")) : undefined;
  };
  const isUsed = [...uses.keys()].some(
    (use) => use.startsWith("gs ") && maskIn(use.slice(3)) instanceof PDFDict,
  );
  if (!isUsed) return NOTHING;
  const paints = paintsUnderMasks(text, (name) => {
    const mask = maskIn(name);
    return mask === undefined ? undefined : mask instanceof PDFDict;
  });
  return [...paints].reduce((sum, [name, times]) => {
    const mask = maskIn(name);
    const group = mask instanceof PDFDict ? mask.lookup(PDFName.of("G")) : undefined;
    if (!(group instanceof PDFRawStream)) return sum;
    const { layers, area } = costOfStream(estimate, group, resources, depth + 1);
    return plus(sum, { ...NOTHING, layers: layers + 1, area: area + 1 }, times);
  }, NOTHING);
}

/** Returns the share of the page that a form's box fills if the form is drawn without enlargement. */
function areaOf(estimate: Estimate, form: PDFRawStream): number {
  const [left, bottom, right, top] = numbersOf(form.dict.lookup(PDFName.of("BBox")));
  const area = ((right ?? 0) - (left ?? 0)) * ((top ?? 0) - (bottom ?? 0));
  return Number.isFinite(area) ? Math.abs(area) / (estimate.page.width * estimate.page.height) : 1;
}

function costOfUse(estimate: Estimate, use: string, resources: PDFDict | undefined, depth: number): Cost {
  const [operator = "", name = ""] = use.split(" ");
  const named = (category: string) => dictOf(resources, category)?.lookup(PDFName.of(name));
  if (operator === "Do") {
    const drawn = named("XObject");
    const isForm = drawn instanceof PDFRawStream && nameOf(drawn.dict, "Subtype") === "Form";
    return isForm ? costOfStream(estimate, drawn, resources, depth + 1) : ONE;
  }
  if (operator === "gs") {
    const state = named("ExtGState");
    if (state instanceof PDFDict) noteDashes(estimate, dashesOf(state));
    const group = state instanceof PDFDict ? dictOf(state, "SMask")?.lookup(PDFName.of("G")) : undefined;
    return group instanceof PDFRawStream ? costOfStream(estimate, group, resources, depth + 1) : ONE;
  }
  if (operator === "Tf") {
    const font = named("Font");
    if (font instanceof PDFDict) refuseNestedGlyphs(estimate, font);
    return NOTHING;
  }
  if (operator === "sh") return ONE_SHADING;
  const pattern = named("Pattern");
  if (pattern instanceof PDFDict) return ONE_SHADING;
  return pattern instanceof PDFRawStream ? costOfPattern(estimate, pattern, resources, depth) : ONE;
}

/** Returns the cost of a pattern, which is drawn as often as its steps fit on the page. */
function costOfPattern(
  estimate: Estimate,
  pattern: PDFRawStream,
  resources: PDFDict | undefined,
  depth: number,
): Cost {
  const matrix = numbersOf(pattern.dict.lookup(PDFName.of("Matrix")));
  const [a = 1, b = 0, c = 0, d = 1] = matrix;
  const cell = Math.abs(numberOf(pattern.dict, "XStep") * numberOf(pattern.dict, "YStep") * (a * d - b * c));
  const tiles = Math.max(1, Math.ceil((estimate.page.width * estimate.page.height) / cell));
  if (!Number.isFinite(tiles) || tiles > MAX_DRAWS) {
    throw invalid(`The PDF repeats a pattern more than ${MAX_DRAWS} times on a page: simplify it.`);
  }
  return plus(NOTHING, costOfStream(estimate, pattern, resources, depth + 1), tiles);
}

/**
 * Rejects glyphs that contain other drawings (Type 3 fonts), because their cost would multiply with the letters of a
 * text.
 */
function refuseNestedGlyphs(estimate: Estimate, font: PDFDict): void {
  const glyphs = dictOf(font, "CharProcs");
  for (const glyph of glyphs?.values() ?? []) {
    const drawn = glyphs?.context.lookup(glyph);
    if (drawn instanceof PDFRawStream && /\/\S+\s+(?:Do|gs|scn|SCN)\b|\bTf\b/.test(textOf(estimate, drawn))) {
      throw invalid(`The PDF has a font whose glyphs contain other drawings. ${PRINT_TO_NEW_PDF}`);
    }
  }
}

function noteDashes(estimate: Estimate, dashes: readonly number[]): void {
  const sum = dashes.reduce((total, each) => total + each, 0);
  if (!(sum > 0)) return; // without dashes, lines are solid
  estimate.shortestDash = Math.min(estimate.shortestDash, sum / dashes.length);
}

/**
 * Nested content inherits dashes, but in its own units. Therefore, the check uses the shortest dash for all content.
 */
function checkDashes(estimate: Estimate, draw: () => Cost): void {
  if (!estimate.measuresLength) {
    draw();
    if (estimate.shortestDash === Number.POSITIVE_INFINITY) return;
    estimate.costs.clear();
    estimate.measuresLength = true;
  }
  if (draw().length / estimate.shortestDash > MAX_DASHES) {
    throw invalid(`The PDF has lines of more than ${MAX_DASHES} dashes: make them solid.`);
  }
}

function textOf(estimate: Estimate, stream: PDFRawStream): string {
  return Buffer.from(estimate.contentOf(stream)).toString("latin1");
}

/**
 * Checks that an image has as much data as its size requires, and is not too large.
 * @param data decompressed, but still encoded by the image's own filter
 * @throws Problem `invalid`
 */
export function checkImage({ dict }: PDFRawStream, data: Uint8Array, isPackedAsImage: boolean): void {
  if (nameOf(dict, "Subtype") !== "Image") return;
  const [width, height] = [numberOf(dict, "Width"), numberOf(dict, "Height")];
  if (!(width >= 1) || !(height >= 1) || width * height > MAX_PIXELS) {
    throw invalid(
      `The PDF has an image of ${width} x ${height} pixels; at most ${MAX_PIXELS} are accepted: make it smaller.`,
    );
  }
  if (isPackedAsImage) return;
  const isMask = dict.lookup(PDFName.of("ImageMask"))?.toString() === "true";
  const bits = isMask ? 1 : numberOf(dict, "BitsPerComponent", 8);
  const components = isMask ? 1 : componentsOf(dict.lookup(PDFName.of("ColorSpace")));
  if (data.length < Math.ceil((width * components * bits) / 8) * height) {
    throw invalid(`The PDF has an image that is cut off. ${saveAgainAs("PDF")}`);
  }
}

const NOTHING: Cost = { draws: 0, bytes: 0, length: 0, layers: 0, area: 0 };
const ONE: Cost = { ...NOTHING, draws: 1 };
const ONE_SHADING: Cost = { ...ONE, layers: SHADING, area: SHADING };

/** Operators that set dashes, for example `[3 2] 0 d`. Comments may stand between operands. */
const DASHES =
  /\[([^[\]]*)\](?:[\0\s]|%[^\r\n]*[\r\n])*[-+.\d]+(?:[\0\s]|%[^\r\n]*[\r\n])*d(?![^\0\s()<>[\]{}/%])/g;
const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)/g;

function plus(cost: Cost, other: Cost, times: number): Cost {
  return {
    draws: cost.draws + other.draws * times,
    bytes: cost.bytes + other.bytes * times,
    length: cost.length + other.length * times,
    layers: cost.layers + other.layers * times,
    area: cost.area + other.area * times,
  };
}

function enlarged(cost: Cost, growth: number): Cost {
  return { ...cost, area: cost.area * growth };
}

function determinant([a = 1, b = 0, c = 0, d = 1]: readonly number[]): number {
  return Math.abs(a * d - b * c);
}

const TRANSFORMATION = /(?<![\d.])((?:[-+]?(?:\d+(?:\.\d*)?|\.\d+)\s+){6})cm\b/g;

/** Returns the largest possible enlargement, as if all transformations in a content stream were nested. */
function growthIn(text: string): number {
  let growth = 1;
  for (const [, numbers = ""] of text.matchAll(TRANSFORMATION))
    growth *= Math.max(1, determinant(numbers.trim().split(/\s+/).map(Number)));
  return growth;
}

function decodedName(name: string): string {
  return name.replace(/#([\da-fA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Returns the references by name in a content stream, as `<operator> <name>`, with the number of uses of each. */
function usesIn(text: string): Map<string, number> {
  const uses = new Map<string, number>();
  for (const [, name = "", sized, simple] of text.matchAll(
    /\/([^\s()<>[\]{}/%]+)\s+(?:[-+.\d]+\s+(Tf)|(Do|gs|scn|SCN|sh))\b/g,
  )) {
    const operator = sized ?? (simple === "SCN" ? "scn" : (simple ?? ""));
    const use = `${operator} ${decodedName(name)}`;
    uses.set(use, (uses.get(use) ?? 0) + 1);
  }
  return uses;
}

function checkInlineImages(text: string): void {
  for (const [, entries = ""] of text.matchAll(/\bBI\s([\s\S]{0,2000}?)\sID\s/g)) {
    const side = (key: RegExp) => Number(key.exec(entries)?.[1] ?? 1);
    const pixels = side(/\/(?:W|Width)\s+(\d+)/) * side(/\/(?:H|Height)\s+(\d+)/);
    if (pixels > MAX_INLINE_PIXELS) {
      throw invalid(`The PDF has an image of ${pixels} pixels within a drawing. ${PRINT_TO_NEW_PDF}`);
    }
  }
}

function componentsOf(space: PDFObject | undefined): number {
  const name = space instanceof PDFArray ? space.lookup(0) : space;
  const family = name instanceof PDFName ? name.decodeText() : "";
  if (family === "DeviceRGB" || family === "CalRGB" || family === "Lab") return 3;
  if (family === "DeviceCMYK") return 4;
  const profile = family === "ICCBased" && space instanceof PDFArray ? space.lookup(1) : undefined;
  return profile instanceof PDFRawStream ? numberOf(profile.dict, "N", 1) : 1;
}

function dictOf(dict: PDFDict | undefined, key: string): PDFDict | undefined {
  const value = dict?.lookup(PDFName.of(key));
  return value instanceof PDFDict ? value : undefined;
}

function nameOf(dict: PDFDict, key: string): string | undefined {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFName ? value.decodeText() : undefined;
}

function numberOf(dict: PDFDict, key: string, otherwise = Number.NaN): number {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFNumber ? value.asNumber() : otherwise;
}

/** Returns the dashes of a graphics state, for example `/D [[3 2] 0]` (ISO 32000-1, 8.4.5). */
function dashesOf(state: PDFDict): number[] {
  const value = state.lookup(PDFName.of("D"));
  return value instanceof PDFArray && value.size() > 0 ? numbersOf(value.lookup(0)) : [];
}

function numbersOf(value: PDFObject | undefined): number[] {
  if (!(value instanceof PDFArray)) return [];
  return value.asArray().flatMap((each) => (each instanceof PDFNumber ? [each.asNumber()] : []));
}
