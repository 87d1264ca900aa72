import { expect, test } from "vitest";
import { pdfCredentialGenerator as generator } from "#formats/rendering/design/pdf-credential.js";
import { facts } from "./designs/samples.js";
import { drawPdf } from "./draw-pdf.js";
import { asWebp, shareOfDifferent, tolerance } from "./expect-golden.js";

const drawn = async (shapes: readonly object[]) =>
  drawPdf(await generator.render(facts, { paper: "#ffffff", shapes }), 0.45);

test("a stored picture differs from a page with a faint rosette, and not from the same page", async () => {
  const stored = asWebp(await drawn([]));
  const rosette = {
    kind: "rosette",
    x: 300,
    y: 200,
    width: 200,
    height: 200,
    color: "accent/12",
    weight: 0.3,
  };
  expect(await shareOfDifferent(await drawn([]), stored, asWebp)).toBe(0);
  expect(await shareOfDifferent(await drawn([rosette]), stored, asWebp)).toBeGreaterThan(tolerance);
});
