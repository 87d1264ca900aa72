import { z } from "zod";
import { help } from "#foundation/languages/option-help.js";
import { fontFamilies } from "../text/font-families.js";
import { color } from "./palette.js";
import { pathProblem } from "./path-data.js";

export const points = z.number().min(-5000).max(5000);
export const length = z.number().positive().max(5000);
export const font = z
  .string()
  .min(1)
  .max(100)
  .meta(help("font"))
  .meta({ examples: Object.keys(fontFamilies) });
const size = z.number().min(1).max(500);
const align = z.enum(["left", "center", "right"]);
/** Name of a text element, a block or a group. */
export const elementName = z
  .string()
  .regex(
    /^[A-Za-z_][\w-]{0,63}$/,
    "must be a name of letters, digits, `_` and `-` that begins with a letter or `_`",
  );

export const blockName = elementName.meta(help("block"));

/** Options of every element on a page. Only editors use `locked` and `group`. */
export const commonElementOptions = {
  hidden: z.boolean().meta(help("hidden")).optional(),
  locked: z.boolean().meta(help("locked")).optional(),
  group: elementName.meta(help("group")).optional(),
};

const box = {
  x: points.meta(help("qr.x")),
  y: points.meta(help("qr.y")),
};

export const shape = z.strictObject({
  kind: z.enum(["line", "rectangle", "ellipse", "path", "rosette", "guilloche"]).meta(help("kind")),
  ...box,
  width: points.meta(help("shapes.width")).default(0),
  height: points.meta(help("shapes.height")).default(0),
  color: color.meta(help("shapes.color")).optional(),
  weight: z.number().min(0.05).max(100).meta(help("weight")).default(0.5),
  fill: color.meta(help("fill")).optional(),
  radius: z.number().min(0).max(500).meta(help("radius")).default(0),
  dash: z.number().min(0.1).max(100).meta(help("dash")).optional(),
  turn: z.number().min(-360).max(360).meta(help("turn")).default(0),
  petals: z.int().min(2).max(72).meta(help("petals")).default(24),
  inner: z.number().min(0.02).max(1).meta(help("inner")).default(0.5),
  path: z
    .string()
    .max(8000)
    .superRefine((data, context) => {
      const message = pathProblem(data);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    })
    .meta(help("path"))
    .optional(),
  block: blockName.optional(),
  ...commonElementOptions,
});

export type Shape = z.output<typeof shape>;

const text = {
  size: size.meta(help("defaults.size")),
  font: font.optional(),
  color: color.meta(help("places.facts.color")).default("ink"),
  label_color: color.meta(help("label_color")).default("ink/70"),
  label_font: font.optional(),
};

const logo = z.strictObject({
  ...box,
  width: length.meta(help("places.logo.width")),
  height: length.meta(help("places.logo.height")),
  align: align.meta(help("places.logo.align")).default("center"),
  block: blockName.optional(),
  ...commonElementOptions,
});

const facts = z.strictObject({
  x: points.meta(help("places.facts.x")),
  y: points.meta(help("places.facts.y")),
  width: length.meta(help("places.facts.width")),
  align: align.meta(help("places.facts.align")).default("center"),
  columns: z.int().min(1).max(8).meta(help("columns")).default(4),
  labels: z.enum(["above", "below", "beside"]).meta(help("places.facts.labels")).default("below"),
  second_labels: z.boolean().meta(help("second_labels")).optional(),
  ...text,
  size: text.size.default(13),
  rule: color.meta(help("rule")).optional(),
  block: blockName.optional(),
  ...commonElementOptions,
});

const signatures = z.strictObject({
  x: points.meta(help("places.facts.x")),
  y: points.meta(help("places.signatures.y")),
  width: length.meta(help("places.signatures.width")),
  align: align.meta(help("places.signatures.align")).default("center"),
  height: length.meta(help("places.signatures.height")).default(42),
  column: length.meta(help("column")).default(190),
  gap: length.meta(help("gap")).optional(),
  ...text,
  size: text.size.default(12.5),
  line: color.meta(help("line")).optional(),
  block: blockName.optional(),
  ...commonElementOptions,
});

const seal = z.strictObject({
  ...box,
  size: length.meta(help("places.seal.size")),
  color: color.meta(help("places.seal.color")).default("accent"),
  look: z.enum(["engraved", "ring", "wreath", "none"]).meta(help("look")).default("engraved"),
  ...commonElementOptions,
});

/** Positions of the parts that consist of several texts or pictures. */
export const places = z
  .strictObject({ logo, facts, signatures, seal })
  .partial()
  .prefault({})
  .meta(help("places"));

export type Places = z.output<typeof places>;

/** Groups of texts that move together to close gaps. */
export const blocks = z
  .record(
    elementName,
    z.strictObject({
      top: points.meta(help("top")),
      bottom: points.meta(help("bottom")),
      align: z.enum(["top", "center", "bottom"]).meta(help("blocks.align")).default("center"),
    }),
  )
  .prefault({})
  .meta(help("blocks"));

export type Blocks = z.output<typeof blocks>;
