import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build } from "vite";

const CONFIG = resolve(import.meta.dirname, "../../../src/console/vite.config.ts");

/** Builds the console for the services of these tests, once for all files. */
export async function buildConsole(): Promise<void> {
  const sources = process.env.BUILT_SOURCES;
  if (sources === undefined) throw new Error("tests run without built sources");
  const built = join(sources, "dist/console");
  if (existsSync(built)) return;
  const outDir = await mkdtemp(join(sources, "console-"));
  process.env.NODE_ENV = "production"; // else React would be the one for development
  await build({ configFile: CONFIG, logLevel: "error", build: { outDir, emptyOutDir: true } });
  try {
    await rename(outDir, built);
  } catch (error) {
    if (!existsSync(built)) throw error;
    await rm(outDir, { recursive: true }); // another file's tests were first
  }
}
