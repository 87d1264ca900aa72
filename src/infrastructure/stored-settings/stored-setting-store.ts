import { execute, hasRows, type Knex, queryRow, queryRows, queryValue } from "../db/query.js";
import type { SealedSecret, StoredSetting } from "./stored-setting.js";

const COLUMNS = `kind, name, options, secrets, etag, updated_at as "updatedAt"`;

type Row = Pick<StoredSetting, "kind" | "name" | "options" | "secrets">;

export function listSettings(db: Knex, kind: string): Promise<StoredSetting[]> {
  return queryRows<StoredSetting>(
    db,
    `select ${COLUMNS} from stored_settings where kind = ? order by name collate "C"`,
    [kind],
  );
}

export function listWithSecrets(db: Knex): Promise<StoredSetting[]> {
  return queryRows<StoredSetting>(db, `select ${COLUMNS} from stored_settings where secrets <> '{}'`);
}

export function findSetting(db: Knex, kind: string, name: string): Promise<StoredSetting | undefined> {
  return queryRow<StoredSetting>(db, `select ${COLUMNS} from stored_settings where kind = ? and name = ?`, [
    kind,
    name,
  ]);
}

export function countSettings(db: Knex, kind: string): Promise<number> {
  return queryValue<number>(db, "select count(*)::integer from stored_settings where kind = ?", [kind]);
}

/** Adds a setting. Returns undefined if the name is taken. */
export function insertSetting(db: Knex, row: Row): Promise<StoredSetting | undefined> {
  return queryRow<StoredSetting>(
    db,
    `insert into stored_settings (kind, name, options, secrets) values (?, ?, ?::jsonb, ?::jsonb)
     on conflict do nothing returning ${COLUMNS}`,
    [row.kind, row.name, JSON.stringify(row.options), JSON.stringify(row.secrets)],
  );
}

/** Updates a setting. Returns undefined if the setting was changed or deleted since it was read. */
export function updateSetting(
  db: Knex,
  { kind, name, etag }: StoredSetting,
  { options, secrets }: Pick<Row, "options" | "secrets">,
): Promise<StoredSetting | undefined> {
  return queryRow<StoredSetting>(
    db,
    `update stored_settings set options = ?::jsonb, secrets = ?::jsonb, etag = gen_random_uuid(), updated_at = now()
     where kind = ? and name = ? and etag = ? returning ${COLUMNS}`,
    [JSON.stringify(options), JSON.stringify(secrets), kind, name, etag],
  );
}

/**
 * Replaces encrypted secrets with newly encrypted ones, unless the setting has changed since it was read. The etag
 * changes, so that an outdated change can't bring back secrets that an earlier key has encrypted.
 */
export async function replaceSealed(
  db: Knex,
  { kind, name, etag }: StoredSetting,
  secrets: Readonly<Record<string, SealedSecret>>,
): Promise<boolean> {
  const sql = `update stored_settings set secrets = ?::jsonb, etag = gen_random_uuid()
    where kind = ? and name = ? and etag = ?`;
  return hasRows(db, sql, [JSON.stringify(secrets), kind, name, etag]);
}

/** Deletes a setting. Returns false if the setting was changed or deleted since it was read. */
export async function deleteSetting(db: Knex, { kind, name, etag }: StoredSetting): Promise<boolean> {
  const sql = "delete from stored_settings where kind = ? and name = ? and etag = ?";
  return (await execute(db, sql, [kind, name, etag])) > 0;
}
