import { pdfNumber } from "../pdf/pdf-object.js";
import type { Font } from "../text/font.js";
import { paragraphs, type TextStyle } from "../text/text-lines.js";

/** What runs round a seal, and in which letters. */
export interface SealWords {
  readonly text: string;
  readonly style: TextStyle;
}

/** As shares of the radius of the seal. */
const size = 0.185;
const baseline = 0.665;
const leastSize = 0.1;

/** As shares of the circle. */
const full = 0.84;
const twice = 0.4;

/** The most that letters stand apart, in sizes. */
const widest = 0.55;

/** Outlines are drawn in whole units, so many to a size: finer than print, and half the bytes. */
const units = 250;

interface Letter {
  /** Operators of its outline. */
  readonly path: string;
  /** Of its middle, in sizes from the beginning of the line. */
  readonly middle: number;
  /** From its middle to its origin, and up. */
  readonly left: number;
  readonly rise: number;
  /** How many letters that stand apart come before it. */
  readonly before: number;
}

/**
 * Words set clockwise round a seal, as operators about its centre: a short text twice, with lozenges between; a longer one once, spread
 * over the circle. One that is too long even for small letters is left out, as half a name would be no name.
 */
export function sealWords({ text, style }: SealWords, radius: number): string {
  const [paragraph] = paragraphs(text.replaceAll("\n", " "), style);
  if (!paragraph) return "";
  const { letters, width, gaps } = lettersOf(paragraph.line());
  const ring = 2 * Math.PI * radius * baseline;
  const natural = Math.min(size * radius, (ring * full) / width);
  if (natural < leastSize * radius) return "";
  const times = natural * width <= ring * twice ? 2 : 1;
  const room = (ring * full) / times;
  const spacing = gaps === 0 ? 0 : Math.min(widest, (room / natural - width) / gaps);
  const length = width + spacing * gaps;
  const turns = Array.from({ length: times }, (_, turn) => turn * ((2 * Math.PI) / times));
  return turns
    .flatMap((middle) => [
      ...letters.map((letter) => {
        const along = letter.middle + spacing * letter.before - length / 2;
        return placed(letter, middle + (along * natural) / (radius * baseline), natural);
      }),
      placed(lozenge, middle + Math.PI / times, size * radius),
    ])
    .join("\n");

  function placed({ path, left, rise }: Pick<Letter, "path" | "left" | "rise">, angle: number, size: number) {
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    const unit = size / units;
    const [across, up] = [left * size, rise * size + radius * baseline];
    const matrix = [
      unit * cos,
      -unit * sin,
      unit * sin,
      unit * cos,
      across * cos + up * sin,
      up * cos - across * sin,
    ];
    return `q ${matrix.map(pdfNumber).join(" ")} cm\n${path}\nf Q`;
  }
}

const lozenge = { path: "0 130 m 35 80 l 0 30 l -35 80 l h", left: 0, rise: 0 };

/** Letters that join, and marks, stay with those before them. */
function lettersOf({ runs }: ReturnType<ReturnType<typeof paragraphs>[number]["line"]>) {
  const letters: Letter[] = [];
  let pen = 0;
  let gaps = 0;
  for (const { face, rightToLeft, glyphs, positions } of runs) {
    const scale = face.scale / face.font.unitsPerEm;
    glyphs.forEach((glyph, index) => {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
      const isApart = face.spaceable && !rightToLeft && xAdvance !== 0 && letters.length > 0;
      if (isApart) gaps++;
      const previous = letters.at(-1);
      const middle = xAdvance === 0 && previous ? previous.middle : pen + (xAdvance * scale) / 2;
      const left = pen + xOffset * scale - middle;
      const path = outlineOf(face.font.outline(glyph), scale * units);
      letters.push({ path, middle, left, rise: yOffset * scale, before: gaps });
      pen += xAdvance * scale;
    });
  }
  return { letters, width: Math.max(pen, 0.01), gaps };
}

/** An outline in whole units. PDF has no quadratic curves: each becomes the cubic that is the same, or a line where it is as good as one. */
function outlineOf(commands: ReturnType<Font["outline"]>, scale: number): string {
  const operators: string[] = [];
  let [x, y] = [0, 0];
  for (const { type, values } of commands) {
    const points = values.map((value) => value * scale);
    const [endX = x, endY = y] = points.slice(-2);
    if (type === "Z") operators.push("h");
    else if (type === "M") operators.push(`${whole(points)} m`);
    else if (type === "L" || isStraight(x, y, points)) {
      if (whole([endX, endY]) !== whole([x, y])) operators.push(`${whole([endX, endY])} l`);
    } else operators.push(`${whole(type === "Q" ? cubic(x, y, points) : points)} c`);
    if (type !== "Z") [x, y] = [endX, endY];
  }
  return operators.join("\n");
}

function isStraight(x: number, y: number, points: readonly number[]): boolean {
  const [endX = x, endY = y] = points.slice(-2);
  const length = Math.hypot(endX - x, endY - y) || 1;
  for (let index = 0; index < points.length - 2; index += 2) {
    const [cx = x, cy = y] = points.slice(index);
    if (Math.abs((endX - x) * (cy - y) - (endY - y) * (cx - x)) / length > 0.8) return false;
  }
  return true;
}

function cubic(x: number, y: number, [cx = 0, cy = 0, endX = 0, endY = 0]: readonly number[]): number[] {
  const toControl = (from: number, control: number) => from + (2 / 3) * (control - from);
  return [toControl(x, cx), toControl(y, cy), toControl(endX, cx), toControl(endY, cy), endX, endY];
}

function whole(values: readonly number[]): string {
  return values.map((value) => String(Math.round(value) || 0)).join(" ");
}
