import { failedPrecondition, Problem } from "#foundation/errors.js";
import { type Database, inSnapshot } from "#infrastructure/db/database.js";
import type { FileStore, FileStream } from "#infrastructure/files/file-store.js";
import { getCredential } from "../get-credential.js";
import { availableFileKey } from "./get-download-url.js";

/** Documents are rarely this large. A larger one can only be downloaded through its link. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Opens the PDF of an available credential. The caller must check the access rights.
 * @throws Problem `not-found` if there is no file; `failed-precondition` if the credential is not available, or the
 * file is too large
 */
export type OpenDocument = (uuid: string, signal: AbortSignal) => Promise<FileStream>;

export function createOpenDocument({
  database,
  files,
}: {
  database: Database;
  files: FileStore;
}): OpenDocument {
  return async (uuid, signal) => {
    const credential = await inSnapshot(database, signal, (transaction) => getCredential(transaction, uuid));
    const file = await files.stream(availableFileKey(credential));
    if (!file) throw new Problem("not-found", "The file no longer exists.");
    if (file.size <= MAX_BYTES) return file;
    file.content.destroy();
    throw failedPrecondition(
      `The document has ${file.size} bytes; at most ${MAX_BYTES} can be shown here. Download it with its link instead.`,
    );
  };
}
