import { type CredentialStatus, statusSql } from "#foundation/credential-status.js";
import { type Database, inTransaction } from "#infrastructure/db/database.js";
import { execute, type Knex, queryRows, queryValues } from "#infrastructure/db/query.js";
import type { HeldResult } from "../eligibility/course-results.js";
import { type Organisations, withinSql } from "../learners/organisations.js";
import type { Credential } from "./credential.js";
import { lockCredentialOrThrow } from "./get-credential.js";

/**
 * SQL: whether a credential was withdrawn or has failed, and has no valid successor.
 * @param row name of the row of `credentials`
 */
function isLost(row: string): string {
  return `(${statusSql(row).isFailedOrInvalidated} and not exists (
    select from credentials successor where successor.replaces = ${row}.uuid and ${statusSql("successor").isInForce}
  ))`;
}

/** SQL: whether a credential needs review. @param row name of the row of `credentials` */
export function needsReview(row: string): string {
  return `(${statusSql(row).isInForce} and ${row}.uuid = any (array(${inReview})))`;
}

const inReview = `select review.uuid from credential_reviews review
  join credentials part on part.uuid = review.withdrawn_uuid where ${isLost("part")}`;

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
 * SQL: marks credentials for review if they required one of the lost credentials. The mark has no
 * effect if the lost credential was retried, or while it has a valid successor.
 * @param lost a query for `uuid` and `username` of credentials that are withdrawn or set to failed
 */
export function markForReview(lost: string): string {
  // The lateral join with an offset makes Postgres look up each learner by the index. With outdated statistics, it
  // would compare every lost credential with every other one: 29 s instead of 3 s for 10,000.
  return `insert into credential_reviews (uuid, withdrawn_uuid)
    select whole.uuid, part.uuid from (${lost}) as part
    cross join lateral (
      select uuid from credentials whole where whole.username = part.username and ${statusSql("whole").isInForce}
        and whole.results -> 'held' @> jsonb_build_array(jsonb_build_object('uuid', part.uuid::text))
      offset 0
    ) as whole
    on conflict do nothing`;
}

/** Marks credentials for review if they required one of these failed credentials. */
export async function markRequiringFailed(
  transaction: Knex.Transaction,
  failed: readonly Pick<Credential, "uuid">[],
): Promise<void> {
  await execute(
    transaction,
    markForReview("select uuid, username from credentials where uuid = any (?::uuid[])"),
    [failed.map(({ uuid }) => uuid)],
  );
}

/** @throws Problem `not-found` */
export function resolveReview(database: Database, uuid: string, signal: AbortSignal): Promise<Credential> {
  return inTransaction(database, signal, async (transaction) => {
    const credential = await lockCredentialOrThrow(transaction, uuid);
    await execute(transaction, "delete from credential_reviews where uuid = ?", [credential.uuid]);
    return credential;
  });
}

/** Returns the UUIDs and statuses of required credentials that have since been withdrawn or have failed. */
export async function findLostParts(
  db: Knex,
  { results }: Pick<Credential, "results">,
): Promise<ReadonlyMap<string, CredentialStatus>> {
  const held = results?.held ?? [];
  if (held.length === 0) return new Map();
  const lost = await queryRows<Pick<Credential, "uuid" | "status">>(
    db,
    `select part.uuid, part.status from credentials part where part.uuid = any (?::uuid[]) and ${isLost("part")}`,
    [held.map(({ uuid }) => uuid)],
  );
  return new Map(lost.map(({ uuid, status }) => [uuid, status]));
}

/** Lists the learner's valid credentials, within these organisations, that required the given credential. */
export function findRequiring(
  db: Knex,
  { uuid, username }: Pick<Credential, "uuid" | "username">,
  organisations: Organisations,
): Promise<HeldResult[]> {
  return queryRows<HeldResult>(
    db,
    `select whole.uuid, whole.verify_uuid, whole.credential_type, whole.learning_context_name
     from credentials whole
     where whole.username = ? and ${statusSql("whole").isInForce}
       and whole.results -> 'held' @> jsonb_build_array(jsonb_build_object('uuid', ?::text))
       and ${withinSql("whole.learning_context_key", organisations, "?")}
     order by whole.id`,
    [username, uuid, ...(organisations === undefined ? [] : [organisations])],
  );
}
