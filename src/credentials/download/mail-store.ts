import type { Knex } from "knex";
import { execute, query, queryRow, queryRows } from "../../db/query.js";
import { WORKER } from "../../identity/actors.js";
import { type Organisations, withinSql } from "../../learners/organisations.js";
import { appendEach } from "../events/append-events.js";
import { forUpdate, type Locked } from "../in-groups.js";

/** The state of the mail about a credential. */
export type MailState = "waiting" | "sent" | "refused" | "no_address" | "dropped";

/** The mail that a credential is available. */
export interface CredentialMail {
  /** Follows the order in which mails were first queued. */
  readonly id: number;
  readonly credentialUuid: string;
  readonly username: string;
  readonly learningContextKey: string;
  readonly credentialType: string;
  readonly state: MailState;
  readonly queuedAt: Date;
  readonly changedAt: Date;
  /** How often it was queued again. */
  readonly resendCount: number;
}

const selectMails = `
  select mail.id, mail.credential_uuid as "credentialUuid", credential.username,
    credential.learning_context_key as "learningContextKey", credential.credential_type as "credentialType",
    mail.state, mail.queued_at as "queuedAt", mail.changed_at as "changedAt", mail.resend_count as "resendCount"
  from credential_mails mail join credentials credential on credential.uuid = mail.credential_uuid`;

/** Returns SQL that records that a mail about each of these credentials is queued for the first time. */
export function noteQueuedEach(credentials: string): string {
  return `insert into credential_mails (credential_uuid, state) select uuid, 'waiting' from ${credentials}
     on conflict (credential_uuid) do update set state = 'waiting', queued_at = now(), changed_at = now()`;
}

/**
 * Records that the mail is queued again, unless that would be oftener in 24 hours than the limit.
 * @returns false if it would
 */
export async function noteResent(
  transaction: Knex.Transaction,
  credentialUuid: string,
  dailyLimit: number,
): Promise<boolean> {
  const isOver = "coalesce(mail.day_began_at < now() - interval '24 hours', true)";
  const changed = await execute(
    transaction,
    `insert into credential_mails as mail (credential_uuid, state, resend_count, day_count, day_began_at)
     values (:credentialUuid, 'waiting', 1, 1, now())
     on conflict (credential_uuid) do update set
       state = 'waiting', queued_at = now(), changed_at = now(), resend_count = mail.resend_count + 1,
       day_count = case when ${isOver} then 1 else mail.day_count + 1 end,
       day_began_at = case when ${isOver} then now() else mail.day_began_at end
     where ${isOver} or mail.day_count < :dailyLimit`,
    { credentialUuid, dailyLimit },
  );
  return changed === 1;
}

/** How the mail about a credential was answered. */
export interface Answered {
  readonly credentialUuid: string;
  readonly outcome: "sent" | "refused";
}

/**
 * Records answers to the mails about different credentials, with their events, unless something was recorded
 * before. It is one statement, as in `publishFiles`.
 * @returns the credentials that exist
 */
export async function recordAnswers(
  db: Knex,
  answers: readonly Answered[],
  locked: Locked,
): Promise<{ readonly uuid: string; readonly isErased: boolean }[]> {
  const told = (type: "emailed" | "email_refused", outcome: Answered["outcome"]) =>
    appendEach(`settled join locked using (uuid) where state = '${outcome}'`, {
      type,
      actor: "?, ?",
      before: "status",
      after: { column: "status" },
      commitment: "commitment",
    });
  const { rows } = await query<{ uuid: string; isErased: boolean }>(
    db,
    `record_answers_${forUpdate[locked]}`,
    `with answered (uuid, outcome) as (
       select * from unnest(?::uuid[], ?::text[])
     ), locked as materialized (
       select uuid, configuration_id, status, erased_at, credential_commitment(credentials) as commitment
       from credentials where uuid in (select uuid from answered) order by id ${forUpdate[locked]}
     ), settled as (
       insert into credential_mails as mail (credential_uuid, state)
       select uuid, outcome from answered join locked using (uuid)
       on conflict (credential_uuid) do update set state = excluded.state, changed_at = now()
       where mail.state = 'waiting'
       returning credential_uuid as uuid, state
     ), sent as (
       update credentials set emailed_at = now() from settled
       where credentials.uuid = settled.uuid and settled.state = 'sent'
     ), told_sent as (
       ${told("emailed", "sent")}
     ), told_refused as (
       ${told("email_refused", "refused")}
     )
     select uuid, erased_at is not null as "isErased" from locked`,
    [
      answers.map(({ credentialUuid }) => credentialUuid),
      answers.map(({ outcome }) => outcome),
      ...[WORKER.name, WORKER.kind],
      ...[WORKER.name, WORKER.kind],
    ],
  );
  return rows;
}

/** What became of a mail. */
export interface SettledMail {
  readonly credentialUuid: string;
  readonly state: Exclude<MailState, "waiting">;
}

/**
 * Records what became of the mails about different credentials.
 * @returns the UUIDs of those of which nothing was recorded before
 */
export async function settleMails(db: Knex, mails: readonly SettledMail[]): Promise<ReadonlySet<string>> {
  const rows = await queryRows<{ uuid: string }>(
    db,
    `insert into credential_mails as mail (credential_uuid, state) select * from unnest(?::uuid[], ?::text[])
     on conflict (credential_uuid) do update set state = excluded.state, changed_at = now()
     where mail.state = 'waiting'
     returning credential_uuid as uuid`,
    [mails.map(({ credentialUuid }) => credentialUuid), mails.map(({ state }) => state)],
  );
  return new Set(rows.map(({ uuid }) => uuid));
}

/** @returns undefined if no mail was queued yet */
export async function findMail(db: Knex, credentialUuid: string): Promise<CredentialMail | undefined> {
  return queryRow<CredentialMail>(db, `${selectMails} where mail.credential_uuid = ?::uuid`, [
    credentialUuid,
  ]);
}

/** Returns the mails about these credentials, as `findMail` does. */
export async function findMails(db: Knex, credentialUuids: readonly string[]): Promise<CredentialMail[]> {
  const { rows } = await query<CredentialMail>(
    db,
    "find_mails",
    `${selectMails} where mail.credential_uuid = any (?::uuid[])`,
    [credentialUuids],
  );
  return rows;
}

/** Selects mails. A field that is null or undefined does not filter. */
export interface MailFilter {
  readonly state: MailState | null;
  readonly credentialUuid: string | null;
  readonly username: string | null;
  readonly organisations: Organisations;
}

/** Lists mails with an id below `belowId`, the latest first; 0 starts from the latest. */
export async function listMails(
  db: Knex,
  { state, credentialUuid, username, organisations }: MailFilter,
  belowId: number,
  limit: number,
): Promise<CredentialMail[]> {
  const conditions = ["true"];
  const bindings: unknown[] = [];
  const restrict = (condition: string, value: unknown) => {
    conditions.push(condition);
    bindings.push(value);
  };
  if (state !== null) restrict("mail.state = ?", state);
  if (belowId !== 0) restrict("mail.id < ?", belowId);
  if (credentialUuid !== null) restrict("mail.credential_uuid = ?::uuid", credentialUuid);
  // A learner has few: as an array, they are looked up instead of comparing the mails one by one.
  if (username !== null)
    restrict("mail.credential_uuid = any (array(select uuid from credentials where username = ?))", username);
  if (organisations !== undefined)
    restrict(withinSql("credential.learning_context_key", organisations, "?"), organisations);
  return queryRows<CredentialMail>(
    db,
    `${selectMails} where ${conditions.join(" and ")} order by mail.id desc limit ?`,
    [...bindings, limit],
  );
}
