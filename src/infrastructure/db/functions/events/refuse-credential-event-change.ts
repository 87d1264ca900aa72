/** Rejects every change; used by triggers for changes that are not allowed. */
export const refuseCredentialEventChange = `
  create or replace function refuse_credential_event_change() returns trigger
  language plpgsql as $$
  begin
    raise exception '% is append-only: % is refused', tg_table_name, lower(tg_op) using errcode = 'insufficient_privilege';
  end $$;
`;
