/**
 * SQL: the facts of a credential as text: a line for each known fact. Free text is written as JSON strings. A
 * fact added by a later version is one more line at the end, and credentials without it keep their text.
 *
 * The text contains the username as a hash under the seed, and the salt hides the seed. So salt and text can
 * be shown as a proof without revealing the username.
 * @param value SQL that gives a column's value
 */
export function factsOf(value: (column: string) => string): string {
  const json = (column: string) => `to_json(nullif(${value(column)}, ''))`;
  const moment = (column: string, digits = "") =>
    `to_char(${value(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS${digits}"Z"')`;
  const facts = {
    verify_uuid: value("verify_uuid"),
    holder: `encode(sha256(${value("commitment_seed")} || convert_to(${value("username")}, 'UTF8')), 'hex')`,
    name: json("user_full_name"),
    context_key: `to_json(${value("learning_context_key")})`,
    context_name: `to_json(${value("learning_context_name")})`,
    type: `to_json(${value("credential_type")})`,
    created: moment("created_at"),
    status: value("status"),
    reason: json("invalidation_reason"),
    invalidated: moment("invalidated_at", ".US"),
    file_sha256: `encode(${value("file_sha256")}, 'hex')`,
    original_issuer: `to_json(${value("original_issuer")})`,
    platform: `to_json(${value("platform")})`,
    awarded: moment("awarded_at"),
    particulars: `cast(${value("particulars")} as text)`,
    valid_until: moment("valid_until"),
    results: `cast(${value("results")} as text)`,
  };
  const lines = Object.entries(facts).map(([name, fact]) => `'${name}: ' || ${fact}`);
  return `concat_ws(E'\\n', ${lines.join(", ")})`;
}

export const credentialFacts = `
  create or replace function credential_facts(credential credentials) returns text
  language sql stable as $$
    select ${factsOf((column) => `credential.${column}`)}
  $$;
`;
