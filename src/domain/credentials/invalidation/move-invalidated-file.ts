import { invalidatedDir, newFileKey } from "../credential-file-key.js";
import { completeFileMove, startFileMove } from "../credential-store.js";
import { type RemovalDeps, removeFilesIfErased } from "../erasure/remove-erased.js";

/**
 * Moves the file of an invalidated credential to a place to which no link leads. A run may die at any point, be
 * repeated, or run twice at once. The database records the destination first, so that every run moves the file to the
 * same place.
 *
 * A missing file is not an error, because it can't be read anyway. If the learner was erased meanwhile, the file is
 * removed.
 * @throws Problem `unavailable` if the store can't be reached; the file may still be at its old place
 */
export async function moveInvalidatedFile(deps: RemovalDeps, credentialUuid: string): Promise<void> {
  const { database, files, outputDir } = deps;
  const target = newFileKey(invalidatedDir(outputDir), credentialUuid);
  const move = await startFileMove(database.knex, credentialUuid, target);
  if (!move) return removeFilesIfErased(deps, { uuid: credentialUuid });
  await files.move(move.from, move.to);
  if (!(await completeFileMove(database.knex, credentialUuid))) await files.delete(move.to);
}
