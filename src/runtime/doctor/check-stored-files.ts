import type { Knex } from "knex";
import { invalidatedDir } from "#domain/credentials/credential-file-key.js";
import { inBatches } from "#foundation/concurrency/in-batches.js";
import type { CredentialStatus } from "#foundation/credential-status.js";
import { queryRows } from "#infrastructure/db/query.js";
import type { StoredFile } from "#infrastructure/files/file-store.js";
import { jobsOf } from "#infrastructure/jobs/queue-store.js";
import type { DiagnosisStats, DoctorDeps } from "./doctor-deps.js";
import type { Finding } from "./finding.js";
import { namedFiles } from "./named-files.js";
import { isOwnKey, ownerUuid } from "./own-key.js";

const BATCH = 500;
/** Minimum age of files without a reference, because a file is stored before anything refers to it. */
const AGE_MS = 3_600_000;

/** The credential for which a file was made. */
interface Owner {
  readonly uuid: string;
  readonly status: CredentialStatus;
  /** Its current file key, and the key to which the file is being moved. */
  readonly fileKeys: readonly (string | null)[];
  readonly isErased: boolean;
  /** True if a job is going to delete its files. */
  readonly isBeingRemoved: boolean;
}

/** Checks that every file in the store is referred to, and is in a permitted place. */
export async function* checkStoredFiles(
  { database, files, outputDir }: DoctorDeps,
  stats: DiagnosisStats,
  now: Date,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  for (const directory of directoriesOf(outputDir)) {
    for await (const batch of inBatches(files.list(`${directory}/`), BATCH)) {
      signal.throwIfAborted();
      stats.storedFiles += batch.length;
      const old = batch.filter((file) => isOld(file, now));
      for (const finding of await unexplained(database.knex, old, directory === outputDir)) {
        // Since the listing, a job may have moved the file, or a superseded attempt may have deleted it.
        if (await files.digest(finding.fileKey)) yield finding;
      }
    }
  }
}

/** Finds incomplete files whose writers died. */
export async function* checkDrafts(
  { files, outputDir }: DoctorDeps,
  now: Date,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  for (const directory of directoriesOf(outputDir)) {
    for await (const draft of files.listDrafts(directory)) {
      signal.throwIfAborted();
      if (isOld(draft, now)) yield { kind: "abandoned-draft", fileKey: draft.key, detail: draft.key };
    }
  }
}

function directoriesOf(outputDir: string): string[] {
  return [outputDir, invalidatedDir(outputDir), `${outputDir}_assets`];
}

function isOld({ lastModified }: StoredFile, now: Date): boolean {
  return now.getTime() - lastModified.getTime() > AGE_MS;
}

type FileFinding = Finding & { readonly fileKey: string };

/**
 * Returns the files that no credential uses, and none will. Credentials are read after the files were listed. Only a
 * credential that is still being generated could start to refer to a listed file.
 */
async function unexplained(
  db: Knex,
  files: readonly StoredFile[],
  isPublic: boolean,
): Promise<FileFinding[]> {
  const keys = files.map(({ key }) => key);
  const owners = await readOwners(db, keys);
  const suspects = keys.flatMap((key) => {
    const uuid = ownerUuid(key);
    return judge(key, uuid, uuid === undefined ? undefined : owners.get(uuid), isPublic) ?? [];
  });
  // Reads all credentials, so it runs only for the few suspects.
  const named = await namedFiles(
    db,
    suspects.map(({ fileKey }) => fileKey),
  );
  return suspects.filter(({ fileKey }) => !named.has(fileKey));
}

async function readOwners(db: Knex, keys: readonly string[]): Promise<ReadonlyMap<string, Owner>> {
  const uuids = keys.flatMap((key) => ownerUuid(key) ?? []);
  if (uuids.length === 0) return new Map();
  const rows = await queryRows<Owner>(
    db,
    `select uuid, status, array[file_key, invalidated_file_key] as "fileKeys", erased_at is not null as "isErased",
       uuid::text in (select payload->>'credentialUuid' from ${jobsOf("remove_erased")}) as "isBeingRemoved"
     from credentials where uuid = any (?::uuid[])`,
    [uuids],
  );
  return new Map(rows.map((owner) => [owner.uuid, owner]));
}

function judge(
  fileKey: string,
  credentialUuid: string | undefined,
  owner: Owner | undefined,
  isPublic: boolean,
): FileFinding | undefined {
  const file = { fileKey, detail: fileKey };
  if (credentialUuid === undefined)
    return { kind: isOwnKey(fileKey) ? "orphaned-file" : "foreign-file", ...file };
  if (!owner) return { kind: "stray-file", credentialUuid, ...file };
  if (owner.fileKeys.includes(fileKey) || owner.status === "generating" || owner.isBeingRemoved)
    return undefined;
  if (owner.isErased) return { kind: "erased-file", credentialUuid, ...file };
  const kind = owner.status === "invalidated" && isPublic ? "still-public" : "orphaned-file";
  return { kind, credentialUuid, ...file };
}
