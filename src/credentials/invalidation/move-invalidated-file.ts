import { invalidatedDir, newFileKey } from "../credential-file-key.js";
import { beginFileMove, endFileMove } from "../credential-store.js";
import { type RemovalParts, removeFilesIfErased } from "../erasure/remove-erased.js";

/**
 * Moves the file of an invalidated credential to where no link leads. It may die at any point, and run again or twice at
 * once: where the file goes is decided in the database first, so that every run moves it to the same place.
 *
 * A file that is gone is no failure: what must not be read can't be. One whose learner was erased meanwhile is removed.
 * @throws Problem `unavailable` when the store is out of reach: the file may still be where it was
 */
export async function moveInvalidatedFile(parts: RemovalParts, credentialUuid: string): Promise<void> {
  const { database, files, outputDir } = parts;
  const target = newFileKey(invalidatedDir(outputDir), credentialUuid);
  const move = await beginFileMove(database.knex, credentialUuid, target);
  if (!move) return removeFilesIfErased(parts, { uuid: credentialUuid });
  await files.move(move.from, move.to);
  if (!(await endFileMove(database.knex, credentialUuid))) await files.delete(move.to);
}
