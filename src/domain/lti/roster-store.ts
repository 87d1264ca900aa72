import type { Knex } from "knex";
import { execute, queryRow, queryRows } from "#infrastructure/db/query.js";
import type { StoredContext } from "./context-key.js";
import { MAX_PROBLEMS, withProblems } from "./problems-by-platform.js";

/** A course whose list of members is due. */
export type DueRoster = Omit<StoredContext, "lineItemsUrl" | "isTeacher">;

/** Time until a list is read again, in hours. After a failure it is half an hour, doubled up to this. */
const PAUSE_H = 24;

/** SQL: the list belongs to an accepted platform and deployment, and no connector reads the platform. */
const readable = `context.memberships_url <> '' and registration.state = 'accepted' and registration.rosters <> ''
  and registration.connector = '' and deployment.state = 'accepted'`;

const joined = `lti_contexts as context join lti_registrations as registration on registration.id = context.registration_id
  join lti_deployments as deployment using (registration_id, deployment_id)`;

/**
 * Takes one list that is due, and counts it as failed until it is read. If the reader dies, it is due again after the
 * usual pause.
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

/**
 * How long the lists of an unresponsive platform are postponed, in minutes, so that lists of other platforms are read.
 */
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

/** Returns which of the learners were launched as teachers of the course. */
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

/** Stores whether someone was launched as a teacher of the course. @returns whether this has changed */
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

/** Makes the lists of a platform due now. */
export async function makeRostersDue(db: Knex, registrationId: number): Promise<void> {
  await execute(db, "update lti_contexts set roster_due_at = now() where registration_id = ?", [
    registrationId,
  ]);
}

/** Records that a list was read to its end. @param problem what an operator has to decide; empty: nothing */
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

/** Records why a list could not be read. */
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

/** The status of a platform's lists of members. */
export interface RosterStatus {
  readonly registrationId: number;
  /** Number of courses with a launch. */
  readonly courses: number;
  /** Number of those whose members the platform lists. */
  readonly listed: number;
  /** Number of those whose list was read to its end. */
  readonly read: number;
  readonly problems: readonly RosterProblem[];
}

/** A problem with a course's list of members. */
export interface RosterProblem {
  readonly contextKey: string;
  readonly problem: string;
  readonly triedAt: Date;
}

/** Returns the status of lists, by platform. */
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
