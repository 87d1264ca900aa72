import { readdirSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { pdfCredentialGenerator as generator } from "#formats/rendering/design/pdf-credential.js";
import type { DesignOptions } from "#formats/rendering/designs/design-file.js";
import { designs } from "#formats/rendering/designs/list.js";
import { collisions } from "../collisions.js";
import { expectInGallery } from "../expect-golden.js";
import { readPdf } from "../read-pdf.js";
import { facts, names, parts, pictures, signatories, titlesOf } from "./samples.js";

const ours = names.filter((name) => name !== "engraved");

test.each(names)("%s looks as before, and can be saved, read aloud and archived", async (name) => {
  const options = { ...designs[name], ...parts.full, titles: titlesOf(name), pdf_a: true };
  generator.checkOptions?.(options);
  const bytes = await generator.render(facts, options, pictures);
  const { structure, text } = await readPdf(bytes);
  expect(structure.filter((each) => each === "H1")).toHaveLength(1);
  expect(structure.filter((each) => each === "Figure")).toHaveLength(3);
  expect(structure).toContain("Link");
  for (const words of [facts.userFullName, facts.learningContextName, "Rector", "92.35%"]) {
    expect(text).toContain(words);
  }
  await expectInGallery(name, bytes);
});

test("the gallery has a picture of each design, and they load together on a slow line", () => {
  const directory = new URL("../../../src/console/types/design-pictures/", import.meta.url);
  const files = readdirSync(directory);
  expect(files.sort()).toEqual(names.map((name) => `${name}.webp`).sort());
  const sizes = files.map((file) => statSync(new URL(file, directory)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300_000);
});

test.each([
  { labels: "below", printed: ["Grade", "Calificación"] },
  { labels: "above", printed: ["Grade", "Calificación"] },
  { labels: "beside", printed: ["Grade · Calificación"] },
])("labels $labels facts are in both languages if the design wants them", async ({ labels, printed }) => {
  const { places = {} } = designs.bilingual as DesignOptions;
  const rendered = async (second_labels: boolean, second_language?: string) => {
    const placed = { ...places, facts: { ...places.facts, labels, second_labels } };
    const options = { ...designs.bilingual, ...parts.full, places: placed, second_language };
    return (await readPdf(await generator.render(facts, options, pictures))).items;
  };
  const both = await rendered(true, "es");
  const texts = both.map(({ text }) => text);
  for (const label of printed) expect(texts).toContain(label);
  expect(collisions(both).join("; ")).toBe("");
  for (const one of [await rendered(false, "es"), await rendered(true), await rendered(true, "en")])
    expect(one.map(({ text }) => text).join()).not.toContain("Calificación");
});

test.each(
  ours.flatMap((name) =>
    [1, 2, 3, 4].flatMap((count) => ["en", "ar"].map((language) => ({ name, count, language }))),
  ),
)(
  "in $name, $count signatories are beside seal and code, in $language",
  async ({ name, count, language }) => {
    const people = [...signatories, ...signatories].slice(0, count);
    const options = { ...designs[name], logo: "crest", signatories: people, language };
    const mode = { stamp: "none", layoutOnly: true, lenient: false } as const;
    const { layout } = (await generator.preview?.(facts, options, pictures, mode)) ?? {};
    const boxes = (wanted: string) =>
      (layout?.elements ?? []).filter(({ option }) => option === wanted).map(({ box }) => box);
    const signed = boxes("places.signatures");
    expect(signed.length).toBeGreaterThanOrEqual(2 * count);
    const others = [...boxes("places.seal"), ...boxes("qr")];
    expect(others.length).toBeGreaterThan(0);
    const overlaps = signed.filter((box) =>
      others.some(
        (other) =>
          box.x < other.x + other.width &&
          other.x < box.x + box.width &&
          box.y < other.y + other.height &&
          other.y < box.y + box.height,
      ),
    );
    expect(overlaps).toEqual([]);
  },
);

test.each(ours.flatMap((name) => Object.entries(parts).map(([part, options]) => ({ name, part, options }))))(
  "in $name, $part, who signs without a picture keeps clear of other texts",
  async ({ name, options }) => {
    const signing = signatories.map(({ image: _, ...signatory }) => signatory);
    const mode = { stamp: "none", layoutOnly: true, lenient: false } as const;
    const printed = { ...designs[name], ...options, signatories: signing };
    const { layout } = (await generator.preview?.(facts, printed, pictures, mode)) ?? {};
    const boxes = (wanted: RegExp) =>
      (layout?.elements ?? []).filter(({ option = "" }) => wanted.test(option)).map(({ box }) => box);
    const distances = boxes(/^places\.signatures/).flatMap((box) =>
      boxes(/^text_elements\.|^places\.facts/).map((other) =>
        Math.hypot(
          Math.max(0, other.x - box.x - box.width, box.x - other.x - other.width),
          Math.max(0, other.y - box.y - box.height, box.y - other.y - other.height),
        ),
      ),
    );
    expect(Math.min(...distances)).toBeGreaterThan(16);
  },
);

test("the engraved design is the built-in design", () => {
  expect(designs.engraved).toEqual({});
});
