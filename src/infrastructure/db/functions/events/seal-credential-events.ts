/**
 * Seals the oldest unsealed events and returns their number, or 0 while another session is sealing. The caller runs
 * this function as a single statement, so that a process that freezes while waiting for the response does not hold the
 * lock.
 *
 * The hash of an event is SHA-256 over the previous hash and the event's own fields. Before the first event, the
 * previous hash is 32 zero bytes. The fields are joined as text by `|`: position, type, credential, configuration,
 * actor's id, status before (or nothing), status after, time in UTC with milliseconds, remarks (joined by commas), the
 * event's commitment and the actor's commitment. Both commitments are in hexadecimal. `verify-event-chain.ts` has the
 * same formula.
 */
export const sealCredentialEvents = `
  create or replace function seal_credential_events(batch integer) returns integer
  language plpgsql security definer set search_path from current as $$
  declare
    head credential_event_head;
    last_position bigint;
  begin
    if not exists (select from unsealed_credential_events) then return 0; end if;
    select * into head from credential_event_head for update skip locked;
    if not found then return 0; end if;
    perform make_room_for_credential_events(head.position, batch);

    with unsealed as (
      delete from unsealed_credential_events
      where id in (select id from unsealed_credential_events order by id limit batch)
      returning *
    ),
    placed as (
      select head.position + row_number() over (order by unsealed.id) as position,
        type, credential_uuid, configuration_id, actor_id, status_before, status_after, occurred_at, remarks,
        commitment, (select commitment from credential_event_actors where id = actor_id) as actor_commitment
      from unsealed
    ),
    sealed as (
      insert into credential_events (
        position, hash, type, credential_uuid, configuration_id, actor_id, status_before, status_after, occurred_at,
        remarks, commitment
      )
      select
        position,
        credential_event_chain(head.hash, convert_to(concat_ws(
          '|', position, type, credential_uuid, configuration_id, actor_id, coalesce(status_before, ''), status_after,
          to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), array_to_string(remarks, ','),
          coalesce(encode(commitment, 'hex'), ''), encode(actor_commitment, 'hex')
        ), 'UTF8')) over (order by position rows unbounded preceding),
        type, credential_uuid, configuration_id, actor_id, status_before, status_after, occurred_at, remarks,
        commitment
      from placed
      returning position, hash
    ),
    last as (
      select position, hash from sealed order by position desc limit 1
    )
    update credential_event_head set position = last.position, hash = last.hash from last
    returning last.position into last_position;

    if not found then return 0; end if;
    perform pg_notify('credential_events', last_position::text);
    return last_position - head.position;
  end $$;
  revoke execute on function seal_credential_events from public;
`;
