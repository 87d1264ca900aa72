import { execute, type Knex, queryRow, queryRows } from "#infrastructure/db/query.js";
import { type CredentialType, type NewCredentialType, typeColumns } from "./credential-type.js";

const columns = `id, ${typeColumns.selected}`;

/** See https://www.postgresql.org/docs/current/errcodes-appendix.html */
const UNIQUE_VIOLATION = "23505";

/** Returns undefined if the name is taken. */
export async function insertType(db: Knex, type: NewCredentialType): Promise<CredentialType | undefined> {
  return queryRow<CredentialType>(
    db,
    `insert into credential_types (${typeColumns.names}) ${typeColumns.parameterOf("?")}
     on conflict (name) do nothing returning ${columns}`,
    [typeColumns.json(type)],
  );
}

export async function findType(db: Knex, id: number): Promise<CredentialType | undefined> {
  return queryRow<CredentialType>(db, `select ${columns} from credential_types where id = ?`, [id]);
}

/** Locks a type until the transaction ends, so that it can't be changed and no configurations of it can be created. */
export async function lockType(db: Knex.Transaction, id: number): Promise<CredentialType | undefined> {
  return queryRow<CredentialType>(db, `select ${columns} from credential_types where id = ? for update`, [
    id,
  ]);
}

export async function listTypes(db: Knex, afterId: number, limit: number): Promise<CredentialType[]> {
  return queryRows<CredentialType>(
    db,
    `select ${columns} from credential_types where id > cast(? as bigint) order by id limit ?`,
    [afterId, limit],
  );
}

/** Returns false if the name is taken. The caller must then roll back the transaction. */
export async function updateType(db: Knex.Transaction, type: CredentialType): Promise<boolean> {
  try {
    await execute(
      db,
      `update credential_types set (${typeColumns.names}) = ${typeColumns.parameterOf("?")} where id = ?`,
      [typeColumns.json(type), type.id],
    );
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return false;
    throw error;
  }
}

export async function deleteType(db: Knex, id: number): Promise<void> {
  await execute(db, "delete from credential_types where id = ?", [id]);
}
