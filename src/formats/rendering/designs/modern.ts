import type { DesignOptions } from "./design-file.js";
import { context, footDate, issuer, joining, name, sansLabels, title, verify } from "./parts.js";

const left = { x: 64, align: "left" } as const;
const heavy = { font: "Source Sans SemiBold" } as const;

/** Sans serif, aligned left, with rings in a corner. */
export const modern: DesignOptions = {
  page: { drawn_for: "A4" },
  paper: "#ffffff",
  accent_color: "#0f5c6e",
  defaults: { color: "#1d2327", font: "Source Sans" },
  mirror: true,
  shapes: [
    { kind: "ellipse", x: 657, y: 410, width: 370, height: 370, color: "accent/16", weight: 20 },
    { kind: "ellipse", x: 707, y: 460, width: 270, height: 270, color: "accent/40", weight: 20 },
    { kind: "ellipse", x: 757, y: 510, width: 170, height: 170, color: "accent", weight: 20 },
    { kind: "rectangle", x: 0, y: 0, width: 14, height: 595.28, fill: "accent" },
    { kind: "line", x: 64, y: 60, width: 714, color: "ink/20" },
    {
      kind: "path",
      x: 64,
      y: 372,
      path: "M 0 3.2 L 48 3.2 L 48 6.2 L 0 6.2 Z",
      fill: "accent",
      block: "award",
    },
  ],
  blocks: { award: { top: 552, bottom: 166, align: "center" } },
  places: {
    logo: { ...left, y: 504, width: 220, height: 44, block: "award" },
    facts: {
      ...left,
      ...sansLabels,
      y: 192,
      width: 600,
      labels: "above",
      columns: 5,
      size: 15,
      rule: "accent/40",
      block: "award",
    },
    signatures: { ...left, ...sansLabels, y: 94, width: 520, height: 40, line: "ink/35" },
    seal: { x: 600, y: 56, size: 72, look: "none" },
  },
  qr: { x: 714, y: 76, size: 64, color: "accent" },
  text_elements: {
    issuer: { ...issuer, ...left, ...heavy, y: 486, size: 13, max_width: 480, color: "accent" },
    title: { ...title, ...left, ...heavy, y: 420, size: 32, max_width: 560 },
    to: { ...joining, text: "{words.awarded_to}", x: 124, align: "left", y: 372, size: 16, max_width: 440 },
    name: { ...name, ...left, y: 312, size: 54, max_width: 700, font: "Source Sans" },
    context: {
      ...context,
      ...left,
      ...heavy,
      text: "{words.for} {context_name}",
      y: 266,
      size: 24,
      max_width: 640,
    },
    date: { ...footDate, ...left, y: 42, size: 9.5, max_width: 300 },
    verify: { ...verify, x: 778, y: 42, align: "right", size: 9.5, max_width: 400 },
  },
};
