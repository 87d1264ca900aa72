import { basename } from "node:path";
import type { Database } from "../../db/database.js";
import type { FileStore } from "../../files/file-store.js";
import type { Mailer } from "../../mail/transport.js";
import { invalidatedDir } from "../credential-file-key.js";
import { findErasedUuid } from "./erasure-store.js";

/** What removing files needs. */
export interface RemovalParts {
  readonly database: Database;
  readonly files: FileStore;
  /** Where the files of credentials in force lie in the store. */
  readonly outputDir: string;
}

/**
 * Removes what the store and the directory of mails have of a credential whose learner was erased.
 * @param directories where its files lay, if they lay elsewhere than they would today
 * @throws Problem `unavailable` when the store is out of reach: they may still be there
 */
export async function removeErased(
  parts: RemovalParts & { readonly mailer: Mailer },
  { credentialUuid, directories }: { credentialUuid: string; directories: readonly string[] },
): Promise<void> {
  await removeFiles(parts, credentialUuid, directories);
  await parts.mailer.forget(credentialUuid);
}

/** For who made or moved a file, and may have died then: files of a credential that was erased meanwhile are removed. */
export async function removeFilesIfErased(
  parts: RemovalParts,
  of: { readonly id: number } | { readonly uuid: string },
): Promise<void> {
  const uuid = await findErasedUuid(parts.database.knex, of);
  if (uuid !== undefined) await removeFiles(parts, uuid);
}

async function removeFiles(
  { files, outputDir }: RemovalParts,
  uuid: string,
  directories: readonly string[] = [],
): Promise<void> {
  const all = new Set([...directories, `${outputDir}/${uuid}`, `${invalidatedDir(outputDir)}/${uuid}`]);
  for (const directory of all) {
    // Our own code makes the keys: a wrong one is a bug, and must not take the files of others with it.
    if (basename(directory) !== uuid) throw new Error(`${directory} is not the directory of ${uuid}`);
    await files.deleteDirectory(directory);
  }
}
