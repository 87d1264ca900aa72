import type { DesignOptions } from "./design-file.js";
import {
  capitalStyle,
  context,
  facts,
  issuer,
  italicJoining,
  name,
  signatures,
  title,
  verify,
} from "./parts.js";

/** Portrait, with a crest and a rosette. */
export const portrait: DesignOptions = {
  page: { orientation: "portrait", drawn_for: "A4" },
  paper: "#fffdf8",
  accent_color: "#274a3a",
  defaults: { color: "#1b1b1f" },
  mirror: true,
  shapes: [
    { kind: "rectangle", x: 30, y: 30, width: 535, height: 782, color: "accent", weight: 1.3 },
    { kind: "rectangle", x: 36, y: 36, width: 523, height: 770, color: "accent/70", weight: 0.5 },
    {
      kind: "rosette",
      x: 282.6,
      y: 512,
      width: 30,
      height: 30,
      petals: 8,
      inner: 0.3,
      color: "accent",
      weight: 0.4,
      block: "award",
    },
    { kind: "line", x: 205, y: 527, width: 70, color: "accent/60", block: "award" },
    { kind: "line", x: 320, y: 527, width: 70, color: "accent/60", block: "award" },
  ],
  blocks: { award: { top: 770, bottom: 200, align: "center" } },
  places: {
    logo: { x: 197.6, y: 690, width: 200, height: 64, block: "award" },
    facts: { ...facts, x: 297.6, y: 300, width: 440, size: 14 },
    signatures: { ...signatures, x: 297.6, y: 196, width: 440, height: 44 },
    seal: { x: 74, y: 78, size: 88, look: "engraved" },
  },
  qr: { x: 450, y: 88, size: 66, color: "accent" },
  text_elements: {
    issuer: { ...issuer, ...capitalStyle, y: 660, size: 14, max_width: 440, color: "accent" },
    title: { ...title, y: 580, size: 30, max_width: 440, max_lines: 3, small_caps: true, char_space: 1.2 },
    to: { ...italicJoining, text: "{words.awarded_to}", y: 484, size: 15.5 },
    name: { ...name, y: 430, size: 44, max_width: 460, max_lines: 3 },
    for: { ...italicJoining, text: "{words.for}", y: 394, size: 15.5 },
    context: { ...context, y: 356, size: 24, max_width: 430, max_lines: 4 },
    date: {
      text: "{words.date_of_issue}\n{issue_date}",
      y: 124,
      size: 13,
      max_width: 200,
      color: "ink/85",
    },
    verify: { ...verify, y: 52, max_width: 460 },
  },
};
