import { z } from "zod";

const P = "https://purl.imsglobal.org/spec/lti/claim/";

/** Names and Role Provisioning Services. */
export const NRPS = "https://purl.imsglobal.org/spec/lti-nrps/";

/** Assignment and Grade Services. */
export const AGS = "https://purl.imsglobal.org/spec/lti-ags/";

/** Deep linking. */
export const DEEP_LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim/";

/** What a launch tells, as far as this service uses it. */
export type LaunchClaims = z.output<typeof launchClaims>;

/** Platforms send an empty text, or nothing, or null, for what they don't tell. */
const optional = z
  .string()
  .nullish()
  .transform((text) => (text === null || text === "" ? undefined : text));

/** What was not replaced by the platform comes back as it was asked for: `$User.username`. */
const parameter = z
  .unknown()
  .optional()
  .transform((value) => {
    if (typeof value === "number") return String(value);
    return typeof value !== "string" || value === "" || value.startsWith("$") ? undefined : value;
  });

/** One of them in a wrong shape does not stop a launch. */
const service = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).optional().catch(undefined);

export const launchClaims = z
  .object({
    sub: optional,
    nonce: z.string(),
    aud: z.union([z.string(), z.array(z.string())]),
    azp: optional,
    iat: z.number(),
    exp: z.number(),
    name: optional,
    given_name: optional,
    family_name: optional,
    email: optional,
    locale: optional,
    preferred_username: optional,
    [`${P}version`]: z.string(),
    [`${P}message_type`]: z.string(),
    // Moodle's is a number, which it sends as text.
    [`${P}deployment_id`]: z.union([z.string(), z.number().transform(String)]),
    [`${P}target_link_uri`]: optional,
    [`${P}roles`]: z
      .array(z.unknown())
      .nullish()
      .transform((roles) => (roles ?? []).filter((role): role is string => typeof role === "string")),
    [`${P}context`]: service({ id: z.string().min(1).max(255), label: optional, title: optional }),
    [`${P}launch_presentation`]: service({ return_url: optional, locale: optional }),
    // Unlike parameters, a course team can't write these.
    [`${AGS}claim/endpoint`]: service({
      scope: z
        .union([z.array(z.unknown()), z.string().transform((text): unknown[] => text.split(" "))])
        .catch([]),
      lineitems: optional,
    }),
    [`${DEEP_LINKING}deep_linking_settings`]: service({
      deep_link_return_url: z.string(),
      accept_types: z.array(z.unknown()).catch([]),
      // Whatever it is, it goes back as it came.
      data: z.unknown().optional(),
    }),
    [`${NRPS}claim/namesroleservice`]: service({ context_memberships_url: optional }),
    "https://www.instructure.com/canvas_user_id": parameter,
    "https://www.instructure.com/canvas_course_id": parameter,
  })
  .transform((claims) => ({
    subject: claims.sub,
    nonce: claims.nonce,
    audiences: typeof claims.aud === "string" ? [claims.aud] : claims.aud,
    authorizedParty: claims.azp,
    issuedAt: claims.iat,
    expiresAt: claims.exp,
    name:
      claims.name ?? [claims.given_name, claims.family_name].filter((part) => part !== undefined).join(" "),
    email: claims.email,
    locale: claims[`${P}launch_presentation`]?.locale ?? claims.locale,
    preferredUsername: claims.preferred_username,
    version: claims[`${P}version`],
    messageType: claims[`${P}message_type`],
    deploymentId: claims[`${P}deployment_id`],
    targetLinkUri: claims[`${P}target_link_uri`],
    roles: claims[`${P}roles`],
    context: claims[`${P}context`],
    returnUrl: claims[`${P}launch_presentation`]?.return_url,
    membershipsUrl: claims[`${NRPS}claim/namesroleservice`]?.context_memberships_url,
    columns: claims[`${AGS}claim/endpoint`],
    deepLinking: claims[`${DEEP_LINKING}deep_linking_settings`],
    canvasUserId: claims["https://www.instructure.com/canvas_user_id"],
    canvasCourseId: claims["https://www.instructure.com/canvas_course_id"],
  }));

/** What somebody is in the course of a launch. */
export type Standing = "teacher" | "learner" | "other";

const MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership";

/**
 * Returns what the roles in the course make of somebody. Roles in the institution or the system count for nothing, and a
 * teaching assistant is no teacher, whatever other roles come with it. Short forms are those of LTI 1.3, A.2.3.
 */
export function standingOf(roles: readonly string[]): Standing {
  const isAssistant = roles.some((role) => /[#/]TeachingAssistant\w*$/.test(role));
  const has = (name: string) => roles.includes(`${MEMBERSHIP}#${name}`) || roles.includes(name);
  if (has("Learner")) return "learner";
  if (!isAssistant && (has("Instructor") || has("Administrator"))) return "teacher";
  return "other";
}
