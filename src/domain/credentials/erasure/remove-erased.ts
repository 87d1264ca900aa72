import { basename } from "node:path";
import type { Database } from "#infrastructure/db/database.js";
import type { Mailer } from "#infrastructure/email/transport.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { invalidatedDir } from "../credential-file-key.js";
import { findErasedUuid } from "./erasure-store.js";

export interface RemovalDeps {
  readonly database: Database;
  readonly files: FileStore;
  /** Directory in the store for files of credentials that are not invalidated. */
  readonly outputDir: string;
}

/**
 * Removes the files and emails of a credential whose learner was erased.
 * @param directories where earlier settings stored the files
 * @throws Problem `unavailable` if the store can't be reached, so that files may still exist
 */
export async function removeErased(
  deps: RemovalDeps & { readonly mailer: Mailer },
  { credentialUuid, directories }: { credentialUuid: string; directories: readonly string[] },
): Promise<void> {
  await removeFiles(deps, credentialUuid, directories);
  await deps.mailer.forget(credentialUuid);
}

/**
 * Removes the files of a credential if its learner was erased. A job that generates or moves a file calls this if it
 * finds nothing to do, because an earlier attempt of the job may have stored a file after the erasure.
 */
export async function removeFilesIfErased(
  deps: RemovalDeps,
  key: { readonly id: number } | { readonly uuid: string },
): Promise<void> {
  const uuid = await findErasedUuid(deps.database.knex, key);
  if (uuid !== undefined) await removeFiles(deps, uuid);
}

async function removeFiles(
  { files, outputDir }: RemovalDeps,
  uuid: string,
  directories: readonly string[] = [],
): Promise<void> {
  const all = new Set([...directories, `${outputDir}/${uuid}`, `${invalidatedDir(outputDir)}/${uuid}`]);
  for (const directory of all) {
    // This service chooses the directories. A directory with another name is a bug, and deleting it could delete files
    // of other credentials.
    if (basename(directory) !== uuid) throw new Error(`${directory} is not the directory of ${uuid}`);
    await files.deleteDirectory(directory);
  }
}
