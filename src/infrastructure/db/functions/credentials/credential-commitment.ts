/** SQL of the facts in a commitment, by name; null if a fact is unknown. */
type Facts = Readonly<Record<string, string>>;

/**
 * SQL: the facts of a credential. Free text is written as JSON strings. The holder's username appears only as a salted
 * hash. A later version can add a fact at the end; credentials without this fact keep their commitment.
 * @param value returns SQL for a column's value
 */
function factsOf(value: (column: string) => string): Facts {
  const json = (column: string) => `to_json(nullif(${value(column)}, ''))`;
  const moment = (column: string, digits = "") =>
    `to_char(${value(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS${digits}"Z"')`;
  return {
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
}

/** SQL: an array with a line `<name>: <fact>` for each known fact. */
export function factLinesOf(value: (column: string) => string): string {
  const lines = Object.entries(factsOf(value)).map(([name, fact]) => `'${name}: ' || ${fact}`);
  return `array_remove(array[${lines.join(", ")}], null)`;
}

/**
 * SQL: the commitment to a credential's facts. It is the SHA-256 hash of a first line and the hashes of the facts'
 * lines. Each line is hashed with its own salt, so that a line can be revealed without the others. `opening.ts` has the
 * same formula.
 */
export function commitmentSql(value: (column: string) => string): string {
  const bytes = (text: string) => `'\\x${Buffer.from(text).toString("hex")}'::bytea`;
  const hashes = Object.entries(factsOf(value)).map(([name, fact]) => {
    const salt = `sha256(${value("commitment_seed")} || ${bytes(`\n${name}`)})`;
    return `coalesce(sha256(${salt} || convert_to('${name}: ' || ${fact}, 'UTF8')), ''::bytea)`;
  });
  return `sha256(${[bytes("learning-credentials commitment v2\n"), ...hashes].join(" || ")})`;
}

/** Returns the salted hash of a credential's facts. */
export const credentialCommitment = `
  create or replace function credential_commitment(credential credentials) returns bytea
  language sql stable as $$
    select ${commitmentSql((column) => `credential.${column}`)}
  $$;
`;
