import { z } from "zod";
import { failedPrecondition, Problem } from "#foundation/errors.js";
import { unescapeHtml } from "#foundation/text/unescape-html.js";
import { atOrigin, nextLink } from "#infrastructure/outbound/link-header.js";
import { LIST_PAGE } from "#infrastructure/outbound/send-request.js";
import { NRPS, roleOf } from "./claims.js";
import { isSubject } from "./people.js";
import { type CallService, jsonOf } from "./platform-services.js";
import type { Registration } from "./registration.js";

export const MEMBERS_SCOPE = `${NRPS}scope/contextmembership.readonly`;

export interface ListedMember {
  readonly subject: string;
  /** Empty if the platform doesn't share names. */
  readonly name: string;
  readonly email: string | undefined;
  readonly isActive: boolean;
}

interface MembersPage {
  readonly requestedAt: Date;
  readonly learners: readonly ListedMember[];
  /** Number of members that can't be used, for example because they have no id. */
  readonly malformed: number;
}

/**
 * Number of members to request per page. By default, Canvas returns 50 and Moodle all members. Open edX always returns
 * all.
 */
const PAGE_SIZE = 200;

const MAX_PAGES = 1000;

/** Time limit for reading one list. Meanwhile, the lists of other platforms wait. */
const MAX_MINUTES = 30;

const text = z
  .string()
  .nullish()
  .catch(undefined)
  .transform((value) => value ?? "");

/** A text in which Moodle may use HTML entities, for example `O'Brien &amp; Sons`. */
const plainText = text.transform(unescapeHtml);

const member = z.object({
  user_id: z.union([z.string(), z.number().transform(String)]).refine(isSubject),
  status: text,
  name: plainText,
  given_name: plainText,
  family_name: plainText,
  email: plainText,
  roles: z
    .union([z.array(z.unknown()), z.string().transform((role): unknown[] => [role])])
    .catch([])
    .transform((roles) => roles.filter((role): role is string => typeof role === "string")),
});

const container = z.object({ members: z.array(z.unknown()) });

/**
 * Reads the list of members of a course, page by page. Follows only links with the same origin as the list.
 * @throws Problem saying what is wrong with the list, without naming a person
 */
export async function* readMembers(
  callService: CallService,
  registration: Registration,
  membershipsUrl: string,
  signal: AbortSignal,
): AsyncGenerator<MembersPage> {
  let url = new URL(membershipsUrl);
  if (!url.searchParams.has("limit")) url.searchParams.set("limit", String(PAGE_SIZE));
  const seen = new Set<string>();
  const until = Date.now() + MAX_MINUTES * 60_000;
  for (;;) {
    if (seen.has(url.href)) throw malformed("the next-page links form a loop");
    if (seen.size >= MAX_PAGES) throw malformed(`it has more than ${MAX_PAGES} pages`);
    if (Date.now() > until) throw malformed(`reading it takes more than ${MAX_MINUTES} minutes`);
    seen.add(url.href);
    const requestedAt = new Date();
    const headers = { accept: "application/vnd.ims.lti-nrps.v2.membershipcontainer+json" };
    const what = "The platform's member list";
    const answer = await callService(
      registration,
      MEMBERS_SCOPE,
      what,
      url.href,
      { headers, bounds: LIST_PAGE },
      signal,
    );
    const body = jsonOf(answer.text);
    if (answer.status !== 200) throw refusalOf(answer.status, body);
    const { data } = container.safeParse(body);
    if (!data) throw malformed("it is not JSON with `members`");
    yield pageOf(requestedAt, data.members);
    const link = nextLink(answer.header("link") ?? null);
    if (link === undefined) return;
    const next = atOrigin(link, url);
    if (!next) throw malformed("its next page is at another host, and is not followed");
    url = next;
  }
}

function pageOf(requestedAt: Date, members: readonly unknown[]): MembersPage {
  const parsed = members.map((one) => member.safeParse(one).data);
  const valid = parsed.filter((one) => one !== undefined);
  return {
    requestedAt,
    malformed: parsed.length - valid.length,
    learners: valid
      .filter(({ roles }) => roleOf(roles) === "learner")
      .map(({ user_id, status, name, given_name, family_name, email }) => ({
        subject: user_id,
        name: name || [given_name, family_name].filter(Boolean).join(" "),
        email: email === "" ? undefined : email,
        isActive: !/^(inactive|deleted)$/i.test(status),
      })),
  };
}

function refusalOf(status: number, body: unknown): Problem {
  const isTooLong = z.object({ error: z.literal("above_response_limit") }).safeParse(body).success;
  if (isTooLong)
    return failedPrecondition(
      "The course has more learners than the platform lists (above_response_limit): raise COURSE_MEMBER_API_ENROLLMENT_LIMIT there.",
    );
  if (status === 401 || status === 403)
    return failedPrecondition(
      `The platform refuses to return its member list (status ${status}): allow this tool to use Names and Role Provisioning Services there.`,
    );
  return new Problem("unavailable", `The platform's member list returned status ${status}.`);
}

function malformed(reason: string): Problem {
  return failedPrecondition(`The platform's member list can't be used: ${reason}.`);
}
