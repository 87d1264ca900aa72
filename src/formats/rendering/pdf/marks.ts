import type { TextBlock } from "../text/fit-text.js";
import type { Rgb } from "./color.js";
import type { PdfObject } from "./pdf-object.js";

/** A page as displayed. Lengths are in points, from the bottom left corner. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

export interface Box extends PageSize {
  readonly x: number;
  readonly y: number;
}

export type Align = "left" | "center" | "right";

/** Marks are in drawing order, which is also the reading order. */
export type Mark = Decoration | TextMark | Figure;

/** A drawing that screen readers skip. Consists of operators, and the objects to which they refer. */
export interface Decoration {
  readonly kind: "decoration";
  /** Path of the option that places the decoration. */
  readonly option?: string;
  /** undefined for decorations that layouts don't list. */
  readonly box?: Box;
  readonly operators: string;
  readonly resources?: readonly Resource[];
  /** True for lines between texts, which move closer together when the texts shrink. */
  readonly stretches?: boolean;
}

export interface TextMark {
  readonly kind: "text";
  /** Path of the option that places the text; undefined if the built-in design places it. */
  readonly option?: string;
  readonly block: TextBlock;
  readonly x: number;
  /** Baseline of the first line. */
  readonly baseline: number;
  readonly align: Align;
  readonly color: Rgb;
  /** Structure type. Default: a paragraph */
  readonly tag?: "H1" | "H2";
  /** BCP 47 tag, if it differs from that of the document. */
  readonly language?: string;
  readonly link?: string;
}

/** A drawing that conveys a meaning. */
export interface Figure {
  readonly kind: "figure";
  /** Path of the option that places the figure. */
  readonly option?: string;
  readonly operators: string;
  readonly resources?: readonly Resource[];
  readonly box: Box;
  readonly alt: string;
  readonly link?: string;
}

/** A form, image or graphics state, with the name by which operators refer to it. */
export interface Resource {
  readonly category: "XObject" | "ExtGState";
  readonly name: string;
  readonly object: PdfObject;
}

/** Returns the box of a text, from the top to the bottom of its ink. */
export function boxOf({ block, x, baseline, align }: TextMark): Box {
  return {
    x: x - block.width * alignShare(align),
    y: baseline + block.ascent - block.height,
    width: block.width,
    height: block.height,
  };
}

/** Returns the share of a text's width that is to the left of its `x`. */
export function alignShare(align: Align): number {
  return { left: 0, center: 0.5, right: 1 }[align];
}
