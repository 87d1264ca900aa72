import { create, type JsonObject } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { presentPreview } from "#api/services/presentation/present-preview.js";
import { addElement } from "#console/designer/add-item.js";
import { grouped, type Order, withOrder } from "#console/designer/arrange.js";
import { blocksOf, joined } from "#console/designer/blocks.js";
import { collisionsOf } from "#console/designer/collisions.js";
import { copyElements, pasteElements } from "#console/designer/copied-items.js";
import { itemsOf } from "#console/designer/items.js";
import { nameOfItem } from "#console/designer/name-item.js";
import { loadChapter } from "#console/i18n/load-chapter.js";
import { valueAt } from "#console/options/change-options.js";
import { pdfCredentialGenerator as generator } from "#formats/rendering/design/pdf-credential.js";
import { designs } from "#formats/rendering/designs/list.js";
import { PreviewCredentialResponseSchema } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { facts, pictures } from "../../rendering/designs/samples.js";

async function laid(options: JsonObject) {
  const mode = { stamp: "none", layoutOnly: true, lenient: true } as const;
  const preview = await generator.preview?.(facts, options, pictures, mode);
  if (!preview) throw new Error("The generator makes no previews.");
  const { layout } = create(PreviewCredentialResponseSchema, presentPreview(preview));
  if (!layout) throw new Error("The preview has no layout.");
  return { layout, items: itemsOf(layout, options) };
}
const words = await loadChapter("designer", "en");
const { optionNames } = await loadChapter("designing", "en");
const all = Object.entries(designs as Readonly<Record<string, object>>) as [string, JsonObject][];

test("an added picture fills the first place that has none", async () => {
  const options = designs.photograph as object as JsonObject;
  const { layout, items } = await laid(options);
  const once = addElement(options, "image", { layout, items }, "campus");
  expect(once.path).toBe("images.0");
  expect(once.options).toEqual({
    ...options,
    images: [{ ...designs.photograph.images[0], asset: "campus" }],
  });
  const twice = addElement(once.options, "image", { layout, items }, "crest");
  expect(twice.path).toBe("images.1");
  expect(valueAt(twice.options, "images.0.asset")).toBe("campus");
});

describe("in the design", () => {
  test.each(all)(
    "%s, every layer has a descriptive name, and nothing is reported to overlap or be cut off",
    async (_, options) => {
      const { layout, items } = await laid(options);
      const names = items
        .filter(({ kind }) => kind !== "shape")
        .map((item) => nameOfItem(item, options, words, optionNames));
      expect(names.filter((name) => name === "“”" || /[{}]|^text_|^undefined/.test(name))).toEqual([]);
      expect(names).toEqual([...new Set(names)]);
      const verdicts = items.map((item) => ({ item, ...collisionsOf(item, items, layout) }));
      const faults = verdicts.filter(({ overlaps, isCut }) => overlaps.length > 0 || isCut);
      expect(faults.map(({ item: { path }, overlaps }) => [path, overlaps.map((each) => each.path)])).toEqual(
        [],
      );
    },
  );

  test.each(all)(
    "%s, a text that is added below any other overlaps nothing, and lies below it",
    async (_, options) => {
      const { layout, items } = await laid(options);
      const texts = items.filter(({ kind, isPrinted }) => kind === "text" && isPrinted);
      for (const selected of texts) {
        const after = addElement(options, "text", { layout, items, selected }, "with distinction");
        const then = await laid(after.options);
        const item = then.items.find(({ path }) => path === after.path);
        const model = then.items.find(({ path }) => path === selected.path);
        if (!item || !model) throw new Error("It is nowhere.");
        const { overlaps, isCut } = collisionsOf(item, then.items, then.layout);
        expect([selected.path, overlaps.map(({ path }) => path), isCut]).toEqual([selected.path, [], false]);
        expect([selected.path, item.block]).toEqual([selected.path, selected.block]);
        if (selected.block) expect(item.anchor.y).toBeGreaterThan(model.anchor.y);
      }
    },
  );
});

describe("the order of drawing", () => {
  const options = { shapes: ["a", "b", "c", "d"].map((kind) => ({ kind })), images: [{ asset: "x" }] };
  const kinds = (changed: JsonObject) =>
    (changed.shapes as { kind: string }[]).map(({ kind }) => kind).join("");
  test.each<[Order, string[], string, string[]]>([
    ["front", ["shapes.0"], "bcda", ["shapes.3"]],
    ["front", ["shapes.2", "shapes.0"], "bdac", ["shapes.3", "shapes.2"]],
    ["back", ["shapes.3"], "dabc", ["shapes.0"]],
    ["forward", ["shapes.1"], "acbd", ["shapes.2"]],
    ["forward", ["shapes.0", "shapes.1"], "cabd", ["shapes.1", "shapes.2"]],
    ["forward", ["shapes.3"], "abcd", ["shapes.3"]],
    ["backward", ["shapes.2"], "acbd", ["shapes.1"]],
    ["backward", ["shapes.0", "shapes.2"], "acbd", ["shapes.0", "shapes.1"]],
    ["front", ["text_elements.name", "images.0"], "abcd", ["text_elements.name", "images.0"]],
  ])("%s: %j", (order, paths, expected, then) => {
    const result = withOrder(options, paths, order);
    expect([kinds(result.options), result.paths]).toEqual([expected, then]);
  });

  test("locked elements keep their order and stay selected, and elements without an order stay as they are", () => {
    const [a, ...others] = options.shapes;
    const shapes = [{ ...a, locked: true }, ...others] as JsonObject[];
    const result = withOrder({ shapes }, ["shapes.0", "text_elements.name", "shapes.2"], "back");
    expect(kinds(result.options)).toBe("cabd");
    expect(result.paths).toEqual(["shapes.1", "text_elements.name", "shapes.0"]);
    expect(result.ordered).toEqual(["shapes.2"]);
  });
});

describe("the clipboard", () => {
  const options: JsonObject = {
    text_elements: {
      name: { y: 300, x: 100, block: "award", locked: true, group: "group_1" },
      title: { text: "{title}", x: 100, y: 350, group: "group_1" },
    },
    shapes: [{ kind: "line", x: 10, y: 20, width: 50 }],
    qr: { x: 1, y: 2 },
  };
  test("copies are in no block, are not locked, are named after what they print, and form a group of their own", () => {
    const result = pasteElements(
      options,
      copyElements(options, ["text_elements.name", "text_elements.title", "shapes.0", "qr"]),
    );
    expect(result?.paths).toEqual(["text_elements.text_1", "text_elements.text_2", "shapes.1"]);
    expect(valueAt(result?.options ?? {}, "text_elements.text_1")).toEqual({
      text: "{name}",
      x: 112,
      y: 288,
      group: "group_2",
    });
    expect(valueAt(result?.options ?? {}, "text_elements.text_2.group")).toBe("group_2");
    const twice = pasteElements(result?.options ?? {}, copyElements(options, ["shapes.0"]));
    expect(valueAt(twice?.options ?? {}, "shapes.2")).toMatchObject({ x: 34, y: -4 });
  });
  test("a copy is at the position of the original if the design doesn't contain the original", () => {
    const result = pasteElements({ paper: "#ffffff" }, copyElements(options, ["shapes.0"]));
    expect(result?.options).toEqual({
      paper: "#ffffff",
      shapes: [{ kind: "line", x: 10, y: 20, width: 50 }],
    });
  });
  test.each([
    "",
    "learning-credentials-elements",
    '{"kind":"learning-credentials-elements","elements":[{"list":"__proto__","value":{}},{"list":"qr","value":{}}]}',
    '{"kind":"learning-credentials-elements","elements":{}}',
  ])("text that was not copied from the designer is not pasted: %s", (text) =>
    expect(pasteElements(options, text)).toBeUndefined(),
  );
});

test("an element that joins another group leaves its group", () => {
  const once = grouped({ shapes: [{ kind: "a" }, { kind: "b" }, { kind: "c" }] }, ["shapes.0", "shapes.1"]);
  expect(grouped(once, ["shapes.1", "shapes.2"]).shapes).toEqual([
    { kind: "a", group: "group_1" },
    { kind: "b", group: "group_2" },
    { kind: "c", group: "group_2" },
  ]);
});

test("an element that joins a block stays between its neighbours, and moves with them", async () => {
  const options = designs.diploma as object as JsonObject;
  const { layout, items } = await laid(options);
  const [name, context] = ["name", "context"].map((key) =>
    items.find(({ path }) => path === `text_elements.${key}`),
  );
  const block = name?.block ?? "";
  const at = ((name?.anchor.y ?? 0) + (context?.anchor.y ?? 0)) / 2;
  const loose = {
    ...options,
    text_elements: {
      ...(options.text_elements as JsonObject),
      own: { text: "with distinction", x: layout.drawnWidth / 2, y: layout.drawnHeight - at, size: 10 },
    },
  };
  const before = await laid(loose);
  const item = before.items.find(({ path }) => path === "text_elements.own");
  if (!item) throw new Error("It is nowhere.");
  const members = blocksOf(loose, before.items).get(block) ?? [];
  const after = await laid(joined(loose, before.layout, item, block, members));
  const line = (key: string) =>
    after.items.find(({ path }) => path === `text_elements.${key}`)?.anchor.y ?? 0;
  expect(line("own")).toBeGreaterThan(line("name"));
  expect(line("own")).toBeLessThan(line("context"));
  const joinedItem = after.items.find(({ path }) => path === "text_elements.own");
  expect(joinedItem && collisionsOf(joinedItem, after.items, after.layout).overlaps).toEqual([]);
});
