import type { DesignOptions } from "./design-file.js";
import { context, date, issuer, joining, name, sansLabels, title, verify } from "./parts.js";

const colours = ["#ef476f", "#ffb703", "#06a77d", "#118ab2"] as const;

/** Positions of the confetti. */
const places = [
  [40, 548],
  [78, 566],
  [112, 536],
  [150, 560],
  [196, 548],
  [238, 568],
  [286, 552],
  [338, 566],
  [392, 556],
  [446, 568],
  [500, 552],
  [548, 566],
  [602, 548],
  [648, 564],
  [694, 540],
  [736, 562],
  [776, 546],
  [806, 520],
  [34, 506],
  [70, 496],
  [38, 456],
  [66, 432],
  [30, 398],
  [58, 366],
  [34, 322],
  [60, 286],
  [772, 498],
  [808, 470],
  [780, 440],
  [806, 408],
  [776, 376],
  [808, 338],
  [784, 300],
  [806, 268],
  [36, 244],
  [66, 208],
  [32, 172],
  [778, 226],
  [810, 190],
  [782, 158],
] as const;

/** Confetti in four colours, and rounded letters: for schools, clubs and summer courses. */
export const festive: DesignOptions = {
  page: { drawn_for: "A4" },
  paper: "#ffffff",
  accent_color: "#118ab2",
  defaults: { color: "#22303a", font: "Source Sans" },
  mirror: true,
  shapes: [
    ...places.map(([x, y], index) => {
      const fill = colours[index % colours.length] as string;
      if (index % 3 === 0) return { kind: "ellipse", x, y, width: 11, height: 11, fill } as const;
      const turn = (index * 47) % 180;
      return { kind: "rectangle", x, y, width: 16, height: 6, radius: 2, turn, fill } as const;
    }),
    { kind: "rectangle", x: 0, y: 0, width: 841.9, height: 20, fill: "accent" },
    { kind: "rectangle", x: 0, y: 20, width: 841.9, height: 5, fill: "#ffb703" },
  ],
  blocks: { award: { top: 528, bottom: 84, align: "center" } },
  places: {
    logo: { x: 301, y: 470, width: 240, height: 48, block: "award" },
    facts: { ...sansLabels, x: 421, y: 196, width: 560, labels: "above", size: 15, block: "award" },
    signatures: {
      ...sansLabels,
      x: 421,
      y: 74,
      width: 430,
      height: 40,
      line: "ink/40",
      block: "award",
    },
    seal: { x: 66, y: 60, size: 96, look: "wreath", color: "#ef476f" },
  },
  qr: { x: 712, y: 74, size: 64, color: "ink" },
  text_elements: {
    issuer: { ...issuer, y: 446, size: 15, max_width: 560, font: "Source Sans SemiBold", color: "ink/85" },
    title: { ...title, y: 396, size: 37, max_width: 620, font: "Source Sans SemiBold" },
    to: { ...joining, text: "{words.awarded_to}", y: 354, size: 15 },
    name: { ...name, y: 306, size: 48, max_width: 672, font: "Playfair Display Italic", color: "#c2185b" },
    for: { ...joining, text: "{words.for}", y: 274, size: 15 },
    context: { ...context, y: 240, size: 24, max_width: 600, font: "Source Sans" },
    date: { ...date, y: 152, size: 13 },
    verify: { ...verify, y: 42, size: 9.5, max_width: 480 },
  },
};
