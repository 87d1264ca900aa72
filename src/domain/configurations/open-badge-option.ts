import { z } from "zod";
import { help } from "#foundation/languages/option-help.js";
import { describeIssues } from "#foundation/text/describe-issues.js";
import { httpsUrl } from "#foundation/text/https-url.js";
import { alignmentOption } from "./alignment-option.js";

/** The option of every type and configuration that determines the content of Open Badges. */
export const OPEN_BADGE = "open_badge";

/** The achievement types that Open Badges 3.0 lists (AchievementType). */
const ACHIEVEMENT_TYPES = [
  "Achievement",
  "ApprenticeshipCertificate",
  "Assessment",
  "Assignment",
  "AssociateDegree",
  "Award",
  "BachelorDegree",
  "Badge",
  "Certificate",
  "CertificateOfCompletion",
  "Certification",
  "CoCurricular",
  "CommunityService",
  "Competency",
  "Course",
  "Degree",
  "Diploma",
  "DoctoralDegree",
  "Fieldwork",
  "GeneralEducationDevelopment",
  "JourneymanCertificate",
  "LearningProgram",
  "License",
  "MasterCertificate",
  "MasterDegree",
  "Membership",
  "MicroCredential",
  "ProfessionalDoctorate",
  "QualityAssuranceCredential",
  "ResearchDoctorate",
  "SecondarySchoolDiploma",
] as const;

const shown = (max: number) => z.string().trim().min(1, "must not be blank").max(max);

const badge = z
  .strictObject({
    achievement_type: z.enum(ACHIEVEMENT_TYPES).meta(help("achievement_type")),
    description: shown(2000).meta(help("open_badge.description")),
    results: z.boolean().meta(help("results")),
    email: z.boolean().meta(help("email")),
    image: httpsUrl.meta(help("open_badge.image")),
    shape: z.enum(["medal", "round", "hexagon"]).meta(help("open_badge.shape")),
    tags: z
      .array(shown(50))
      .max(20)
      .refine((tags) => new Set(tags).size === tags.length, "must not repeat a tag")
      .meta(help("tags")),
    alignment: alignmentOption,
    creator: z
      .strictObject({
        name: shown(200).meta(help("open_badge.creator.name")),
        url: httpsUrl.meta(help("open_badge.creator.url")),
      })
      .meta(help("creator")),
    credits: z
      .number()
      .min(0.001)
      .max(100_000)
      // More decimals could break signatures, because programs write long decimals differently.
      .refine((credits) => Number(credits.toFixed(3)) === credits, "must have at most 3 decimals")
      .meta(help("open_badge.credits")),
    field_of_study: shown(200).meta(help("field_of_study")),
    criteria: shown(4000).meta(help("criteria")),
  })
  .partial();

export const openBadgeOption = z
  .union([z.literal(false), badge], {
    error: ({ errors }) => describeIssues((errors as z.core.$ZodIssue[][] | undefined)?.at(-1)),
  })
  .meta(help("open_badge"));

type OpenBadgeOption = z.output<typeof openBadgeOption>;

const optionalBadge = openBadgeOption.optional();

/** Returns the stored option. Empty if there is no badge, or if the option has no values. */
export function storedOpenBadge(stored: unknown): Exclude<OpenBadgeOption, false> {
  return optionalBadge.safeParse(stored).data || {};
}
