import { expect, test } from "vitest";
import { readSources } from "./imports.js";

/** Matches an object literal that spreads settings or a whole app after a named value. */
const OVERWRITING =
  /[{,]\s*\w+(?:: [^,{}]+)?,\s*\.\.\.(?:\w+\.)?(?:app|config|deps|settings)\b(?!\s*\}\s*=)/g;

/** Object literals whose named value is a default on purpose. */
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

/** Files that copy an app or settings and change some values. */
const COPIES = ["app/commands/connector-follow.ts", "app/commands/serve.ts", "infrastructure/db/database.ts"];

test("callers name the values that they pass, instead of a whole app or all settings", () => {
  const found = [...readSources()].flatMap(([file, text]) => [...text.matchAll(WHOLE)].map(() => file));
  expect(found.sort()).toEqual(COPIES);
  expect(["f({ ...app, log })", "f({ ...config.auth })"].map((text) => text.match(WHOLE)?.length)).toEqual([
    1,
    undefined,
  ]);
});
