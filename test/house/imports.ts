import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export const SOURCES = resolve(import.meta.dirname, "../../src");

/** The imports of each file, or of each room. A room is a directory of source files. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the text of every file with one of these endings, by its path relative to `root`. */
export function readSources(root = SOURCES, ending = /\.tsx?$/): ReadonlyMap<string, string> {
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => ending.test(path) && !path.includes("node_modules")).sort();
  return new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
}

/**
 * Matches static imports, re-exports, dynamic imports, and the starts of threads and processes. Type imports match,
 * too.
 */
const IMPORTED = /(?:\bfrom\s+|\bimport\s+|\bimport\(\s*|\bnew URL\(\s*)"((?:\.{1,2}\/|#)[^"]+)"/g;

/** Matches imports of several files by a pattern: a placeholder in a dynamic import, or `import.meta.glob`. */
const IMPORTED_BY_PATTERN =
  /\bimport(?:\(\s*|\.meta\.glob[^(]*\(\s*\[?\s*)["`](\.{1,2}\/[^"`]*(?:\$\{\w+\}|\*)[^"`]*)["`]/g;

/**
 * Returns the source files that each file imports.
 * @param src path of the directory `src` relative to the directory that the paths in `sources` are relative to
 */
export function importsOf(sources: ReadonlyMap<string, string>, src = ""): ImportGraph {
  return new Map(
    [...sources].map(([file, text]) => {
      const named = [...text.matchAll(IMPORTED)].map(([, path = ""]) => importedPath(file, path, src));
      const imported = named.flatMap((path) => [path.replace(/\.js$/, ".ts"), path.replace(/\.js$/, ".tsx")]);
      const fitting = [...text.matchAll(IMPORTED_BY_PATTERN)].flatMap(([, pattern = ""]) =>
        filesLike(join(dirname(file), pattern), sources),
      );
      const reached = new Set([...imported.filter((path) => sources.has(path)), ...fitting]);
      reached.delete(file);
      return [file, reached];
    }),
  );
}

/** Matches static imports and re-exports. */
const LOADED = /^(?:import|export) (?!type )(?:([^"';]*?)\sfrom )?"((?:\.{1,2}\/|#)[^"]+)";/gm;

/**
 * Returns the files that are loaded together with this file, directly or indirectly. Type imports load nothing, and
 * dynamic imports load nothing at the start.
 */
export function loadedWith(start: string, sources: ReadonlyMap<string, string>): ReadonlySet<string> {
  const loaded = new Set([start]);
  for (const file of loaded)
    for (const [, names = "", path = ""] of (sources.get(file) ?? "").matchAll(LOADED))
      if (!/^\{(?:\s*type [^,}]+,?)+\s*\}$/.test(names))
        loaded.add(importedPath(file, path).replace(/\.js$/, ".ts"));
  return loaded;
}

/**
 * Returns the path of an imported file. `#gen/` stands for the directory `gen`, and `#` for `src`.
 * @param src as for `importsOf`
 */
export function importedPath(file: string, specifier: string, src = ""): string {
  if (!specifier.startsWith("#")) return join(dirname(file), specifier);
  return specifier.startsWith("#gen/") ? join(src, "..", specifier.slice(1)) : join(src, specifier.slice(1));
}

function filesLike(pattern: string, sources: ReadonlyMap<string, string>): string[] {
  const parts = pattern.replace(/\.js$/, ".ts").split(/\$\{\w+\}|\*/);
  const fits = new RegExp(`^${parts.map((part) => part.replaceAll(".", "\\.")).join("[^/]+")}$`);
  return [...sources.keys()].filter((path) => fits.test(path));
}

/** Returns the imports between groups of files, without the imports inside a group. */
export function grouped(graph: ImportGraph, groupOf: (file: string) => string): ImportGraph {
  const groups = new Map<string, Set<string>>();
  for (const [file, imported] of graph) {
    const group = groupOf(file);
    const others = groups.get(group) ?? new Set();
    groups.set(group, others);
    for (const each of imported) if (groupOf(each) !== group) others.add(groupOf(each));
  }
  return groups;
}

/** Returns the directory of a file. A file in no directory is its own group. */
export function folderOf(file: string): string {
  return file.includes("/") ? dirname(file) : file;
}

/** Returns the outermost directory of a file. A file in no directory is its own group. */
export function groupOf(file: string): string {
  return file.split("/", 1)[0] ?? file;
}

/** Groups that are a single room. */
const UNDIVIDED = ["client", "console", "edges"];

/** Returns the room of a file: a directory or file in a group, or an undivided group. */
export function roomOf(file: string): string {
  const [group = file, room] = file.split("/", 2);
  return room === undefined || UNDIVIDED.includes(group) ? group : room;
}

/** @returns the shortest path from a member back to itself, such as `["a", "b", "a"]`. Undefined if there is none */
export function findCircle(graph: ImportGraph): readonly string[] | undefined {
  let shortest: readonly string[] | undefined;
  for (const start of graph.keys()) {
    const circle = wayBack(graph, start);
    if (circle && circle.length < (shortest?.length ?? Number.POSITIVE_INFINITY)) shortest = circle;
  }
  return shortest;
}

function wayBack(graph: ImportGraph, start: string): readonly string[] | undefined {
  const seen = new Set<string>();
  let ways: string[][] = [[start]];
  while (ways.length > 0) {
    const longer: string[][] = [];
    for (const way of ways) {
      for (const next of graph.get(way.at(-1) ?? "") ?? []) {
        if (next === start) return [...way, start];
        if (seen.has(next)) continue;
        seen.add(next);
        longer.push([...way, next]);
      }
    }
    ways = longer;
  }
  return undefined;
}
