import type { Knex } from "knex";
import { standingOf } from "../../credential-status.js";
import { queryRows } from "../../db/query.js";

/** What became of the mail that tells a learner of a credential. */
export interface MailState {
  readonly state: "waiting" | "sent" | "refused";
  /** When it was sent or refused. */
  readonly at: Date | null;
}

/**
 * Returns the state of the mails about credentials, by their `uuid`. Those about which there is to be no mail are left
 * out: they are not available, were imported, or their learner has no address.
 */
export async function findMailStates(
  db: Knex,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, MailState>> {
  if (uuids.length === 0) return new Map();
  const rows = await queryRows<MailState & { uuid: string }>(
    db,
    `select uuid, coalesce(emailed_at, refused_at) as at,
       case when emailed_at is not null then 'sent' when refused_at is not null then 'refused' else 'waiting' end as state
     from (
       select uuid, emailed_at, (
           select max(occurred_at) from (
             select occurred_at from credential_events where credential_uuid = uuid and type = 'email_refused'
             union all
             select occurred_at from unsealed_credential_events where credential_uuid = uuid and type = 'email_refused'
           ) as event
         ) as refused_at,
         ${standingOf().isAvailable} and imported_at is null and exists (
           select from learners where learners.username = credentials.username and is_active and not is_deleted and email <> ''
         ) as is_to_be_sent
       from credentials where uuid = any (?::uuid[])
     ) as mail
     where emailed_at is not null or refused_at is not null or is_to_be_sent`,
    [uuids],
  );
  return new Map(rows.map(({ uuid, state, at }) => [uuid, { state, at }]));
}
