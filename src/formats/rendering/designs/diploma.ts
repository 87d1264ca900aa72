import type { DesignOptions } from "./design-file.js";
import {
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

/** Ornament in a corner of the frame. */
const rosette = {
  kind: "rosette",
  width: 14,
  height: 14,
  petals: 8,
  inner: 0.45,
  color: "accent",
  weight: 0.4,
} as const;

/** Formal, with an engraved frame and a seal between two signatures. */
export const diploma: DesignOptions = {
  page: { drawn_for: "A4" },
  paper: "#fffcf4",
  accent_color: "#6b1f2a",
  defaults: { color: "#1c1714" },
  mirror: true,
  shapes: [
    { kind: "rectangle", x: 24, y: 24, width: 793.9, height: 547.3, color: "accent", weight: 0.4 },
    { kind: "guilloche", x: 29, y: 29, width: 783.9, height: 9, color: "accent/70", weight: 0.3 },
    { kind: "guilloche", x: 29, y: 557.3, width: 783.9, height: 9, color: "accent/70", weight: 0.3 },
    { kind: "guilloche", x: 29, y: 29, width: 9, height: 537.3, color: "accent/70", weight: 0.3 },
    { kind: "guilloche", x: 803.9, y: 29, width: 9, height: 537.3, color: "accent/70", weight: 0.3 },
    { kind: "rectangle", x: 26, y: 26, width: 15, height: 15, fill: "paper" },
    { kind: "rectangle", x: 800.9, y: 26, width: 15, height: 15, fill: "paper" },
    { kind: "rectangle", x: 26, y: 554.3, width: 15, height: 15, fill: "paper" },
    { kind: "rectangle", x: 800.9, y: 554.3, width: 15, height: 15, fill: "paper" },
    { ...rosette, x: 26.5, y: 26.5 },
    { ...rosette, x: 801.4, y: 26.5 },
    { ...rosette, x: 26.5, y: 554.8 },
    { ...rosette, x: 801.4, y: 554.8 },
    { kind: "rectangle", x: 43, y: 43, width: 755.9, height: 509.3, color: "accent", weight: 1 },
    { kind: "rectangle", x: 46.5, y: 46.5, width: 748.9, height: 502.3, color: "accent/60", weight: 0.3 },
  ],
  blocks: { award: { top: 536, bottom: 184 } },
  places: {
    logo: { x: 301, y: 476, width: 240, height: 46, block: "award" },
    facts: { ...facts, x: 421, y: 200, width: 600 },
    signatures: {
      ...italicLabels,
      x: 421,
      y: 106,
      width: 600,
      height: 44,
      column: 176,
      gap: 110,
      line: "ink/55",
    },
    seal: { x: 377, y: 74, size: 88, look: "engraved" },
  },
  qr: { x: 717, y: 78, size: 56, color: "ink/85" },
  text_elements: {
    issuer: { ...issuer, y: 450, size: 17, max_width: 640, small_caps: true, char_space: 1.4 },
    title: { ...title, y: 398, size: 36, max_width: 680, small_caps: true, char_space: 2 },
    to: { ...italicJoining, text: "{words.awarded_to}", y: 358, size: 15.5, color: "ink/80" },
    name: { ...name, y: 308, size: 50, max_width: 690, font: "EB Garamond Italic" },
    for: { ...italicJoining, text: "{words.for_completing}", y: 278, size: 15.5, color: "ink/80" },
    context: { ...context, y: 244, size: 25, max_width: 640 },
    date: { x: 97, y: 106, size: 11.5, max_width: 84, color: "ink/85" },
    date_label: { ...dateLabel, x: 97, y: 93, size: 9.5, max_width: 84 },
    verify: { ...verify, y: 56, max_width: 520 },
  },
};
