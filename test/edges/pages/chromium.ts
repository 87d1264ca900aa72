import { execFileSync } from "node:child_process";
import { type Browser, chromium } from "playwright-core";

/** Names of the program on different systems. */
const names = ["chromium", "chromium-browser", "google-chrome"];

/** Arguments with which Chromium is started. */
export const CHROMIUM_ARGS = [
  "--no-sandbox", // Chromium's sandbox refuses to run as root
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Returns the path of an installed Chromium. If there is none, the tests are skipped and the reason is printed; with
 * CI=true, they fail.
 */
export function findChromium(): string | undefined {
  for (const name of names) {
    try {
      return execFileSync("which", [name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    } catch {
      // try the next name
    }
  }
  if (process.env.CI === "true") throw new Error(`There is no ${names.join(", ")}, and CI skips nothing.`);
  console.info(`Skipped: the pages in a browser; none of ${names.join(", ")} is installed.`);
  return undefined;
}

/** @param hosts names that resolve to this machine. Pages on these hosts are trusted less than pages on localhost */
export function launchChromium(executablePath: string, ...hosts: string[]): Promise<Browser> {
  const rules = hosts.map((host) => `MAP ${host} 127.0.0.1`).join(", ");
  return chromium.launch({ executablePath, args: [...CHROMIUM_ARGS, `--host-resolver-rules=${rules}`] });
}
