import type { Knex } from "knex";
import type { CredentialStatus } from "#foundation/credential-status.js";
import { query } from "#infrastructure/db/query.js";
import type { Actor } from "#infrastructure/identity/actors.js";

/** The types of events. */
export const eventTypes = [
  "issued",
  "available",
  "failed",
  "invalidated",
  "reissued",
  "emailed",
  "email_refused",
  "erased",
  "imported",
  "links_revoked",
  "expired",
  "renewed",
  "renamed",
] as const;

export type CredentialEventType = (typeof eventTypes)[number];

/** An event to record for one or more credentials. */
export interface NewEvent {
  readonly type: CredentialEventType;
  readonly actor: Actor;
  /** null if the credential did not exist. */
  readonly before: CredentialStatus | null;
  readonly after: CredentialStatus;
}

/** Unusual facts about an `issued` event: eligibility was not checked, or members of staff issued to themselves. */
export type CredentialEventRemark = "eligibility_skipped" | "self_issued";

/** The credential that an event is about. */
export interface EventSubject {
  readonly uuid: string;
  readonly configurationId: number;
}

/** Appends an event for each of these credentials, in the caller's transaction. */
export async function appendEvents(
  transaction: Knex.Transaction,
  { type, actor, before, after }: NewEvent,
  subjects: readonly EventSubject[],
): Promise<void> {
  if (subjects.length === 0) return;
  const subject = "unnest(?::uuid[], ?::integer[]) as subject (uuid, configuration_id)";
  const statusBefore = before === null ? "null" : `'${before}'`;
  await query(
    transaction,
    `append_${type}_${before}_${after}`,
    appendEach(subject, { type, actor: "?, ?", before: statusBefore, after }),
    [
      actor.name,
      actor.kind,
      subjects.map(({ uuid }) => uuid),
      subjects.map(({ configurationId }) => configurationId),
    ],
  );
}

/** Appends an event for each of these credentials. Their status does not change, unless `after` is given. */
export async function appendByStatus(
  transaction: Knex.Transaction,
  { type, actor }: Pick<NewEvent, "type" | "actor">,
  subjects: readonly (EventSubject & { readonly status: CredentialStatus })[],
  after = (before: CredentialStatus) => before,
): Promise<void> {
  for (const before of new Set(subjects.map(({ status }) => status))) {
    const same = subjects.filter(({ status }) => status === before);
    await appendEvents(transaction, { type, actor, before, after: after(before) }, same);
  }
}

/**
 * The shared values of events that one statement appends. Apart from `type` and a status in `after`, every field is
 * SQL.
 */
export interface NewEvents extends Pick<NewEvent, "type"> {
  /** A status, or the column of `subjects` that contains it. */
  readonly after: CredentialStatus | { readonly column: string };
  /** Name and kind of the actor: two placeholders. */
  readonly actor: string;
  /** Status before the event. */
  readonly before: string;
  /** An array of `CredentialEventRemark`. Default: none. */
  readonly remarks?: string;
  /** Default: the database computes the commitment of each credential at that moment. */
  readonly commitment?: string;
}

/**
 * Returns SQL that appends an event for each row of `subjects`, which has a `uuid` and a `configuration_id`, so that
 * one statement can both change credentials and record the change.
 */
export function appendEach(
  subjects: string,
  { type, actor, before, after, remarks = "'{}'", commitment = "null" }: NewEvents,
): string {
  return `insert into unsealed_credential_events
      (type, credential_uuid, configuration_id, actor_id, status_before, status_after, remarks, commitment)
    select '${type}', uuid, configuration_id, (select credential_event_actor(${actor})), ${before},
      ${typeof after === "string" ? `'${after}'` : after.column},
      ${remarks}, ${commitment}
    from ${subjects}`;
}
