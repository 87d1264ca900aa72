import { basename } from "node:path";
import type { Database } from "#infrastructure/db/database.js";
import type { Mailer } from "#infrastructure/email/transport.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { invalidatedDir } from "../credential-file-key.js";
import { findErasedUuid } from "./erasure-store.js";

/** Dependencies for removing files. */
export interface RemovalDeps {
  readonly database: Database;
  readonly files: FileStore;
  /** Directory in the store for files of credentials in force. */
  readonly outputDir: string;
}

/**
 * Removes the files and emails of a credential whose learner was erased.
 * @param directories further directories that held its files, if the settings were different then
 * @throws Problem `unavailable` if the store can't be reached; the files may still exist
 */
export async function removeErased(
  deps: RemovalDeps & { readonly mailer: Mailer },
  { credentialUuid, directories }: { credentialUuid: string; directories: readonly string[] },
): Promise<void> {
  await removeFiles(deps, credentialUuid, directories);
  await deps.mailer.forget(credentialUuid);
}

/**
 * Removes the files of a credential if its learner was erased meanwhile. Whatever generates or moves a file
 * calls this afterwards, or when it runs again after a crash.
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
    // These keys are made by this service. A wrong one is a bug, and must not delete other credentials'
    // files.
    if (basename(directory) !== uuid) throw new Error(`${directory} is not the directory of ${uuid}`);
    await files.deleteDirectory(directory);
  }
}
