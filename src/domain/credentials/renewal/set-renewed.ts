import { statusSql } from "#foundation/credential-status.js";
import { queryRow } from "#infrastructure/db/query.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import type { LearnerTransaction } from "../../learners/learner-transaction.js";
import { appendEach } from "../events/append-events.js";

/**
 * SQL: parts of a `with` clause that mark credentials as renewed and append events, so that successors can be inserted.
 * The part `renewed` contains the credentials that were available and not yet renewed. The last two parameters are the
 * actor's name and kind.
 * @param due selects UUIDs
 */
export function renewEach(due: string): string {
  return `due as (
       select uuid from credentials where uuid in (${due}) order by id for update
     ), renewed as (
       update credentials set renewed_at = now()
       where uuid in (select uuid from due) and ${statusSql().isAvailable} and renewed_at is null
       returning uuid, configuration_id
     ), events as (
       ${appendEach("renewed", { type: "renewed", actor: "?, ?", before: "'available'", after: "available" })}
     )`;
}

/** Marks a credential as renewed. Returns false if it was invalidated or renewed meanwhile. */
export async function setRenewed(
  transaction: LearnerTransaction,
  uuid: string,
  renewedBy: Actor,
): Promise<boolean> {
  const { name, kind } = renewedBy;
  const statement = `with ${renewEach("?::uuid")} select uuid from renewed`;
  return (await queryRow(transaction, statement, [uuid, name, kind])) !== undefined;
}
