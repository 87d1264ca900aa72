import type { DesignOptions } from "./design-file.js";
import { context, date, issuer, joining, name, sansLabels, title, verify } from "./parts.js";

const left = { x: 70, align: "left" } as const;
const heavy = { font: "Source Sans SemiBold" } as const;

/** Portrait, like a travel document: perforated, with a large round stamp. */
export const stamp: DesignOptions = {
  page: { orientation: "portrait", drawn_for: "A4" },
  paper: "#f6efe0",
  accent_color: "#b3402f",
  defaults: { color: "#2b2620", font: "Source Sans" },
  mirror: true,
  shapes: [
    { kind: "rectangle", x: 34, y: 34, width: 527.28, height: 773.89, color: "ink/35", weight: 3, dash: 0.1 },
    { kind: "guilloche", x: 70, y: 748, width: 455, height: 14, color: "accent/60", weight: 0.4 },
    { kind: "line", x: 70, y: 322, width: 455, color: "ink/40", weight: 1, dash: 5 },
    { kind: "ellipse", x: 367, y: 56, width: 158, height: 158, color: "accent/70", weight: 2 },
    { kind: "ellipse", x: 374, y: 63, width: 144, height: 144, color: "accent/70", weight: 0.7 },
  ],
  blocks: {
    award: { top: 732, bottom: 338, align: "center" },
    foot: { top: 310, bottom: 222, align: "top" },
  },
  places: {
    logo: { ...left, y: 668, width: 220, height: 50, block: "award" },
    facts: {
      ...left,
      ...sansLabels,
      y: 248,
      width: 455,
      labels: "above",
      columns: 4,
      size: 14,
      block: "foot",
    },
    signatures: { ...left, ...sansLabels, y: 160, width: 278, height: 40, line: "ink/40" },
    seal: { x: 386, y: 75, size: 120, look: "ring" },
  },
  qr: { x: 70, y: 56, size: 50, color: "ink/85" },
  text_elements: {
    issuer: { ...issuer, ...left, ...heavy, y: 634, size: 14, max_width: 455, color: "ink/85" },
    title: { ...title, ...left, ...heavy, y: 576, size: 32, max_width: 455, max_lines: 3 },
    to: { ...joining, ...left, text: "{words.awarded_to}", y: 528, size: 14 },
    name: { ...name, ...left, y: 476, size: 42, max_width: 455, max_lines: 3, font: "EB Garamond Medium" },
    for: { ...joining, ...left, text: "{words.for}", y: 436, size: 14 },
    context: { ...context, ...left, ...heavy, y: 398, size: 24, max_width: 455, max_lines: 4 },
    date: { ...date, ...left, y: 296, size: 13, block: "foot" },
    verify: {
      ...verify,
      text: "{words.verify_at}\n{verify_short_url}",
      x: 130,
      y: 84,
      align: "left",
      size: 9,
      max_width: 225,
      max_lines: 3,
    },
  },
};
