import { z } from "zod";
import { fontFamilies } from "../text/font-families.js";
import { color } from "./palette.js";
import { pathProblem } from "./path-data.js";

export const points = z.number().min(-5000).max(5000);
export const length = z.number().positive().max(5000);
export const font = z
  .string()
  .min(1)
  .max(100)
  .describe("Slug of a font asset, or the name of a built-in family")
  .meta({ examples: Object.keys(fontFamilies) });
const size = z.number().min(1).max(500);
const align = z.enum(["left", "center", "right"]);
const name = z.string().regex(/^[A-Za-z_][\w-]{0,63}$/, "must be a name of letters, digits, `_` and `-`");

export const blockName = name.describe(
  "Block to which it belongs: one of blocks. Its y then says how far it is from the others of the block",
);

const box = {
  x: points.describe("Left edge, in points from the left"),
  y: points.describe("Lower edge, in points from the bottom"),
};

/** A drawing made of lines and areas. */
export const shape = z.strictObject({
  kind: z
    .enum(["line", "rectangle", "ellipse", "path", "rosette", "guilloche"])
    .describe(
      "line: from x and y to the opposite corner; rosette: ellipses that turn about the middle; guilloche: a braid of waves along the longer side",
    ),
  ...box,
  width: points.describe("In points; for a line, how far it goes to the right").default(0),
  height: points.describe("In points; for a line, how far it goes up").default(0),
  color: color.describe("Colour of its lines; without it, and without fill, ink").optional(),
  weight: z.number().min(0.05).max(100).describe("Width of its lines, in points").default(0.5),
  fill: color.describe("Colour of its area").optional(),
  radius: z.number().min(0).max(500).describe("Radius of the corners of a rectangle").default(0),
  dash: z
    .number()
    .min(0.1)
    .max(100)
    .describe("Length of dashes, in points; 0.1 with a round end makes dots")
    .optional(),
  turn: z
    .number()
    .min(-360)
    .max(360)
    .describe("Degrees by which it is turned about x and y, anticlockwise")
    .default(0),
  petals: z.int().min(2).max(72).describe("Number of ellipses of a rosette").default(24),
  inner: z
    .number()
    .min(0.02)
    .max(1)
    .describe("Short axis of the ellipses, as a share of the long one")
    .default(0.5),
  path: z
    .string()
    .max(8000)
    .superRefine((data, context) => {
      const message = pathProblem(data);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    })
    .describe("For a path: M, L, C and Z as in SVG, in points to the right of x and up from y")
    .optional(),
  block: blockName.optional(),
});

export type Shape = z.output<typeof shape>;

const text = {
  size: size.describe("Size in points"),
  font: font.optional(),
  color: color.describe("Colour of the text").default("ink"),
  label_color: color.describe("Colour of what stands beside it in smaller letters").default("ink/70"),
  label_font: font.optional(),
};

const logo = z.strictObject({
  ...box,
  width: length.describe("Greatest width, in points"),
  height: length.describe("Greatest height, in points"),
  align: align.describe("Where in this box a smaller logo stands").default("center"),
  block: blockName.optional(),
});

const facts = z.strictObject({
  x: points.describe("Where the row is aligned, in points from the left"),
  y: points.describe("Baseline of the values in the first row, in points from the bottom"),
  width: length.describe("Width of a full row, in points"),
  align: align.describe("Which point of each row is at x").default("center"),
  columns: z.int().min(1).max(8).describe("Greatest number of facts in a row").default(4),
  labels: z.enum(["above", "below", "beside"]).describe("Where the labels stand").default("below"),
  ...text,
  size: text.size.default(13),
  rule: color.describe("Colour of thin lines between the facts; default: none").optional(),
  block: blockName.optional(),
});

const signatures = z.strictObject({
  x: points.describe("Where the row is aligned, in points from the left"),
  y: points.describe("Baseline of the names, in points from the bottom"),
  width: length.describe("Width of the row, in points"),
  align: align
    .describe("Which point of the row is at x, and where names stand in their columns")
    .default("center"),
  height: length.describe("Greatest height of the pictures, in points").default(42),
  column: length.describe("Greatest width of a column, in points").default(190),
  gap: length
    .describe("Width that stays free in the middle of a centred row, in points, as for a seal")
    .optional(),
  ...text,
  size: text.size.default(12.5),
  line: color
    .describe("Colour of the line between picture and name; someone without a picture has no line")
    .optional(),
  block: blockName.optional(),
});

const seal = z.strictObject({
  ...box,
  size: length.describe("Width and height, in points"),
  color: color.describe("Colour of the seal that is drawn").default("accent"),
  look: z
    .enum(["engraved", "ring", "none"])
    .describe("How the seal is drawn, with the issuer's name; none: only the picture of the option seal")
    .default("engraved"),
});

/** Positions of the parts of a design that consist of several texts or pictures. */
export const places = z
  .strictObject({ logo, facts, signatures, seal })
  .partial()
  .prefault({})
  .describe(
    "Where logo, facts, signatures and seal stand on a paper or template; what has no place is not printed",
  );

export type Places = z.output<typeof places>;

/** Groups of texts that move together to close gaps. */
export const blocks = z
  .record(
    name,
    z.strictObject({
      top: points.describe("Upper end of its room, in points from the bottom"),
      bottom: points.describe("Lower end of its room, in points from the bottom"),
      align: z
        .enum(["top", "center", "bottom"])
        .describe("Where in its room the block stands; center is the optical one, a little higher")
        .default("center"),
    }),
  )
  .prefault({})
  .describe(
    "Groups of what has this name as block. They close up where a part is missing and make room for longer texts; if the room is too small, distances and then texts shrink",
  );

export type Blocks = z.output<typeof blocks>;
