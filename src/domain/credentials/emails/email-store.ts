import { execute, type Knex, query, queryRow, queryRows } from "#infrastructure/db/query.js";
import { WORKER } from "#infrastructure/identity/actors.js";
import { enqueueEach } from "#infrastructure/jobs/enqueue.js";
import { jobsOf } from "#infrastructure/jobs/queue-store.js";
import { type LearnerQuery, matchesLearner } from "../../learners/learner-query.js";
import { type Organisations, withinSql } from "../../learners/organisations.js";
import type { Credential } from "../credential.js";
import { appendEach } from "../events/append-events.js";
import { forUpdate, type LockMode } from "../in-groups.js";

/** What the email is about: the credential is available, expires soon, or was withdrawn. */
export type EmailKind = "available" | "expiry" | "withdrawal";

export type EmailState = "waiting" | "sent" | "refused" | "no_address" | "dropped";

export interface CredentialEmail
  extends Pick<
    Credential,
    "username" | "userFullName" | "learningContextKey" | "learningContextName" | "credentialType"
  > {
  /** Ids ascend in the order in which emails were first queued. */
  readonly id: number;
  readonly credentialUuid: string;
  readonly kind: EmailKind;
  /** Days between an expiry notice and the end of validity; 0 for other emails. */
  readonly days: number;
  readonly state: EmailState;
  readonly queuedAt: Date;
  readonly changedAt: Date;
  /** How often the email was queued again. */
  readonly resendCount: number;
  /** The command and reply codes with which the email server refused the email; empty if it did not. */
  readonly refusal: string;
}

const selectEmails = `
  select email.id, email.credential_uuid as "credentialUuid", email.kind, email.days, credential.username,
    credential.learning_context_key as "learningContextKey", credential.credential_type as "credentialType",
    credential.user_full_name as "userFullName", credential.learning_context_name as "learningContextName",
    email.state, email.queued_at as "queuedAt", email.changed_at as "changedAt", email.resend_count as "resendCount",
    email.refusal
  from credential_mails email join credentials credential on credential.uuid = email.credential_uuid`;

/**
 * Returns two parts of a `with` query. They queue an email about each credential, and the job that sends it, unless the
 * email was queued before.
 * @param credentials a query for `uuid` and, for expiry notices, `days`
 */
export function queueEmails(kind: EmailKind, credentials: string): string {
  const days = kind === "expiry" ? "days" : "0";
  return `queued_mails as (
       insert into credential_mails (credential_uuid, kind, days, state)
       select uuid, '${kind}', ${days}, 'waiting' from (${credentials}) as credential
       on conflict do nothing
       returning id, credential_uuid
     ), email_jobs as (
       ${enqueueEach("send_mail", "select json_build_object('credentialUuid', credential_uuid, 'mailId', id) as payload from queued_mails")}
     )`;
}

/**
 * Records that an email about an available credential is resent, unless the limit for 24 hours is reached.
 * @returns the email's id; undefined if the limit is reached
 */
export async function noteResent(
  transaction: Knex.Transaction,
  credentialUuid: string,
  dailyLimit: number,
): Promise<number | undefined> {
  const isOver = "coalesce(email.day_began_at < now() - interval '24 hours', true)";
  const row = await queryRow<{ id: number }>(
    transaction,
    // The insert is for imported credentials, about which no email was queued before.
    `insert into credential_mails as email (credential_uuid, kind, state, resend_count, day_count, day_began_at)
     values (:credentialUuid, 'available', 'waiting', 1, 1, now())
     on conflict (credential_uuid, kind, days) do update set
       state = 'waiting', refusal = '', queued_at = now(), changed_at = now(), resend_count = email.resend_count + 1,
       day_count = case when ${isOver} then 1 else email.day_count + 1 end,
       day_began_at = case when ${isOver} then now() else email.day_began_at end
     where ${isOver} or email.day_count < :dailyLimit
     returning id`,
    { credentialUuid, dailyLimit },
  );
  return row?.id;
}

/** The email server's answer to an email. */
export interface EmailOutcome {
  readonly email: CredentialEmail;
  readonly outcome: "sent" | "refused";
  /** The command and the reply codes, if the email was refused. */
  readonly refusal: string;
}

/**
 * Records the email server's answers to waiting emails, and appends events for emails of the kind `available`, all in
 * one statement.
 * @returns the emails whose credentials the statement has locked
 */
export async function recordAnswers(
  db: Knex,
  answers: readonly EmailOutcome[],
  lockMode: LockMode,
): Promise<{ readonly id: number; readonly isErased: boolean }[]> {
  const append = (type: "emailed" | "email_refused", outcome: EmailOutcome["outcome"]) =>
    appendEach(`settled join locked using (uuid) where kind = 'available' and state = '${outcome}'`, {
      type,
      actor: "?, ?",
      before: "status",
      after: { column: "status" },
      commitment: "commitment",
    });
  const { rows } = await query<{ id: number; isErased: boolean }>(
    db,
    `record_answers_${forUpdate[lockMode]}`,
    `with answered (id, uuid, outcome, refusal) as (
       select * from unnest(?::bigint[], ?::uuid[], ?::text[], ?::text[])
     ), locked as materialized (
       select uuid, configuration_id, status, erased_at, credential_commitment(credentials) as commitment
       from credentials where uuid in (select uuid from answered) order by id ${forUpdate[lockMode]}
     ), settled as (
       update credential_mails as email
       set state = outcome, refusal = answered.refusal, changed_at = now(), sent_at = case outcome when 'sent' then now() else sent_at end
       from answered join locked using (uuid)
       where email.id = answered.id and email.state = 'waiting'
       returning email.credential_uuid as uuid, email.kind, email.state
     ), emailed as (
       ${append("emailed", "sent")}
     ), refused as (
       ${append("email_refused", "refused")}
     )
     select id, erased_at is not null as "isErased" from answered join locked using (uuid)`,
    [
      answers.map(({ email }) => email.id),
      answers.map(({ email }) => email.credentialUuid),
      answers.map(({ outcome }) => outcome),
      answers.map(({ refusal }) => refusal),
      ...[WORKER.name, WORKER.kind],
      ...[WORKER.name, WORKER.kind],
    ],
  );
  return rows;
}

/**
 * Ends emails that were not sent.
 * @param state `dropped` if the email is outdated, `refused` if sending it keeps failing
 */
export async function closeUnsent(
  db: Knex,
  mailIds: readonly number[],
  state: "dropped" | "no_address" | "refused",
): Promise<void> {
  await execute(
    db,
    `update credential_mails set state = ?, changed_at = now()
     where id = any (?::bigint[]) and state = 'waiting'`,
    [state, mailIds],
  );
}

export async function findAvailableEmail(
  db: Knex,
  credentialUuid: string,
): Promise<CredentialEmail | undefined> {
  return queryRow<CredentialEmail>(
    db,
    `${selectEmails} where email.credential_uuid = ?::uuid and email.kind = 'available'`,
    [credentialUuid],
  );
}

export async function findEmails(db: Knex, ids: readonly number[]): Promise<CredentialEmail[]> {
  const { rows } = await query<CredentialEmail>(
    db,
    "find_emails",
    `${selectEmails} where email.id = any (?::bigint[])`,
    [ids],
  );
  return rows;
}

/** Maximum number of learners whose emails a search includes. */
const MAX_LEARNERS = 1000;

/** Fields that are null or undefined don't filter. */
interface EmailFilter {
  readonly state: EmailState | null;
  readonly credentialUuid: string | null;
  readonly username: string | null;
  /** Search words that match the learner. */
  readonly learner: LearnerQuery;
  readonly organisations: Organisations;
}

/** Lists emails with ids below `belowId`, newest first. 0 starts from the latest email. */
export async function listEmails(
  db: Knex,
  { state, credentialUuid, username, learner, organisations }: EmailFilter,
  belowId: number,
  limit: number,
): Promise<CredentialEmail[]> {
  const conditions = ["true"];
  const bindings: unknown[] = [];
  const restrict = (condition: string, value: unknown) => {
    conditions.push(condition);
    bindings.push(value);
  };
  if (state !== null) restrict("email.state = ?", state);
  if (state !== null && state !== "sent" && state !== "waiting") conditions.push("email.is_unsent"); // lets Postgres use the partial index
  if (state === "waiting") {
    conditions.push(
      `email.id = any (array(select (job.payload ->> 'mailId')::bigint from ${jobsOf("send_mail")}))`,
    );
  }
  if (belowId !== 0) restrict("email.id < ?", belowId);
  if (credentialUuid !== null) restrict("email.credential_uuid = ?::uuid", credentialUuid);
  // The array makes Postgres find a learner's few credentials first, and then look up the emails of these credentials
  // by index. With `in (select …)`, Postgres might compare every email with these credentials.
  if (username !== null)
    restrict(
      "email.credential_uuid = any (array(select uuid from credentials where username = ?))",
      username,
    );
  if (learner.kind !== "everything") {
    const { sql, bindings: sought } = matchesLearner(learner);
    conditions.push(
      `email.credential_uuid = any (array(
         select uuid from credentials where username = any (array(
           select username from learners where not is_deleted and ${sql} limit ${MAX_LEARNERS}
         ))
       ))`,
    );
    bindings.push(...sought);
  }
  if (organisations !== undefined)
    restrict(withinSql("credential.learning_context_key", organisations, "?"), organisations);
  return queryRows<CredentialEmail>(
    db,
    `${selectEmails} where ${conditions.join(" and ")} order by email.id desc limit ?`,
    [...bindings, limit],
  );
}
