import type { DesignOptions } from "./design-file.js";
import {
  capitalStyle,
  context,
  facts,
  footInTwoLanguages,
  issuer,
  italicJoining,
  joining,
  name,
  signatures,
  title,
} from "./parts.js";

/** Words in the second language, below those in the first. */
const second = { ...italicJoining, size: 13 } as const;

/** Two languages, one below the other. */
export const bilingual: DesignOptions = {
  page: { drawn_for: "A4" },
  paper: "#fffefa",
  accent_color: "#5a2a5e",
  defaults: { color: "#1b1b1f" },
  second_language: "es",
  mirror: true,
  shapes: [
    { kind: "rectangle", x: 20, y: 20, width: 802, height: 555.28, color: "accent", weight: 1.6 },
    { kind: "rectangle", x: 25, y: 25, width: 792, height: 545.28, color: "accent/45", weight: 0.5 },
    { kind: "line", x: 371, y: 378, width: 100, color: "accent/60", weight: 0.6, block: "award" },
    { kind: "line", x: 421, y: 38, height: 30, color: "accent/45", weight: 0.5 },
  ],
  blocks: { award: { top: 556, bottom: 80 } },
  places: {
    logo: { x: 301, y: 496, width: 240, height: 40, block: "award" },
    facts: { ...facts, x: 421, y: 184, width: 560, second_labels: true },
    signatures: { ...signatures, x: 421, y: 70, width: 430, height: 40 },
    seal: { x: 60, y: 52, size: 78, look: "ring" },
  },
  qr: { x: 722, y: 58, size: 60, color: "accent" },
  text_elements: {
    issuer: { ...issuer, ...capitalStyle, y: 472, size: 12.5, max_width: 640, color: "ink/85" },
    title: { ...title, y: 426, size: 30, max_width: 680, font: "EB Garamond Medium" },
    second_title: {
      ...title,
      text: "{second.title}",
      y: 398,
      size: 20,
      max_width: 620,
      font: "EB Garamond Italic",
    },
    to: { ...joining, text: "{words.awarded_to}", y: 357, size: 15, max_width: 600 },
    second_to: { ...second, text: "{second.awarded_to}", y: 342, max_width: 600 },
    name: { ...name, y: 297, size: 44, max_width: 690, font: "EB Garamond Medium" },
    for: { ...joining, text: "{words.for}", y: 271, size: 15 },
    second_for: { ...second, text: "{second.for}", y: 256 },
    context: { ...context, y: 226, size: 23, max_width: 620 },
    ...footInTwoLanguages({ y: 58, max_width: 262 }),
  },
};
