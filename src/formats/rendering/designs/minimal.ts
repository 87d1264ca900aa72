import type { DesignOptions } from "./design-file.js";
import { context, facts, name, title, verify } from "./parts.js";

/** Few words and much white space. */
export const minimal: DesignOptions = {
  page: { drawn_for: "A4" },
  paper: "#ffffff",
  accent_color: "#8a5a2b",
  defaults: { color: "#1a1a1a" },
  mirror: true,
  shapes: [
    { kind: "line", x: 72, y: 124, width: 698, color: "ink/30", weight: 0.4 },
    { kind: "line", x: 397, y: 388, width: 48, color: "accent", weight: 0.8, block: "award" },
  ],
  blocks: { award: { top: 540, bottom: 140 } },
  places: {
    logo: { x: 321, y: 470, width: 200, height: 44, block: "award" },
    facts: { ...facts, x: 421, y: 205, width: 560 },
    signatures: { x: 421, y: 70, width: 360, height: 30, column: 160, size: 12 },
    seal: { x: 600, y: 52, size: 56, look: "none" },
  },
  qr: { x: 716, y: 52, size: 54, color: "ink/85" },
  text_elements: {
    title: { ...title, y: 412, size: 29, max_width: 690, small_caps: true, char_space: 1.6 },
    name: { ...name, y: 330, size: 60, max_width: 690 },
    context: { ...context, y: 276, size: 27, max_width: 640, font: "EB Garamond Italic" },
    issuer: { text: "{platform_name}", x: 72, y: 84, align: "left", size: 15, max_width: 190, max_lines: 2 },
    date: { x: 72, y: 58, align: "left", size: 12, color: "ink/80" },
    verify: { ...verify, y: 30, size: 8.5, max_width: 560, color: "ink/70" },
  },
};
