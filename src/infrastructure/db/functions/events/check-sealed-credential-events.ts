/** Rejects the deletion of unsealed events, unless sealing has added the same events to the end of the chain. */
export const checkSealedCredentialEvents = `
  create or replace function check_sealed_credential_events() returns trigger
  language plpgsql set search_path from current as $$
  begin
    if exists (
      select type, credential_uuid, configuration_id, actor_id, status_before, status_after, occurred_at, remarks,
        commitment
      from removed
      except all
      select type, credential_uuid, configuration_id, actor_id, status_before, status_after, occurred_at, remarks,
        commitment
      from credential_events
      where position > (select max(position) from credential_events) - (select count(*) from removed)
    ) then
      raise exception 'unsealed_credential_events is append-only: delete is refused'
        using errcode = 'insufficient_privilege';
    end if;
    return null;
  end $$;
`;
