import type { Knex } from "knex";
import type { CredentialType } from "./credential-type.js";

const columns = `id, name, retrieval_func as "retrievalFunc", generation_func as "generationFunc",
  custom_options as "customOptions"`;

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const UNIQUE_VIOLATION = "23505";

/** A type without the id that the database assigns. */
export type NewCredentialType = Omit<CredentialType, "id">;

/** @returns undefined if the name is taken */
export async function insertType(db: Knex, type: NewCredentialType): Promise<CredentialType | undefined> {
  const { rows } = await db.raw(
    `insert into credential_types (name, retrieval_func, generation_func, custom_options)
     values (?, ?, ?, ?::jsonb) on conflict (name) do nothing returning ${columns}`,
    [type.name, type.retrievalFunc, type.generationFunc, JSON.stringify(type.customOptions)],
  );
  return rows[0];
}

export async function findType(db: Knex, id: number): Promise<CredentialType | undefined> {
  const { rows } = await db.raw(`select ${columns} from credential_types where id = ?`, [id]);
  return rows[0];
}

/** Locks a type against change and against new configurations until the transaction ends. */
export async function lockType(db: Knex.Transaction, id: number): Promise<CredentialType | undefined> {
  const { rows } = await db.raw(`select ${columns} from credential_types where id = ? for update`, [id]);
  return rows[0];
}

/** Lists types with an id greater than `afterId`, by id. */
export async function listTypes(db: Knex, afterId: number, limit: number): Promise<CredentialType[]> {
  const { rows } = await db.raw(
    `select ${columns} from credential_types where id > cast(? as bigint) order by id limit ?`,
    [afterId, limit],
  );
  return rows;
}

/** @returns false if the name is taken; the transaction must then be rolled back */
export async function updateType(db: Knex.Transaction, type: CredentialType): Promise<boolean> {
  try {
    await db.raw(
      `update credential_types
       set name = ?, retrieval_func = ?, generation_func = ?, custom_options = ?::jsonb
       where id = ?`,
      [type.name, type.retrievalFunc, type.generationFunc, JSON.stringify(type.customOptions), type.id],
    );
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return false;
    throw error;
  }
}

export async function deleteType(db: Knex, id: number): Promise<void> {
  await db.raw("delete from credential_types where id = ?", [id]);
}
