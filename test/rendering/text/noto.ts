import { readdirSync } from "node:fs";

/** Directory of the fonts in Debian's package fonts-noto-core. */
const DIRECTORY = "/usr/share/fonts/truetype/noto";

/** Returns the path of a font in that package, by its name without `-Regular.ttf`. */
export function notoFile(name: string): string {
  return `${DIRECTORY}/${name}-Regular.ttf`;
}

/**
 * Returns the names of all regular fonts in the package. If it is not installed, there are none, and the
 * reason why tests are skipped is printed.
 */
export function notoFonts(): string[] {
  try {
    const fonts = readdirSync(DIRECTORY).flatMap((file) => /^(Noto.*)-Regular\.ttf$/.exec(file)?.[1] ?? []);
    if (fonts.length > 100) return fonts.sort();
  } catch {
    // reported below
  }
  if (process.env.CI === "true") throw new Error("fonts-noto-core is not installed, and CI skips nothing.");
  console.info("Skipped: uploads of Debian's Noto fonts; its package fonts-noto-core is not installed.");
  return [];
}
