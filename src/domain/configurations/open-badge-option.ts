import { z } from "zod";
import { describeIssues } from "#foundation/text/describe-issues.js";
import { httpsUrl } from "#foundation/text/https-url.js";
import { alignmentOption } from "./alignment-option.js";

/** The option of every type and configuration that determines what its Open Badges state. */
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
    achievement_type: z
      .enum(ACHIEVEMENT_TYPES)
      .describe(
        "Kind of achievement; default: CertificateOfCompletion, or LearningProgram for a learning path",
      ),
    description: shown(2000).describe("What was achieved; default: the names of type and context"),
    results: z
      .boolean()
      .describe("Whether it states the grades and completion that earned the credential; default: false"),
    email: z
      .boolean()
      .describe(
        "Whether it holds the salted hash of the learner's address, by which backpacks recognise the owner; default: false",
      ),
    image: httpsUrl.describe("Address of a picture of the achievement, which everybody can load: https://…"),
    tags: z
      .array(shown(50))
      .max(20)
      .refine((tags) => new Set(tags).size === tags.length, "must not repeat a tag")
      .describe("Words by which the achievement is found"),
    alignment: alignmentOption,
    creator: z
      .strictObject({
        name: shown(200).describe("Name"),
        url: httpsUrl.describe("Address of its site: https://…"),
      })
      .describe("Who has defined the achievement, if somebody else than the issuer"),
    credits: z
      .number()
      .min(0.001)
      .max(100_000)
      // Longer ones are not written alike by all programs that sign and verify.
      .refine((credits) => Number(credits.toFixed(3)) === credits, "must have at most 3 decimals")
      .describe("Credits that it is worth, as a number: available, and earned with the badge"),
    field_of_study: shown(200).describe("Field of study, such as Astronomy"),
    criteria: shown(4000).describe("What it takes to earn it; default: the names of type and context"),
  })
  .partial();

export const openBadgeOption = z
  .union([z.literal(false), badge], {
    error: ({ errors }) => describeIssues((errors as z.core.$ZodIssue[][] | undefined)?.at(-1)),
  })
  .describe("What the Open Badge of a credential says beside its facts; false: no badge");

export type OpenBadgeOption = z.output<typeof openBadgeOption>;

const optionalBadge = openBadgeOption.optional();

/** The option as a credential keeps it. It is empty if there is no badge, or nothing is said. */
export function storedOpenBadge(stored: unknown): Exclude<OpenBadgeOption, false> {
  return optionalBadge.safeParse(stored).data || {};
}
