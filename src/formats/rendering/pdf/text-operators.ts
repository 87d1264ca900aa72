import type { Glyph } from "../text/font.js";
import type { TextRun } from "../text/text-lines.js";
import { alignShare, type TextMark } from "./marks.js";
import { pdfNumber } from "./pdf-object.js";

/** A font as used on a page: its name in operators, and the codes of its glyphs. */
export interface UsedFont {
  readonly name: string;
  codeOf(glyph: Glyph): string | undefined;
}

/** Returns the operators that show a block of text, from BT to ET. */
export function textOperators(mark: TextMark, fontOf: (run: TextRun) => UsedFont): string {
  const { block, x, baseline, align, color } = mark;
  const operators = ["BT", `${color.map(pdfNumber).join(" ")} rg`];
  block.lines.forEach((line, index) => {
    let left = x - line.width * block.size * alignShare(align);
    const y = pdfNumber(baseline - index * block.step);
    for (const run of line.runs) {
      const font = fontOf(run);
      operators.push(
        `/${font.name} ${pdfNumber(block.size * run.face.scale)} Tf 1 0 0 1 ${pdfNumber(left)} ${y} Tm`,
      );
      operators.push(...showRun(run, font, block.size));
      left += run.width * block.size;
    }
  });
  operators.push("ET");
  return operators.join("\n");
}

/**
 * Returns the operators that show a run: a TJ for each sequence of glyphs with the same rise (height above the baseline
 * in font units), Ts for the rise, and Tc for the spacing.
 */
function showRun({ glyphs, positions, spacing, face }: TextRun, font: UsedFont, size: number): string[] {
  const perMille = 1000 / face.font.unitsPerEm;
  const spacingPerMille = (spacing * 1000) / face.scale;
  const operators: string[] = [];
  let shown = "";
  let rise = 0;
  let gap = 0; // difference between the pen and its intended position, in thousandths of the size
  const flush = () => {
    if (shown !== "") operators.push(`[<${shown}>] TJ`);
    shown = "";
  };
  glyphs.forEach((glyph, index) => {
    const position = positions[index];
    const code = font.codeOf(glyph);
    if (!position || code === undefined) return;
    if (position.yOffset !== rise) {
      flush();
      rise = position.yOffset;
      operators.push(`${pdfNumber((rise / face.font.unitsPerEm) * size * face.scale)} Ts`);
    }
    const move = Math.round((gap + position.xOffset * perMille) * 100) / 100;
    if (move !== 0) shown += `>${pdfNumber(-move)}<`;
    shown += code;
    gap += (position.xAdvance - glyph.advanceWidth) * perMille - move;
    if (position.xAdvance === 0) gap -= spacingPerMille; // Tc also adds spacing after a glyph without width; this removes it
  });
  flush();
  if (rise !== 0) operators.push("0 Ts");
  if (spacing === 0) return operators;
  return [`${pdfNumber(spacing * size)} Tc`, ...operators, "0 Tc"];
}
