/** Sets the commitment of a new event to the current facts of its credential. */
export const commitToCredential = `
  create or replace function commit_to_credential() returns trigger
  language plpgsql set search_path from current as $$
  begin
    select credential_commitment(credential) into new.commitment
    from credentials as credential where uuid = new.credential_uuid;
    return new;
  end $$;
`;
