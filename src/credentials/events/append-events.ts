import type { Knex } from "knex";
import type { Actor } from "../../identity/actors.js";
import type { CredentialStatus } from "../credential.js";

/** What can happen to a credential. */
export type CredentialEventType =
  | "issued"
  | "available"
  | "failed"
  | "invalidated"
  | "reissued"
  | "emailed"
  | "email_refused"
  | "erased"
  | "imported"
  | "links_revoked";

/** Something that has happened to credentials; all of them in the same way. */
export interface Happening {
  readonly type: CredentialEventType;
  readonly actor: Actor;
  /** null: there was no credential. */
  readonly before: CredentialStatus | null;
  readonly after: CredentialStatus;
  /** Default: none. */
  readonly remarks?: readonly CredentialEventRemark[];
}

/** What is out of the ordinary about an `issued` event: nobody asked whether the learner is eligible; staff issued to themselves. */
export type CredentialEventRemark = "eligibility_skipped" | "self_issued";

/** What an event says of the credential itself. */
export interface EventSubject {
  readonly uuid: string;
  readonly configurationId: number;
}

/** Keeps what has happened to these credentials: with what the transaction changes, or not at all. */
export async function appendEvents(
  transaction: Knex.Transaction,
  { type, actor, before, after, remarks = [] }: Happening,
  subjects: readonly EventSubject[],
): Promise<void> {
  if (subjects.length === 0) return;
  const told = "unnest(?::uuid[], ?::integer[]) as subject (uuid, configuration_id)";
  const statusBefore = before === null ? "null" : `'${before}'`;
  await transaction.raw(
    appendEach(told, { type, actor: "?, ?", before: statusBefore, after, remarks: "?::text[]" }),
    [
      actor.name,
      actor.kind,
      remarks as string[],
      subjects.map(({ uuid }) => uuid),
      subjects.map(({ configurationId }) => configurationId),
    ],
  );
}

/** What events of one statement have in common. All but `type` and `after` is SQL. */
export interface EachHappening extends Pick<Happening, "type" | "after"> {
  /** Name and kind of the actor: two placeholders. */
  readonly actor: string;
  /** What the status was. */
  readonly before: string;
  /** Default: none. */
  readonly remarks?: string;
  /** Default: the database looks at each credential as it is then. */
  readonly commitment?: string;
}

/**
 * SQL that keeps an event for each row of `subjects`, which has a `uuid` and a `configuration_id`: for a statement that
 * changes something and tells of it.
 */
export function appendEach(
  subjects: string,
  { type, actor, before, after, remarks = "'{}'", commitment = "null" }: EachHappening,
): string {
  return `insert into unsealed_credential_events
      (type, credential_uuid, configuration_id, actor_id, status_before, status_after, remarks, commitment)
    select '${type}', uuid, configuration_id, (select credential_event_actor(${actor})), ${before}, '${after}',
      ${remarks}, ${commitment}
    from ${subjects}`;
}
