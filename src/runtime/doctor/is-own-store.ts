import { invalidatedDir } from "#domain/credentials/credential-file-key.js";
import { inBatches } from "#foundation/concurrency/in-batches.js";
import { queryValue } from "#infrastructure/db/query.js";
import type { DoctorDeps } from "./doctor-deps.js";
import { ownerUuid } from "./own-key.js";

const BATCH = 500;

/**
 * Returns whether at least half of the files in the store were made for credentials in this database. If not, the
 * settings probably name another service's bucket.
 */
export async function isOwnStore({
  database,
  files,
  outputDir,
}: Omit<DoctorDeps, "eventRetentionDays" | "signingKeys">): Promise<boolean> {
  let ownCount = 0;
  let unknown = 0;
  for (const directory of [outputDir, invalidatedDir(outputDir)]) {
    for await (const batch of inBatches(files.list(`${directory}/`), BATCH)) {
      const uuids = batch.flatMap(({ key }) => ownerUuid(key) ?? []);
      const count = await queryValue<number>(
        database.knex,
        "select count(*) as count from unnest(?::uuid[]) as owner (uuid) join credentials using (uuid)",
        [uuids],
      );
      ownCount += count;
      unknown += uuids.length - count;
    }
  }
  return ownCount >= unknown;
}
