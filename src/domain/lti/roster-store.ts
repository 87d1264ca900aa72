import { shorten } from "#foundation/shorten.js";
import { execute, type Knex, queryRow, queryRows } from "#infrastructure/db/query.js";
import type { StoredContext } from "./context-key.js";
import { MAX_PROBLEMS, withProblems } from "./problems-by-platform.js";

export type DueRoster = Omit<StoredContext, "lineItemsUrl" | "isTeacher">;

/**
 * Hours until a list is read again. After a failure, the wait is half an hour, and doubles with each further failure.
 */
const PAUSE_H = 24;

/** SQL: whether the list belongs to an accepted platform and deployment, and no connector reads the platform. */
const isReadable = `context.memberships_url <> '' and registration.state = 'accepted' and registration.rosters <> ''
  and registration.connector = '' and deployment.state = 'accepted'`;

const joined = `lti_contexts as context join lti_registrations as registration on registration.id = context.registration_id
  join lti_deployments as deployment using (registration_id, deployment_id)`;

/**
 * Takes a list of members that is due, and counts the attempt as failed until the list is read. If the process that
 * reads it stops, the list is therefore due again after the same wait as after a failure.
 * @param registrationId only lists of this platform
 */
export async function takeDueRoster(db: Knex, registrationId?: number): Promise<DueRoster | undefined> {
  return queryRow<DueRoster>(
    db,
    `update lti_contexts as taken set roster_tried_at = now(), roster_failures = taken.roster_failures + 1,
       roster_due_at = now() + make_interval(mins =>
         least(${PAUSE_H * 60}, 30 * power(2, least(taken.roster_failures, 10)))::integer)
     from (select context.registration_id, context.deployment_id, context.context_id from ${joined}
           where ${isReadable} and context.roster_due_at <= now()
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

/**
 * Minutes for which the lists of an unresponsive platform are postponed. Meanwhile, lists of other platforms are read.
 */
const UNRESPONSIVE_PAUSE_MIN = 5;

export async function postponeRosters(db: Knex, registrationId: number): Promise<void> {
  await execute(
    db,
    `update lti_contexts set roster_due_at = now() + interval '${UNRESPONSIVE_PAUSE_MIN} minutes'
     where registration_id = ? and roster_due_at <= now()`,
    [registrationId],
  );
}

export async function makeRostersDue(db: Knex, registrationId: number): Promise<void> {
  await execute(db, "update lti_contexts set roster_due_at = now() where registration_id = ?", [
    registrationId,
  ]);
}

/** Records that a list was read to its end. @param problem what an operator must decide; empty if there is none */
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
     where ${isSameContext}`,
    { ...idOf(roster), learners, problem },
  );
}

export async function noteRosterProblem(db: Knex, roster: DueRoster, problem: string): Promise<void> {
  await execute(db, `update lti_contexts set roster_problem = :problem where ${isSameContext}`, {
    ...idOf(roster),
    problem: shorten(problem, 500),
  });
}

const isSameContext =
  "registration_id = :registrationId and deployment_id = :deploymentId and context_id = :contextId";

function idOf({
  registrationId,
  deploymentId,
  contextId,
}: Pick<DueRoster, "registrationId" | "deploymentId" | "contextId">) {
  return { registrationId, deploymentId, contextId };
}

export interface RosterStatus {
  readonly registrationId: number;
  /** Number of courses from which this service was launched. */
  readonly courses: number;
  /** Number of these courses with a list of members. */
  readonly listed: number;
  /** Number of courses whose list of members was read to its end at least once. */
  readonly read: number;
  readonly problems: readonly RosterProblem[];
}

interface RosterProblem {
  readonly contextKey: string;
  readonly problem: string;
  readonly triedAt: Date;
}

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
