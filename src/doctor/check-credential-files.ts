import type { Knex } from "knex";
import { statusSql } from "../credential-status.js";
import { queryRows } from "../db/query.js";
import { type ContentFault, checkContent, type ExpectedContent } from "./check-content.js";
import type { DiagnosisStats, DoctorDeps } from "./doctor-deps.js";
import type { Finding } from "./finding.js";

const { isAvailable, isInvalidated } = statusSql();

/** Number of files that are read at a time. */
const BATCH = 20;
const FIRST_UUID = "00000000-0000-0000-0000-000000000000";

/** A credential whose file is in its final place. */
interface Resting extends ExpectedContent {
  readonly uuid: string;
  readonly status: "available" | "invalidated";
}

const columns = `uuid, status, file_key as "fileKey", encode(file_sha256, 'hex') as sha256, file_size as size`;
/** Excludes files that are about to be moved: their job or `check-jobs.ts` deals with them. */
const isResting = `file_key is not null
  and (${isAvailable} or (${isInvalidated} and file_key = invalidated_file_key))`;

/** Checks that the files of credentials are present and are what was stored. */
export async function* checkCredentialFiles(
  { database, files }: DoctorDeps,
  stats: DiagnosisStats,
  withHashes: boolean,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  for await (const batch of restingCredentials(database.knex)) {
    signal.throwIfAborted();
    const examined = await Promise.all(
      batch.map(async (credential) => ({
        credential,
        fault: await checkContent(files, credential, withHashes),
      })),
    );
    stats.credentialFiles += batch.length;
    const suspects = examined.flatMap(({ credential, fault }) => (fault ? [{ credential, fault }] : []));
    // The file may have been moved since the row was read.
    const unchanged = await keysNow(
      database.knex,
      suspects.map(({ credential }) => credential.uuid),
    );
    for (const { credential, fault } of suspects) {
      if (unchanged.get(credential.uuid) === credential.fileKey) yield findingOf(credential, fault);
    }
  }
}

async function* restingCredentials(db: Knex): AsyncGenerator<Resting[]> {
  for (let after: string | undefined = FIRST_UUID; after !== undefined; ) {
    const rows: Resting[] = await queryRows(
      db,
      `select ${columns} from credentials where uuid > ?::uuid and ${isResting} order by uuid limit ${BATCH}`,
      [after],
    );
    if (rows.length > 0) yield rows;
    after = rows.at(-1)?.uuid;
  }
}

async function keysNow(db: Knex, uuids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (uuids.length === 0) return new Map();
  const rows = await queryRows<Resting>(
    db,
    `select ${columns} from credentials where uuid = any (?::uuid[]) and ${isResting}`,
    [uuids],
  );
  return new Map(rows.map(({ uuid, fileKey }) => [uuid, fileKey]));
}

function findingOf({ uuid, status, fileKey }: Resting, { isMissing, detail }: ContentFault): Finding {
  const missing = status === "available" ? "missing-file" : "missing-kept-file";
  return { kind: isMissing ? missing : "damaged-file", credentialUuid: uuid, fileKey, detail };
}
