import { createRequire } from "node:module";

/** A script whose font has to be installed separately. */
export interface OptionalScript {
  /** Name of the script in English. */
  readonly name: string;
  /** The packages of `@expo-google-fonts` that contain the font. */
  readonly packages: readonly string[];
  /** The first and last code point of the script's Unicode block. */
  readonly first: number;
  readonly last: number;
}

/** The scripts for which `npm run fonts` installs fonts. */
export const optionalScripts: readonly OptionalScript[] = [
  script("Syriac", 0x0700, 0x074f, "noto-sans-syriac"),
  script("N'Ko", 0x07c0, 0x07ff, "noto-sans-nko"),
  script("Gurmukhi", 0x0a00, 0x0a7f, "noto-sans-gurmukhi"),
  script("Gujarati", 0x0a80, 0x0aff, "noto-sans-gujarati"),
  script("Odia", 0x0b00, 0x0b7f, "noto-sans-oriya"),
  script("Telugu", 0x0c00, 0x0c7f, "noto-serif-telugu"),
  script("Kannada", 0x0c80, 0x0cff, "noto-sans-kannada"),
  script("Malayalam", 0x0d00, 0x0d7f, "noto-sans-malayalam"),
  script("Sinhala", 0x0d80, 0x0dff, "noto-sans-sinhala"),
  script("Lao", 0x0e80, 0x0eff, "noto-sans-lao"),
  script("Tibetan", 0x0f00, 0x0fff, "noto-serif-tibetan"),
  script("Burmese", 0x1000, 0x109f, "noto-sans-myanmar"),
  script("Cherokee", 0x13a0, 0x13ff, "noto-sans-cherokee"),
  script("Khmer", 0x1780, 0x17ff, "noto-sans-khmer"),
  script("Mongolian", 0x1800, 0x18af, "noto-sans-mongolian"),
  script("Tifinagh", 0x2d30, 0x2d7f, "noto-sans-tifinagh"),
  script("Japanese", 0x3040, 0x30ff, "hina-mincho"),
  script("Chinese", 0x3400, 0x9fff, "zcool-xiaowei", "cactus-classical-serif"),
  script("Korean", 0xac00, 0xd7af, "gowun-batang"),
];

const resolve = createRequire(import.meta.url).resolve;

/** Returns the scripts whose packages are not completely installed. */
export function missingScripts(): OptionalScript[] {
  return optionalScripts.filter(({ packages }) => !packages.every(isInstalled));
}

/** Returns the optional script of a character if one of its packages is not installed. */
export function missingScriptOf(character: string): OptionalScript | undefined {
  const codePoint = character.codePointAt(0) ?? 0;
  const found = optionalScripts.find(({ first, last }) => first <= codePoint && codePoint <= last);
  return found && !found.packages.every(isInstalled) ? found : undefined;
}

function isInstalled(name: string): boolean {
  try {
    resolve(`@expo-google-fonts/${name}/package.json`);
    return true;
  } catch {
    return false;
  }
}

function script(name: string, first: number, last: number, ...packages: string[]): OptionalScript {
  return { name, packages, first, last };
}
