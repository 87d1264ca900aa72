import type { DesignOptions } from "./design-file.js";
import { context, facts, footDate, issuer, italicJoining, name, title, verify } from "./parts.js";

/** Few words and much white space. */
export const minimal: DesignOptions = {
  page: { drawn_for: "A4" },
  paper: "#ffffff",
  accent_color: "#8a5a2b",
  defaults: { color: "#1a1a1a" },
  mirror: true,
  shapes: [
    { kind: "line", x: 72, y: 58, width: 698, color: "ink/30", weight: 0.4 },
    { kind: "line", x: 397, y: 398, width: 48, color: "accent", weight: 0.8, block: "award" },
  ],
  blocks: { award: { top: 548, bottom: 154 } },
  places: {
    logo: { x: 321, y: 486, width: 200, height: 44, block: "award" },
    facts: { ...facts, x: 421, y: 216, width: 560 },
    signatures: { x: 421, y: 104, width: 420, height: 36, column: 176, size: 12, line: "ink/40" },
    seal: { x: 72, y: 76, size: 56, look: "none" },
  },
  qr: { x: 712, y: 76, size: 58, color: "ink/85" },
  text_elements: {
    issuer: { ...issuer, y: 460, size: 15, max_width: 600, color: "ink/85" },
    to: { ...italicJoining, text: "{words.awarded_to}", y: 376, size: 15 },
    title: { ...title, y: 416, size: 29, max_width: 690, small_caps: true, char_space: 1.6 },
    name: { ...name, y: 324, size: 58, max_width: 690 },
    behalf: {
      ...italicJoining,
      text: "{words.on_behalf_of}\n{platform_name}",
      y: 170,
      size: 12.5,
      max_width: 420,
      max_lines: 3,
    },
    context: { ...context, y: 272, size: 27, max_width: 640, font: "EB Garamond Italic" },
    date: { ...footDate, x: 72, y: 40, align: "left", max_width: 280 },
    verify: { ...verify, x: 770, y: 40, align: "right", max_width: 390 },
  },
};
