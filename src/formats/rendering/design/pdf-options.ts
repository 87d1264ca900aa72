import { z } from "zod";
import { languageTags } from "#foundation/languages/list.js";
import { help, helpLines } from "#foundation/languages/option-help.js";
import { MAX_NAME, MAX_TEXT_ELEMENT } from "#foundation/limits.js";
import { describeIssues } from "#foundation/text/describe-issues.js";
import { isLanguageTag } from "#foundation/text/language-tag.js";
import { slugForm, slugPattern } from "#foundation/text/slug.js";
import { MAX_HOURS } from "#foundation/text/tables/cell-values.js";
import { pictureKinds, templateKinds } from "./asset-kinds.js";
import {
  blockName,
  blocks,
  commonElementOptions,
  elementName,
  font,
  length,
  places,
  points,
  shape,
} from "./page-options.js";
import { color, hexColor } from "./palette.js";
import {
  factProblem,
  knownFacts,
  listableFacts,
  placeholderHelps,
  placeholderProblem,
  placeholders,
} from "./placeholders.js";

const slug = z.string().regex(slugPattern, `must be the slug of an asset: ${slugForm}`);
/** The console offers only files of these kinds. */
const pictureSlug = slug.meta({ asset_kinds: pictureKinds });
const pageSlug = slug.meta({ asset_kinds: templateKinds });

const textStyle = {
  font,
  color: color.meta(help("defaults.color")),
  size: z.number().min(1).max(500).meta(help("defaults.size")),
  char_space: z.number().min(-20).max(100).meta(help("char_space")),
  uppercase: z.boolean().meta(help("uppercase")),
  small_caps: z.boolean().meta(help("small_caps")),
  line_height: z.number().min(0.5).max(5).meta(help("line_height")),
};

const textElement = z.strictObject({
  text: z
    .string()
    .max(MAX_TEXT_ELEMENT)
    .superRefine((text, context) => {
      const message = placeholderProblem(text);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    })
    .meta({ ...helpLines(help("text"), ...placeholderHelps), examples: placeholders }),
  x: points.meta(help("text_elements.x")),
  y: points.meta(help("text_elements.y")),
  align: z.enum(["left", "center", "right"]).meta(help("text_elements.align")),
  max_width: length.meta(help("max_width")),
  max_lines: z.int().min(1).max(12).meta(help("max_lines")),
  shrink: z.number().min(0.3).max(1).meta(help("shrink")),
  min_size: z.number().min(1).max(500).meta(help("min_size")),
  block: blockName.optional(),
  ...commonElementOptions,
  ...textStyle,
});

const textElements = z.record(
  elementName,
  z.union([z.literal(false), textElement.partial()], {
    error: ({ errors }) => describeIssues((errors as z.core.$ZodIssue[][] | undefined)?.at(-1)),
  }),
);

const qr = z.strictObject({
  x: points.meta(help("qr.x")).optional(),
  y: points.meta(help("qr.y")).optional(),
  size: z.number().min(20).max(1000).meta(help("qr.size")).optional(),
  color: color.meta(help("qr.color")).optional(),
  background: z
    .union([z.literal(false), color], { error: "must be false, or a colour such as #fff" })
    .meta(help("background"))
    .optional(),
  ...commonElementOptions,
});

const image = z.strictObject({
  asset: pictureSlug.meta(help("asset")).optional(),
  x: points.meta(help("qr.x")),
  y: points.meta(help("qr.y")),
  width: length.meta(help("images.width")).optional(),
  height: length.meta(help("images.width")).optional(),
  crop: z.boolean().meta(help("crop")).optional(),
  alt: z.string().max(500).meta(help("alt")).optional(),
  ...commonElementOptions,
});

const line = (maxLength: number) => z.string().trim().min(1).max(maxLength);

const signatory = z.strictObject({
  name: line(100).meta(help("signatory.name")),
  title: line(150).meta(help("title")).optional(),
  image: pictureSlug.meta(help("signatory.image")).optional(),
});

const issuer = z
  .strictObject({
    name: line(255).meta(help("issuer.name")),
    contact: line(500).meta(help("contact")),
    imprint: line(500).meta(help("imprint")),
  })
  .partial();

const factName = z.string().superRefine((name, context) => {
  const message = factProblem(name);
  if (message !== undefined) context.addIssue({ code: "custom", message });
});

export const pdfOptions = z.strictObject({
  template: pageSlug.meta(help("template")).optional(),
  paper: color.meta(help("paper")).optional(),
  template_multiline: pageSlug.meta(help("template_multiline")).optional(),
  defaults: z.strictObject(textStyle).partial().prefault({}).meta(help("defaults")),
  text_elements: textElements.prefault({}).meta(help("text_elements")),
  qr: z
    .union([z.boolean(), qr], {
      error: ({ errors }) => describeIssues((errors as z.core.$ZodIssue[][] | undefined)?.at(-1)),
    })
    .meta(help("qr"))
    .optional(),
  hours: z.number().positive().max(MAX_HOURS).meta(help("hours")).optional(),
  credits: z.string().trim().min(1).max(60).meta(help("credits")).optional(),
  signatory: signatory.meta(help("signatory")).optional(),
  issuer: issuer.meta(help("issuer")).optional(),
  signatories: z.array(signatory).max(4).prefault([]).meta(help("signatories")),
  titles: z
    .record(
      z.string().refine(isLanguageTag, "must be a BCP 47 language tag, such as de"),
      z.string().trim().min(1).max(MAX_NAME),
    )
    .prefault({})
    .meta(help("titles")),
  second_language: z
    .string()
    .refine(isLanguageTag, "must be a BCP 47 language tag, such as en")
    .meta(help("second_language", { languages: languageTags.join(", ") }))
    .optional(),
  facts: z
    .array(factName.meta({ examples: [...listableFacts] }))
    .max(8)
    .prefault(["hours", "credits", "award_date", "valid_until"])
    .meta(help("facts", { facts: knownFacts.join(", ") })),
  labels: z.record(factName, z.string().trim().min(1).max(60)).prefault({}).meta(help("labels")),
  logo: pictureSlug.meta(help("logo")).optional(),
  seal: pictureSlug.meta(help("seal")).optional(),
  places,
  shapes: z.array(shape).max(100).prefault([]).meta(help("shapes")),
  blocks,
  mirror: z.boolean().default(false).meta(help("mirror")),
  images: z.array(image).max(20).prefault([]).meta(help("images")),
  page: z
    .strictObject({
      size: z.enum(["A4", "LETTER"]).default("A4").meta(help("page.size")),
      orientation: z.enum(["landscape", "portrait"]).default("landscape").meta(help("orientation")),
      drawn_for: z.enum(["A4", "LETTER"]).meta(help("drawn_for")).optional(),
    })
    .prefault({})
    .meta(help("page")),
  accent_color: hexColor.default("#1f4a5f").meta(help("accent_color")),
  language: z
    .string()
    .refine(isLanguageTag, "must be a BCP 47 language tag, such as en or pt-BR")
    .meta(help("language", { languages: languageTags.join(", ") }))
    .optional(),
  encrypt: z.boolean().default(false).meta(help("encrypt")),
  pdf_a: z.boolean().meta(help("pdf_a")).optional(),
});

export type PdfOptions = z.output<typeof pdfOptions>;
export type TextElementOptions = Exclude<PdfOptions["text_elements"][string], false>;
