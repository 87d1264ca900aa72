import type { DesignOptions } from "./design-file.js";
import {
  capitalStyle,
  context,
  date,
  facts,
  issuer,
  italicJoining,
  name,
  signatures,
  title,
  verify,
} from "./parts.js";

const lozenge = { kind: "path", path: "M 0 -3 L 3 0 L 0 3 L -3 0 Z", fill: "accent" } as const;

/** Centred, in a double frame with cut corners. */
export const classic: DesignOptions = {
  page: { drawn_for: "A4" },
  paper: "#fffdf8",
  accent_color: "#1f3a5f",
  defaults: { color: "#1b1b1f" },
  mirror: true,
  shapes: [
    {
      kind: "path",
      x: 28,
      y: 28,
      path: "M 22 0 L 764 0 C 764 12 774 22 786 22 L 786 517 C 774 517 764 527 764 539 L 22 539 C 22 527 12 517 0 517 L 0 22 C 12 22 22 12 22 0 Z",
      color: "accent",
      weight: 1.3,
    },
    {
      kind: "path",
      x: 33,
      y: 33,
      path: "M 20.5 0 L 755.5 0 C 757 11 765 19 776 20.5 L 776 508.5 C 765 510 757 518 755.5 529 L 20.5 529 C 19 518 11 510 0 508.5 L 0 20.5 C 11 19 19 11 20.5 0 Z",
      color: "accent/60",
      weight: 0.4,
    },
    { ...lozenge, x: 33, y: 33 },
    { ...lozenge, x: 809, y: 33 },
    { ...lozenge, x: 33, y: 562 },
    { ...lozenge, x: 809, y: 562 },
    { kind: "line", x: 361, y: 366, width: 52, color: "accent/60", block: "award" },
    { kind: "line", x: 429, y: 366, width: 52, color: "accent/60", block: "award" },
    {
      kind: "path",
      x: 421,
      y: 366,
      path: "M 0 -2.6 L 2.6 0 L 0 2.6 L -2.6 0 Z",
      fill: "accent",
      block: "award",
    },
  ],
  blocks: { award: { top: 546, bottom: 66 } },
  places: {
    logo: { x: 301, y: 478, width: 240, height: 46, block: "award" },
    facts: { ...facts, x: 421, y: 190, width: 600 },
    signatures: { ...signatures, x: 421, y: 74, width: 430, height: 40 },
    seal: { x: 60, y: 56, size: 98, look: "ring" },
  },
  qr: { x: 716, y: 74, size: 60, color: "accent" },
  text_elements: {
    issuer: { ...issuer, ...capitalStyle, y: 452, size: 12.5, max_width: 640, color: "accent" },
    title: { ...title, y: 391, size: 30, max_width: 660, small_caps: true, char_space: 1.6 },
    to: { ...italicJoining, text: "{words.awarded_to}", y: 341, size: 15 },
    name: { ...name, y: 293, size: 46, max_width: 690, font: "EB Garamond Italic" },
    for: { ...italicJoining, text: "{words.for}", y: 262, size: 15 },
    context: { ...context, y: 229, size: 23, max_width: 620 },
    date: { ...date, y: 152, size: 13, font: "EB Garamond Italic" },
    verify: { ...verify, y: 50, max_width: 480 },
  },
};
