import { statusSql } from "#foundation/credential-status.js";
import { shorten } from "#foundation/shorten.js";
import { execute, hasRows, type Knex, queryRow, queryRows } from "#infrastructure/db/query.js";
import { MAX_PROBLEMS, withProblems } from "./problems-by-platform.js";

const { isAvailable } = statusSql("credential");

/** Selects scores. All fields that are set must match. */
interface ScoresOf {
  readonly uuids?: readonly string[];
  readonly usernames?: readonly string[];
  readonly registrationId?: number;
  readonly deploymentId?: string;
  readonly contextId?: string;
}

/** Makes scores due now, for people whom a platform knows, in courses whose gradebooks accept columns. */
export async function makeScoresDue(db: Knex, of: ScoresOf): Promise<void> {
  const holds = [
    ...(of.uuids ? ["credential.uuid = any (cast(:uuids as uuid[]))"] : []),
    ...(of.usernames ? ["credential.username = any (cast(:usernames as text[]))"] : []),
    ...(of.registrationId === undefined ? [] : ["context.registration_id = :registrationId"]),
    ...(of.contextId === undefined
      ? []
      : ["context.deployment_id = :deploymentId and context.context_id = :contextId"]),
  ];
  await execute(
    db,
    `insert into lti_scores as known
       (registration_id, deployment_id, context_id, configuration_id, subject, due_at)
     select distinct context.registration_id, context.deployment_id, context.context_id,
       credential.configuration_id, person.subject, now()
     from credentials as credential
       join lti_people as person on person.username = credential.username
       join lti_registrations as registration on registration.id = person.registration_id
       join lti_contexts as context on context.registration_id = person.registration_id
         and context.context_key = credential.learning_context_key
     where registration.has_columns and context.line_items_url <> '' and ${holds.join(" and ")}
     on conflict (registration_id, deployment_id, context_id, configuration_id, subject)
       do update set due_at = now(), failures = 0`,
    { ...of },
  );
}

export interface DueScore {
  readonly registrationId: number;
  readonly deploymentId: string;
  readonly contextId: string;
  readonly configurationId: number;
  readonly subject: string;
  readonly written: 0 | 1 | null;
  readonly failures: number;
  /** When the score is retried if it can't be written now. */
  readonly dueAt: Date;
  readonly lineItemsUrl: string;
  /** URL of the column; null if the column was not created yet. */
  readonly lineItemUrl: string | null;
  readonly label: string;
  readonly isAvailable: boolean;
}

/**
 * Maximum number of attempts, which are spread over almost four days. Afterwards, a score is retried only when its
 * credential changes.
 */
const MAX_FAILURES = 12;

export async function hasDueScores(db: Knex): Promise<boolean> {
  return hasRows(db, "select from lti_scores where due_at <= now() limit 1");
}

const isSameScore = `registration_id = :registrationId and deployment_id = :deploymentId and context_id = :contextId
  and configuration_id = :configurationId`;

/** Takes a due score of an accepted platform and deployment. If the writer stops, the score is due again later. */
export async function takeDueScore(db: Knex): Promise<DueScore | undefined> {
  return queryRow<DueScore>(
    db,
    `with due as (
       select score.registration_id, score.deployment_id, score.context_id, score.configuration_id, score.subject,
         context.line_items_url, context.context_key
       from lti_scores as score
         join lti_contexts as context using (registration_id, deployment_id, context_id)
         join lti_registrations as registration on registration.id = score.registration_id
         join lti_deployments as deployment using (registration_id, deployment_id)
       where score.due_at <= now() and registration.state = 'accepted' and registration.has_columns
         and deployment.state = 'accepted' and context.line_items_url <> ''
       order by score.due_at limit 1 for update of score skip locked
     ), taken as (
       update lti_scores as score set failures = score.failures + 1,
         -- Truncated to milliseconds, the precision of dates in JavaScript.
         due_at = date_trunc('milliseconds', now()
           + make_interval(mins => least(1440, 5 * power(2, least(score.failures, 10)))::integer))
       from due where (score.registration_id, score.deployment_id, score.context_id, score.configuration_id,
         score.subject) = (due.registration_id, due.deployment_id, due.context_id, due.configuration_id, due.subject)
       returning score.*, due.line_items_url
     )
     select taken.registration_id as "registrationId", taken.deployment_id as "deploymentId",
       taken.context_id as "contextId", taken.configuration_id as "configurationId", taken.subject, taken.written,
       taken.failures, taken.due_at as "dueAt", taken.line_items_url as "lineItemsUrl",
       lti_column.line_item_url as "lineItemUrl", type.name as label,
       exists (select from credentials as credential join lti_people as person
                 on person.registration_id = taken.registration_id and person.subject = taken.subject
                   and person.username = credential.username
               where credential.configuration_id = taken.configuration_id and ${isAvailable}
              ) as "isAvailable"
     from taken
       join credential_configurations as configuration on configuration.id = taken.configuration_id
       join credential_types as type on type.id = configuration.credential_type_id
       left join lti_columns as lti_column using (registration_id, deployment_id, context_id, configuration_id)`,
    {},
  );
}

/**
 * Records that the score was written to the gradebook. If the credential has changed meanwhile, the score stays due.
 */
export async function noteScoreWritten(db: Knex, score: DueScore, written: 0 | 1 | null): Promise<void> {
  await execute(
    db,
    `update lti_scores set written = :written, failures = 0, problem = '',
       due_at = case when due_at = :dueAt then null else due_at end
     where ${isSameScore} and subject = :subject`,
    { ...score, written },
  );
}

/** Records why a score could not be written. After `MAX_FAILURES` attempts, the score is not retried. */
export async function noteScoreProblem(db: Knex, score: DueScore, problem: string): Promise<void> {
  await execute(
    db,
    `update lti_scores set problem = :problem,
       due_at = case when due_at = :dueAt and failures >= ${MAX_FAILURES} then null else due_at end
     where ${isSameScore} and subject = :subject`,
    { ...score, problem: shorten(problem, 500) },
  );
}

/**
 * Minutes for which the scores of an unresponsive platform are postponed. Meanwhile, scores of other platforms are
 * written.
 */
const UNRESPONSIVE_PAUSE_MIN = 5;

export async function postponeScores(db: Knex, registrationId: number): Promise<void> {
  await execute(
    db,
    `update lti_scores set due_at = date_trunc('milliseconds', now() + interval '${UNRESPONSIVE_PAUSE_MIN} minutes')
     where registration_id = ? and due_at <= now()`,
    [registrationId],
  );
}

/** Stores the URL of a column. @param lineItemUrl undefined if the column no longer exists */
export async function storeColumn(db: Knex, score: DueScore, lineItemUrl: string | undefined): Promise<void> {
  if (lineItemUrl === undefined)
    await execute(db, `delete from lti_columns where ${isSameScore}`, { ...score });
  else
    await execute(
      db,
      `insert into lti_columns (registration_id, deployment_id, context_id, configuration_id, line_item_url)
       values (:registrationId, :deploymentId, :contextId, :configurationId, :lineItemUrl)
       on conflict (registration_id, deployment_id, context_id, configuration_id)
         do update set line_item_url = excluded.line_item_url`,
      { ...score, lineItemUrl },
    );
}

/** The state of one platform's gradebook columns. */
export interface ColumnStatus {
  readonly registrationId: number;
  /** Number of scores (1 or 0) that were written to gradebooks. */
  readonly written: number;
  readonly waiting: number;
  /** Problems by course, with the number of affected scores. */
  readonly problems: readonly {
    readonly contextKey: string;
    readonly problem: string;
    readonly count: number;
  }[];
}

export async function readColumnStatus(db: Knex, registrationId?: number): Promise<ColumnStatus[]> {
  const id = { registrationId: registrationId ?? null };
  const counts = await queryRows<Omit<ColumnStatus, "problems">>(
    db,
    `select registration_id as "registrationId", count(written)::integer as written,
       count(due_at)::integer as waiting
     from lti_scores where registration_id = coalesce(:registrationId, registration_id)
     group by registration_id`,
    id,
  );
  const problems = await queryRows<ColumnStatus["problems"][number] & { readonly registrationId: number }>(
    db,
    `select registration_id as "registrationId", context_key as "contextKey", problem, count
     from (select registration_id, context_key, problem, count(*)::integer as count,
             row_number() over (partition by registration_id order by context_key, problem) as place
           from lti_scores join lti_contexts using (registration_id, deployment_id, context_id)
           where problem <> '' and registration_id = coalesce(:registrationId, registration_id)
           group by registration_id, context_key, problem) as failed
     where place <= ${MAX_PROBLEMS} order by registration_id, place`,
    id,
  );
  return withProblems(counts, problems);
}
