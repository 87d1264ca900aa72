import type { DesignOptions } from "./design-file.js";
import { context, date, issuer, joining, name, sansLabels, title } from "./parts.js";

const left = { x: 280, align: "left" } as const;
const heavy = { font: "Source Sans SemiBold" } as const;

/** A coloured panel with a badge, and the facts in a table. */
export const microCredential: DesignOptions = {
  page: { drawn_for: "A4" },
  paper: "#ffffff",
  accent_color: "#243b7a",
  defaults: { color: "#1c2230", font: "Source Sans" },
  facts: ["grade", "completion", "hours", "credits", "steps", "learner_id", "award_date", "valid_until"],
  mirror: true,
  shapes: [
    { kind: "rectangle", x: 0, y: 0, width: 232, height: 595.28, fill: "accent" },
    {
      kind: "rosette",
      x: 17,
      y: 351,
      width: 198,
      height: 198,
      petals: 6,
      inner: 0.92,
      color: "paper/30",
      weight: 0.5,
    },
    { kind: "line", x: 280, y: 240, width: 412, color: "ink/20", block: "award" },
  ],
  blocks: { award: { top: 560, bottom: 146, align: "center" } },
  places: {
    logo: { ...left, y: 500, width: 200, height: 42, block: "award" },
    facts: {
      ...left,
      ...sansLabels,
      y: 252,
      width: 412,
      labels: "beside",
      size: 13.5,
      rule: "ink/20",
      block: "award",
    },
    signatures: { ...left, ...sansLabels, y: 76, width: 506, height: 36, line: "ink/35" },
    seal: { x: 47, y: 381, size: 138, look: "ring", color: "paper" },
  },
  qr: { x: 80, y: 72, size: 72, color: "accent", background: "paper" },
  text_elements: {
    issuer: { ...issuer, ...left, ...heavy, y: 474, size: 13, max_width: 500, color: "accent" },
    context: { ...context, ...left, ...heavy, y: 426, size: 25, max_width: 506 },
    title: { ...title, ...left, y: 396, size: 16, max_width: 506 },
    to: { ...joining, ...left, text: "{words.awarded_to}", y: 352, size: 13 },
    name: { ...name, max_lines: 3, ...left, y: 308, size: 42, max_width: 506, font: "Source Sans" },
    date: { ...date, ...left, y: 214, size: 12.5 },
    verify: {
      text: "{words.verify_at}\n{verify_short_url}",
      x: 116,
      y: 54,
      size: 9,
      shrink: 1,
      max_width: 208,
      max_lines: 4,
      color: "paper",
    },
  },
};
