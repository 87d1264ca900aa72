import { readdirSync } from "node:fs";

/** Where Debian's package fonts-noto-core puts its fonts. */
const DIRECTORY = "/usr/share/fonts/truetype/noto";

/** Path of a font of that package, by its name without `-Regular.ttf`. */
export function notoFile(name: string): string {
  return `${DIRECTORY}/${name}-Regular.ttf`;
}

/** The names of all fonts of the package in their regular style; without it none, and the reason why tests are skipped is printed. */
export function notoFonts(): string[] {
  try {
    const fonts = readdirSync(DIRECTORY).flatMap((file) => /^(Noto.*)-Regular\.ttf$/.exec(file)?.[1] ?? []);
    if (fonts.length > 100) return fonts.sort();
  } catch {
    // told below
  }
  if (process.env.CI === "true") throw new Error("fonts-noto-core is not installed, and CI skips nothing.");
  console.info("Skipped: uploads of Debian's Noto fonts; its package fonts-noto-core is not installed.");
  return [];
}
