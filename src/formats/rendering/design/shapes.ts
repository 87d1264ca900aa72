import { deflated } from "../pdf/embedded-font.js";
import type { Decoration, PageSize } from "../pdf/marks.js";
import { type PdfObject, pdfNumber } from "../pdf/pdf-object.js";
import type { Piece } from "./blocks.js";
import type { Shape } from "./page-options.js";
import type { Palette } from "./palette.js";
import { pathOperators } from "./path-data.js";
import type { PdfOptions } from "./pdf-options.js";

/** Distance of the control points of a cubic curve that looks like a quarter circle, as a share of the radius. */
const QUARTER_CIRCLE = 0.5523;
const strands = 6;
const roundEnds = 0.2;

interface PreparedShapes {
  /** The page's background and its fixed shapes, as one form XObject that all documents of a design share. */
  readonly fixed: readonly Decoration[];
  /** Shapes that belong to blocks. */
  readonly pieces: readonly Piece[];
  /** Boxes of fixed and hidden shapes, with nothing to draw. Used only in layouts. */
  readonly outlines: readonly Decoration[];
}

/** @param page its size, and whether left and right are exchanged */
export function prepareShapes(
  { shapes, paper }: Pick<PdfOptions, "shapes" | "paper">,
  palette: Palette,
  { size, isMirrored }: { readonly size: PageSize; readonly isMirrored: boolean },
): PreparedShapes {
  const matrix = isMirrored ? [`${numbers(-1, 0, 0, 1, size.width, 0)} cm`] : [];
  const ground =
    paper === undefined
      ? []
      : [`${numbers(...palette(paper))} rg ${numbers(0, 0, size.width, size.height)} re f`];
  const numbered = shapes.map((shape, index) => ({ ...shape, option: `shapes.${index}` }));
  const still = numbered.filter(({ block, hidden }) => block === undefined || hidden);
  const drawn = still
    .filter(({ hidden }) => !hidden)
    .map((shape) => `q\n${shapeOperators(shape, palette)}\nQ`);
  const operators = [...ground, ...matrix, ...drawn];
  return {
    fixed: operators.length > matrix.length ? [decorationOf(formOf(operators.join("\n")), "Shapes")] : [],
    outlines: still.map((shape) => outlineOf(shape, size, isMirrored)),
    pieces: numbered.flatMap((shape) => {
      if (shape.block === undefined || shape.hidden) return [];
      const half = Math.abs(shape.height) / 2;
      const extent = { above: half, below: half };
      const operators = [...matrix, shapeOperators(shape, palette)].join("\n");
      const marks = [{ ...outlineOf(shape, size, isMirrored), operators }];
      return [
        { block: shape.block, y: shape.y + shape.height / 2, designed: extent, printed: extent, marks },
      ];
    }),
  };
}

function outlineOf(
  shape: Shape & { readonly option: string },
  size: PageSize,
  isMirrored: boolean,
): Decoration {
  const [width, height] = [Math.abs(shape.width), Math.abs(shape.height)];
  const left = Math.min(shape.x, shape.x + shape.width);
  const x = isMirrored ? size.width - left - width : left;
  const box = { x, y: Math.min(shape.y, shape.y + shape.height), width, height };
  return { kind: "decoration", option: shape.option, box, operators: "" };
}

function formOf(operators: string): PdfObject {
  return deflated(Buffer.from(operators), {
    Type: "/XObject",
    Subtype: "/Form",
    BBox: "[-5000 -5000 10000 10000]",
    Resources: "<<>>",
  });
}

export function decorationOf(form: PdfObject, name: string): Decoration {
  return {
    kind: "decoration",
    operators: `/${name} Do`,
    resources: [{ category: "XObject", name, object: form }],
  };
}

function shapeOperators(shape: Shape, palette: Palette): string {
  const { x, y, turn, weight, dash, fill, color } = shape;
  const stroke = color ?? (fill === undefined ? "ink" : undefined);
  const [sin, cos] = [Math.sin((turn * Math.PI) / 180), Math.cos((turn * Math.PI) / 180)];
  const paint = stroke === undefined ? "f" : fill === undefined ? "S" : "B";
  return [
    `${numbers(cos, sin, -sin, cos, x, y)} cm`,
    ...(fill === undefined ? [] : [`${numbers(...palette(fill))} rg`]),
    ...(stroke === undefined ? [] : [`${numbers(...palette(stroke))} RG`, `${pdfNumber(weight)} w`]),
    ...(dash === undefined
      ? []
      : dash <= roundEnds
        ? [`1 J [0 ${pdfNumber(3 * weight)}] 0 d`]
        : [`[${pdfNumber(dash)}] 0 d`]),
    outline(shape, paint),
  ].join("\n");
}

function outline(shape: Shape, paint: string): string {
  const { kind, width, height, radius, path, petals, inner } = shape;
  const [across, up] = [width / 2, height / 2];
  switch (kind) {
    case "line":
      return `0 0 m ${numbers(width, height)} l S`;
    case "rectangle":
      return radius === 0
        ? `${numbers(0, 0, width, height)} re ${paint}`
        : `${rounded(width, height, Math.min(radius, Math.abs(across), Math.abs(up)))} ${paint}`;
    case "ellipse":
      return `${numbers(1, 0, 0, 1, across, up)} cm\n${ellipse(across, up)} ${paint}`;
    case "path":
      return `${pathOperators(path ?? "", pdfNumber)} ${paint}`;
    case "rosette":
      return rosette(Math.min(across, up), petals, inner);
    case "guilloche":
      return guilloche(width, height);
  }
}

function ellipse(a: number, b: number): string {
  const [c, d] = [a * QUARTER_CIRCLE, b * QUARTER_CIRCLE];
  return [
    `${numbers(a, 0)} m`,
    `${numbers(a, d, c, b, 0, b)} c`,
    `${numbers(-c, b, -a, d, -a, 0)} c`,
    `${numbers(-a, -d, -c, -b, 0, -b)} c`,
    `${numbers(c, -b, a, -d, a, 0)} c h`,
  ].join(" ");
}

function rounded(width: number, height: number, r: number): string {
  const k = r * (1 - QUARTER_CIRCLE);
  return [
    `${numbers(r, 0)} m ${numbers(width - r, 0)} l`,
    `${numbers(width - k, 0, width, k, width, r)} c ${numbers(width, height - r)} l`,
    `${numbers(width, height - k, width - k, height, width - r, height)} c ${numbers(r, height)} l`,
    `${numbers(k, height, 0, height - k, 0, height - r)} c ${numbers(0, r)} l`,
    `${numbers(0, k, k, 0, r, 0)} c h`,
  ].join(" ");
}

/** Draws ellipses rotated about the middle. All use the same sequence of operators, which compresses well. */
function rosette(radius: number, petals: number, inner: number): string {
  const step = Math.PI / petals;
  const [sin, cos] = [Math.sin(step), Math.cos(step)];
  const petal = `${ellipse(radius, radius * inner)} S ${numbers(cos, sin, -sin, cos, 0, 0)} cm`;
  return [`${numbers(1, 0, 0, 1, radius, radius)} cm`, ...Array.from({ length: petals }, () => petal)].join(
    "\n",
  );
}

/** Draws a braid of sine waves along the longer side of its box, clipped to the box. */
function guilloche(width: number, height: number): string {
  const [long, band] = [Math.max(width, height), Math.min(width, height)];
  const periods = Math.max(1, Math.round(long / (2 * band)));
  const period = long / periods;
  const waves = Array.from({ length: strands }, (_, strand) =>
    [0.46, -0.46, 0.17, -0.17].map((share) =>
      wave(((strand + 0.5) / strands) * period, period, band * share),
    ),
  ).flat();
  const repeated = `${waves.join(" ")} S ${numbers(1, 0, 0, 1, period, 0)} cm`;
  return [
    ...(height > width ? [`${numbers(0, 1, -1, 0, width, 0)} cm`] : []),
    `${numbers(0, 0, long, band)} re W n ${numbers(1, 0, 0, 1, -period, band / 2)} cm`,
    ...Array.from({ length: periods + 1 }, () => repeated),
  ].join("\n");
}

function wave(x: number, period: number, amplitude: number): string {
  return [
    `${numbers(x, 0)} m`,
    ...sineWave(x, period, amplitude).map((curve) => `${numbers(...curve)} c`),
  ].join(" ");
}

type Curve = readonly [x1: number, y1: number, x2: number, y2: number, x: number, y: number];

/** Returns one period of a sine wave along the x axis, as four cubic curves of a quarter period each. */
export function sineWave(x: number, period: number, amplitude: number): Curve[] {
  const part = period / 4;
  const [x1, y1, x2] = [0.3262 * part, 0.5123, 0.6381 * part];
  const half = (start: number, height: number): Curve[] => {
    const top = start + part;
    const end = top + part;
    return [
      [start + x1, y1 * height, start + x2, height, top, height],
      [end - x2, height, end - x1, y1 * height, end, 0],
    ];
  };
  return [...half(x, amplitude), ...half(x + 2 * part, -amplitude)];
}

function numbers(...values: readonly number[]): string {
  return values.map(pdfNumber).join(" ");
}
