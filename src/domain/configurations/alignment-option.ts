import { z } from "zod";
import { help } from "#foundation/languages/option-help.js";

export const MAX_ALIGNMENTS = 20;

/** Maximum size of all skills together, in bytes of JSON. Wallets and PDFs contain all of them. */
const MAX_SIZE = 16 * 1024;

/**
 * Addresses of ESCO begin with http, and all others with https. Only characters that need no escaping are allowed,
 * because the address is signed as it is.
 */
const ADDRESS = /^(?:https:\/\/|http:\/\/data\.europa\.eu\/)[!#-;=?-[\]_a-z~]+$/;

/** The alignment target types of Open Badges 3.0, including types of extensions. */
const TARGET_TYPE =
  /^(?:ceasn:Competency|ceterms:Credential|CFItem|CFRubric|CFRubricCriterion|CFRubricCriterionLevel|CTDL|ext:[A-Za-z0-9._-]+)$/;

const shown = (max: number) => z.string().trim().min(1, "must not be blank").max(max);

const alignment = z.strictObject({
  name: shown(200).meta(help("open_badge.alignment.name")),
  url: z
    .url({ protocol: /^https?$/, error: "must be a URL with https://", abort: true })
    .max(500)
    .regex(
      ADDRESS,
      "must be a URL with https:// (or http://data.europa.eu/, as used by ESCO) in plain ASCII: percent-encode other characters",
    )
    .meta(help("open_badge.alignment.url")),
  description: shown(500).meta(help("open_badge.alignment.description")).optional(),
  framework: shown(200).meta(help("framework")).optional(),
  code: shown(100).meta(help("code")).optional(),
  type: z
    .string()
    .max(100)
    .regex(
      TARGET_TYPE,
      "must be ceasn:Competency, ceterms:Credential, CFItem, CFRubric, CFRubricCriterion, CFRubricCriterionLevel, CTDL, or ext: and a word of your own",
    )
    .meta(help("type"))
    .optional(),
});

export const alignmentOption = z
  .array(alignment)
  .max(MAX_ALIGNMENTS)
  .refine(
    (all) => new Set(all.map(({ name, url }) => JSON.stringify([name, url]))).size === all.length,
    "must not repeat a skill",
  )
  .refine(
    (all) => Buffer.byteLength(JSON.stringify(all)) <= MAX_SIZE,
    `must have at most ${MAX_SIZE} bytes of JSON in total: shorten the descriptions`,
  )
  .meta(help("alignment"));

/** A skill from a framework such as ESCO, CASE or CTDL, which an achievement certifies. */
export type AlignmentOption = z.output<typeof alignment>;
