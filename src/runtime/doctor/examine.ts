import { type Knex, queryRow } from "#infrastructure/db/query.js";

/** Number of files to read at a time. */
export const BATCH = 20;

/** Sorts before the UUID of every credential. */
export const FIRST_UUID = "00000000-0000-0000-0000-000000000000";

/**
 * Examines items from the database page by page, in constant memory.
 * @param options.read returns up to `BATCH` items after a key, sorted by key
 * @param options.faultOf describes what is wrong with an item
 * @returns the items that have faults
 */
export async function* examine<Item, Key, Fault>(
  options: {
    readonly first: Key;
    readonly read: (after: Key) => Promise<readonly Item[]>;
    readonly keyOf: (item: Item) => Key;
    readonly faultOf: (item: Item) => Promise<Fault | undefined>;
  },
  signal: AbortSignal,
): AsyncGenerator<{ readonly item: Item; readonly fault: Fault }> {
  const { first, read, keyOf, faultOf } = options;
  for (let after = first; ; ) {
    signal.throwIfAborted();
    const page = await read(after);
    const examined = await Promise.all(page.map(async (item) => ({ item, fault: await faultOf(item) })));
    for (const { item, fault } of examined) if (fault !== undefined) yield { item, fault };
    const last = page.at(-1);
    if (last === undefined) return;
    after = keyOf(last);
  }
}

/** Returns whether a credential is still as it was read. It may have been invalidated, moved or erased since. */
export async function isUnchanged(
  db: Knex,
  { uuid, status, fileKey }: { readonly uuid: string; readonly status: string; readonly fileKey: string },
): Promise<boolean> {
  const sql = "select uuid from credentials where uuid = ?::uuid and status = ? and file_key = ?";
  return (await queryRow(db, sql, [uuid, status, fileKey])) !== undefined;
}
