import { groupBy } from "#foundation/group-by.js";
import { alignShare, type Mark, type TextMark } from "../pdf/marks.js";
import { nominalAscent, nominalDescent, type Room } from "../text/fit-text.js";
import type { Piece } from "./blocks.js";
import { inRows, layFacts, type PrintedFact } from "./fact-row.js";
import {
  depthOf,
  labelClearance,
  lineAt,
  type PartContext,
  type PartOptions,
  partTexts,
  thinLines,
} from "./part-texts.js";
import type { PdfOptions } from "./pdf-options.js";
import type { WordsOf } from "./placeholders.js";

/** Size of labels in the second language, as a share of the labels' size. */
const secondLabelSize = 0.88;

type FactSetting = ReturnType<typeof settingOf>;

interface LaidFacts {
  readonly marks: readonly Mark[];
  /** PDF operators that draw thin lines between facts. */
  readonly lines: readonly string[];
  readonly above: number;
  readonly below: number;
}

/** A fact with its labels, all with their baselines at 0. */
interface Cell {
  readonly label: TextMark;
  /** The label in the second language. */
  readonly second: TextMark | undefined;
  readonly value: TextMark;
}

export function prepareFacts(partBox: PartOptions<"facts">, options: PdfOptions, context: PartContext) {
  const setting = settingOf(partBox, options, context);
  const { y, labels, rule, block, styles, above, below, second } = setting;
  const { facts, labels: words } = options;
  const { words: wording, tag: language } = context.language;
  const empty = { block, y, designed: { above, below }, printed: undefined, marks: [] };
  return {
    styles,
    piece(wordsOf: WordsOf): Piece {
      const listed = layFacts({ facts, labels: words, wording, second, language, wordsOf });
      if (listed.length === 0) return empty;
      const laid = labels === "beside" ? tableOf(listed, setting) : columnsOf(listed, setting);
      const ruled: Mark[] =
        rule === undefined || laid.lines.length === 0
          ? []
          : [
              {
                ...thinLines(laid.lines, context.palette(rule)),
                option: "places.facts",
                stretches: context.typesetting.shrinksTables,
              },
            ];
      const printed = { above: laid.above, below: laid.below };
      return { ...empty, printed, marks: [...ruled, ...laid.marks] };
    },
  };
}

function settingOf(partBox: PartOptions<"facts">, options: PdfOptions, context: PartContext) {
  const texts = partTexts("places.facts", partBox, options, context);
  const { size, smaller } = texts;
  const { labels } = partBox;
  const { words } = context.language;
  const second = partBox.second_labels ? context.phrases.second?.words : undefined;
  const under = second ? smaller * 1.35 : 0;
  const above = labels === "above" ? size * nominalAscent + smaller * 1.5 + under : size * nominalAscent;
  const below = labels === "below" ? smaller * 1.75 + under : size * nominalDescent;
  return {
    ...partBox,
    ...texts,
    second,
    /** Distance from the baseline of a label to the baseline of its translation, which is below it. */
    under,
    begins: words.direction === "rtl" ? (-1 as const) : (1 as const),
    /** Extent of a row. */
    above,
    below,
    /** Distance of rows. */
    step: (above + below) * (labels === "beside" ? 2.1 : 1.35),
    /** Distance from the baseline of values to that of their labels. */
    distance: labels === "above" ? size * nominalAscent + smaller * 0.62 + under : smaller * 1.4,
    clearsInk: context.typesetting.clearsInk,
    languageOf: ({ isOurs }: PrintedFact) => (isOurs ? { language: words.tag } : {}),
  };
}

/** Lays out one fact per row, with the label on the left and the value on the right, or the other way round. */
function tableOf(facts: readonly PrintedFact[], setting: FactSetting): LaidFacts {
  const { x, y, width, align, begins, size, smaller, small, main, above, below, step } = setting;
  const left = x - width * alignShare(align);
  const [start, end] = begins === 1 ? [left, left + width] : [left + width, left];
  const [near, far] = begins === 1 ? (["left", "right"] as const) : (["right", "left"] as const);
  const marks = facts.flatMap((fact, row) => {
    const baseline = y - row * step;
    const words = fact.second === undefined ? fact.words : `${fact.words} · ${fact.second}`;
    const label = small(words, roomOf(width * 0.5, smaller * 1.12, 1), start, baseline, near);
    const value = main(fact.value, roomOf(width * 0.48, size, 1), end, baseline, far);
    return [{ ...label, ...setting.languageOf(fact) }, value];
  });
  const lines = facts.map((_, row) => lineAt(left, y - row * step + step / 2 + size * 0.22, width, 0));
  return { marks, lines, above, below: below + (facts.length - 1) * step };
}

/** Sets facts in rows, with their labels above or below them. */
function columnsOf(facts: readonly PrintedFact[], setting: FactSetting): LaidFacts {
  const { x, y, width, align, columns, labels, begins, size, smaller, small, main, step } = setting;
  const linesOfLabel = setting.second ? 1 : 2;
  const inRow = Math.ceil(facts.length / Math.ceil(facts.length / columns));
  const cell = Math.min(width / inRow, size * 9);
  const textWidth = align === "center" ? cell - 14 : cell - 16;
  const cells = inRows(facts, inRow, begins).map((fact) => {
    const left = x - fact.count * cell * alignShare(align) + fact.column * cell;
    const anchor = left + cell * alignShare(align);
    const label = small(fact.words, roomOf(textWidth, smaller, linesOfLabel), anchor, 0, align);
    const other = fact.second;
    const second: TextMark | undefined =
      setting.second && other !== undefined
        ? {
            ...small(other, roomOf(textWidth, smaller * secondLabelSize, 1), anchor, 0, align),
            language: setting.second.tag,
          }
        : undefined;
    const value = main(fact.value, roomOf(textWidth, size, 2), anchor, 0, align);
    return { ...fact, left, label: { ...label, ...setting.languageOf(fact) }, second, value };
  });
  const rows = [...groupBy(cells, ({ row }) => row).values()];
  const extents = rows.map((row) => extentOf(row, setting));
  const marks: Mark[] = [];
  const lines: string[] = [];
  let grown = 0;
  extents.forEach(({ above, below, distance, under }, index) => {
    if (index > 0) grown += (extents[index - 1]?.below ?? 0) - setting.below + above - setting.above;
    const baseline = y - index * step - grown;
    const labelBaseline = baseline + (labels === "above" ? distance : -distance);
    for (const { column, left, label, second, value } of rows[index] ?? []) {
      marks.push({ ...label, baseline: labelBaseline });
      if (second) marks.push({ ...second, baseline: labelBaseline - under });
      marks.push({ ...value, baseline });
      const between = left - (align === "left" ? 10 : align === "right" ? -10 : 0);
      if (column > 0) lines.push(lineAt(between, baseline - below, 0, above + below));
    }
  });
  const [first = setting, last = setting] = [extents[0], extents.at(-1)];
  return { marks, lines, above: first.above, below: last.below + (rows.length - 1) * step + grown };
}

/** Returns the extent of a row, and the distances of its labels' baselines. */
function extentOf(row: readonly Cell[], setting: FactSetting) {
  const { labels, above, below, distance, under, clearsInk } = setting;
  if (!clearsInk) return { above, below, distance, under };
  const clearance = setting.smaller * labelClearance;
  const most = (of: (cell: Cell) => number) => Math.max(...row.map(of));
  const stacked = most(({ label, second }) => (second ? depthOf(label.block) + second.block.ascent : 0));
  const lowered = under === 0 ? 0 : Math.max(under, stacked + clearance);
  const labelDepth = most(({ label, second }) =>
    second ? lowered + depthOf(second.block) : depthOf(label.block),
  );
  const labelAscent = most(({ label }) => label.block.ascent);
  const valueDepth = most(({ value }) => depthOf(value.block));
  const valueAscent = most(({ value }) => value.block.ascent);
  if (labels === "above") {
    const apart = Math.max(distance, labelDepth + valueAscent + clearance);
    return {
      above: Math.max(above, apart + labelAscent),
      below: Math.max(below, valueDepth),
      distance: apart,
      under: lowered,
    };
  }
  const apart = Math.max(distance, valueDepth + labelAscent + clearance);
  return {
    above: Math.max(above, valueAscent),
    below: Math.max(below, apart + labelDepth),
    distance: apart,
    under: lowered,
  };
}

/** Returns the room for a text. Its height doesn't depend on the number of lines. */
function roomOf(width: number, size: number, maxLines: number): Room {
  return { width, height: size * 1.5, size, minSize: size * 0.7, maxLines };
}
