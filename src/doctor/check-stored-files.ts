import type { Knex } from "knex";
import { inBatches } from "../concurrency/in-batches.js";
import type { CredentialStatus } from "../credentials/credential.js";
import { invalidatedDir } from "../credentials/credential-file-key.js";
import type { StoredFile } from "../files/file-store.js";
import type { DoctorDeps, Looked } from "./doctor-deps.js";
import type { Finding } from "./finding.js";
import { jobsOf } from "./jobs-of.js";
import { namedFiles } from "./named-files.js";
import { isOwnKey, ownerUuid } from "./own-key.js";

const BATCH = 500;
/** A file is put before anything names it: one that is younger may be about to be named. */
const AGE_MS = 3_600_000;

/** The credential that a file was made for. */
interface Owner {
  readonly uuid: string;
  readonly status: CredentialStatus;
  /** The keys of its file, where it is and where it is moved. */
  readonly fileKeys: readonly (string | null)[];
  readonly isErased: boolean;
  /** Whether a job is going to remove its files. */
  readonly isBeingRemoved: boolean;
}

/** Whether everything in the store is named by something, and lies where it may. */
export async function* checkStoredFiles(
  { database, files, outputDir }: DoctorDeps,
  looked: Looked,
  now: Date,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  for (const directory of [outputDir, invalidatedDir(outputDir), `${outputDir}_assets`]) {
    for await (const batch of inBatches(files.list(`${directory}/`), BATCH)) {
      signal.throwIfAborted();
      looked.storedFiles += batch.length;
      const old = batch.filter((file) => isOld(file, now));
      for (const finding of await unexplained(database.knex, old, directory === outputDir)) {
        // Since it was listed, a job may have put it away, or an attempt that has lost may have deleted it.
        if (await files.digest(finding.fileKey)) yield finding;
      }
    }
  }
}

function isOld({ lastModified }: StoredFile, now: Date): boolean {
  return now.getTime() - lastModified.getTime() > AGE_MS;
}

type FileFinding = Finding & { readonly fileKey: string };

/**
 * Credentials are looked at after the list, and each in one moment: one that is generating may still name the file, and
 * any other that does not name it never will.
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
  // Reads all credentials, and is for the few.
  const named = await namedFiles(
    db,
    suspects.map(({ fileKey }) => fileKey),
  );
  return suspects.filter(({ fileKey }) => !named.has(fileKey));
}

async function readOwners(db: Knex, keys: readonly string[]): Promise<ReadonlyMap<string, Owner>> {
  const uuids = keys.flatMap((key) => ownerUuid(key) ?? []);
  if (uuids.length === 0) return new Map();
  const { rows } = await db.raw(
    `select uuid, status, array[file_key, invalidated_file_key] as "fileKeys", erased_at is not null as "isErased",
       uuid::text in (select payload->>'credentialUuid' from ${jobsOf("remove_erased")}) as "isBeingRemoved"
     from credentials where uuid = any (?::uuid[])`,
    [uuids],
  );
  return new Map(rows.map((owner: Owner) => [owner.uuid, owner]));
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
