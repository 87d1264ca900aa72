import type { Knex } from "knex";
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
  /** Username of a staff user or service, or what acts by itself: `worker`, `schedule`, `command line`. */
  readonly actor: string;
  /** null: there was no credential. */
  readonly before: CredentialStatus | null;
  readonly after: CredentialStatus;
}

/** What an event says of the credential itself. */
export interface EventSubject {
  readonly uuid: string;
  readonly configurationId: number;
}

/** Keeps what has happened to these credentials: with what the transaction changes, or not at all. */
export async function appendEvents(
  transaction: Knex.Transaction,
  { type, actor, before, after }: Happening,
  subjects: readonly EventSubject[],
): Promise<void> {
  if (subjects.length === 0) return;
  const told = "unnest(?::uuid[], ?::integer[]) as subject (uuid, configuration_id)";
  await transaction.raw(
    appendEach(told, { type, actor: "?", before: before === null ? "null" : `'${before}'`, after }),
    [actor, subjects.map(({ uuid }) => uuid), subjects.map(({ configurationId }) => configurationId)],
  );
}

/**
 * SQL that keeps an event for each row of `subjects`, which has a `uuid` and a `configuration_id`: for a statement that
 * changes something and tells of it. `actor` and `before` are SQL: a placeholder, and what the status was.
 */
export function appendEach(
  subjects: string,
  { type, actor, before, after }: Pick<Happening, "type" | "actor" | "after"> & { readonly before: string },
): string {
  return `insert into unsealed_credential_events
      (type, credential_uuid, configuration_id, actor_id, status_before, status_after)
    select '${type}', uuid, configuration_id, (select credential_event_actor(${actor})), ${before}, '${after}'
    from ${subjects}`;
}
