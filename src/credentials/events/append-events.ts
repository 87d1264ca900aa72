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
  await transaction.raw(
    `insert into unsealed_credential_events
       (type, credential_uuid, configuration_id, actor_id, status_before, status_after)
     select ?, subject.uuid, subject.configuration_id, (select credential_event_actor(?)), ?, ?
     from unnest(?::uuid[], ?::integer[]) as subject (uuid, configuration_id)`,
    [
      type,
      actor,
      before as string,
      after,
      subjects.map(({ uuid }) => uuid),
      subjects.map(({ configurationId }) => configurationId),
    ],
  );
}
