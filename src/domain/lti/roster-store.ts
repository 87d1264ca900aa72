import type { Knex } from "knex";
import { execute, queryRow, queryRows } from "#infrastructure/db/query.js";
import type { StoredContext } from "./context-key.js";
import { MAX_PROBLEMS, withProblems } from "./problems-by-platform.js";

/** A course whose list of members is due. */
export type DueRoster = Omit<StoredContext, "lineItemsUrl" | "isTeacher">;

/** A list is read again after this time; one that has failed after half an hour, doubled up to this. */
const PAUSE_H = 24;

/** SQL: lists of platforms and places that were accepted, unless a connector reads the platform. */
const readable = `context.memberships_url <> '' and registration.state = 'accepted' and registration.rosters <> ''
  and registration.connector = '' and deployment.state = 'accepted'`;

const joined = `lti_contexts as context join lti_registrations as registration on registration.id = context.registration_id
  join lti_deployments as deployment using (registration_id, deployment_id)`;

/**
 * Takes one list that is due. It counts as failed until it ends: one whose reader dies is left alone for as long.
 * @param registrationId only lists of this platform
 */
export async function takeDueRoster(db: Knex, registrationId?: number): Promise<DueRoster | undefined> {
  return queryRow<DueRoster>(
    db,
    `update lti_contexts as taken set roster_tried_at = now(), roster_failures = taken.roster_failures + 1,
       roster_due_at = now() + make_interval(mins =>
         least(${PAUSE_H * 60}, 30 * power(2, least(taken.roster_failures, 10)))::integer)
     from (select context.registration_id, context.deployment_id, context.context_id from ${joined}
           where ${readable} and context.roster_due_at <= now()
             and context.registration_id = coalesce(:registrationId, context.registration_id)
           order by context.roster_due_at limit 1 for update of context skip locked) as due
     where taken.registration_id = due.registration_id and taken.deployment_id = due.deployment_id
       and taken.context_id = due.context_id
     returning taken.registration_id as "registrationId", taken.deployment_id as "deploymentId",
       taken.context_id as "contextId", taken.context_key as "contextKey", taken.title,
       taken.memberships_url as "membershipsUrl"`,
    { registrationId: registrationId ?? null },
  );
}

/** A platform that does not answer is left alone for this long, in minutes, so that the lists of others are read. */
const AWAY_MIN = 5;

/** Postpones the lists of a platform that are due. */
export async function postponeRosters(db: Knex, registrationId: number): Promise<void> {
  await execute(
    db,
    `update lti_contexts set roster_due_at = now() + interval '${AWAY_MIN} minutes'
     where registration_id = ? and roster_due_at <= now()`,
    [registrationId],
  );
}

/** Returns those of the learners who were launched as teachers of the course. */
export async function findTeachers(
  db: Knex,
  roster: Pick<DueRoster, "registrationId" | "deploymentId" | "contextId">,
  usernames: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await queryRows<{ username: string }>(
    db,
    `select username from lti_teachers where ${itself} and username = any (:usernames::text[])`,
    { ...idOf(roster), usernames: [...usernames] },
  );
  return new Set(found.map(({ username }) => username));
}

/** Keeps whether someone was launched as a teacher of the course. @returns whether that has changed */
export async function noteTeacher(
  db: Knex,
  course: Pick<DueRoster, "registrationId" | "deploymentId" | "contextId">,
  username: string,
  isTeacher: boolean,
): Promise<boolean> {
  const values = { ...idOf(course), username };
  const changed = isTeacher
    ? await execute(
        db,
        `insert into lti_teachers (registration_id, deployment_id, context_id, username)
         values (:registrationId, :deploymentId, :contextId, :username) on conflict do nothing`,
        values,
      )
    : await execute(db, `delete from lti_teachers where ${itself} and username = :username`, values);
  return changed > 0;
}

/** Has the lists of a platform read now. */
export async function makeRostersDue(db: Knex, registrationId: number): Promise<void> {
  await execute(db, "update lti_contexts set roster_due_at = now() where registration_id = ?", [
    registrationId,
  ]);
}

/** Notes that a list was read to its end. @param problem what an operator has to decide; empty: nothing */
export async function noteRosterRead(
  db: Knex,
  roster: DueRoster,
  learners: number,
  problem: string,
): Promise<void> {
  await execute(
    db,
    `update lti_contexts set roster_read_at = now(), roster_learners = :learners, roster_failures = 0,
       roster_problem = :problem, roster_due_at = now() + interval '${PAUSE_H} hours'
     where ${itself}`,
    { ...idOf(roster), learners, problem },
  );
}

/** Notes why a list could not be read. */
export async function noteRosterProblem(db: Knex, roster: DueRoster, problem: string): Promise<void> {
  await execute(db, `update lti_contexts set roster_problem = :problem where ${itself}`, {
    ...idOf(roster),
    problem: problem.slice(0, 500),
  });
}

const itself =
  "registration_id = :registrationId and deployment_id = :deploymentId and context_id = :contextId";

function idOf({
  registrationId,
  deploymentId,
  contextId,
}: Pick<DueRoster, "registrationId" | "deploymentId" | "contextId">) {
  return { registrationId, deploymentId, contextId };
}

/** How the lists of a platform are doing. */
export interface RosterStatus {
  readonly registrationId: number;
  /** Courses from which someone was launched. */
  readonly courses: number;
  /** Those of them whose members the platform lists. */
  readonly listed: number;
  /** Those of them that were read to their end. */
  readonly read: number;
  readonly problems: readonly RosterProblem[];
}

/** What is wrong with a list. */
export interface RosterProblem {
  readonly contextKey: string;
  readonly problem: string;
  readonly triedAt: Date;
}

/** Returns how lists are doing, by platform. */
export async function readRosterStatus(db: Knex, registrationId?: number): Promise<RosterStatus[]> {
  const id = { registrationId: registrationId ?? null };
  const counts = await queryRows<Omit<RosterStatus, "problems">>(
    db,
    `select registration_id as "registrationId", count(*)::integer as courses,
       count(*) filter (where memberships_url <> '')::integer as listed,
       count(*) filter (where roster_read_at is not null)::integer as read
     from lti_contexts where registration_id = coalesce(:registrationId, registration_id)
     group by registration_id order by registration_id`,
    id,
  );
  const problems = await queryRows<RosterProblem & { readonly registrationId: number }>(
    db,
    `select registration_id as "registrationId", context_key as "contextKey", roster_problem as problem,
       roster_tried_at as "triedAt"
     from (select *, row_number() over (partition by registration_id order by context_key) as place
           from lti_contexts where roster_problem <> '' and registration_id = coalesce(:registrationId, registration_id)
          ) as failed
     where place <= ${MAX_PROBLEMS} order by registration_id, place`,
    id,
  );
  return withProblems(counts, problems);
}
