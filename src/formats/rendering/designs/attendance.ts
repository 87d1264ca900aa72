import type { DesignOptions } from "./design-file.js";
import { context, date, issuer, joining, name, sansLabels, title, verify } from "./parts.js";

const left = { x: 64, align: "left" } as const;
const heavy = { font: "Source Sans SemiBold" } as const;

/** Place and trainer, which are printed if the learner's enrolment states them. */
const particular = { ...left, block: "award", size: 15, max_width: 467, color: "ink/85" } as const;

/** Portrait and plain. Says who attended what, where, with whom, and for how long. */
export const attendance: DesignOptions = {
  page: { orientation: "portrait", drawn_for: "A4" },
  paper: "#ffffff",
  accent_color: "#a3471d",
  defaults: { color: "#22201e", font: "Source Sans" },
  mirror: true,
  shapes: [
    { kind: "rectangle", x: 0, y: 818, width: 595.28, height: 23.89, fill: "accent" },
    { kind: "rectangle", x: 0, y: 0, width: 595.28, height: 118, fill: "accent/8" },
    { kind: "rectangle", x: 64, y: 622, width: 40, height: 3, fill: "accent", block: "award" },
  ],
  blocks: { award: { top: 776, bottom: 160, align: "center" } },
  places: {
    logo: { ...left, y: 724, width: 220, height: 48, block: "award" },
    facts: {
      ...left,
      ...sansLabels,
      y: 402,
      width: 467,
      labels: "above",
      columns: 4,
      size: 16,
      block: "award",
    },
    signatures: {
      ...left,
      ...sansLabels,
      y: 226,
      width: 467,
      height: 44,
      line: "ink/40",
      block: "award",
    },
    seal: { x: 380, y: 24, size: 72, look: "none" },
  },
  qr: { x: 471, y: 29, size: 60, color: "ink/85" },
  text_elements: {
    issuer: { ...issuer, ...left, ...heavy, y: 690, size: 13.5, max_width: 460, color: "ink/80" },
    title: { ...title, ...left, ...heavy, y: 640, size: 30, max_width: 467, max_lines: 3 },
    to: { ...joining, ...left, text: "{words.awarded_to}", y: 590, size: 14.5 },
    name: { ...name, ...left, y: 540, size: 44, max_width: 467, max_lines: 3, font: "Source Sans" },
    for: { ...joining, ...left, text: "{words.for_attending}", y: 508, size: 14.5 },
    context: { ...context, ...left, ...heavy, y: 466, size: 26, max_width: 467, max_lines: 4 },
    place: { ...particular, text: "{words.place}: {enrollment.place}", y: 354 },
    trainer: { ...particular, text: "{words.trainer}: {enrollment.trainer}", y: 333 },
    date: { ...date, ...left, y: 312, size: 15 },
    verify: {
      ...verify,
      ...left,
      text: "{words.verify_at}\n{verify_short_url}",
      y: 62,
      size: 10.5,
      max_width: 380,
      max_lines: 3,
    },
  },
};
