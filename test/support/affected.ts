import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type ImportGraph, importsOf, roomOf } from "../house/imports.js";

// `npm run test:affected [-- <revision>]` runs the quick tests that the changes since a revision (default: the last
// commit) can break: tests that import a changed file, directly or indirectly, and tests in a folder that mirrors a
// changed file, or mirrors a file that imports one. A complete service imports everything, so imports by the modules
// that assemble the program are ignored.

const ROOT = resolve(import.meta.dirname, "../..");
/** The module that starts a complete service. Modules that import it also start one. */
const SERVICE = "test/support/service.ts";
const PROGRAM = /^src\/(?:main\.ts|app\/.*)$/;

const [revision = "HEAD"] = process.argv.slice(2);
const changed = new Set([
  ...git("diff", "--name-only", revision),
  ...git("ls-files", "--others", "--exclude-standard"),
]);
const graph = importsOf(readTrees("src", "test", "gen"), "src");
const tests = [...graph.keys()].filter((file) => /^test\/.*(?<!\.(?:slow|long))\.test\.ts$/.test(file));
const importers = [...graph.keys()].filter((file) =>
  [...(graph.get(file) ?? [])].some((each) => changed.has(each)),
);
const mirrors = [...changed, ...importers].flatMap(mirrorOf);
const affected = tests.filter(
  (file) => mirrors.some((folder) => file.startsWith(`${folder}/`)) || reaches(graph, file),
);

console.log(`${changed.size} changed files, ${affected.length} of ${tests.length} test files`);
if (affected.length > 0) {
  const config = ["run", "--config", "test/vitest.config.ts"];
  process.exitCode =
    spawnSync("vitest", [...config, ...affected], { cwd: ROOT, stdio: "inherit" }).status ?? 1;
}

function git(...command: string[]): string[] {
  return execFileSync("git", command, { cwd: ROOT, encoding: "utf8" }).split("\n").filter(Boolean);
}

function readTrees(...trees: string[]): ReadonlyMap<string, string> {
  const files = trees.flatMap((tree) =>
    readdirSync(join(ROOT, tree), { recursive: true, encoding: "utf8" }).map((path) => join(tree, path)),
  );
  const sources = files.filter((path) => /\.tsx?$/.test(path));
  return new Map(sources.map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
}

/** Returns the folder of tests for a file of `src`: the nearest folder that exists. */
function mirrorOf(file: string): string[] {
  if (!file.startsWith("src/")) return [];
  const path = file.slice("src/".length);
  const room = roomOf(path);
  let folder = dirname(join("test", path.slice(path.indexOf(room))));
  while (!existsSync(join(ROOT, folder))) folder = dirname(folder);
  return folder === "test" ? [] : [folder];
}

function reaches(imports: ImportGraph, test: string): boolean {
  const seen = new Set([test]);
  for (const file of seen) {
    if (changed.has(file)) return true;
    if (PROGRAM.test(file)) continue;
    const imported = [...(imports.get(file) ?? [])];
    const isComplete = file === SERVICE || (!file.endsWith(".test.ts") && imported.includes(SERVICE));
    for (const each of imported) if (!isComplete || each.startsWith("test/")) seen.add(each);
  }
  return false;
}
