import { expect, test } from "vitest";
import * as limits from "#foundation/limits.js";
import { readSources } from "./imports.js";

const sources = [...readSources()];

test("the service enforces every limit that forms know", () => {
  const service = sources.filter(([file]) => !file.startsWith("console/") && file !== "foundation/limits.ts");
  const isUsed = (name: string) => service.some(([, text]) => new RegExp(`\\b${name}\\b`).test(text));
  expect(Object.keys(limits).filter((name) => !isUsed(name))).toEqual([]);
});

test("the console's forms name the service's limits instead of repeating their numbers", () => {
  const repeated = sources.flatMap(([file, text]) =>
    [...text.matchAll(/\bmaxLength(?:=\{|: )[^}]*?\b\d+\b[^}]*\}/g)].map(([found]) => `${file}: ${found}`),
  );
  expect(repeated.filter((each) => each.startsWith("console/"))).toEqual([]);
});
