import type { DesignOptions } from "./design-file.js";
import {
  context,
  facts,
  footDate,
  issuer,
  italicJoining,
  italicLabels,
  name,
  title,
  verify,
} from "./parts.js";

const left = { x: 84, align: "left" } as const;

/** A ribbon with a seal, hanging from the upper edge beside the text. */
export const ribbon: DesignOptions = {
  page: { drawn_for: "A4" },
  paper: "#fffdf7",
  accent_color: "#8c1c2b",
  defaults: { color: "#1d1816" },
  mirror: true,
  shapes: [
    { kind: "rectangle", x: 26, y: 26, width: 789.9, height: 543.3, color: "accent/55", weight: 0.5 },
    {
      kind: "path",
      x: 664,
      y: 206,
      path: "M 0 389.3 L 0 0 L 52 38 L 104 0 L 104 389.3 Z",
      fill: "accent",
    },
    {
      kind: "path",
      x: 674,
      y: 224,
      path: "M 0 371.3 L 0 12 M 84 371.3 L 84 12",
      color: "paper/70",
      weight: 0.7,
    },
    { kind: "ellipse", x: 646, y: 306, width: 140, height: 140, fill: "#c9a24b" },
    { kind: "ellipse", x: 651, y: 311, width: 130, height: 130, fill: "paper" },
    { kind: "line", x: 84, y: 70, width: 664, color: "ink/25", weight: 0.5 },
    { kind: "line", x: 84, y: 386, width: 120, color: "accent", weight: 1, block: "award" },
  ],
  blocks: { award: { top: 540, bottom: 174, align: "center" } },
  places: {
    logo: { ...left, y: 478, width: 240, height: 50, block: "award" },
    facts: { ...facts, ...left, y: 200, width: 534 },
    signatures: { ...italicLabels, ...left, y: 104, width: 520, height: 42, line: "ink/50" },
    seal: { x: 656, y: 316, size: 120, look: "engraved" },
  },
  qr: { x: 684, y: 90, size: 64, color: "ink/85" },
  text_elements: {
    issuer: { ...issuer, ...left, y: 452, size: 16, max_width: 534, small_caps: true, char_space: 1.2 },
    title: { ...title, ...left, y: 402, size: 33, max_width: 534, font: "Playfair Display SemiBold" },
    to: { ...italicJoining, ...left, text: "{words.awarded_to}", y: 360, size: 15.5 },
    name: {
      ...name,
      max_lines: 3,
      ...left,
      y: 312,
      size: 42,
      max_width: 534,
      font: "Playfair Display Italic",
    },
    for: { ...italicJoining, ...left, text: "{words.for_completing}", y: 282, size: 15.5 },
    context: { ...context, ...left, y: 248, size: 24, max_width: 534 },
    date: { ...footDate, ...left, y: 52, max_width: 280 },
    verify: { ...verify, x: 748, y: 52, align: "right", max_width: 370 },
  },
};
