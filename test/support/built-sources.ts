import { chmodSync, copyFileSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import type { Plugin } from "vitest/config";
import { compile } from "./compile.js";

const ROOT = resolve(import.meta.dirname, "../..");

/**
 * Makes tests import `src` and `gen` as `npm run build` compiles them, once per run. This is the code that is shipped.
 * Rendering threads and inspection processes don't have to compile anything, which saves a third of the processor time
 * of all tests (measured). `BUILT_SOURCES` contains the directory.
 */
export function builtSources(): Plugin {
  let directory: string | undefined;
  return {
    name: "built-sources",
    enforce: "pre",
    config() {
      directory ??= build();
      return {
        test: {
          env: { BUILT_SOURCES: directory },
          server: { deps: { external: [new RegExp(`^${directory}/`)] } },
        },
      };
    },
    resolveId(source, importer) {
      if (directory === undefined || importer === undefined || !/^[.#]/.test(source)) return;
      const path = source.startsWith("#")
        ? source.slice(1).replace(/^(?!gen\/)/, "src/")
        : relative(ROOT, resolve(dirname(importer), source));
      // The console is bundled for browsers. Its parts that need no browser are tested from the sources.
      if (/^(?:src\/(?!console\/)|gen\/)/.test(path))
        return { id: join(directory, "dist", path), external: true };
    },
    closeBundle() {
      if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
}

function build(): string {
  const directory = mkdtempSync(join(tmpdir(), "learning-credentials-built-"));
  chmodSync(directory, 0o755); // If the tests run as root, Postgres runs as another user
  compile(ROOT, join(directory, "dist"));
  symlinkSync(join(ROOT, "node_modules"), join(directory, "node_modules"));
  symlinkSync(join(ROOT, ".docs"), join(directory, ".docs"));
  copyFileSync(join(ROOT, "package.json"), join(directory, "package.json"));
  return directory;
}
