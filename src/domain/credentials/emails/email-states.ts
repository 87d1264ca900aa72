import { type Knex, queryRows } from "#infrastructure/db/query.js";

/** State of the email about an available credential. */
export interface AvailableEmailState {
  readonly state: "waiting" | "sent" | "refused";
  /** When the email was sent or refused. */
  readonly at: Date | null;
}

/**
 * Returns the states by the credentials' `uuid`. Credentials whose email has no recipient are missing from the result.
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
