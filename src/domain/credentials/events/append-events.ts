import type { CredentialStatus } from "#foundation/credential-status.js";
import { type Knex, query } from "#infrastructure/db/query.js";
import type { Actor } from "#infrastructure/identity/actors.js";

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

/** An event about one or more credentials. */
export interface NewEvent {
  readonly type: CredentialEventType;
  readonly actor: Actor;
  /** Null if the credential did not exist before. */
  readonly before: CredentialStatus | null;
  readonly after: CredentialStatus;
}

/** Unusual facts about an `issued` event: eligibility was not checked, or staff issued the credential to themselves. */
export type CredentialEventRemark = "eligibility_skipped" | "self_issued";

interface EventSubject {
  readonly uuid: string;
  readonly configurationId: number;
}

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

/**
 * Appends an event for each credential. By default, the event does not change the status.
 * @param after maps the status before the event to the status after the event
 */
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
 * Values for events that one statement appends. `type` and a status in `after` are plain values; everything else is
 * SQL.
 */
interface NewEvents extends Pick<NewEvent, "type"> {
  /** The new status, or the column of `subjects` that contains it. */
  readonly after: CredentialStatus | { readonly column: string };
  /** Two placeholders, for the actor's name and kind. */
  readonly actor: string;
  /** SQL: the status before the event. */
  readonly before: string;
  /** SQL: an array of `CredentialEventRemark`. Default: no remarks. */
  readonly remarks?: string;
  /** SQL. Default: the database computes the commitment from the credential's current facts. */
  readonly commitment?: string;
}

/**
 * Returns SQL that appends an event for each row of `subjects` (`uuid`, `configuration_id`), for use in the statement
 * that changes the credentials.
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
