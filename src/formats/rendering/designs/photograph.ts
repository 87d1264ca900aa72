import type { DesignOptions } from "./design-file.js";
import { context, footDate, issuer, joining, name, sansLabels, title, verify } from "./parts.js";

const left = { x: 64, align: "left" } as const;
const heavy = { font: "Source Sans SemiBold" } as const;

/** Place of the picture. */
const picture = { x: 0, y: 592, width: 595.28, height: 249.89 } as const;

/**
 * A portrait page with a photograph of the institution at the top. Until the institution adds one, a woven pattern
 * fills its place.
 */
export const photograph = {
  page: { orientation: "portrait", drawn_for: "A4" },
  paper: "#ffffff",
  accent_color: "#2f4b3c",
  defaults: { color: "#1f2421", font: "Source Sans" },
  mirror: true,
  shapes: [
    { kind: "rectangle", ...picture, fill: "accent" },
    ...[0, 1, 2, 3, 4].map(
      (row) =>
        ({
          kind: "guilloche",
          x: -12,
          y: picture.y + row * 50,
          width: 620,
          height: 50,
          color: "accent/78",
          weight: 0.45,
        }) as const,
    ),
    {
      kind: "rosette",
      x: 330,
      y: 470,
      width: 420,
      height: 420,
      petals: 48,
      inner: 0.42,
      color: "accent/55",
      weight: 0.4,
    },
    { kind: "rectangle", x: -10, y: -10, width: 616, height: 602, fill: "paper" },
    { kind: "rectangle", x: 0, y: 586, width: 595.28, height: 6, fill: "accent" },
    { kind: "line", x: 64, y: 64, width: 467.28, color: "ink/20" },
  ],
  images: [{ ...picture, crop: true }],
  blocks: { award: { top: 560, bottom: 172, align: "center" } },
  places: {
    logo: { ...left, y: 512, width: 200, height: 40, block: "award" },
    facts: {
      ...left,
      ...sansLabels,
      y: 224,
      width: 467,
      labels: "above",
      columns: 4,
      size: 14,
      block: "award",
    },
    signatures: { ...left, ...sansLabels, y: 100, width: 370, height: 40, line: "ink/40" },
  },
  qr: { x: 467.28, y: 80, size: 64, color: "accent" },
  text_elements: {
    issuer: { ...issuer, ...left, ...heavy, y: 488, size: 13, max_width: 467, color: "ink/85" },
    title: { ...title, ...left, y: 440, size: 32, max_width: 467, font: "Playfair Display SemiBold" },
    to: { ...joining, ...left, text: "{words.awarded_to}", y: 404, size: 14 },
    name: { ...name, ...left, y: 356, size: 42, max_width: 467, max_lines: 3, font: "Playfair Display" },
    for: { ...joining, ...left, text: "{words.for_completing}", y: 324, size: 14 },
    context: { ...context, ...left, ...heavy, y: 290, size: 22, max_width: 467 },
    date: { ...footDate, ...left, y: 46, size: 9.5, max_width: 190 },
    verify: { ...verify, x: 531.28, y: 46, align: "right", size: 9.5, max_width: 270 },
  },
} as const satisfies DesignOptions;
