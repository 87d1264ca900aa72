/** Returns the salted hash of an actor's kind and name. */
export const credentialEventActorCommitment = String.raw`
  create or replace function credential_event_actor_commitment(actor credential_event_actors) returns bytea
  language sql stable as $$
    select sha256(
      convert_to(E'learning-credentials actor v1\n', 'UTF8') || actor.seed
      || convert_to(actor.kind || E'\n' || actor.name, 'UTF8')
    )
  $$;
`;
