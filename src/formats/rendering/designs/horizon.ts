import type { DesignOptions } from "./design-file.js";
import { context, footDate, issuer, joining, name, sansLabels, title } from "./parts.js";

const heavy = { font: "Source Sans SemiBold" } as const;

/** Hills in the institution's colour, which can be covered by a picture. */
export const horizon: DesignOptions = {
  page: { drawn_for: "A4" },
  paper: "#fbfaf6",
  accent_color: "#1f5d73",
  defaults: { color: "#1c2528", font: "Source Sans" },
  mirror: true,
  shapes: [
    { kind: "ellipse", x: 630, y: 44, width: 84, height: 84, fill: "#f2b84b" },
    {
      kind: "path",
      x: 0,
      y: -24,
      path: "M 0 0 L 0 96 C 90 124 150 132 232 112 C 330 88 410 134 520 128 C 640 120 720 82 842 110 L 842 0 Z",
      fill: "accent/28",
    },
    {
      kind: "path",
      x: 0,
      y: -16,
      path: "M 0 0 L 0 64 C 120 98 210 90 300 78 C 420 62 470 96 590 92 C 700 88 770 60 842 74 L 842 0 Z",
      fill: "accent/58",
    },
    {
      kind: "path",
      x: 0,
      y: -6,
      path: "M 0 0 L 0 46 C 130 64 220 74 350 56 C 480 38 560 70 680 62 C 750 56 800 46 842 48 L 842 0 Z",
      fill: "accent",
    },
    { kind: "rectangle", x: 391, y: 424, width: 60, height: 3, fill: "accent", block: "award" },
  ],
  blocks: { award: { top: 568, bottom: 124, align: "center" } },
  places: {
    logo: { x: 301, y: 512, width: 240, height: 44, block: "award" },
    facts: {
      ...sansLabels,
      x: 421,
      y: 238,
      width: 620,
      labels: "above",
      columns: 5,
      size: 14,
      block: "award",
    },
    signatures: {
      ...sansLabels,
      x: 421,
      y: 138,
      width: 430,
      height: 38,
      size: 12,
      line: "ink/35",
      block: "award",
    },
    seal: { x: 64, y: 480, size: 84, look: "none" },
  },
  qr: { x: 732, y: 28, size: 60, color: "accent", background: "paper" },
  text_elements: {
    issuer: { ...issuer, ...heavy, y: 488, size: 14, max_width: 640, color: "accent" },
    title: { ...title, ...heavy, y: 442, size: 30, max_width: 660 },
    to: { ...joining, text: "{words.awarded_to}", y: 400, size: 14 },
    name: { ...name, y: 354, size: 48, max_width: 690, font: "Source Sans" },
    for: { ...joining, text: "{words.for}", y: 322, size: 14 },
    context: { ...context, ...heavy, y: 290, size: 22, max_width: 660 },
    date: {
      ...footDate,
      x: 64,
      y: 28,
      align: "left",
      size: 9.5,
      max_width: 280,
      color: "paper",
    },
    verify: {
      text: "{words.verify_at} {verify_short_url}",
      x: 708,
      y: 28,
      align: "right",
      size: 9.5,
      max_width: 340,
      color: "paper",
    },
  },
};
