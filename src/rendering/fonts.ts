import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Font, openFont } from "./font.js";

/** A font as a design uses it. */
export interface Face {
  readonly name: string;
  /** Opened at first use. */
  readonly font: Font;
  /** Brings the apparent size of its letters to that of the Latin beside it. */
  readonly scale: number;
  /** Whether its letters stand apart, so that space may be put between them. */
  readonly spaceable: boolean;
  /** Of a font for Chinese, Japanese or Korean: the language and script whose forms it draws, such as `zh-Hant`. */
  readonly forms?: string;
}

/** Fonts that a text is set in: each character in the first that has it. */
export type FontChain = readonly Face[];

/** The styles of the family of the built-in design. Other scripts have one style each, which serves them all. */
export type FontStyle = "regular" | "medium" | "italic";

const resolve = createRequire(import.meta.url).resolve;

const garamond: Record<FontStyle, Face> = {
  regular: face("eb-garamond/400Regular/EBGaramond_400Regular", 1, true, { byWord: true }),
  medium: face("eb-garamond/500Medium/EBGaramond_500Medium", 1, true, { byWord: true }),
  italic: face("eb-garamond/400Regular_Italic/EBGaramond_400Regular_Italic", 1, true, { byWord: true }),
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
  // Large, so optional: used where their packages are installed.
  ...optionalFace("zcool-xiaowei/400Regular/ZCOOLXiaoWei_400Regular", "zh-Hans"),
  ...optionalFace("cactus-classical-serif/400Regular/CactusClassicalSerif_400Regular", "zh-Hant"),
  ...optionalFace("hina-mincho/400Regular/HinaMincho_400Regular", "ja-Jpan"),
  ...optionalFace("gowun-batang/400Regular/GowunBatang_400Regular", "ko-Kore"),
  face("noto-emoji/400Regular/NotoEmoji_400Regular", 0.84, false),
];

/** The chains of the built-in design. */
export const fallbackChains: Record<FontStyle, FontChain> = {
  regular: [garamond.regular, ...otherScripts],
  medium: [garamond.medium, ...otherScripts],
  italic: [garamond.italic, garamond.regular, ...otherScripts],
};

const families = new Map<string, FontChain>([
  ["EB Garamond", fallbackChains.regular],
  ["EB Garamond Medium", fallbackChains.medium],
  ["EB Garamond Italic", fallbackChains.italic],
]);

/** What the built-in families are called in options. */
export const familyNames: readonly string[] = [...families.keys()];

/** The chain of a built-in family. */
export function familyChain(name: string): FontChain | undefined {
  return families.get(name);
}

/** The chain that begins with an institution's own font. */
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

function optionalFace(file: string, forms: string): Face[] {
  try {
    resolve(pathOf(file));
  } catch {
    return [];
  }
  return [face(file, 0.9, true, { forms })];
}

function pathOf(file: string): string {
  return `@expo-google-fonts/${file}.ttf`;
}
