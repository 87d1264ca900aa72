import { z } from "zod";

export const CLAIM_PREFIX = "https://purl.imsglobal.org/spec/lti/claim/";

export const NRPS = "https://purl.imsglobal.org/spec/lti-nrps/";

export const AGS = "https://purl.imsglobal.org/spec/lti-ags/";

export const DEEP_LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim/";

export type LaunchClaims = z.output<typeof launchClaims>;

/**
 * Returns whether a text can be a name or an id. Postgres can't store NUL and invalid Unicode, and names and ids have
 * no control characters.
 */
const isPlain = (text: string) => !/\p{Cc}/u.test(text) && text.isWellFormed();

/**
 * A text that is only shown. For a missing value, platforms send an empty text, null or nothing. Control characters are
 * replaced.
 */
const optional = z
  .string()
  .max(10_000)
  .nullish()
  .transform((text) => text?.replace(/\p{Cc}/gu, " ").toWellFormed() || undefined);

/** An identifier. No characters are removed, because that could make two ids equal. */
const id = z
  .string()
  .refine(isPlain)
  .nullish()
  .transform((text) => text || undefined);

/** A custom parameter. A platform that doesn't know the parameter sends its name, for example `$User.username`. */
const parameter = z
  .unknown()
  .optional()
  .transform((value) => {
    if (typeof value === "number") return String(value);
    if (typeof value !== "string" || value.startsWith("$") || !isPlain(value)) return undefined;
    return value === "" || value.length > 255 ? undefined : value;
  });

/** A claim about a service. If it is malformed, it is ignored, and the launch continues. */
const service = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).optional().catch(undefined);

export const launchClaims = z
  .object({
    sub: id,
    iss: id,
    nonce: z.string(),
    aud: z.union([z.string(), z.array(z.string())]),
    azp: id,
    iat: z.number(),
    exp: z.number(),
    name: optional,
    given_name: optional,
    family_name: optional,
    email: optional,
    locale: optional,
    preferred_username: parameter,
    [`${CLAIM_PREFIX}version`]: z.string(),
    [`${CLAIM_PREFIX}message_type`]: z.string(),
    // A platform may send a number, although LTI 1.3 requires a text.
    [`${CLAIM_PREFIX}deployment_id`]: z.union([z.string(), z.number().transform(String)]).refine(isPlain),
    [`${CLAIM_PREFIX}target_link_uri`]: id,
    [`${CLAIM_PREFIX}roles`]: z
      .array(z.unknown())
      .nullish()
      .transform((roles) => (roles ?? []).filter((role): role is string => typeof role === "string")),
    [`${CLAIM_PREFIX}context`]: z
      .object({ id: z.string().min(1).max(255).refine(isPlain), label: optional, title: optional })
      .nullish()
      .transform((context) => context ?? undefined),
    [`${CLAIM_PREFIX}launch_presentation`]: service({ return_url: optional, locale: optional }),
    // A course team can't set these claims, unlike custom parameters.
    [`${AGS}claim/endpoint`]: service({
      scope: z
        .union([z.array(z.unknown()), z.string().transform((text): unknown[] => text.split(" "))])
        .catch([]),
      lineitems: optional,
    }),
    [`${DEEP_LINKING}deep_linking_settings`]: service({
      deep_link_return_url: z.string(),
      accept_types: z.array(z.unknown()).catch([]),
      // This value is returned to the platform unchanged.
      data: z.unknown().optional(),
    }),
    [`${NRPS}claim/namesroleservice`]: service({ context_memberships_url: optional }),
    "https://www.instructure.com/canvas_user_id": parameter,
    "https://www.instructure.com/canvas_course_id": parameter,
  })
  .transform((claims) => ({
    subject: claims.sub,
    issuer: claims.iss,
    nonce: claims.nonce,
    audiences: typeof claims.aud === "string" ? [claims.aud] : claims.aud,
    authorizedParty: claims.azp,
    issuedAt: claims.iat,
    expiresAt: claims.exp,
    name:
      claims.name ?? [claims.given_name, claims.family_name].filter((part) => part !== undefined).join(" "),
    email: claims.email,
    locale: claims[`${CLAIM_PREFIX}launch_presentation`]?.locale ?? claims.locale,
    preferredUsername: claims.preferred_username,
    version: claims[`${CLAIM_PREFIX}version`],
    messageType: claims[`${CLAIM_PREFIX}message_type`],
    deploymentId: claims[`${CLAIM_PREFIX}deployment_id`],
    targetLinkUri: claims[`${CLAIM_PREFIX}target_link_uri`],
    roles: claims[`${CLAIM_PREFIX}roles`],
    context: claims[`${CLAIM_PREFIX}context`],
    returnUrl: claims[`${CLAIM_PREFIX}launch_presentation`]?.return_url,
    membershipsUrl: claims[`${NRPS}claim/namesroleservice`]?.context_memberships_url,
    columns: claims[`${AGS}claim/endpoint`],
    deepLinking: claims[`${DEEP_LINKING}deep_linking_settings`],
    canvasUserId: claims["https://www.instructure.com/canvas_user_id"],
    canvasCourseId: claims["https://www.instructure.com/canvas_course_id"],
  }));

/** The user's role in the course of the launch. */
export type LtiRole = "teacher" | "learner" | "other";

const MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership";

/** Sub-roles of learners. Platforms may send them without the role itself (LTI 1.3, A.2.2). */
const LEARNERS = ["ExternalLearner", "GuestLearner", "Learner", "NonCreditLearner"].map(
  (kind) => `${MEMBERSHIP}/Learner#${kind}`,
);

/**
 * Returns the user's role in the course, and ignores roles in the institution or the system. A teaching assistant is
 * never a teacher, even with a teacher's role. Short names of roles are those of LTI 1.3, A.2.3.
 */
export function roleOf(roles: readonly string[]): LtiRole {
  const isAssistant = roles.some((role) => /(?:^|[#/])TeachingAssistant\w*$/i.test(role));
  const has = (name: string) => roles.includes(`${MEMBERSHIP}#${name}`) || roles.includes(name);
  if (has("Learner") || roles.some((role) => LEARNERS.includes(role))) return "learner";
  if (!isAssistant && (has("Instructor") || has("Administrator"))) return "teacher";
  return "other";
}
