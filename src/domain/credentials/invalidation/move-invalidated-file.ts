import { invalidatedDir, newFileKey } from "../credential-file-key.js";
import { completeFileMove, startFileMove } from "../credential-store.js";
import { type RemovalDeps, removeFilesIfErased } from "../erasure/remove-erased.js";

/**
 * Moves the file of an invalidated credential to a key to which no link leads. The destination is recorded first, so
 * that every run of this job moves the file to the same key, even after a crash or concurrently.
 *
 * A missing file is not an error, because nobody can read it anyway. If the learner was erased meanwhile, the file is
 * deleted.
 * @throws Problem `unavailable` if the store can't be reached; the file may then still have its old key
 */
export async function moveInvalidatedFile(deps: RemovalDeps, credentialUuid: string): Promise<void> {
  const { database, files, outputDir } = deps;
  const target = newFileKey(invalidatedDir(outputDir), credentialUuid);
  const move = await startFileMove(database.knex, credentialUuid, target);
  if (!move) return removeFilesIfErased(deps, { uuid: credentialUuid });
  await files.move(move.from, move.to);
  if (!(await completeFileMove(database.knex, credentialUuid))) await files.delete(move.to);
}
