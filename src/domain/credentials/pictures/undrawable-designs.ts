import { createHash } from "node:crypto";
import { execute, type Knex, queryRow } from "#infrastructure/db/query.js";
import type { Credential } from "../credential.js";

/** Time after a failure during which documents of the design are not drawn. */
const RETRY_AFTER = "6 hours";

/** Returns the SHA-256 of everything that all documents of a design share. */
export function designOf({
  generationFunc,
  options,
  assets,
}: Pick<Credential, "generationFunc" | "options" | "assets">): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([generationFunc, options, assets]))
    .digest();
}

/** Returns whether any process failed to draw a document of the design in the last hours. */
export async function isUndrawable(db: Knex, design: Buffer): Promise<boolean> {
  const sql = `select from undrawable_designs where design = ? and failed_at > now() - interval '${RETRY_AFTER}'`;
  return (await queryRow(db, sql, [design])) !== undefined;
}

/** Records that a document of the design could not be drawn. Also deletes expired records. */
export async function noteUndrawable(db: Knex, design: Buffer): Promise<void> {
  await execute(
    db,
    `with ended as (
       delete from undrawable_designs where failed_at <= now() - interval '${RETRY_AFTER}' and design <> ?
     )
     insert into undrawable_designs (design) values (?)
     on conflict (design) do update set failed_at = now()`,
    [design, design],
  );
}
