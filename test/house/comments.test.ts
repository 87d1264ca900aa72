import { expect, it } from "vitest";
import { readSources } from "./imports.js";

/** Matches a doc comment that is followed by another one, by an empty line, or by the end of a block or file. */
const WITHOUT_DECLARATION = /^[ \t]*\/\*\*(?:(?!\*\/)[\s\S])*\*\/[ \t]*\n(?=[ \t]*(?:\/\*\*|\n|\}|$))/gm;

it("every doc comment belongs to a declaration; comments about a file begin with //", () => {
  const alone = [...readSources()].flatMap(([file, text]) =>
    [...text.matchAll(WITHOUT_DECLARATION)].map(([comment]) => `${file}: ${comment.slice(0, 80)}`),
  );
  expect(alone).toEqual([]);
  expect("/** Alone. */\n\nconst a = 1;\n").toMatch(WITHOUT_DECLARATION);
  expect("/** Of a. */\nconst a = 1;\n").not.toMatch(WITHOUT_DECLARATION);
});
