import { expect, test } from "vitest";
import { pdfCredentialGenerator as generator } from "#formats/rendering/design/pdf-credential.js";
import { designs } from "#formats/rendering/designs/list.js";
import { facts, parts } from "../designs/samples.js";
import { drawPdf } from "../draw-pdf.js";
import { asset } from "../templates.js";

/** A picture whose left quarter is red, whose right quarter is blue, and whose middle is green. */
const stripes = asset(
  "svg",
  Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 100"><path fill="#f00" d="M0 0H100V100H0Z"/><path fill="#0f0" d="M100 0H300V100H100Z"/><path fill="#00f" d="M300 0H400V100H300Z"/></svg>',
  ),
);
const pictures = new Map([["stripes", stripes]]);
const place = { x: 100, y: 200, width: 200, height: 100 };
const page = { paper: "#ffffff", qr: false, text_elements: { name: false, context: false, date: false } };

async function colorsAt(options: Record<string, unknown>, points: readonly (readonly [number, number])[]) {
  const canvas = await drawPdf(await generator.render(facts, options, pictures), 1);
  const context = canvas.getContext("2d");
  return points.map(([x, y]) => {
    const [red, green, blue] = context.getImageData(x, canvas.height - y, 1, 1).data;
    return [red, green, blue].join(" ");
  });
}

test("a cropped picture covers its place without distortion, and nothing beside it", async () => {
  const images = [{ asset: "stripes", ...place, crop: true }];
  const inside = [[104, 204] as const, [296, 296] as const];
  const outside = [[96, 250] as const, [304, 250] as const, [200, 196] as const, [200, 304] as const];
  expect(await colorsAt({ ...page, images }, [...inside, ...outside])).toEqual([
    ...inside.map(() => "0 255 0"),
    ...outside.map(() => "255 255 255"),
  ]);
  const stretched = [{ asset: "stripes", ...place }];
  expect(await colorsAt({ ...page, images: stretched }, inside)).toEqual(["255 0 0", "0 0 255"]);
});

test("a cropped picture grows with the page for which the design is drawn", async () => {
  const images = [{ asset: "stripes", x: 0, y: 0, width: 841.89, height: 100, crop: true }];
  const narrower = { ...page, page: { size: "LETTER", drawn_for: "A4" }, images };
  expect(await colorsAt(narrower, [[2, 50] as const, [789, 50] as const])).toEqual(["255 0 0", "0 0 255"]);
});

test("a place without a picture prints nothing, and editors know where it is", async () => {
  const images = [{ ...place, crop: true }];
  expect(await colorsAt({ ...page, images }, [[200, 250]])).toEqual(["255 255 255"]);
  expect(generator.assetsOf?.({ ...page, images })).toEqual([]);
  const mode = { stamp: "none", layoutOnly: true, lenient: false } as const;
  const preview = await generator.preview?.(facts, { ...page, images }, pictures, mode);
  expect(preview?.layout?.elements).toContainEqual(
    expect.objectContaining({ option: "images.0", box: place }),
  );
});

test("the photograph is printed over the pattern of its design, beside all texts", async () => {
  const options = { ...designs.photograph, ...parts.full, logo: undefined, signatories: [] };
  const photographs = [{ ...designs.photograph.images[0], asset: "stripes" }];
  expect(await colorsAt({ ...options, images: photographs }, [[300, 700]])).toEqual(["0 255 0"]);
  expect(await colorsAt(options, [[300, 700]])).not.toEqual(["0 255 0"]);
});
