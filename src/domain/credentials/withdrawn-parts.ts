import type { Knex } from "knex";
import { statusSql } from "#foundation/credential-status.js";
import type { Database } from "#infrastructure/db/database.js";
import { execute, queryRows, queryValues } from "#infrastructure/db/query.js";
import { inTransaction } from "#infrastructure/db/transaction.js";
import type { HeldResult } from "../eligibility/course-results.js";
import type { Credential } from "./credential.js";
import { getLocked } from "./get-credential.js";

/** SQL: true if a credential was withdrawn and has no successor in force. @param row a row of credentials */
function isWithdrawnForGood(row: string): string {
  return `(${statusSql(row).isInvalidated} and not exists (
    select from credentials successor where successor.replaces = ${row}.uuid and ${statusSql("successor").isInForce}
  ))`;
}

/** SQL: true if a credential needs review. @param row a row of credentials */
export function needsReview(row: string): string {
  return `(${statusSql(row).isInForce} and ${row}.uuid = any (array(${inReview})))`;
}

const inReview = `select review.uuid from credential_reviews review
  join credentials part on part.uuid = review.withdrawn_uuid where ${isWithdrawnForGood("part")}`;

/** Returns which of the credentials need review. */
export async function findInReview(db: Knex, uuids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await queryValues<string>(
    db,
    `select whole.uuid from credentials whole
     where whole.uuid = any (?::uuid[]) and ${statusSql("whole").isInForce} and whole.uuid in (
       ${inReview} and review.uuid = any (?::uuid[])
     )`,
    [uuids, uuids],
  );
  return new Set(found);
}

/**
 * SQL: marks credentials for review that required withdrawn ones. A credential with a successor is treated as withdrawn
 * only once the successor is.
 * @param withdrawn a query for `uuid` and `username` of the withdrawn credentials
 */
export function markForReview(withdrawn: string): string {
  return `insert into credential_reviews (uuid, withdrawn_uuid)
    select whole.uuid, part.uuid from (${withdrawn}) as part
    join credentials whole on whole.username = part.username and ${statusSql("whole").isInForce}
      and whole.results -> 'held' @> jsonb_build_array(jsonb_build_object('uuid', part.uuid::text))
    on conflict do nothing`;
}

/**
 * Ends the review of a credential.
 * @throws Problem `not-found`
 */
export function resolveReview(database: Database, uuid: string, signal: AbortSignal): Promise<Credential> {
  return inTransaction(database, signal, async (transaction) => {
    const credential = await getLocked(transaction, uuid);
    await execute(transaction, "delete from credential_reviews where uuid = ?", [credential.uuid]);
    return credential;
  });
}

/** Returns the UUIDs of credentials that this one required and that have since been withdrawn. */
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
