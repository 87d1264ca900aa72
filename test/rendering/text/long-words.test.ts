import { describe, expect, test } from "vitest";
import { pdfCredentialGenerator as generator } from "#formats/rendering/design/pdf-credential.js";
import { ada } from "../ada.js";
import { readPdf } from "../read-pdf.js";
import { pdfTemplate } from "../templates.js";

const assets = new Map([["page", await pdfTemplate()]]);

/** Returns the pieces of a document that consist of one letter, with their sizes. */
async function pieces(letter: string, facts: object, options: Record<string, unknown>) {
  const pdf = await readPdf(await generator.render({ ...ada, ...facts }, options, assets));
  const items = pdf.items.filter(({ text }) => text.includes(letter.repeat(3)));
  return {
    lines: items.length,
    letters: items.reduce((sum, { text }) => sum + text.split(letter).length - 1, 0),
    smallest: Math.min(...items.map(({ size }) => size)),
    left: Math.min(...items.map(({ left }) => left)),
    right: Math.max(...items.map(({ right }) => right)),
    width: pdf.width,
  };
}

describe("a word that would be too small to read is broken", () => {
  test.each([
    ["a name", "W", (words: string) => ({ userFullName: words })],
    ["a name after another", "W", (words: string) => ({ userFullName: `Ada ${words}` })],
    ["a course", "y", (words: string) => ({ learningContextName: words })],
    ["a name of ideographs of the plane above", "𠮷", (words: string) => ({ userFullName: words })],
  ])("%s", async (_case, letter, factsOf) => {
    const facts = factsOf(letter.repeat(254 / letter.length));
    for (const options of [{}, { page: { orientation: "portrait" } }, { template: "page" }]) {
      const { lines, letters, smallest, left, right, width } = await pieces(letter, facts, options);
      expect(letters).toBe(254 / letter.length);
      expect(lines).toBeGreaterThan(1);
      expect(smallest).toBeGreaterThanOrEqual(5);
      expect(left).toBeGreaterThan(0);
      expect(right).toBeLessThan(width);
    }
  });

  test("between two letters as readers perceive them, never within one", async () => {
    const letter = "W\u0323\u0302";
    const pdf = await readPdf(
      await generator.render({ ...ada, userFullName: letter.repeat(85) }, {}, new Map()),
    );
    const lines = pdf.items.filter(({ text }) => text.normalize("NFD").includes(letter));
    expect(lines.length).toBeGreaterThan(1);
    for (const { text } of lines) {
      expect(text.normalize("NFD").replaceAll(" ", "").replaceAll(letter, "")).toBe("");
    }
  });
});

test("words that are large enough to read are not broken", async () => {
  const userFullName = `Ada ${"Donaudampfschifffahrtsgesellschaft".repeat(2)}`;
  const { items } = await readPdf(await generator.render({ ...ada, userFullName }, {}));
  expect(items.some(({ text }) => text.includes("Donaudampfschifffahrtsgesellschaft".repeat(2)))).toBe(true);
});

test.each([
  [{ userFullName: "W".repeat(255) }, { text_elements: { name: { max_width: 12 } } }, "text_elements.name"],
  [{ learningContextName: "Long ".repeat(50) }, { text_elements: { context: { max_width: 9 } } }, "context"],
  [{}, { text_elements: { motto: { text: "W".repeat(2000), y: 9, max_width: 40 } } }, "text_elements.motto"],
])("a text that would be too small to read is refused (case %#)", async (facts, options, named) => {
  await expect(generator.render({ ...ada, ...facts }, options)).rejects.toMatchObject({
    kind: "failed-precondition",
    message: expect.stringMatching(
      new RegExp(`${named} would be printed at \\d\\.\\d points, but legible text needs at least 5`),
    ),
  });
});

test("a text whose options set such a small size is printed", async () => {
  const motto = { text: "small print", y: 30, size: 3 };
  const { items } = await readPdf(await generator.render(ada, { text_elements: { motto } }));
  expect(items.find(({ text }) => text === "small print")?.size).toBeCloseTo(3, 2);
});
