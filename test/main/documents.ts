import { readdir, readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { ROOT } from "./program.js";

/** A Markdown document that comes with the service. */
export interface Document {
  /** Its path from the root of the clone, such as `.docs/settings.md`. */
  readonly path: string;
  readonly text: string;
}

export const README = "README.md";
export const INDEX = ".docs/README.md";

/** Reads README.md, the index of `.docs/`, and the pages of `.docs/` in the order of the index. */
export async function readDocuments(): Promise<Document[]> {
  const index = await readDocument(INDEX);
  const pages = linksOf(index).filter((path) => path.startsWith(".docs/"));
  return [await readDocument(README), index, ...(await Promise.all([...new Set(pages)].map(readDocument)))];
}

export async function readDocument(path: string): Promise<Document> {
  return { path, text: await readFile(join(ROOT, path), "utf8") };
}

/** Reads the page of `.docs/` with this name. */
export const readPage = async (name: string): Promise<string> =>
  (await readDocument(`.docs/${name}.md`)).text;

/** Lists the pages in `.docs/`, including pages that the index doesn't name. */
export async function listPages(): Promise<string[]> {
  const names = await readdir(join(ROOT, ".docs"));
  return names.filter((name) => name.endsWith(".md")).map((name) => `.docs/${name}`);
}

/** Returns the files that a document links to. Paths are relative to the root of the clone and have no anchors. */
export function linksOf({ path, text }: Document): string[] {
  return targetsOf(text)
    .filter((target) => !target.startsWith("#"))
    .map((target) => normalize(join(dirname(path), target.replace(/#.*$/, ""))));
}

/** Returns the link targets of a document in their original form, without web addresses. */
export function targetsOf(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** Returns the anchors that GitHub generates for the headings of a text. */
export function anchorsOf(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "");
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
