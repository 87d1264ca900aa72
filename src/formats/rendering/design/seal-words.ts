import { pdfNumber } from "../pdf/pdf-object.js";
import { paragraphs, type TextStyle } from "../text/text-lines.js";
import { outlineOf } from "./outline.js";

export interface SealWords {
  readonly text: string;
  readonly style: TextStyle;
  /**
   * True if words in a script with joined letters, such as Arabic, appear only once. If they appeared twice, one of
   * them would be upside down.
   */
  readonly keepsUpright: boolean;
}

/** Shares of the seal's radius. */
const size = 0.185;
const baseline = 0.665;
const MIN_WORDS_SIZE = 0.1;

/**
 * Share of the circle that a text fills if it appears once (`full`), or that each copy fills if it appears twice
 * (`twice`).
 */
const full = 0.84;
const twice = 0.4;

/** Maximum space between letters, in font sizes. */
const widest = 0.55;

/** Units per font size. Outlines in whole units are more precise than print, and take half the bytes of decimals. */
const units = 250;

interface Letter {
  /** PDF operators that draw the outline. */
  readonly path: string;
  /** Position of the letter's middle, in font sizes from the start of the line. */
  readonly middle: number;
  /** Offset of the letter's origin from its middle, to the right and upwards. */
  readonly left: number;
  readonly rise: number;
  /** Number of gaps before the letter that letter spacing widens. */
  readonly before: number;
}

/**
 * Sets words clockwise around a seal. Returns operators with the seal's centre as the origin. A short text appears
 * twice, separated by lozenges, except if `keepsUpright` forbids it. A longer text appears once, spread over the circle.
 * A text that doesn't fit even in small letters is left out, because half a name would be wrong.
 */
export function sealWords({ text, style, keepsUpright }: SealWords, radius: number): string {
  const [paragraph] = paragraphs(text.replaceAll("\n", " "), style);
  if (!paragraph) return "";
  const { letters, width, gaps } = lettersOf(paragraph.line());
  const ring = 2 * Math.PI * radius * baseline;
  const natural = Math.min(size * radius, (ring * full) / width);
  if (natural < MIN_WORDS_SIZE * radius) return "";
  const mayRepeat = gaps > 0 || !keepsUpright;
  const times = mayRepeat && natural * width <= ring * twice ? 2 : 1;
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

/** Splits a line into letters. Joined letters and marks form one unit with the preceding letter. */
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
