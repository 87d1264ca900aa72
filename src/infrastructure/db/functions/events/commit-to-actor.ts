/** Sets the seed and the commitment of a new actor. */
export const commitToActor = `
  create or replace function commit_to_actor() returns trigger
  language plpgsql set search_path from current as $$
  begin
    new.seed := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
    new.commitment := credential_event_actor_commitment(new);
    return new;
  end $$;
`;
