import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Runs a program of qpdf or poppler and returns its output. @throws if the program fails */
export async function outputOf(tool: string, ...args: string[]): Promise<string> {
  return (await execute(tool, args, { maxBuffer: 64 * 2 ** 20 })).stdout;
}

/** Runs a program like `outputOf`, and returns its binary output. */
export async function bytesOf(tool: string, ...args: string[]): Promise<Buffer> {
  return (await execute(tool, args, { encoding: "buffer", maxBuffer: 64 * 2 ** 20 })).stdout;
}

/** Returns the programs that are not installed, and prints why tests are skipped. */
export async function missingTools(...tools: string[]): Promise<string[]> {
  const found = await Promise.all(
    tools.map((tool) =>
      outputOf("which", tool).then(
        () => true,
        () => false,
      ),
    ),
  );
  const missing = tools.filter((_, index) => !found[index]);
  if (missing.length > 0) console.info(`Skipped: tests with ${missing.join(", ")}, which are not installed.`);
  return missing;
}

/** Returns the fonts that are not embedded, not a subset, or not mapped to Unicode according to pdffonts. */
export async function poorFonts(file: string): Promise<string[]> {
  return poorFontsOf(await outputOf("pdffonts", file));
}

/** Like `poorFonts`, for the output of pdffonts. */
export function poorFontsOf(listing: string): string[] {
  const [, , ...fonts] = listing.trim().split("\n");
  if (fonts.length === 0) return ["none"];
  return fonts.filter((line) => !/Identity-H +yes yes yes/.test(line));
}
