import { execute, type Knex, queryRows } from "#infrastructure/db/query.js";

/** A code by which another system identifies a credential. */
interface Alias {
  readonly alias: string;
  readonly credentialUuid: string;
}

/** Returns the given codes that already belong to a credential. */
export async function findAliases(db: Knex, aliases: readonly string[]): Promise<Alias[]> {
  if (aliases.length === 0) return [];
  return queryRows<Alias>(
    db,
    `select alias, credential_uuid as "credentialUuid" from credential_aliases where alias = any (?::text[])`,
    [aliases],
  );
}

/** Returns false if one of the codes is already taken, for example by a concurrent transaction. */
export async function insertAliases(
  transaction: Knex.Transaction,
  credentialUuid: string,
  aliases: readonly string[],
): Promise<boolean> {
  if (aliases.length === 0) return true;
  const inserted = await execute(
    transaction,
    `insert into credential_aliases (alias, credential_uuid) select alias, ?::uuid from unnest(?::text[]) alias
     on conflict do nothing`,
    [credentialUuid, aliases],
  );
  return inserted === aliases.length;
}
