/**
 * Draws a new seed where there is none: erasing a learner removes it, and with it the old salt. So nobody
 * can test names against old commitments.
 */
export const drawCommitmentSeed = `
  create or replace function draw_commitment_seed() returns trigger
  language plpgsql as $$
  begin
    new.commitment_seed := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
    return new;
  end $$;
`;
