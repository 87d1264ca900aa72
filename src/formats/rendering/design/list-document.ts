import { languagesOf } from "#foundation/languages/languages.js";
import type { SealSlot } from "../generator.js";
import type { Attachment } from "../pdf/attachment.js";
import { parseColor } from "../pdf/color.js";
import { createDocumentFormat } from "../pdf/document-format.js";
import type { Mark, TextMark } from "../pdf/marks.js";
import { emptyPaper } from "../pdf/paper.js";
import { fitText } from "../text/fit-text.js";
import { uncovered } from "../text/font-coverage.js";
import { type FontChain, fallbackChains } from "../text/fonts.js";
import { commonFonts } from "./common-fonts.js";

const languages = languagesOf("page");

/** A plain document with a list that can span several pages. Its texts are already translated. */
export interface ListDocument {
  readonly title: string;
  /** Paragraphs before the list. */
  readonly introduction: readonly string[];
  readonly entries: readonly ListEntry[];
  readonly rightToLeft: boolean;
  readonly metadata: {
    readonly title: string;
    readonly subject: string;
    readonly keywords: string;
    /** BCP 47 tag. */
    readonly language: string;
    readonly created: Date;
  };
  readonly attachment: Attachment;
  readonly seal?: SealSlot;
}

/** An entry of the list. It is never split across pages. */
interface ListEntry {
  readonly heading: string;
  readonly lines: readonly string[];
  readonly link: { readonly text: string; readonly url: string };
}

const paper = emptyPaper({ width: 595.28, height: 841.89 });
const margin = 57;
const [left, right, top] = [margin, paper.width - margin, paper.height - margin];
/** Lower limit for entries, in points; the page number is below it. */
const bottom = 72;
const [ink, faint, blue] = ["#1b1f24", "#57606a", "#0b4f9e"].map(parseColor) as [Rgb, Rgb, Rgb];
type Rgb = ReturnType<typeof parseColor>;

const rule = { above: 9, below: 11 };

interface TextLook {
  readonly fonts: FontChain;
  /** In points. */
  readonly size: number;
  readonly color: Rgb;
  /** Space above the text, in points. */
  readonly space: number;
  readonly tag?: "H1" | "H2";
  readonly link?: string;
}

const { sans, sansSemibold } = fallbackChains;
const title: TextLook = { fonts: sansSemibold, size: 22, color: ink, space: 0, tag: "H1" };
const paragraph: TextLook = { fonts: sans, size: 10.5, color: ink, space: 7 };
const heading: TextLook = { fonts: sansSemibold, size: 12.5, color: ink, space: 0, tag: "H2" };
const line: TextLook = { fonts: sans, size: 10, color: faint, space: 4 };

/** Writes the document as PDF/A-3b. */
export function writeList(list: ListDocument): Uint8Array {
  const { metadata, entries, attachment, seal } = list;
  const format = createDocumentFormat({
    paper,
    common: commonFonts([sans, sansSemibold], metadata.language),
    shared: [],
    encrypt: false,
  });
  return format.write(pagesOf(list), {
    metadata,
    seed: JSON.stringify([metadata, entries]),
    attachment,
    seal,
  });
}

function pagesOf(list: ListDocument): Mark[][] {
  const pages: Mark[][] = [[]];
  let y = top;
  /** Adds an entry below the previous one, or on a new page. */
  function layDown(texts: readonly (readonly [string, TextLook])[]): void {
    const laid = texts.map(([text, look]) => ({ mark: laidOut(text, look, list), space: look.space }));
    const height = laid.reduce((sum, { space, mark }) => sum + space + mark.block.height, 0);
    const isFirst = pages.length === 1 && y === top;
    if (y - rule.above - rule.below - height < bottom && !isFirst) {
      pages.push([]);
      y = top;
    } else if (!isFirst) {
      y -= rule.above;
      pages.at(-1)?.push(ruleAt(y));
      y -= rule.below;
    }
    for (const { space, mark } of laid) {
      pages.at(-1)?.push({ ...mark, baseline: y - space - mark.block.ascent });
      y -= space + mark.block.height;
    }
  }
  layDown([[list.title, title], ...list.introduction.map((each) => [each, paragraph] as const)]);
  for (const { heading: name, lines, link } of list.entries)
    layDown([
      [name, heading],
      ...lines.map((each) => [each, line] as const),
      [link.text, { ...line, color: blue, link: link.url }],
    ]);
  const { pageOf } = languages.choose([list.metadata.language]);
  return pages.map((marks, index) => {
    const number = pageOf({ page: index + 1, pages: pages.length });
    const mark = laidOut(number, line, list);
    return [...marks, { ...mark, baseline: margin / 2 }];
  });
}

function laidOut(
  text: string,
  { fonts, size, color, tag, link }: TextLook,
  list: ListDocument,
): Omit<TextMark, "baseline"> {
  const { rightToLeft, metadata } = list;
  const block = fitText(
    printable(text),
    { fonts, language: metadata.language },
    { width: right - left, height: top - bottom, size, minSize: size, maxLines: 12 },
  );
  return {
    kind: "text",
    block,
    x: rightToLeft ? right : left,
    align: rightToLeft ? "right" : "left",
    color,
    ...(tag && { tag }),
    ...(link !== undefined && { link }),
  };
}

/** Replaces characters that no font has with question marks, so that they don't disappear unnoticed. */
function printable(text: string): string {
  return uncovered(text).reduce((rest, character) => rest.replaceAll(character, "?"), text);
}

function ruleAt(y: number): Mark {
  return { kind: "decoration", operators: `0.82 0.84 0.86 RG 0.6 w ${left} ${y} m ${right} ${y} l S` };
}
