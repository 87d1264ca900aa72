import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { BUILT } from "../support/built-main.js";

const ROOT = resolve(import.meta.dirname, "../..");

/** The directory from which services of this run serve the console. */
export const CONSOLE = join(BUILT, "dist/console");

/** Builds the console as `npm run build` does, once per run. */
export function buildConsole(): void {
  if (existsSync(CONSOLE)) return;
  // Not below `dist`, because another test may be copying `dist` at the same time.
  const outDir = mkdtempSync(join(BUILT, "console-"));
  const config = join(ROOT, "src/console/vite.config.ts");
  const vite = join(ROOT, "node_modules/.bin/vite");
  const options = ["build", "--config", config, "--outDir", outDir, "--emptyOutDir", "--logLevel", "error"];
  // The NODE_ENV of tests would build React for development.
  const env = { ...process.env, NODE_ENV: "production" };
  execFileSync(vite, options, { env, stdio: ["ignore", "ignore", "inherit"] });
  try {
    renameSync(outDir, CONSOLE);
  } catch (error) {
    // Another test file of this run was faster. Its build is used.
    rmSync(outDir, { recursive: true });
    if (!existsSync(CONSOLE)) throw error;
  }
}
