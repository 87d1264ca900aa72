import type { Assets } from "../generator.js";
import type { Decoration } from "../pdf/marks.js";
import { pdfNumber } from "../pdf/pdf-object.js";
import type { TextBlock } from "../text/fit-text.js";
import type { FontChain } from "../text/fonts.js";
import type { TextStyle } from "../text/text-lines.js";
import type { DocumentLanguage } from "./document-language.js";
import { fontOf } from "./institution-assets.js";
import type { Places } from "./page-options.js";
import type { Palette } from "./palette.js";
import type { PdfOptions } from "./pdf-options.js";
import type { Phrases } from "./phrases.js";
import { prepareSetting } from "./set-text.js";
import type { Typesetting } from "./typesetting.js";

export interface PartContext {
  readonly assets: Assets;
  readonly own: FontChain;
  readonly language: DocumentLanguage;
  readonly palette: Palette;
  readonly phrases: Phrases;
  readonly platformName: string;
  readonly typesetting: Typesetting;
}

export type PartOptions<K extends keyof Places> = NonNullable<Places[K]>;

/** Size of labels, as a share of a part's main text. */
const labelSize = 0.78;
/** Minimum distance between the ink of a label and its text, as a share of the label's size. */
export const labelClearance = 0.3;

/** @param font undefined for the design's font */
export function styleOf(
  font: string | undefined,
  { assets, own, language, typesetting }: Pick<PartContext, "assets" | "own" | "language" | "typesetting">,
): TextStyle {
  const fonts = fontOf(font, assets);
  return {
    fonts: [...fonts, ...own.filter((face) => !fonts.includes(face))],
    language: language.forms,
    keepsPhrases: typesetting.keepsPhrases,
  };
}

/** Prepares the main texts of a part, and its labels. */
export function partTexts(
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

/** Returns the extent of a text below its first baseline. */
export function depthOf({ height, ascent }: TextBlock): number {
  return height - ascent;
}

/** Returns the operators of a line. */
export function lineAt(x: number, y: number, across: number, up: number): string {
  return `${[x, y].map(pdfNumber).join(" ")} m ${[x + across, y + up].map(pdfNumber).join(" ")} l S`;
}

/** @param lines the operators of each line */
export function thinLines(lines: readonly string[], color: readonly number[]): Decoration {
  const operators = [`${color.map(pdfNumber).join(" ")} RG 0.5 w`, ...lines].join("\n");
  return { kind: "decoration", operators };
}
