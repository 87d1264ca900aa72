import type { DesignOptions } from "./design-file.js";
import {
  context,
  facts,
  footInTwoLanguages,
  issuer,
  italicJoining,
  joining,
  name,
  signatures,
  title,
} from "./parts.js";

/** A star of eight points around x and y, made of two squares, one turned by 45 degrees. */
const star = {
  kind: "path",
  path: "M -13 -13 L 13 -13 L 13 13 L -13 13 Z M 0 -18.4 L 18.4 0 L 0 18.4 L -18.4 0 Z",
  color: "accent",
  weight: 0.8,
} as const;

const corners = [
  [52, 52],
  [789.9, 52],
  [52, 543.3],
  [789.9, 543.3],
] as const;

/** Words in the second language, below those in the first. */
const second = { ...italicJoining, size: 12 } as const;

/** Arabic first, with English below it and stars of eight points in the corners. */
export const arabesque: DesignOptions = {
  page: { drawn_for: "A4" },
  paper: "#fffdf6",
  accent_color: "#0d5c4a",
  defaults: { color: "#16211d" },
  language: "ar",
  second_language: "en",
  mirror: true,
  shapes: [
    { kind: "rectangle", x: 28, y: 28, width: 785.9, height: 539.3, color: "accent", weight: 1.4 },
    { kind: "rectangle", x: 74, y: 33, width: 693.9, height: 9, color: "#b8923f", weight: 0.4 },
    { kind: "rectangle", x: 74, y: 553.3, width: 693.9, height: 9, color: "#b8923f", weight: 0.4 },
    { kind: "rectangle", x: 33, y: 74, width: 9, height: 447.3, color: "#b8923f", weight: 0.4 },
    { kind: "rectangle", x: 799.9, y: 74, width: 9, height: 447.3, color: "#b8923f", weight: 0.4 },
    ...corners.flatMap(
      ([x, y]) =>
        [
          { ...star, x, y },
          { kind: "ellipse", x: x - 5, y: y - 5, width: 10, height: 10, fill: "#b8923f" },
        ] as const,
    ),
    { kind: "line", x: 421, y: 54, height: 30, color: "accent/45", weight: 0.5 },
    { kind: "line", x: 321, y: 396, width: 84, color: "accent/60", block: "award" },
    { kind: "line", x: 437, y: 396, width: 84, color: "accent/60", block: "award" },
    {
      kind: "path",
      x: 421,
      y: 396,
      path: "M -5 -5 L 5 -5 L 5 5 L -5 5 Z M 0 -7 L 7 0 L 0 7 L -7 0 Z",
      fill: "#b8923f",
      block: "award",
    },
  ],
  blocks: { award: { top: 550, bottom: 90 } },
  places: {
    logo: { x: 301, y: 506, width: 240, height: 34, block: "award" },
    facts: { ...facts, size: 14, x: 421, y: 202, width: 560, second_labels: true },
    signatures: { ...signatures, x: 421, y: 88, width: 430, height: 36 },
    seal: { x: 74, y: 70, size: 92, look: "engraved" },
  },
  qr: { x: 704, y: 82, size: 62, color: "accent" },
  text_elements: {
    issuer: { ...issuer, y: 484, size: 14, max_width: 640 },
    title: { ...title, y: 443, size: 28, max_width: 660 },
    second_title: { ...title, text: "{second.title}", y: 416, size: 16, max_width: 620, color: "ink/80" },
    to: { ...joining, text: "{words.awarded_to}", y: 371, size: 15, max_width: 600 },
    second_to: { ...second, text: "{second.awarded_to}", y: 356, max_width: 600 },
    name: { ...name, y: 310, size: 42, max_width: 680 },
    for: { ...joining, text: "{words.for}", y: 284, size: 15, max_width: 600 },
    second_for: { ...second, text: "{second.for}", y: 269, max_width: 600 },
    context: { ...context, y: 240, size: 22, max_width: 620 },
    ...footInTwoLanguages({ y: 71, max_width: 235 }),
  },
};
