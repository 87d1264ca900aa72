import type { Knex } from "knex";
import { statusSql } from "../../credential-status.js";
import { queryRows } from "../../db/query.js";

/** What became of the mail that tells a learner of a credential. */
export interface MailState {
  readonly state: "waiting" | "sent" | "refused";
  /** When it was sent or refused. */
  readonly at: Date | null;
}

/**
 * Returns the state of the mails about credentials, by their `uuid`. Credentials without a mail are left out: they
 * are not available, were imported, or their learner has no address.
 */
export async function findMailStates(
  db: Knex,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, MailState>> {
  if (uuids.length === 0) return new Map();
  const rows = await queryRows<MailState & { uuid: string }>(
    db,
    // Refusals are joined as a group: PostgreSQL would plan and run a subquery once for each place that names it.
    `select uuid, coalesce(emailed_at, refused_at) as at,
       case when emailed_at is not null then 'sent' when refused_at is not null then 'refused' else 'waiting' end as state
     from credentials
     left join (
       select credential_uuid, max(occurred_at) as refused_at from (
         select credential_uuid, occurred_at from credential_events
         where credential_uuid = any (?::uuid[]) and type = 'email_refused'
         union all
         select credential_uuid, occurred_at from unsealed_credential_events
         where credential_uuid = any (?::uuid[]) and type = 'email_refused'
       ) as event group by credential_uuid
     ) as refused on refused.credential_uuid = credentials.uuid
     left join learners on learners.username = credentials.username
       and learners.is_active and not learners.is_deleted and learners.email <> ''
     where uuid = any (?::uuid[]) and (
       emailed_at is not null or refused_at is not null
       or ${statusSql("credentials").isAvailable} and imported_at is null and learners.username is not null
     )`,
    [uuids, uuids, uuids],
  );
  return new Map(rows.map(({ uuid, state, at }) => [uuid, { state, at }]));
}
