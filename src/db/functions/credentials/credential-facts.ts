/**
 * Returns the facts of a credential as text: a line for each known fact. Free text is written as JSON
 * strings. A fact added by a later version is one more line at the end, and credentials without it keep their
 * text.
 *
 * The text contains the username as a hash under the seed, and the salt hides the seed. So salt and text can
 * be shown as a proof without revealing the username. `check-history.ts` has the same formula.
 */
export const credentialFacts = String.raw`
  create or replace function credential_facts(credential credentials) returns text
  language sql stable as $$
    select concat_ws(E'\n',
      'verify_uuid: ' || credential.verify_uuid,
      'holder: ' || encode(sha256(credential.commitment_seed || convert_to(credential.username, 'UTF8')), 'hex'),
      'name: ' || to_json(nullif(credential.user_full_name, '')),
      'context_key: ' || to_json(credential.learning_context_key),
      'context_name: ' || to_json(credential.learning_context_name),
      'type: ' || to_json(credential.credential_type),
      'created: ' || to_char(credential.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      'status: ' || credential.status,
      'reason: ' || to_json(nullif(credential.invalidation_reason, '')),
      'invalidated: ' || to_char(credential.invalidated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
      'file_sha256: ' || encode(credential.file_sha256, 'hex'),
      'original_issuer: ' || to_json(credential.original_issuer),
      'platform: ' || to_json(credential.platform),
      'awarded: ' || to_char(credential.awarded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      'particulars: ' || cast(credential.particulars as text),
      'valid_until: ' || to_char(credential.valid_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      'results: ' || cast(credential.results as text)
    )
  $$;
`;
