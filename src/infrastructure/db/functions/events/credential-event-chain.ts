/** Aggregate that computes the hash of the last event. Each hash covers the previous hash and the event's own text. */
export const credentialEventChain = `
  create or replace function credential_event_link(hash bytea, start bytea, event bytea) returns bytea
  language plpgsql immutable as $$
  begin
    return sha256(coalesce(hash, start) || event);
  end $$;

  create or replace aggregate credential_event_chain(start bytea, event bytea) (
    sfunc = credential_event_link, stype = bytea
  );
`;
