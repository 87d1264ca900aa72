import { findGenerated } from "../credential-store.js";
import type { RemovalDeps } from "../erasure/remove-erased.js";

/**
 * Removes files of superseded attempts whose worker stopped before it could delete them. Does nothing while the
 * credential has no file.
 * @throws Problem `unavailable` if the store can't be reached
 */
export async function removeLostFiles(
  { database, files, outputDir }: RemovalDeps,
  credentialId: number,
): Promise<void> {
  const made = await findGenerated(database.knex, credentialId);
  if (!made) return;
  for await (const { key } of files.list(`${outputDir}/${made.uuid}/`)) {
    if (key !== made.fileKey) await files.delete(key);
  }
}
