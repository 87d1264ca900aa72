import { expect, test } from "vitest";
import { pdfCredentialGenerator as generator } from "#formats/rendering/design/pdf-credential.js";
import { designs } from "#formats/rendering/designs/list.js";
import { facts, parts, pictures } from "../designs/samples.js";
import { readPdf } from "../read-pdf.js";

const options = {
  ...designs.classic,
  ...parts.full,
  images: [{ asset: "crest", x: 60, y: 60, width: 40, alt: "Crest" }],
};
const texts = designs.classic.text_elements ?? {};
const places = designs.classic.places ?? {};
const shapes = designs.classic.shapes ?? [];
type Options = Record<string, unknown>;

const render = async (changed: Options) =>
  Buffer.from(await generator.render(facts, { ...options, ...changed }, pictures)).toString("latin1");
const layoutOf = async (changed: Options) => {
  const mode = { stamp: "none", layoutOnly: true, lenient: true } as const;
  return (await generator.preview?.(facts, { ...options, ...changed }, pictures, mode))?.layout;
};

test.each<[string, Options, Options]>([
  [
    "a text",
    { text_elements: { ...texts, context: { ...texts.context, hidden: true } } },
    { text_elements: { ...texts, context: { ...texts.context, text: "" } } },
  ],
  ["a shape", { shapes: [{ ...shapes[0], hidden: true }, ...shapes.slice(1)] }, { shapes: shapes.slice(1) }],
  ["a picture", { images: [{ ...options.images[0], hidden: true }] }, { images: [] }],
  [
    "the seal",
    { places: { ...places, seal: { ...places.seal, hidden: true } } },
    { places: Object.fromEntries(Object.entries(places).filter(([name]) => name !== "seal")) },
  ],
  ["the code", { qr: { ...(designs.classic.qr as object), hidden: true } }, { qr: false }],
])("%s that is hidden gives the same document as one that was removed", async (_, hidden, removed) => {
  const [printed, without] = [await render(hidden), await render(removed)];
  expect(printed).toBe(without);
  expect(printed).not.toBe(await render({}));
});

test("hidden shapes and pictures keep their place in the layout, for editors that show them again", async () => {
  const wanted = ["images.0", "shapes.0"];
  const boxes = async (changed: Options) =>
    (await layoutOf(changed))?.elements
      .filter(({ option = "" }) => wanted.includes(option))
      .map(({ option, box }) => ({ option, box }))
      .sort((one, other) => String(one.option).localeCompare(String(other.option)));
  const hidden = {
    images: [{ ...options.images[0], hidden: true }],
    shapes: [{ ...shapes[0], hidden: true }, ...shapes.slice(1)],
  };
  expect(await boxes(hidden)).toEqual(await boxes({}));
  expect(await boxes(hidden)).toHaveLength(2);
});

test("a hidden text needs nothing of a learner's record, and its files stay in use", () => {
  const printed = (hidden: boolean) =>
    generator.particularsOf?.({ text_elements: { id: { text: "{learner_id}", hidden } } }).learnerId;
  expect([printed(false), printed(true)]).toEqual([true, false]);
  const used = generator.assetsOf?.({ images: [{ asset: "crest", x: 0, y: 0, hidden: true }] });
  expect(JSON.stringify(used)).toContain("crest");
});

test("locking and grouping change nothing that is printed", async () => {
  const marked = {
    text_elements: { ...texts, name: { ...texts.name, locked: true, group: "award" } },
    shapes: shapes.map((each) => ({ ...each, locked: true, group: "frame" })),
    qr: { ...(designs.classic.qr as object), locked: true },
  };
  expect(await render(marked)).toBe(await render({}));
});

test("hidden elements are not read aloud", async () => {
  const bytes = await generator.render(
    facts,
    { ...options, images: [{ ...options.images[0], hidden: true }] },
    pictures,
  );
  const before = await readPdf(await generator.render(facts, options, pictures));
  const { structure } = await readPdf(bytes);
  const figures = (all: readonly string[]) => all.filter((each) => each === "Figure").length;
  expect(figures(structure)).toBe(figures(before.structure) - 1);
});
