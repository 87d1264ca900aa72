import type { DesignOptions } from "./design-file.js";
import { context, footDate, issuer, joining, name, sansLabels, title, verify } from "./parts.js";

const left = { x: 64, align: "left" } as const;
const heavy = { font: "Source Sans SemiBold" } as const;

/** Full colour: large shapes on the right, large type on the left. */
export const vivid: DesignOptions = {
  page: { drawn_for: "A4" },
  paper: "#ffffff",
  accent_color: "#4527a0",
  defaults: { color: "#1d1a2b", font: "Source Sans" },
  mirror: true,
  shapes: [
    { kind: "rectangle", x: 622, y: 0, width: 219.9, height: 595.28, fill: "accent" },
    { kind: "path", x: 622, y: 0, path: "M 0 0 L 219.9 0 L 219.9 220 C 98 220 0 121 0 0 Z", fill: "#ff6f59" },
    {
      kind: "path",
      x: 622,
      y: 375.4,
      path: "M 219.9 0 C 98 0 0 98 0 219.9 L 219.9 219.9 Z",
      fill: "#ffc145",
    },
    { kind: "ellipse", x: 682, y: 434, width: 120, height: 120, fill: "accent" },
    { kind: "path", x: 622, y: 220, path: "M 0 0 L 110 77.7 L 0 155.4 Z", fill: "#12b5a6" },
    { kind: "ellipse", x: 762, y: 270, width: 56, height: 56, fill: "#ff6f59" },
    { kind: "line", x: 64, y: 60, width: 520, color: "ink/20" },
    { kind: "rectangle", x: 64, y: 436, width: 64, height: 6, fill: "#ff6f59", block: "award" },
  ],
  blocks: { award: { top: 548, bottom: 164, align: "center" } },
  places: {
    logo: { ...left, y: 494, width: 220, height: 46, block: "award" },
    facts: {
      ...left,
      ...sansLabels,
      y: 190,
      width: 520,
      labels: "above",
      columns: 4,
      size: 15,
      block: "award",
    },
    signatures: { ...left, ...sansLabels, y: 94, width: 520, height: 40, line: "ink/35" },
    seal: { x: 692, y: 444, size: 100, look: "ring", color: "paper" },
  },
  qr: { x: 742, y: 40, size: 66, color: "ink", background: "paper" },
  text_elements: {
    issuer: { ...issuer, ...left, ...heavy, y: 470, size: 14, max_width: 520, color: "accent" },
    title: { ...title, ...left, ...heavy, y: 396, size: 33, max_width: 520 },
    to: { ...joining, ...left, text: "{words.awarded_to}", y: 358, size: 14 },
    name: { ...name, max_lines: 3, ...left, y: 310, size: 46, max_width: 520, font: "Source Sans" },
    for: { ...joining, ...left, text: "{words.for_completing}", y: 278, size: 14 },
    context: { ...context, ...left, ...heavy, y: 246, size: 23, max_width: 520 },
    date: { ...footDate, ...left, y: 42, size: 9.5, max_width: 230 },
    verify: { ...verify, x: 584, y: 42, align: "right", size: 9.5, max_width: 290 },
  },
};
