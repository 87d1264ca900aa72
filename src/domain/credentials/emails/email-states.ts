import type { Knex } from "knex";
import { queryRows } from "#infrastructure/db/query.js";

/** The state of the email that notifies a learner of a credential. */
export interface AvailableEmailState {
  readonly state: "waiting" | "sent" | "refused";
  /** When it was sent or refused. */
  readonly at: Date | null;
}

/**
 * Returns the states of the emails that credentials are available, by `uuid`. Credentials whose email has no recipient
 * are left out.
 */
export async function findEmailStates(
  db: Knex,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, AvailableEmailState>> {
  const rows = await queryRows<AvailableEmailState & { uuid: string }>(
    db,
    `select credential_uuid as uuid, state, case when state <> 'waiting' then changed_at end as at
     from credential_mails
     where kind = 'available' and state in ('waiting', 'sent', 'refused') and credential_uuid = any (?::uuid[])`,
    [uuids],
  );
  return new Map(rows.map(({ uuid, state, at }) => [uuid, { state, at }]));
}
