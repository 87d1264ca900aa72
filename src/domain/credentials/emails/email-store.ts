import type { Knex } from "knex";
import { execute, query, queryRow, queryRows } from "#infrastructure/db/query.js";
import { WORKER } from "#infrastructure/identity/actors.js";
import { enqueueEach } from "#infrastructure/jobs/enqueue.js";
import { jobsOf } from "#infrastructure/jobs/queue-store.js";
import { type LearnerQuery, matchesLearner } from "../../learners/learner-query.js";
import { type Organisations, withinSql } from "../../learners/organisations.js";
import type { Credential } from "../credential.js";
import { appendEach } from "../events/append-events.js";
import { forUpdate, type Locked } from "../in-groups.js";

/** The subject of an email: the credential is available, expires soon, or was withdrawn. */
export type EmailKind = "available" | "expiry" | "withdrawal";

/** The state of an email. */
export type EmailState = "waiting" | "sent" | "refused" | "no_address" | "dropped";

/** An email about a credential. */
export interface CredentialEmail
  extends Pick<
    Credential,
    "username" | "userFullName" | "learningContextKey" | "learningContextName" | "credentialType"
  > {
  /** Increases in the order in which emails were first queued. */
  readonly id: number;
  readonly credentialUuid: string;
  readonly kind: EmailKind;
  /** Number of days before the end of validity for a notice of expiry; otherwise 0. */
  readonly days: number;
  readonly state: EmailState;
  readonly queuedAt: Date;
  readonly changedAt: Date;
  /** How often it was queued again. */
  readonly resendCount: number;
  /** Command and reply codes of the mail server's refusal; empty if it did not refuse the email. */
  readonly refusal: string;
}

const selectEmails = `
  select mail.id, mail.credential_uuid as "credentialUuid", mail.kind, mail.days, credential.username,
    credential.learning_context_key as "learningContextKey", credential.credential_type as "credentialType",
    credential.user_full_name as "userFullName", credential.learning_context_name as "learningContextName",
    mail.state, mail.queued_at as "queuedAt", mail.changed_at as "changedAt", mail.resend_count as "resendCount",
    mail.refusal
  from credential_mails mail join credentials credential on credential.uuid = mail.credential_uuid`;

/**
 * Returns two parts of a `with` query that queue an email of a kind about each credential, and its job. Emails that
 * were queued before are left out.
 * @param credentials a query for the `uuid` of credentials and, for notices of expiry, `days`
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
 * Records that the email about an available credential is queued again, within the limit for 24 hours.
 * @returns the email's id; undefined if the limit is reached
 */
export async function noteResent(
  transaction: Knex.Transaction,
  credentialUuid: string,
  dailyLimit: number,
): Promise<number | undefined> {
  const isOver = "coalesce(mail.day_began_at < now() - interval '24 hours', true)";
  const row = await queryRow<{ id: number }>(
    transaction,
    // For an imported credential, no email was queued before.
    `insert into credential_mails as mail (credential_uuid, kind, state, resend_count, day_count, day_began_at)
     values (:credentialUuid, 'available', 'waiting', 1, 1, now())
     on conflict (credential_uuid, kind, days) do update set
       state = 'waiting', refusal = '', queued_at = now(), changed_at = now(), resend_count = mail.resend_count + 1,
       day_count = case when ${isOver} then 1 else mail.day_count + 1 end,
       day_began_at = case when ${isOver} then now() else mail.day_began_at end
     where ${isOver} or mail.day_count < :dailyLimit
     returning id`,
    { credentialUuid, dailyLimit },
  );
  return row?.id;
}

/** An attempt to send an email, and the mail server's answer. */
export interface Answered {
  readonly mail: CredentialEmail;
  readonly outcome: "sent" | "refused";
  /** For a refused email: command and reply codes. */
  readonly refusal: string;
}

/**
 * Records the mail server's answers to waiting emails. Emails about available credentials also become events. This is
 * one statement, as in `publishFiles`.
 * @returns the ids of the emails whose credentials the statement has locked
 */
export async function recordAnswers(
  db: Knex,
  answers: readonly Answered[],
  locked: Locked,
): Promise<{ readonly id: number; readonly isErased: boolean }[]> {
  const append = (type: "emailed" | "email_refused", outcome: Answered["outcome"]) =>
    appendEach(`settled join locked using (uuid) where kind = 'available' and state = '${outcome}'`, {
      type,
      actor: "?, ?",
      before: "status",
      after: { column: "status" },
      commitment: "commitment",
    });
  const { rows } = await query<{ id: number; isErased: boolean }>(
    db,
    `record_answers_${forUpdate[locked]}`,
    `with answered (id, uuid, outcome, refusal) as (
       select * from unnest(?::bigint[], ?::uuid[], ?::text[], ?::text[])
     ), locked as materialized (
       select uuid, configuration_id, status, erased_at, credential_commitment(credentials) as commitment
       from credentials where uuid in (select uuid from answered) order by id ${forUpdate[locked]}
     ), settled as (
       update credential_mails as mail
       set state = outcome, refusal = answered.refusal, changed_at = now(), sent_at = case outcome when 'sent' then now() else sent_at end
       from answered join locked using (uuid)
       where mail.id = answered.id and mail.state = 'waiting'
       returning mail.credential_uuid as uuid, mail.kind, mail.state
     ), emailed as (
       ${append("emailed", "sent")}
     ), refused as (
       ${append("email_refused", "refused")}
     )
     select id, erased_at is not null as "isErased" from answered join locked using (uuid)`,
    [
      answers.map(({ mail }) => mail.id),
      answers.map(({ mail }) => mail.credentialUuid),
      answers.map(({ outcome }) => outcome),
      answers.map(({ refusal }) => refusal),
      ...[WORKER.name, WORKER.kind],
      ...[WORKER.name, WORKER.kind],
    ],
  );
  return rows;
}

/** Records that waiting emails will not be sent. The state is also `refused` if sending them keeps failing. */
export async function settleUnsent(
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

/** Returns the email about an available credential; undefined if none was queued yet. */
export async function findAvailableEmail(
  db: Knex,
  credentialUuid: string,
): Promise<CredentialEmail | undefined> {
  return queryRow<CredentialEmail>(
    db,
    `${selectEmails} where mail.credential_uuid = ?::uuid and mail.kind = 'available'`,
    [credentialUuid],
  );
}

/** Returns the emails with these ids. */
export async function findEmails(db: Knex, ids: readonly number[]): Promise<CredentialEmail[]> {
  const { rows } = await query<CredentialEmail>(
    db,
    "find_emails",
    `${selectEmails} where mail.id = any (?::bigint[])`,
    [ids],
  );
  return rows;
}

/** Maximum number of learners whose emails are searched. */
const MOST_LEARNERS = 1000;

/** Selects emails. A field that is null or undefined does not filter. */
export interface EmailFilter {
  readonly state: EmailState | null;
  readonly credentialUuid: string | null;
  readonly username: string | null;
  /** Search words for the learner. */
  readonly learner: LearnerQuery;
  readonly organisations: Organisations;
}

/** Lists emails with an id below `belowId`, newest first; 0 starts from the latest. */
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
  if (state !== null) restrict("mail.state = ?", state);
  if (state !== null && state !== "sent" && state !== "waiting") conditions.push("mail.is_unsent"); // enables the partial index
  if (state === "waiting") {
    conditions.push(
      `mail.id = any (array(select (job.payload ->> 'mailId')::bigint from ${jobsOf("send_mail")}))`,
    );
  }
  if (belowId !== 0) restrict("mail.id < ?", belowId);
  if (credentialUuid !== null) restrict("mail.credential_uuid = ?::uuid", credentialUuid);
  // A learner has few credentials: as an array, they are looked up by index instead of being compared with each email.
  if (username !== null)
    restrict("mail.credential_uuid = any (array(select uuid from credentials where username = ?))", username);
  if (learner.kind !== "everything") {
    const { sql, bindings: sought } = matchesLearner(learner);
    conditions.push(
      `mail.credential_uuid = any (array(
         select uuid from credentials where username = any (array(
           select username from learners where not is_deleted and ${sql} limit ${MOST_LEARNERS}
         ))
       ))`,
    );
    bindings.push(...sought);
  }
  if (organisations !== undefined)
    restrict(withinSql("credential.learning_context_key", organisations, "?"), organisations);
  return queryRows<CredentialEmail>(
    db,
    `${selectEmails} where ${conditions.join(" and ")} order by mail.id desc limit ?`,
    [...bindings, limit],
  );
}
