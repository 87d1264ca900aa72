import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Returns the first cells of the tables in a section of `.docs/coming-from-the-plug-in.md`, without the headings. */
export async function rowsOf(heading: string): Promise<string[]> {
  const page = await readFile(join(import.meta.dirname, "../../.docs/coming-from-the-plug-in.md"), "utf8");
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^\| (?!case \||route \|)(.+?) \|/gm)].map(([, cell = ""]) => cell);
}
