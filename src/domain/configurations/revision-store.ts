import type { Knex } from "knex";
import { execute, queryRows } from "#infrastructure/db/query.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import type { CredentialType } from "./credential-type.js";
import type { Options } from "./options.js";

/** Revisions that are kept of a type, and of a configuration. */
const KEPT = 200;

/** Whose revisions they are. */
export type Revised = { readonly credentialTypeId: number } | { readonly configurationId: number };

/** What is saved: a type, or the options of a configuration. */
type SavedState = Pick<CredentialType, "customOptions"> & Partial<Omit<CredentialType, "id">>;

/** A state that was saved. */
export interface Revision {
  /** Counts from 1. */
  readonly number: number;
  readonly savedAt: Date;
  readonly savedBy: string;
  /** Null, like both functions, if it is of a configuration. */
  readonly name: string | null;
  readonly retrievalFunc: string | null;
  readonly generationFunc: string | null;
  readonly customOptions: Options;
}

/** Keeps what is saved, unless it is as the newest revision. The type or configuration must be locked, or new. */
export async function keepRevision(
  db: Knex.Transaction,
  revised: Revised,
  { name, retrievalFunc, generationFunc, customOptions }: SavedState,
  actor: Actor,
): Promise<void> {
  const { column, id } = columnOf(revised);
  await execute(
    db,
    `with newest as (
       select * from revisions where ${column} = :id order by number desc limit 1
     ), outdated as (
       delete from revisions where ${column} = :id and number <= (select number from newest) - (:kept - 1)
     ), given as (
       select :name::text as name, :retrievalFunc::text as retrieval_func, :generationFunc::text as generation_func,
         :options::jsonb as custom_options
     )
     insert into revisions
       (${column}, number, saved_by_kind, saved_by, name, retrieval_func, generation_func, custom_options)
     select :id, coalesce((select number from newest), 0) + 1, :kind, :actor, given.*
     from given
     where not exists (
       select from newest
       where (newest.name, newest.retrieval_func, newest.generation_func, newest.custom_options)
         is not distinct from (given.name, given.retrieval_func, given.generation_func, given.custom_options)
     )`,
    {
      id,
      kept: KEPT,
      name: name ?? null,
      retrievalFunc: retrievalFunc ?? null,
      generationFunc: generationFunc ?? null,
      options: JSON.stringify(customOptions),
      kind: actor.kind,
      actor: actor.name,
    },
  );
}

/** Lists revisions with a number less than `beforeNumber`, the newest first. @param beforeNumber 0: all */
export function listRevisions(
  db: Knex,
  revised: Revised,
  beforeNumber: number,
  limit: number,
): Promise<Revision[]> {
  const { column, id } = columnOf(revised);
  return queryRows<Revision>(
    db,
    `select number, saved_at as "savedAt", saved_by as "savedBy", name, retrieval_func as "retrievalFunc",
       generation_func as "generationFunc", custom_options as "customOptions"
     from revisions
     where ${column} = :id and (:beforeNumber = 0 or number < cast(:beforeNumber as bigint))
     order by number desc limit :limit`,
    { id, beforeNumber, limit },
  );
}

function columnOf(revised: Revised): { column: string; id: number } {
  return "configurationId" in revised
    ? { column: "configuration_id", id: revised.configurationId }
    : { column: "credential_type_id", id: revised.credentialTypeId };
}
