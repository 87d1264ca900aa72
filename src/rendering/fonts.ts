import type { Font } from "fontkit";
import { openSharedFont } from "./shared-font.js";

/** A font as the design uses it. */
export interface Face {
  readonly name: string;
  /** Opened at first use. */
  readonly font: Font;
  /** Brings the apparent size of its letters to that of the Latin beside it. */
  readonly scale: number;
  /** Whether its letters stand apart, so that space may be put between them. */
  readonly spaceable: boolean;
}

/** The styles of the built-in family. Other scripts have one style each, which serves them all. */
export type FontStyle = "regular" | "medium" | "italic";

const garamond = {
  regular: face("eb-garamond/400Regular/EBGaramond_400Regular", 1, true),
  medium: face("eb-garamond/500Medium/EBGaramond_500Medium", 1, true),
  italic: face("eb-garamond/400Regular_Italic/EBGaramond_400Regular_Italic", 1, true),
};

const otherScripts = [
  face("amiri/400Regular/Amiri_400Regular", 1.12, false),
  face("frank-ruhl-libre/400Regular/FrankRuhlLibre_400Regular", 0.96, false),
  face("tiro-devanagari-hindi/400Regular/TiroDevanagariHindi_400Regular", 0.9, false),
  face("tiro-bangla/TiroBangla_400Regular", 0.9, false),
  face("noto-sans-tamil/400Regular/NotoSansTamil_400Regular", 0.76, false),
  face("noto-sans-thai/400Regular/NotoSansThai_400Regular", 0.84, false),
  face("noto-sans-georgian/400Regular/NotoSansGeorgian_400Regular", 0.84, true),
  face("noto-sans-armenian/400Regular/NotoSansArmenian_400Regular", 0.84, true),
  face("abyssinica-sil/400Regular/AbyssinicaSIL_400Regular", 0.86, false),
];

/** The fonts that text of a style is set in: each character in the first that has it. */
export const fallbackChains: Record<FontStyle, readonly Face[]> = {
  regular: [garamond.regular, ...otherScripts],
  medium: [garamond.medium, ...otherScripts],
  italic: [garamond.italic, garamond.regular, ...otherScripts],
};

function face(file: string, scale: number, spaceable: boolean): Face {
  let font: Font | undefined;
  return {
    name: file.slice(file.lastIndexOf("/") + 1),
    get font() {
      font ??= openSharedFont(`@expo-google-fonts/${file}.ttf`);
      return font;
    },
    scale,
    spaceable,
  };
}
