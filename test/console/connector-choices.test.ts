import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { builtInConnectors } from "#domain/connectors/built-in-connectors.js";
import { optionsOf } from "#domain/connectors/driver/connector-options.js";

const words = JSON.parse(
  readFileSync(new URL("../../src/console/languages/en/connecting.json", import.meta.url), "utf8"),
);

test("the choices of connectors have words, except for numbers of versions", () => {
  const choices = builtInConnectors.flatMap((driver) =>
    optionsOf(driver).flatMap(({ name, choices }) =>
      choices.filter((choice) => !/^[\d.]+$/.test(choice)).map((choice) => `${name}_${choice}`),
    ),
  );
  expect([...new Set(choices)].sort()).toEqual(Object.keys(words.choices).sort());
});
