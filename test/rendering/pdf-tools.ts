import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** What a program of qpdf or poppler prints about a PDF. @throws when it ends with anything but success */
export async function say(tool: string, ...args: string[]): Promise<string> {
  return (await execute(tool, args, { maxBuffer: 64 * 2 ** 20 })).stdout;
}

/** The same, of what it prints in bytes. */
export async function sayBytes(tool: string, ...args: string[]): Promise<Buffer> {
  return (await execute(tool, args, { encoding: "buffer", maxBuffer: 64 * 2 ** 20 })).stdout;
}

/** Those of the programs that are not installed; the reason why tests are skipped is printed. */
export async function missingTools(...tools: string[]): Promise<string[]> {
  const found = await Promise.all(
    tools.map((tool) =>
      say("which", tool).then(
        () => true,
        () => false,
      ),
    ),
  );
  const missing = tools.filter((_, index) => !found[index]);
  if (missing.length > 0) console.info(`Skipped: checks by ${missing.join(", ")}, which are not installed.`);
  return missing;
}

/** The fonts that are not embedded, not a subset or without their Unicode, as pdffonts lists them. */
export async function poorFonts(file: string): Promise<string[]> {
  return poorFontsOf(await say("pdffonts", file));
}

/** The same, of what pdffonts has printed. */
export function poorFontsOf(listing: string): string[] {
  const [, , ...fonts] = listing.trim().split("\n");
  if (fonts.length === 0) return ["none"];
  return fonts.filter((line) => !/Identity-H +yes yes yes/.test(line));
}
