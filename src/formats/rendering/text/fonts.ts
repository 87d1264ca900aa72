import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Font, openFont } from "./font.js";

export interface Face {
  readonly name: string;
  /** Opened at first use. */
  readonly font: Font;
  /** Factor that makes the font's letters look as large as Latin letters. */
  readonly scale: number;
  /** True if the font's letters are separate, so that letter spacing is possible. */
  readonly spaceable: boolean;
  /** For Chinese, Japanese and Korean fonts: language and script of the character forms, such as `zh-Hant`. */
  readonly forms?: string;
}

/** Fonts in order of preference. Each character is set in the first font that has it. */
export type FontChain = readonly Face[];

/** Styles of the built-in families. For scripts that a family lacks, all styles use the same font. */
type FontStyle =
  | "regular"
  | "medium"
  | "semibold"
  | "italic"
  | "display"
  | "displaySemibold"
  | "displayItalic"
  | "sans"
  | "sansLight"
  | "sansSemibold"
  | "sansItalic";

const resolve = createRequire(import.meta.url).resolve;

const garamond = {
  regular: face("eb-garamond/400Regular/EBGaramond_400Regular", 1, true, { byWord: true }),
  medium: face("eb-garamond/500Medium/EBGaramond_500Medium", 1, true, { byWord: true }),
  semibold: face("eb-garamond/600SemiBold/EBGaramond_600SemiBold", 1, true, { byWord: true }),
  italic: face("eb-garamond/400Regular_Italic/EBGaramond_400Regular_Italic", 1, true, { byWord: true }),
};
const playfair = {
  regular: face("playfair-display/400Regular/PlayfairDisplay_400Regular", 0.92, true),
  semibold: face("playfair-display/600SemiBold/PlayfairDisplay_600SemiBold", 0.92, true),
  italic: face("playfair-display/400Regular_Italic/PlayfairDisplay_400Regular_Italic", 0.92, true),
};
const sourceSans = {
  light: face("source-sans-3/300Light/SourceSans3_300Light", 1, true),
  regular: face("source-sans-3/400Regular/SourceSans3_400Regular", 1, true),
  semibold: face("source-sans-3/600SemiBold/SourceSans3_600SemiBold", 1, true),
  italic: face("source-sans-3/400Regular_Italic/SourceSans3_400Regular_Italic", 1, true),
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
  face("noto-sans-thaana/400Regular/NotoSansThaana_400Regular", 0.84, false),
  // These fonts are used only if their packages are installed.
  ...optionalFace("noto-serif-telugu/400Regular/NotoSerifTelugu_400Regular"),
  ...optionalFace("noto-sans-kannada/400Regular/NotoSansKannada_400Regular"),
  ...optionalFace("noto-sans-malayalam/400Regular/NotoSansMalayalam_400Regular"),
  ...optionalFace("noto-sans-gujarati/400Regular/NotoSansGujarati_400Regular"),
  ...optionalFace("noto-sans-gurmukhi/400Regular/NotoSansGurmukhi_400Regular"),
  ...optionalFace("noto-sans-oriya/400Regular/NotoSansOriya_400Regular"),
  ...optionalFace("noto-sans-sinhala/400Regular/NotoSansSinhala_400Regular"),
  ...optionalFace("noto-sans-khmer/400Regular/NotoSansKhmer_400Regular"),
  ...optionalFace("noto-sans-lao/400Regular/NotoSansLao_400Regular"),
  ...optionalFace("noto-sans-myanmar/400Regular/NotoSansMyanmar_400Regular"),
  ...optionalFace("noto-serif-tibetan/400Regular/NotoSerifTibetan_400Regular"),
  ...optionalFace("noto-sans-mongolian/400Regular/NotoSansMongolian_400Regular"),
  ...optionalFace("noto-sans-nko/400Regular/NotoSansNKo_400Regular"),
  ...optionalFace("noto-sans-tifinagh/400Regular/NotoSansTifinagh_400Regular"),
  ...optionalFace("noto-sans-cherokee/400Regular/NotoSansCherokee_400Regular"),
  ...optionalFace("noto-sans-syriac/400Regular/NotoSansSyriac_400Regular"),
  ...optionalFace("zcool-xiaowei/400Regular/ZCOOLXiaoWei_400Regular", eastAsian("zh-Hans")),
  ...optionalFace("cactus-classical-serif/400Regular/CactusClassicalSerif_400Regular", eastAsian("zh-Hant")),
  ...optionalFace("hina-mincho/400Regular/HinaMincho_400Regular", eastAsian("ja-Jpan")),
  ...optionalFace("gowun-batang/400Regular/GowunBatang_400Regular", eastAsian("ko-Kore")),
  face("noto-emoji/400Regular/NotoEmoji_400Regular", 0.84, false),
];

/** Font chains of the built-in families. The built-in design also uses them. */
export const fallbackChains: Record<FontStyle, FontChain> = {
  regular: [garamond.regular, ...otherScripts],
  medium: [garamond.medium, ...otherScripts],
  semibold: [garamond.semibold, ...otherScripts],
  italic: [garamond.italic, garamond.regular, ...otherScripts],
  display: [playfair.regular, garamond.regular, ...otherScripts],
  displaySemibold: [playfair.semibold, garamond.semibold, ...otherScripts],
  displayItalic: [playfair.italic, garamond.italic, garamond.regular, ...otherScripts],
  sans: [sourceSans.regular, garamond.regular, ...otherScripts],
  sansLight: [sourceSans.light, garamond.regular, ...otherScripts],
  sansSemibold: [sourceSans.semibold, garamond.regular, ...otherScripts],
  sansItalic: [sourceSans.italic, garamond.regular, ...otherScripts],
};

/** Returns a chain that starts with the institution's font. */
export function ownFontChain(name: string, bytes: Uint8Array): FontChain {
  const own: Face = { name, font: openFont(bytes), scale: 1, spaceable: true };
  return [own, ...fallbackChains.regular];
}

function face(
  file: string,
  scale: number,
  spaceable: boolean,
  { byWord = false, forms }: { byWord?: boolean; forms?: string } = {},
): Face {
  let font: Font | undefined;
  return {
    name: file.slice(file.lastIndexOf("/") + 1),
    get font() {
      font ??= openFont(readFileSync(resolve(pathOf(file))), byWord);
      return font;
    },
    scale,
    spaceable,
    ...(forms === undefined ? {} : { forms }),
  };
}

interface Drawn {
  readonly scale: number;
  readonly spaceable: boolean;
  readonly forms?: string;
}

function optionalFace(
  file: string,
  { scale, spaceable, forms }: Drawn = { scale: 0.84, spaceable: false },
): Face[] {
  try {
    resolve(pathOf(file));
  } catch {
    return [];
  }
  return [face(file, scale, spaceable, forms === undefined ? {} : { forms })];
}

/** @param forms language and script of the font's character forms */
function eastAsian(forms: string): Drawn {
  return { scale: 0.9, spaceable: true, forms };
}

function pathOf(file: string): string {
  return `@expo-google-fonts/${file}.ttf`;
}
