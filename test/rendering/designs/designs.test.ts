import { expect, test } from "vitest";
import { pdfCredentialGenerator as generator } from "../../../src/rendering/design/pdf-credential.js";
import { designs } from "../../../src/rendering/designs/list.js";
import { expectGolden } from "../expect-golden.js";
import { readPdf } from "../read-pdf.js";
import { facts, names, parts, pictures } from "./samples.js";

const ours = names.filter((name) => name !== "engraved");

test.each(ours)("%s looks as it did, and can be saved, read aloud and archived", async (name) => {
  const options = { ...designs[name], ...parts.full, pdf_a: true };
  generator.checkOptions?.(options);
  const bytes = await generator.render(facts, options, pictures);
  const { structure, text } = await readPdf(bytes);
  expect(structure.filter((each) => each === "H1")).toHaveLength(1);
  expect(structure.filter((each) => each === "Figure")).toHaveLength(3);
  expect(structure).toContain("Link");
  for (const words of [facts.userFullName, facts.learningContextName, "Rector", "92.35%"]) {
    expect(text).toContain(words);
  }
  await expectGolden(`design-${name}`, bytes);
});

test("the engraved one is the built-in design", () => {
  expect(designs.engraved).toEqual({});
});
