import { MAX_REVISIONS } from "#foundation/limits.js";
import { execute, type Knex, queryRows } from "#infrastructure/db/query.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import { type ConfigurationSettings, type NewCredentialType, revisedColumns } from "./credential-type.js";

export type RevisionSubject = { readonly credentialTypeId: number } | { readonly configurationId: number };

/** The saved state of a type or a configuration. Fields that only the other kind has are null. */
type SavedState = { readonly [Field in keyof Saved]: Saved[Field] | null };

type Saved = NewCredentialType & ConfigurationSettings;

export interface Revision extends SavedState {
  /** Numbers ascend from 1. */
  readonly number: number;
  readonly savedAt: Date;
  readonly savedBy: string;
}

/** Stores a revision, unless the state equals the newest one. The type or configuration must be locked, or new. */
export async function storeRevision(
  db: Knex.Transaction,
  revised: RevisionSubject,
  state: NewCredentialType | ConfigurationSettings,
  actor: Actor,
): Promise<void> {
  const { column, id } = columnOf(revised);
  await execute(
    db,
    `with newest as (
       select * from revisions where ${column} = :id order by number desc limit 1
     ), given as ${revisedColumns.parameterOf(":state")}
     , changed as (
       select * from given
       where not exists (select ${revisedColumns.names} from newest intersect select * from given)
     ), outdated as (
       delete from revisions
       where ${column} = :id and number <= (select number from newest) - (:kept - 1)
         and exists (select from changed)
     )
     insert into revisions (${column}, number, saved_by_kind, saved_by, ${revisedColumns.names})
     select :id, coalesce((select number from newest), 0) + 1, :kind, :actor, changed.*
     from changed`,
    { id, kept: MAX_REVISIONS, state: revisedColumns.json(state), kind: actor.kind, actor: actor.name },
  );
}

/** Lists revisions, newest first. @param beforeNumber 0 for all revisions */
export function listRevisions(
  db: Knex,
  revised: RevisionSubject,
  beforeNumber: number,
  limit: number,
): Promise<Revision[]> {
  const { column, id } = columnOf(revised);
  return queryRows<Revision>(
    db,
    `select number, saved_at as "savedAt", saved_by as "savedBy", ${revisedColumns.selected}
     from revisions
     where ${column} = :id and (:beforeNumber = 0 or number < cast(:beforeNumber as bigint))
     order by number desc limit :limit`,
    { id, beforeNumber, limit },
  );
}

function columnOf(revised: RevisionSubject): { column: string; id: number } {
  return "configurationId" in revised
    ? { column: "configuration_id", id: revised.configurationId }
    : { column: "credential_type_id", id: revised.credentialTypeId };
}
