import type { PrintSettings } from "../generator.js";
import type { Align } from "../pdf/marks.js";
import type { PdfOptions, TextElementOptions } from "./pdf-options.js";

/**
 * A text with all options resolved. An option comes from the element, otherwise from the defaults, otherwise from the
 * built-in values.
 */
export interface TextElement {
  readonly key: string;
  /** May contain placeholders. */
  readonly text: string;
  readonly x: number | undefined;
  readonly y: number;
  readonly align: Align;
  readonly maxWidth: number | undefined;
  readonly maxLines: number | undefined;
  readonly minSize: number | undefined;
  /** Smallest size to which the text shrinks before it wraps, as a share of its full size. */
  readonly shrink: number | undefined;
  readonly block: string | undefined;
  readonly smallCaps: boolean;
  /** Slug of a font asset, or name of a built-in family. */
  readonly font: string | undefined;
  readonly color: string;
  readonly size: number;
  readonly charSpace: number;
  readonly uppercase: boolean;
  readonly lineHeight: number;
  /** True if the options state the size. The text then shrinks only if it doesn't fit. */
  readonly requestedSize: boolean;
  /** True if the options state the line height, which then also applies to tall scripts. */
  readonly requestedLineHeight: boolean;
}

/** The three texts that every credential has. */
export type BuiltInElements = Readonly<Record<BuiltInKey, BuiltInElement>>;

interface BuiltInElement {
  readonly y: number;
  readonly size: number;
  readonly x?: number;
  /** The space for the text at this position. Options can move the text elsewhere. */
  readonly room?: { readonly width?: number; readonly height?: number };
  /** True if the text stays smaller than the learner's name, unless the options state its size. */
  readonly isLesser?: boolean;
  readonly font?: string;
}

type BuiltInKey = "name" | "context" | "date";

/** Positions on a template. */
export const builtInElements: BuiltInElements = {
  name: { y: 290, size: 32 },
  context: { y: 220, size: 28 },
  date: { y: 120, size: 12 },
};

const builtInTexts = { name: "{name}", context: "{context_name}", date: "{issue_date}" } as const;
const general = { color: "#000", size: 12, char_space: 0, uppercase: false, line_height: 1.1 } as const;

/** Returns the texts of a page, built-in texts first. Omits elements that are `false` or incomplete. */
export function resolveTextElements(
  options: PdfOptions,
  settings: PrintSettings | undefined,
  builtIn: BuiltInElements = builtInElements,
): TextElement[] {
  const elements: TextElement[] = [];
  for (const key of new Set([...Object.keys(builtInTexts), ...Object.keys(options.text_elements)])) {
    const own = options.text_elements[key] ?? {};
    if (own === false) continue;
    const element = resolve(key, own, options.defaults, {
      ...general,
      ...builtInStyle(key, settings, builtIn),
    });
    if (element) elements.push(element);
  }
  return elements;
}

/** Returns the paths of required options that custom elements lack. */
export function missingOfTextElements(options: PdfOptions): string[] {
  return Object.entries(options.text_elements).flatMap(([key, own]) => {
    if (own === false || isBuiltInElement(key)) return [];
    const needed = ["text", "y"] as const;
    return needed.filter((each) => own[each] === undefined).map((each) => `text_elements.${key}.${each}`);
  });
}

type Style = PdfOptions["defaults"];
type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
type Complete = Defined<TextElementOptions> & {
  [K in keyof typeof general]: Exclude<TextElementOptions[K], undefined>;
};

function builtInStyle(
  key: string,
  settings: PrintSettings | undefined,
  builtIn: BuiltInElements,
): Defined<TextElementOptions> {
  if (!isBuiltInElement(key)) return {};
  const { x, y, size, font } = builtIn[key];
  const own = { ...(x !== undefined && { x }), ...(font !== undefined && { font }) };
  const placed = { text: builtInTexts[key], y, size, ...own };
  if (settings === undefined || key === "context") return placed;
  if (key === "name") return { ...placed, uppercase: settings.nameUppercase };
  return { ...placed, uppercase: settings.dateUppercase, char_space: settings.dateCharSpace };
}

export function isBuiltInElement(key: string): key is BuiltInKey {
  return Object.hasOwn(builtInTexts, key);
}

function resolve(
  key: string,
  own: TextElementOptions,
  defaults: Style,
  builtIn: Complete,
): TextElement | undefined {
  const all = { ...builtIn, ...definedOf(defaults), ...definedOf(own) };
  const { text, y, x, align, max_width, font, color, size, char_space, uppercase, line_height } = all;
  if (text === undefined || y === undefined) return undefined;
  return {
    key,
    text,
    x,
    y,
    align: align ?? "center",
    maxWidth: max_width,
    maxLines: all.max_lines,
    minSize: all.min_size,
    shrink: all.shrink,
    block: all.block,
    smallCaps: all.small_caps ?? false,
    font,
    color,
    size,
    charSpace: char_space,
    uppercase,
    lineHeight: line_height,
    requestedSize: (own.size ?? defaults.size) !== undefined,
    requestedLineHeight: (own.line_height ?? defaults.line_height) !== undefined,
  };
}

function definedOf<T extends object>(options: T): Defined<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Defined<T>;
}
