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
