import type { Knex } from "knex";

/** Runs SQL as the owner of the database, with triggers disabled. */
export async function asOwner(knex: Knex, sql: string): Promise<void> {
  await knex.transaction(async (transaction) => {
    await transaction.raw("set local session_replication_role = replica");
    await transaction.raw(sql);
  });
}

/** Returns SQL that changes an event, and all hashes from this event on. Only the owner of the database can do so. */
export const remake = (position: number) => `do $$
  declare
    previous bytea := coalesce(
      (select hash from credential_events where position = ${position - 1}), decode(repeat('00', 32), 'hex')
    );
    event record;
  begin
    update credential_events set credential_uuid = gen_random_uuid() where position = ${position};
    for event in
      select sealed.*, actor.commitment as actor_commitment
      from credential_events sealed join credential_event_actors actor on actor.id = actor_id
      where position >= ${position} order by position
    loop
      previous := sha256(previous || convert_to(concat_ws(
        '|', event.position, event.type, event.credential_uuid, event.configuration_id, event.actor_id,
        coalesce(event.status_before, ''), event.status_after,
        to_char(event.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        array_to_string(event.remarks, ','), coalesce(encode(event.commitment, 'hex'), ''),
        encode(event.actor_commitment, 'hex')
      ), 'UTF8'));
      update credential_events set hash = previous where position = event.position;
    end loop;
    update credential_event_head set hash = previous;
  end $$`;
