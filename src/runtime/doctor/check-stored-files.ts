import { invalidatedDir } from "#domain/credentials/credential-file-key.js";
import { inBatches } from "#foundation/concurrency/in-batches.js";
import type { CredentialStatus } from "#foundation/credential-status.js";
import { type Knex, queryRows } from "#infrastructure/db/query.js";
import type { StoredFile } from "#infrastructure/files/file-store.js";
import { jobsOf } from "#infrastructure/jobs/queue-store.js";
import type { DiagnosisStats, DoctorDeps } from "./doctor-deps.js";
import type { Finding } from "./finding.js";
import { namedFiles } from "./named-files.js";
import { isOwnKey, ownerUuid } from "./own-key.js";

const BATCH = 500;
/** A file is stored before anything refers to it, so files younger than this are not reported. */
const AGE_MS = 3_600_000;

/** The credential for which a file was made. */
interface Owner {
  readonly uuid: string;
  readonly status: CredentialStatus;
  /** The credential's current file key, and the key to which its file is being moved. */
  readonly fileKeys: readonly (string | null)[];
  readonly isErased: boolean;
  /** Whether a job will delete the credential's files. */
  readonly isBeingRemoved: boolean;
}

/** Checks that the database refers to every file in the store, and that each file is in a permitted place. */
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
        // After the listing, a job may have moved the file, or a superseded attempt may have deleted it.
        if (await files.digest(finding.fileKey)) yield finding;
      }
    }
  }
}

/** Finds incomplete files of processes that have died. */
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
 * Returns the files that no credential uses or will use. Credentials are read after the listing, so only a credential
 * that is still being generated could start to use a listed file.
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
  // This query reads all credentials, so it runs only for the few suspicious files.
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
