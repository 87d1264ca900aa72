import { z } from "zod";
import { languageTags } from "#foundation/languages/list.js";
import { describeIssues } from "#foundation/text/describe-issues.js";
import { isLanguageTag } from "#foundation/text/language-tag.js";
import { slugForm, slugPattern } from "#foundation/text/slug.js";
import { blockName, blocks, font, length, places, points, shape } from "./page-options.js";
import { color, hexColor } from "./palette.js";
import {
  factProblem,
  listableFacts,
  placeholderHelp,
  placeholderProblem,
  placeholders,
} from "./placeholders.js";

const slug = z.string().regex(slugPattern, `must be the slug of an asset: ${slugForm}`);

const textStyle = {
  font,
  color: color.describe("Colour of the text: hex, accent, ink or paper, or a tint such as accent/40"),
  size: z.number().min(1).max(500).describe("Size in points"),
  char_space: z.number().min(-20).max(100).describe("Space added between letters, in points"),
  uppercase: z.boolean().describe("Whether to print in capitals, by the rules of the language"),
  small_caps: z
    .boolean()
    .describe("Whether small letters are printed as small capitals, where the font has them"),
  line_height: z.number().min(0.5).max(5).describe("Line spacing, as a multiple of the size"),
};

const textElement = z.strictObject({
  text: z
    .string()
    .max(2000)
    .superRefine((text, context) => {
      const message = placeholderProblem(text);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    })
    .describe(
      `The text; write {{ and }} for braces, \\n for a new line. A part between line breaks, " · " or " | " is left out if one of its placeholders has no value: "Grade: {grade} · {hours} hours". Placeholders:\n${placeholderHelp}`,
    )
    .meta({ examples: Object.keys(placeholders).map((name) => `{${name}}`) }),
  x: points.describe("Position in points from the left; default: the middle of the page"),
  y: points.describe("Baseline of the first line, in points from the bottom"),
  align: z.enum(["left", "center", "right"]).describe("Which point of each line is at x"),
  max_width: length.describe(
    "Maximum width in points. A longer text shrinks, then wraps, then breaks words; a text that would need less than 5 points is refused",
  ),
  max_lines: z
    .int()
    .min(1)
    .max(12)
    .describe("Greatest number of lines of a text that wraps; default: 3, or 1 for a text without max_width"),
  shrink: z
    .number()
    .min(0.3)
    .max(1)
    .describe("Share of its size to which a text shrinks before it wraps; default: 0.68"),
  min_size: z
    .number()
    .min(1)
    .max(500)
    .describe("Least size in points: a text that would have to be smaller is refused; default: 5"),
  block: blockName.optional(),
  ...textStyle,
});

const textElements = z.record(
  z.string().regex(/^[A-Za-z_][\w-]{0,63}$/, "must be a name of letters, digits, `_` and `-`"),
  z.union([z.literal(false), textElement.partial()], {
    error: ({ errors }) => describeIssues((errors as z.core.$ZodIssue[][] | undefined)?.at(-1)),
  }),
);

const qr = z.strictObject({
  x: points.describe("Left edge, in points from the left").optional(),
  y: points.describe("Lower edge, in points from the bottom").optional(),
  size: z.number().min(20).max(1000).describe("Side in points").optional(),
  color: color.describe("Colour of the dark modules").optional(),
  background: z
    .union([z.literal(false), color], { error: "must be false, or a colour such as #fff" })
    .describe(
      "Background colour of the code and its margin of four modules, or false for none; default on a template: #fff",
    )
    .optional(),
});

const image = z.strictObject({
  asset: slug.describe("Slug of a PNG, JPEG or SVG asset"),
  x: points.describe("Left edge, in points from the left"),
  y: points.describe("Lower edge, in points from the bottom"),
  width: length.describe("In points; default: as the proportions require").optional(),
  height: length.describe("In points; default: as the proportions require").optional(),
  alt: z
    .string()
    .max(500)
    .describe(
      "Text alternative for people who can't see the image; without it, the image counts as decoration",
    )
    .optional(),
});

const line = (maxLength: number) => z.string().trim().min(1).max(maxLength);

const signatory = z.strictObject({
  name: line(100).describe("Name of the person who signs"),
  title: line(150).describe("Office of that person, such as Dean of Studies").optional(),
  image: slug
    .describe(
      "Slug of a PNG, JPEG or SVG asset with the signature, for the built-in design and places.signatures",
    )
    .optional(),
});

const issuer = z
  .strictObject({
    name: line(255).describe("Name of the issuer, as it is printed"),
    contact: line(500).describe("Where questions are answered: a mail address, or an address with https"),
    imprint: line(500).describe("The page that says who is responsible by law: an address with https"),
  })
  .partial();

const factName = z.string().superRefine((name, context) => {
  const message = factProblem(name);
  if (message !== undefined) context.addIssue({ code: "custom", message });
});

/** The options of the generator that ships with the service. */
export const pdfOptions = z.strictObject({
  template: slug.describe("Slug of the asset to print on; default: the built-in design").optional(),
  paper: color
    .describe(
      "Colour of an empty page on which these options place everything; without it, and without a template, the built-in design is printed",
    )
    .optional(),
  template_multiline: slug
    .describe("Slug of the asset to print on when the context name has several lines")
    .optional(),
  defaults: z
    .strictObject(textStyle)
    .partial()
    .prefault({})
    .describe("Style of all text elements that don't set their own"),
  text_elements: textElements
    .prefault({})
    .describe(
      "Text elements by name. name, context and date can be changed, or set to false; other elements need text and y",
    ),
  qr: z
    .union([z.boolean(), qr], {
      error: ({ errors }) => describeIssues((errors as z.core.$ZodIssue[][] | undefined)?.at(-1)),
    })
    .describe("QR code of the verification URL; default: only in the built-in design")
    .optional(),
  hours: z
    .number()
    .positive()
    .max(100_000)
    .describe("Duration of the course in hours, for {hours} and the facts of the built-in design")
    .optional(),
  credits: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .describe("Credits, such as 6 ECTS, for {credits} and the facts of the built-in design")
    .optional(),
  signatory: signatory
    .describe(
      "The person who signs, for {signatory_name}, {signatory_title} and the signature line of the built-in design",
    )
    .optional(),
  issuer: issuer
    .describe(
      "What {issuer_name}, {issuer_contact} and {issuer_imprint} print; default: as the look of the issuer's pages and mails says",
    )
    .optional(),
  signatories: z
    .array(signatory)
    .max(4)
    .prefault([])
    .describe("The people who sign, side by side at places.signatures; default: the option signatory"),
  titles: z
    .record(
      z.string().refine(isLanguageTag, "must be a BCP 47 language tag, such as de"),
      z.string().trim().min(1).max(255),
    )
    .prefault({})
    .describe(
      "The title of the document by language, for {title} and {second.title}; default: the credential type",
    ),
  second_language: z
    .string()
    .refine(isLanguageTag, "must be a BCP 47 language tag, such as en")
    .describe(`A second language, for placeholders such as {second.title}: ${languageTags.join(", ")}`)
    .optional(),
  facts: z
    .array(factName.meta({ examples: [...listableFacts] }))
    .max(8)
    .prefault(["hours", "credits", "award_date", "valid_until"])
    .describe(
      "Facts that the built-in design prints with labels in a row under the context; left out are those without a value, and award_date on the day of issue: grade, grade.<assignment type>, letter_grade, passed, completion, steps, hours, credits, learner_id, award_date, valid_until, issuer_contact, issuer_imprint, learner.<key>, enrollment.<key>",
    ),
  labels: z
    .record(factName, z.string().trim().min(1).max(60))
    .prefault({})
    .describe("Labels by names of facts; default: those of the language"),
  logo: slug
    .describe(
      "Slug of a PNG, JPEG or SVG asset: a logo or coat of arms, at places.logo or at the top of the built-in design",
    )
    .optional(),
  seal: slug
    .describe("Slug of a PNG, JPEG or SVG asset at places.seal, in place of the seal that is drawn there")
    .optional(),
  places,
  shapes: z
    .array(shape)
    .max(100)
    .prefault([])
    .describe("Lines and ornaments, above the page and below everything else, in this order"),
  blocks,
  mirror: z
    .boolean()
    .default(false)
    .describe("Whether left and right are exchanged on a paper, in a language that runs from right to left"),
  images: z.array(image).max(20).prefault([]).describe("Images, above the template and below the texts"),
  page: z
    .strictObject({
      size: z.enum(["A4", "LETTER"]).default("A4").describe("Paper size"),
      orientation: z.enum(["landscape", "portrait"]).default("landscape").describe("Orientation of the page"),
      drawn_for: z
        .enum(["A4", "LETTER"])
        .describe(
          "The size for which the positions on a paper are meant: on the other one, they are moved in proportion; default: the size of the page",
        )
        .optional(),
    })
    .prefault({})
    .describe("The page; a PDF template has its own"),
  accent_color: hexColor
    .default("#1f4a5f")
    .describe("The colour accent; in the built-in design, that of frame, seal and issuer"),
  language: z
    .string()
    .refine(isLanguageTag, "must be a BCP 47 language tag, such as en or pt-BR")
    .describe(
      `Language of the document, of its dates, capitals and words. On a template, any language with known date formats is allowed; otherwise it is one of: ${languageTags.join(", ")}`,
    )
    .optional(),
  encrypt: z
    .boolean()
    .default(false)
    .describe(
      "Encrypts with AES-256: anyone can open, print and copy the document, but nobody can change it; excludes PDF/A",
    ),
  pdf_a: z
    .boolean()
    .describe(
      "true: fail instead of generating a file that is not PDF/A-3b. By default it is PDF/A-3b, unless it is encrypted or uses a PDF template, whose parts are not checked",
    )
    .optional(),
});

export type PdfOptions = z.output<typeof pdfOptions>;
export type TextElementOptions = Exclude<PdfOptions["text_elements"][string], false>;
