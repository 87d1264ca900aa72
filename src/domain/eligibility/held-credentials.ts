import type { Query } from "#infrastructure/db/database.js";
import type { RequiredCredential } from "./requirement.js";

/** SQL: whether a row of credentials is the required credential, whatever its status. */
export function isHeld(row: string, { of, contextKeys = null }: RequiredCredential): Query {
  if ("configurationId" in of)
    return { sql: `${row}.configuration_id = ?::integer`, bindings: [of.configurationId] };
  const inContext = contextKeys === null ? "" : "and learning_context_key = any (?::text[])";
  return {
    sql: `${row}.configuration_id in (
        select id from credential_configurations where credential_type_id = ?::integer ${inContext}
      )`,
    bindings: [of.credentialTypeId, ...(contextKeys === null ? [] : [contextKeys])],
  };
}
