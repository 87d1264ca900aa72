import { expect, test } from "vitest";
import { z } from "zod";
import { builtInGenerators, createGeneratorRegistry } from "../../src/rendering/engine/registry.js";
import type { Generator } from "../../src/rendering/generator.js";

const other: Generator = {
  name: "academy.diploma",
  summary: "A diploma.",
  options: z.strictObject({}),
  render: async () => new Uint8Array(),
};

test("finds by dotted name and lists by name", () => {
  const registry = createGeneratorRegistry([...builtInGenerators, other]);
  expect(registry.find("academy.diploma")).toBe(other);
  expect(registry.find("academy")).toBeUndefined();
  expect(registry.list().map((generator) => generator.name)).toEqual([
    "academy.diploma",
    "learning_credentials.generators.generate_pdf_credential",
  ]);
});

test("refuses two generators of one name", () => {
  expect(() => createGeneratorRegistry([other, { ...other }])).toThrow('"academy.diploma"');
});
