import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SOURCES } from "../house/imports.js";

const CONSOLE = join(SOURCES, "console");
const files = readdirSync(CONSOLE, { recursive: true, encoding: "utf8" });
const sheets = files.filter((file) => file.endsWith(".css"));

/** Matches properties with a fixed left or right, which would not be mirrored. */
const physical =
  /(?:^|[\s;{])(?:(?:margin|padding|border|inset)-(?:left|right)|left|right|float|border-(?:top|bottom)-(?:left|right)-radius)\s*:|text-align:\s*(?:left|right)|(?:^|[\s;{])(?:min-|max-)?(?:width|height)\s*:/;

describe("the styles of the console", () => {
  it.each(sheets)("%s is the same from right to left", (file) => {
    const lines = readFileSync(join(CONSOLE, file), "utf8").split("\n");
    expect(lines.filter((line) => physical.test(line) && !line.startsWith("@media"))).toEqual([]);
  });

  it.each<[string, boolean]>([
    ["  margin-left: 1rem;", true],
    ["  left: 0;", true],
    ["  text-align: right;", true],
    ["  max-width: 3rem;", true],
    ["  margin-inline-start: 1rem;", false],
    ["  inset-inline-end: 0;", false],
    ["  text-align: end;", false],
    ["  max-inline-size: 3rem;", false],
  ])("%s", (line, isPhysical) => {
    expect(physical.test(line)).toBe(isPhysical);
  });

  it("no sheet contains punctuation, which differs between languages", () => {
    const contents = sheets.flatMap(
      (file) => readFileSync(join(CONSOLE, file), "utf8").match(/(?<=\scontent: )[^;]*/g) ?? [],
    );
    expect(contents).toContain("attr(data-label) var(--colon)");
    expect(contents.filter((content) => /"[^"]*[:,.][^"]*"/.test(content))).toEqual([]);
  });

  it("no component has its own style with a left or right", () => {
    const components = files.filter((file) => file.endsWith(".tsx"));
    expect(components.length).toBeGreaterThan(20);
    const found = components.filter((file) =>
      /(?:marginLeft|marginRight|paddingLeft|paddingRight|textAlign: "(?:left|right)")/.test(
        readFileSync(join(CONSOLE, file), "utf8"),
      ),
    );
    expect(found).toEqual([]);
  });
});
