import { statusSql } from "#foundation/credential-status.js";
import { queryRows } from "#infrastructure/db/query.js";
import { checkContent, type ExpectedContent } from "./check-content.js";
import type { DiagnosisStats, DoctorDeps } from "./doctor-deps.js";
import { BATCH, examine, FIRST_UUID, isUnchanged } from "./examine.js";
import type { Finding } from "./finding.js";

const { isAvailable, isInvalidated } = statusSql();

/** A credential whose file is not about to be moved. */
interface Resting extends ExpectedContent {
  readonly uuid: string;
  readonly status: "available" | "invalidated";
}

/** Excludes files that a job is about to move. That job or `check-jobs.ts` handles them. */
const isResting = `file_key is not null
  and (${isAvailable} or (${isInvalidated} and file_key = invalidated_file_key))`;

/** Checks that the files of credentials exist and are unchanged since they were stored. */
export async function* checkCredentialFiles(
  { database: { knex }, files }: DoctorDeps,
  stats: DiagnosisStats,
  withHashes: boolean,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  const read = (after: string) =>
    queryRows<Resting>(
      knex,
      `select uuid, status, file_key as "fileKey", encode(file_sha256, 'hex') as sha256, file_size as size
       from credentials where uuid > ?::uuid and ${isResting} order by uuid limit ${BATCH}`,
      [after],
    );
  const faultOf = (credential: Resting) => {
    stats.credentialFiles++;
    return checkContent(files, credential, withHashes);
  };
  const keyOf = ({ uuid }: Resting) => uuid;
  for await (const { item, fault } of examine({ first: FIRST_UUID, read, keyOf, faultOf }, signal)) {
    if (!(await isUnchanged(knex, item))) continue;
    const { uuid: credentialUuid, status, fileKey } = item;
    const missing = status === "available" ? "missing-file" : "missing-kept-file";
    yield { kind: fault.isMissing ? missing : "damaged-file", credentialUuid, fileKey, detail: fault.detail };
  }
}
