/** Trigger function that rejects changes and deletions of events. Events are only ever added. */
export const refuseCredentialEventChange = `
  create or replace function refuse_credential_event_change() returns trigger
  language plpgsql as $$
  begin
    raise exception '% is append-only: % is refused', tg_table_name, lower(tg_op) using errcode = 'insufficient_privilege';
  end $$;
`;
