import type { Knex } from "knex";
import { statusSql } from "#foundation/credential-status.js";
import { queryRows, queryValues } from "#infrastructure/db/query.js";
import type { HeldResult } from "../eligibility/course-results.js";
import type { Credential } from "./credential.js";

/** SQL: whether a credential has been withdrawn, and no other that replaces it is in force. @param row a row of credentials */
export function isWithdrawnForGood(row: string): string {
  return `(${statusSql(row).isInvalidated} and not exists (
    select from credentials successor where successor.replaces = ${row}.uuid and ${statusSql("successor").isInForce}
  ))`;
}

/** Returns the UUIDs of those credentials on which this one was built that have been withdrawn since. */
export async function findWithdrawnParts(
  db: Knex,
  { results }: Pick<Credential, "results">,
): Promise<ReadonlySet<string>> {
  const held = results?.held ?? [];
  if (held.length === 0) return new Set();
  const withdrawn = await queryValues<string>(
    db,
    `select part.uuid from credentials part where part.uuid = any (?::uuid[]) and ${isWithdrawnForGood("part")}`,
    [held.map(({ uuid }) => uuid)],
  );
  return new Set(withdrawn);
}

/** Lists the learner's credentials in force that required this one. */
export function findRequiring(
  db: Knex,
  { uuid, username }: Pick<Credential, "uuid" | "username">,
): Promise<HeldResult[]> {
  return queryRows<HeldResult>(
    db,
    `select whole.uuid, whole.verify_uuid, whole.credential_type, whole.learning_context_name
     from credentials whole
     where whole.username = ? and ${statusSql("whole").isInForce}
       and whole.results -> 'held' @> jsonb_build_array(jsonb_build_object('uuid', ?::text))
     order by whole.id`,
    [username, uuid],
  );
}
