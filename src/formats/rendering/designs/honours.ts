import type { DesignOptions } from "./design-file.js";
import { context, facts, issuer, italicJoining, italicLabels, name, title, verify } from "./parts.js";

/** Portrait, with the issuer on a coloured band and the results in a table. */
export const honours: DesignOptions = {
  page: { orientation: "portrait", drawn_for: "A4" },
  paper: "#fffefb",
  accent_color: "#23395b",
  defaults: { color: "#1a1c22" },
  facts: ["grade", "completion", "hours", "credits", "steps", "learner_id", "award_date", "valid_until"],
  mirror: true,
  shapes: [
    { kind: "rectangle", x: 0, y: 762, width: 595.28, height: 79.89, fill: "accent" },
    { kind: "rectangle", x: 0, y: 754, width: 595.28, height: 3, fill: "#c2a15a" },
    { kind: "rectangle", x: 0, y: 0, width: 595.28, height: 14, fill: "accent" },
    { kind: "line", x: 257.6, y: 588, width: 80, color: "#c2a15a", weight: 1, block: "award" },
  ],
  blocks: { award: { top: 736, bottom: 196, align: "center" }, head: { top: 834, bottom: 768 } },
  places: {
    logo: { x: 197.6, y: 664, width: 200, height: 62, block: "award" },
    facts: { ...facts, x: 297.6, y: 372, width: 360, labels: "beside", size: 14, rule: "ink/20" },
    signatures: {
      ...italicLabels,
      x: 297.6,
      y: 134,
      width: 480,
      height: 44,
      column: 165,
      gap: 112,
      line: "ink/50",
    },
    seal: { x: 249.6, y: 84, size: 96, look: "wreath" },
  },
  qr: { x: 495, y: 36, size: 56, color: "accent" },
  text_elements: {
    issuer: {
      ...issuer,
      y: 794,
      size: 20,
      max_width: 480,
      small_caps: true,
      char_space: 1.2,
      color: "paper",
      block: "head",
    },
    title: { ...title, y: 612, size: 32, max_width: 480, max_lines: 3, font: "Playfair Display" },
    to: { ...italicJoining, text: "{words.awarded_to}", y: 556, size: 15.5 },
    name: { ...name, y: 504, size: 44, max_width: 490, max_lines: 3, font: "EB Garamond Italic" },
    for: { ...italicJoining, text: "{words.for_completing}", y: 470, size: 15.5 },
    context: { ...context, y: 432, size: 24, max_width: 470, max_lines: 4 },
    date: { y: 336, size: 13.5, font: "EB Garamond Italic", color: "ink/85", block: "award" },
    verify: { ...verify, x: 64, y: 44, align: "left", max_width: 400 },
  },
};
