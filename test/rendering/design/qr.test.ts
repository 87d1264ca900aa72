import { createCanvas } from "@napi-rs/canvas";
import { expect, test } from "vitest";
import { drawQr } from "#formats/rendering/design/qr.js";
import { scanQr } from "./scan-qr.js";

const url = "https://credentials.example.org/verify/8f14e45f-ceea-467f-a0e6-0c2f5e2e9a11/";

test.each([url, "a", `https://example.org/${"é".repeat(120)}`])("a scanner reads %j", (words) => {
  const side = 400;
  const margin = 40;
  const canvas = createCanvas(side + 2 * margin, side + 2 * margin);
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = "black";
  const [matrix = "", ...operators] = drawQr(words, {
    x: margin,
    y: margin,
    side,
    color: [0, 0, 0],
    background: undefined,
  }).split("\n");
  const [a, b, c, d, e, f] = matrix.split(" ").map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  context.setTransform(a, b, c, d, e, f);
  for (const operator of operators.filter((each) => each.endsWith(" re"))) {
    const [x = 0, y = 0, width = 0, height = 0] = operator.split(" ").map(Number);
    context.fillRect(x, y, width, height);
  }
  expect(scanQr(context.getImageData(0, 0, canvas.width, canvas.height))).toBe(words);
});
