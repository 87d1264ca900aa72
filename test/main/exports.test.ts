import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BUILT } from "../support/built-main.js";

/** Returns the files that an entry of `exports` or `bin` names. */
function filesOf(entry: unknown): string[] {
  if (typeof entry === "string") return [entry];
  return Object.values(entry as object).flatMap(filesOf);
}

test("every file that package.json exports is in the build", () => {
  const { exports, bin } = JSON.parse(readFileSync(join(BUILT, "package.json"), "utf8"));
  const files = filesOf({ exports, bin });
  expect(files.length).toBeGreaterThan(4);
  expect(files.filter((file) => !existsSync(join(BUILT, file)))).toEqual([]);
});
