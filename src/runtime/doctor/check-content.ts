import type { FileStore, StoredFile } from "#infrastructure/files/file-store.js";

export interface ExpectedContent {
  readonly fileKey: string;
  /** In lower-case hex. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

interface ContentFault {
  readonly isMissing: boolean;
  readonly detail: string;
}

/**
 * Compares a file with its expected content.
 * @param withHashes true to read every byte; false to check only existence and size
 */
export async function checkContent(
  files: FileStore,
  { fileKey, sha256, size }: ExpectedContent,
  withHashes: boolean,
): Promise<ContentFault | undefined> {
  const listed = withHashes ? undefined : await findListed(files, fileKey);
  // A listing may be outdated, so a file that it lacks is looked up directly.
  const found = listed ?? (await files.digest(fileKey));
  if (!found) return { isMissing: true, detail: `${fileKey} is not in the store` };
  const damaged = (detail: string) => ({ isMissing: false, detail: `${fileKey} ${detail}` });
  if (found.size !== size) return damaged(`has ${found.size} bytes instead of ${size}`);
  if ("sha256" in found && found.sha256 !== sha256)
    return damaged(`has the SHA-256 ${found.sha256} instead of ${sha256}`);
  return undefined;
}

async function findListed(files: FileStore, key: string): Promise<StoredFile | undefined> {
  for await (const file of files.list(key)) return file;
  return undefined;
}
