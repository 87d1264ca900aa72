/** Returns the salted hash of a credential's facts. */
export const credentialCommitment = String.raw`
  create or replace function credential_commitment(credential credentials) returns bytea
  language sql stable as $$
    select sha256(
      convert_to(E'learning-credentials commitment v1\n', 'UTF8') || sha256(credential.commitment_seed)
      || convert_to(credential_facts(credential), 'UTF8')
    )
  $$;
`;
