import { expect, test } from "vitest";
import { readSources } from "./imports.js";

/** Matches a spread of settings or of a whole app after a named value, in one object literal. */
const OVERWRITING =
  /[{,]\s*\w+(?:: [^,{}]+)?,\s*\.\.\.(?:\w+\.)?(?:app|config|deps|settings)\b(?!\s*\}\s*=)/g;

/** Literals whose named value is meant as a default. */
const DEFAULTS = ["settings: { ...SETTINGS, port: String(port), ...settings }"];

test("named values come after spread settings, which may have an undefined value of the same name that no type shows", () => {
  const found = [...readSources()].flatMap(([file, text]) =>
    [...DEFAULTS.reduce((rest, each) => rest.replace(each, ""), text).matchAll(OVERWRITING)].map(
      ([match]) => `${file}: ${match.trim()}`,
    ),
  );
  expect(found).toEqual([]);
  expect("f({ words, publicUrl: publicUrl(), ...settings })").toMatch(OVERWRITING);
});

/** Matches a spread of all settings or of a whole app. */
const WHOLE = /\.\.\.(?:app|config)\b(?!\.)/g;

/** They return the same with other values: an app, or settings. */
const COPIES = [
  "app/commands/connector-follow.ts",
  "app/commands/serve.ts",
  "infrastructure/db/transaction.ts",
];

test("callers name the values that they pass, instead of a whole app or all settings", () => {
  const found = [...readSources()].flatMap(([file, text]) => [...text.matchAll(WHOLE)].map(() => file));
  expect(found.sort()).toEqual(COPIES);
  expect(["f({ ...app, log })", "f({ ...config.auth })"].map((text) => text.match(WHOLE)?.length)).toEqual([
    1,
    undefined,
  ]);
});
