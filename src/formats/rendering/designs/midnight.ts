import type { DesignOptions } from "./design-file.js";
import {
  capitalStyle,
  context,
  dateLabel,
  facts,
  issuer,
  italicJoining,
  italicLabels,
  name,
  title,
  verify,
} from "./parts.js";

/** A quarter circle that cuts a corner of the frame. */
const arc = { kind: "path", color: "accent", weight: 0.8 } as const;

/** Gold on dark blue, above a light band on which dark signatures and logos are visible. */
export const midnight: DesignOptions = {
  page: { drawn_for: "A4" },
  paper: "#101d35",
  accent_color: "#d8b25f",
  defaults: { color: "#f4ecda" },
  mirror: true,
  shapes: [
    {
      kind: "rosette",
      x: 221,
      y: 166,
      width: 400,
      height: 400,
      petals: 36,
      inner: 0.62,
      color: "accent/12",
      weight: 0.5,
    },
    { kind: "rectangle", x: 22, y: 158, width: 797.9, height: 415.3, color: "accent/45", weight: 0.5 },
    {
      ...arc,
      x: 30,
      y: 166,
      path: "M 26 0 L 756 0 M 26 399.3 L 756 399.3 M 0 26 L 0 373.3 M 781.9 26 L 781.9 373.3",
    },
    { ...arc, x: 30, y: 166, path: "M 26 0 C 26 14 14 26 0 26" },
    { ...arc, x: 811.9, y: 166, path: "M -26 0 C -26 14 -14 26 0 26" },
    { ...arc, x: 30, y: 565.3, path: "M 26 0 C 26 -14 14 -26 0 -26" },
    { ...arc, x: 811.9, y: 565.3, path: "M -26 0 C -26 -14 -14 -26 0 -26" },
    { kind: "rectangle", x: 0, y: 0, width: 841.9, height: 136, fill: "#f4ecda" },
    { kind: "rectangle", x: 0, y: 136, width: 841.9, height: 3, fill: "accent" },
    { kind: "line", x: 351, y: 374, width: 140, color: "accent/70", weight: 0.6, block: "award" },
  ],
  blocks: { award: { top: 470, bottom: 174 } },
  places: {
    logo: { x: 56, y: 46, width: 128, height: 56, align: "left" },
    facts: { ...facts, x: 421, y: 186, width: 600 },
    signatures: {
      ...italicLabels,
      x: 421,
      y: 72,
      width: 460,
      height: 40,
      column: 160,
      gap: 104,
      color: "#101d35",
      label_color: "#33405a",
      line: "#80868f",
    },
    seal: { x: 382, y: 478, size: 78, look: "wreath" },
  },
  qr: { x: 389, y: 46, size: 64, color: "#101d35", background: "#f4ecda" },
  text_elements: {
    issuer: { ...issuer, ...capitalStyle, y: 436, size: 12.5, max_width: 640 },
    title: { ...title, y: 392, size: 33, max_width: 660, font: "EB Garamond Medium" },
    to: { ...italicJoining, text: "{words.awarded_to}", y: 348, size: 15 },
    name: { ...name, y: 298, size: 50, max_width: 690, font: "EB Garamond Italic" },
    for: { ...italicJoining, text: "{words.for_completing}", y: 266, size: 15 },
    context: { ...context, y: 232, size: 24, max_width: 620 },
    date: { x: 730, y: 72, size: 12.5, max_width: 120, color: "#101d35" },
    date_label: { ...dateLabel, x: 730, y: 58, size: 9.75, max_width: 120, color: "#33405a" },
    verify: { ...verify, y: 26, max_width: 480, color: "#101d35" },
  },
};
