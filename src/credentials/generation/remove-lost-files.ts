import { findMade } from "../credential-store.js";
import type { RemovalParts } from "../erasure/remove-erased.js";

/**
 * Removes what attempts to make the file of a credential have put that lost, and whose worker died before it could delete
 * it. Once the credential has its file, nothing else is ever going to name another one; before, nothing is removed.
 * @throws Problem `unavailable` when the store is out of reach
 */
export async function removeLostFiles(
  { database, files, outputDir }: RemovalParts,
  credentialId: number,
): Promise<void> {
  const made = await findMade(database.knex, credentialId);
  if (!made) return;
  for await (const { key } of files.list(`${outputDir}/${made.uuid}/`)) {
    if (key !== made.fileKey) await files.delete(key);
  }
}
