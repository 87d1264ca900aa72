import { expect, test } from "vitest";
import { pdfCredentialGenerator as generator } from "#formats/rendering/design/pdf-credential.js";
import { designs } from "#formats/rendering/designs/list.js";
import type { LaidElement } from "#formats/rendering/layout.js";
import { facts, names, parts, pictures, signatories, texts } from "../designs/samples.js";
import { drawPdf } from "../draw-pdf.js";

async function elementsOf(options: Record<string, unknown>, own = {}): Promise<readonly LaidElement[]> {
  const mode = { stamp: "none", layoutOnly: true, lenient: false } as const;
  const previewed = await generator.preview?.({ ...facts, ...own }, options, pictures, mode);
  return previewed?.layout?.elements ?? [];
}

test.each(names.filter((name) => name !== "engraved"))(
  "in %s, Arabic labels stay clear of the values",
  async (name) => {
    const { facts: own, language } = texts.arabic ?? {};
    const elements = await elementsOf({ ...designs[name], ...parts.full, language }, own);
    const boxes = elements
      .filter(({ option, kind }) => option === "places.facts" && kind === "text")
      .map(({ box }) => box);
    expect(boxes.length).toBeGreaterThanOrEqual(8);
    const distances = boxes.flatMap((one) =>
      boxes
        .filter((other) => other !== one && one.x < other.x + other.width && other.x < one.x + one.width)
        .map((other) => Math.max(one.y - other.y - other.height, other.y - one.y - one.height)),
    );
    expect(Math.min(...distances)).toBeGreaterThan(2);
  },
);

const signatures = { x: 100, y: 100, width: 400, align: "left", line: "#f00", size: 14 };
const page = { paper: "#fff", text_elements: { name: false, context: false, date: false } };

test("all who sign have names of the same size, and titles of the same size", async () => {
  const long = "Univ.-Prof. Dr. Dr. h. c. mult. Maximilian Schwarzenberger";
  const people = [signatories[0], { ...signatories[1], name: long }];
  const elements = await elementsOf({ ...page, places: { signatures }, signatories: people });
  const sizes = elements.flatMap(({ text }) => (text ? [text.size] : []));
  const [name, title, otherName, otherTitle] = sizes;
  expect(sizes).toHaveLength(4);
  expect([otherName, otherTitle]).toEqual([name, title]);
  expect(name).toBeLessThan(14);
});

test.each(["left", "right"])(
  "the lines of signatures reach both edges if they begin on the %s",
  async (align) => {
    const x = align === "left" ? 100 : 500;
    const options = { ...page, places: { signatures: { ...signatures, align, x } }, signatories };
    const red = await redColumns(options);
    expect([Math.min(...red), Math.max(...red) + 1]).toEqual([200, 1000]);
  },
);

test.each([
  ["once", "جامعة نوردهافن", false],
  ["once", "มหาวิทยาลัยเหนือ", false],
  ["twice", "Nordhafen", true],
])("%s, a seal shows %s", async (_times, platformName, isTwice) => {
  const size = 400;
  const seal = { x: 100, y: 100, size, look: "ring", color: "#f00" };
  const bytes = await generator.render({ ...facts, platformName }, { ...page, places: { seal } });
  const canvas = await drawPdf(bytes, 1);
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  /** Returns the red pixels in a tenth of the ring of words. */
  const inkAt = (middle: number) => {
    let count = 0;
    for (let angle = middle - 0.3; angle < middle + 0.3; angle += 0.005) {
      for (let radius = 0.68; radius < 0.8; radius += 0.004) {
        const across = Math.round(100 + size / 2 + (Math.cos(angle) * radius * size) / 2);
        const down = Math.round(canvas.height - 100 - size / 2 + (Math.sin(angle) * radius * size) / 2);
        if ((data[4 * (down * canvas.width + across) + 1] ?? 255) < 128) count++;
      }
    }
    return count;
  };
  const [top, bottom] = [inkAt(-Math.PI / 2), inkAt(Math.PI / 2)];
  expect(top).toBeGreaterThan(0);
  expect(bottom > top / 2).toBe(isTwice);
});

/** Returns the horizontal positions of red pixels, two per point. */
async function redColumns(options: Record<string, unknown>): Promise<number[]> {
  const canvas = await drawPdf(await generator.render(facts, options, pictures), 2);
  const { data, width } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const red: number[] = [];
  for (let index = 0; index < data.length; index += 4) {
    const [r = 0, g = 0] = data.subarray(index);
    if (r > 200 && g < 160) red.push((index / 4) % width);
  }
  return red;
}
