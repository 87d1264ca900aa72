import { z } from "zod";
import { queryRows } from "../db/query.js";
import { Problem } from "../errors.js";
import { inLearnerTransaction } from "../learners/learner-transaction.js";
import type { Answer } from "../outbound/ask.js";
import { printable } from "../text/quoted.js";
import { jsonOf, MEMBERS_SCOPE, requestToken } from "./access-token.js";
import { standingOf } from "./claims.js";
import type { KeptContext } from "./context-key.js";
import { keepMembers, type Member } from "./keep-members.js";
import { originsOf } from "./manage-registrations.js";
import type { Lti } from "./open-lti.js";
import { isSubject, ownUsername } from "./people.js";
import type { Deployment, Registration } from "./registration.js";

/** Members that are asked for at a time. Canvas gives 50 at most, and Moodle all if it is asked for no number. */
const PAGE_SIZE = 200;

/** No course has more pages. */
const MAX_PAGES = 2000;

const MEDIA_TYPE = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json";

/** Of members who are no longer listed, so many are always withdrawn, and of more, at most this part. */
const ALWAYS_WITHDRAWN = 5;
const MOST_WITHDRAWN = 0.02;

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

const container = z.object({
  members: z.array(
    z.object({
      user_id: z.union([z.string(), z.number().transform(String)]),
      status: text,
      name: text,
      given_name: text,
      family_name: text,
      email: text,
      roles: z.array(z.unknown()).nullish(),
    }),
  ),
});

/** What reading the members of a course has come to. */
export interface ReadRoster {
  readonly pages: number;
  /** Learners whom the platform lists. */
  readonly learners: number;
  /** Records that were new or changed. */
  readonly written: number;
  readonly rejected: number;
  readonly erased: number;
  /** Learners who are no longer listed: withdrawn, or too many to be. */
  readonly withdrawn: number;
  readonly held: number;
}

/** A course of a platform, with its place. */
export type Roster = KeptContext & { readonly deployment: Deployment };

/**
 * Reads the members of a course, and enrols its learners. Those whom the platform calls inactive or deleted are
 * withdrawn. Somebody who is absent is not, unless the list is said to be whole.
 * @throws Problem saying what the platform refuses, naming nobody
 */
export async function readRoster(
  lti: Lti,
  registration: Registration,
  { contextKey, membershipsUrl, deployment }: Roster,
  isWhole: boolean,
  signal: AbortSignal,
): Promise<ReadRoster> {
  if (registration.connector !== "")
    throw failed(`is not read: the connector ${registration.connector} reads the platform`);
  const known = originsOf([registration.issuer, registration.authorizationUrl, registration.tokenUrl]);
  const origins = [...known, ...deployment.frameOrigins];
  let token = await requestToken(lti, registration, MEMBERS_SCOPE, signal);
  const seen = new Set<string>();
  const sum = { pages: 0, learners: 0, written: 0, rejected: 0, erased: 0 };
  const observedAt = new Date(lti.now());

  async function askPage(url: string): Promise<Answer> {
    const send = () =>
      lti.ask("The platform's list of members", url, {
        headers: { accept: MEDIA_TYPE, authorization: `Bearer ${token}` },
      });
    const answer = await send();
    if (answer.status !== 401) return answer;
    token = await requestToken(lti, registration, MEMBERS_SCOPE, signal);
    return send();
  }

  const first = new URL(membershipsUrl);
  first.searchParams.set("limit", String(PAGE_SIZE));
  for (let next: string | undefined = first.href; next !== undefined; ) {
    signal.throwIfAborted();
    if (!origins.includes(new URL(next).origin))
      throw failed(`leads to ${printable(new URL(next).host)}, which is not a host of the platform`);
    if (++sum.pages > MAX_PAGES) throw failed(`has more than ${MAX_PAGES} pages`);
    const answer: Answer = await askPage(next);
    const members = membersIn(answer, registration.id);
    for (const { subject } of members) seen.add(subject);
    sum.learners += members.length;
    const of = { registrationId: registration.id, contextKey, contextTitle: contextKey, observedAt };
    const kept = await inLearnerTransaction(lti.database, signal, (transaction) =>
      keepMembers(transaction, lti.parse, of, members),
    );
    sum.written += kept.written;
    sum.rejected += kept.rejected;
    sum.erased += kept.erased;
    next = nextIn(answer, next);
  }
  if (!isWhole) return { ...sum, withdrawn: 0, held: 0 };
  return { ...sum, ...(await withdrawAbsent(lti, registration.id, contextKey, seen, signal)) };
}

/** @returns the learners of a page */
function membersIn({ status, text: body }: Answer, registrationId: number): Member[] {
  if (status === 403 && body.includes("above_response_limit"))
    throw failed("is longer than the platform lets a tool read");
  if (status !== 200) throw failed(`was answered with status ${status}`);
  const parsed = container.safeParse(jsonOf(body));
  if (!parsed.success) throw failed("is malformed");
  return parsed.data.members.flatMap((member) => {
    const roles = (member.roles ?? []).filter((role): role is string => typeof role === "string");
    if (standingOf(roles) !== "learner" || !isSubject(member.user_id)) return [];
    return {
      subject: member.user_id,
      username: ownUsername(registrationId, member.user_id),
      name: member.name || [member.given_name, member.family_name].filter((part) => part !== "").join(" "),
      email: member.email === "" ? undefined : member.email,
      locale: undefined,
      isActive: member.status === "" || member.status === "Active",
    };
  });
}

/** Returns the address of the next page, as the header `Link` names it. */
function nextIn(answer: Answer, base: string): string | undefined {
  const link = (answer.header("link") ?? "")
    .split(/,\s*(?=<)/)
    .find((part) => /;\s*rel="?next"?/i.test(part));
  const target = link && /<([^>]*)>/.exec(link)?.[1];
  if (target === undefined || target === "" || !URL.canParse(target, base)) return undefined;
  return new URL(target, base).href;
}

/** Withdraws learners of this platform who are enrolled and were not listed, unless they are too many. */
async function withdrawAbsent(
  { database, parse, now }: Lti,
  registrationId: number,
  contextKey: string,
  seen: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Pick<ReadRoster, "withdrawn" | "held">> {
  return inLearnerTransaction(database, signal, async (transaction) => {
    const enrolled = await queryRows<{ subject: string; username: string }>(
      transaction,
      `select person.subject, person.username
       from lti_people person join enrollments enrollment using (username)
       where person.registration_id = ? and enrollment.learning_context_key = ?
         and enrollment.is_active and not enrollment.is_deleted`,
      [registrationId, contextKey],
    );
    const absent = enrolled.filter(({ subject }) => !seen.has(subject));
    if (seen.size === 0 || absent.length > Math.max(ALWAYS_WITHDRAWN, enrolled.length * MOST_WITHDRAWN))
      return { withdrawn: 0, held: absent.length };
    const of = { registrationId, contextKey, contextTitle: contextKey, observedAt: new Date(now()) };
    const untold = { name: "", email: undefined, locale: undefined, isActive: false };
    await keepMembers(
      transaction,
      parse,
      of,
      absent.map((person) => ({ ...person, ...untold })),
    );
    return { withdrawn: absent.length, held: 0 };
  });
}

/** Returns the courses of a platform that list their members, with their places. */
export async function listRosters({ database }: Lti, registrationId: number): Promise<Roster[]> {
  const rows = await queryRows<KeptContext & Omit<Deployment, "registrationId" | "deploymentId">>(
    database.knex,
    `select context.registration_id as "registrationId", context.deployment_id as "deploymentId",
       context.context_id as "contextId", context.context_key as "contextKey",
       context.memberships_url as "membershipsUrl",
       place.state, place.frame_origins as "frameOrigins", place.first_seen_at as "firstSeenAt"
     from lti_contexts context join lti_deployments place using (registration_id, deployment_id)
     where context.registration_id = ? and place.state = 'accepted' and context.memberships_url <> ''
     order by context.context_key, context.context_id`,
    [registrationId],
  );
  return rows.map((row) => ({ ...row, deployment: row }));
}

function failed(reason: string): Problem {
  return new Problem("failed-precondition", `The platform's list of members ${reason}.`);
}
