import { describe, expect, test } from "vitest";
import { pdfCredentialGenerator as generator } from "#formats/rendering/design/pdf-credential.js";
import type { CredentialFacts } from "#formats/rendering/generator.js";
import { ada } from "../ada.js";
import { pictures } from "../designs/samples.js";
import { readPdf } from "../read-pdf.js";

const long = "Wolfeschlegelsteinhausen Bergerdorff-Schwarzenberg von Hohenlohe-Langenburg zu X";
const blocks = { award: { top: 500, bottom: 200 } };
const inBlock = {
  paper: "#fff",
  blocks,
  text_elements: {
    title: { text: "{title}", y: 440, size: 30, max_width: 600, block: "award" },
    name: { y: 360, size: 44, block: "award" },
    second: { text: "Grade: {grade}", y: 320, size: 14, block: "award" },
    context: { y: 280, size: 24, block: "award" },
    date: false,
  },
};

async function read(options: Record<string, unknown>, facts: Partial<CredentialFacts> = {}) {
  return readPdf(await generator.render({ ...ada, ...facts }, options, pictures));
}
async function baselines(options: Record<string, unknown>, facts: Partial<CredentialFacts> = {}) {
  const { items } = await read(options, facts);
  return new Map(items.map(({ text, baseline }) => [text, baseline]));
}
const refusal = (options: Record<string, unknown>) => () => generator.checkOptions?.(options);

describe("a block", () => {
  test("is a little above the middle of its space, and closes up if a part is missing", async () => {
    const whole = await baselines(inBlock, { particulars: { grade: 90 } });
    const closed = await baselines(inBlock);
    const between = (of: ReadonlyMap<string, number>) =>
      (of.get(ada.userFullName) ?? 0) - (of.get(ada.learningContextName) ?? 0);
    expect(Math.abs(between(whole) - 80)).toBeLessThan(3); // not exact, because ascenders are higher than capitals
    // The text of 14 points and the distance above it are missing.
    expect(between(whole) - between(closed)).toBeGreaterThan(20);
    const top = (closed.get(ada.credentialType) ?? 0) + 30 * 0.66;
    const bottom = (closed.get(ada.learningContextName) ?? 0) - 24 * 0.24;
    expect((500 - top) / (500 - top + bottom - 200)).toBeCloseTo(0.46, 1);
  });

  test.each(["top", "bottom"] as const)("hangs from the %s", async (align) => {
    const texts = await baselines({ ...inBlock, blocks: { award: { ...blocks.award, align } } });
    const [found, wanted] =
      align === "top"
        ? [(texts.get(ada.credentialType) ?? 0) + 30 * 0.66, 500]
        : [(texts.get(ada.learningContextName) ?? 0) - 24 * 0.24, 200];
    expect(Math.abs(found - wanted)).toBeLessThan(4);
  });

  test("shrinks distances, then texts, and keeps text that is smaller than the name smaller", async () => {
    const tight = { ...inBlock, blocks: { award: { top: 500, bottom: 400 } } };
    const { items } = await read(tight, { userFullName: long, particulars: { grade: 90 } });
    expect(Math.max(...items.map(({ baseline, size }) => baseline + 0.66 * size))).toBeLessThan(503);
    expect(Math.min(...items.map(({ baseline }) => baseline))).toBeGreaterThan(399);
    const name = items.filter(({ text }) => long.includes(text));
    const others = items.filter(({ text }) => !long.includes(text));
    expect(Math.max(...others.map(({ size }) => size))).toBeLessThan(name[0]?.size ?? 0);
    const impossible = { ...inBlock, blocks: { award: { top: 500, bottom: 490 } } };
    await expect(read(impossible)).rejects.toThrow(/The texts don't fit in the block award/);
  });
});

test("the first text in reading order comes first, whatever the order of the options", async () => {
  const { text, structure, links } = await read({
    paper: "#fff",
    qr: { color: "accent" },
    text_elements: {
      verify: { text: "{words.verify_at} {verify_short_url}", y: 40 },
      title: { text: "{title}", y: 500, size: 30 },
      name: { y: 400 },
    },
  });
  expect(text.indexOf("Certificate")).toBeLessThan(text.indexOf("Ada"));
  expect(text.indexOf("Ada")).toBeLessThan(text.indexOf("Verify at"));
  expect(structure[structure.indexOf("Document") + 1]).toBe("H1");
  expect(links).toContain(ada.verifyUrl);
});

test("two languages, without repeating either", async () => {
  const text_elements = {
    title: { text: "{title}\n{second.title}", y: 500 },
    to: { text: "{words.awarded_to} · {second.awarded_to}", y: 450 },
  };
  const options = { paper: "#fff", second_language: "de", titles: { de: "Zeugnis" }, text_elements };
  const both = (await read(options)).text;
  for (const words of ["Certificate of Achievement", "Zeugnis", "is awarded to · wird verliehen an"]) {
    expect(both).toContain(words);
  }
  const german = (await read({ ...options, language: "de" })).text;
  expect(german).toContain("Zeugnis");
  expect(german).toContain("wird verliehen an");
  expect(german).not.toContain("·");
});

test("signatories are side by side, with a line only under a picture", async () => {
  const places = { signatures: { x: 421, y: 100, width: 500, line: "ink" } };
  const lines = async (signatories: object[]) => {
    const bytes = await generator.render(ada, { paper: "#fff", places, signatories }, pictures);
    const { items, structure } = await readPdf(bytes);
    return { items, figures: structure.filter((each) => each === "Figure").length };
  };
  const both = await lines([
    { name: "Ingrid Fyrberg", title: "Rector", image: "signature" },
    { name: "Samuel Okonkwo", title: "Dean" },
  ]);
  const [one, other] = ["Ingrid Fyrberg", "Samuel Okonkwo"].map((name) =>
    both.items.find(({ text }) => text === name),
  );
  expect(one?.baseline).toBe(other?.baseline);
  expect(one?.right).toBeLessThan(other?.left ?? 0);
  expect(both.figures).toBe(1);
});

test("left and right are exchanged in Arabic only", async () => {
  const options = {
    paper: "#fff",
    mirror: true,
    text_elements: { name: { x: 60, align: "left", y: 300 }, context: false, date: false },
  };
  const at = async (language: string) => (await read({ ...options, language })).items[0];
  expect((await at("en"))?.left).toBeCloseTo(60, 0);
  expect((await at("ar"))?.right).toBeCloseTo(841.89 - 60, 0);
});

test("small capitals are letters that can be copied", async () => {
  const text_elements = { name: { small_caps: true, y: 300 } };
  expect((await read({ paper: "#fff", text_elements })).text).toContain(ada.userFullName);
});

test("a text is refused below its least size, and keeps its number of lines", async () => {
  const name = { y: 300, size: 40, max_width: 300, max_lines: 1 };
  const { items } = await read({ paper: "#fff", text_elements: { name } }, { userFullName: long });
  expect(items.filter(({ text }) => long.includes(text))).toHaveLength(1);
  const refused = read(
    { paper: "#fff", text_elements: { name: { ...name, min_size: 20 } } },
    { userFullName: long },
  );
  await expect(refused).rejects.toThrow(
    /text_elements\.name would be printed at .* its options require at least 20/,
  );
});

test.each<[string, Record<string, unknown>, RegExp]>([
  [
    "a block that isn't there",
    { text_elements: { name: { block: "award" } } },
    /^text_elements\.name\.block is "award"/,
  ],
  ["paper and template", { paper: "#fff", template: "page" }, /^paper and template can't be combined/],
  ["a path without data", { shapes: [{ kind: "path", x: 0, y: 0 }] }, /^shapes\.0\.path is required/],
  [
    "data of a curve that is cut off",
    { shapes: [{ kind: "path", x: 0, y: 0, path: "M 0 0 C 1 2 3" }] },
    /a path must begin with M/,
  ],
  [
    "data that is no path",
    { shapes: [{ kind: "path", x: 0, y: 0, path: "q 1 0" }] },
    /a path must begin with M/,
  ],
  ["a colour that isn't one", { paper: "accent/400" }, /must be a colour/],
  [
    "a light code on light paper",
    { paper: "#fff", qr: { color: "accent/20" } },
    /^qr: cameras can't read accent\/20/,
  ],
  [
    "a second language without words",
    { second_language: "tr" },
    /^second_language: designs have no texts in "tr"/,
  ],
])("%s is refused", (_case, options, message) => {
  expect(refusal(options)).toThrow(message);
});
