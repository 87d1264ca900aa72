import { statusSql } from "#foundation/credential-status.js";
import { factLinesOf } from "#infrastructure/db/functions/credentials/credential-commitment.js";
import { type Knex, queryRow } from "#infrastructure/db/query.js";

/** A credential with the lines that make up its commitment. */
export interface ProvenFacts {
  readonly uuid: string;
  readonly seed: Buffer;
  readonly lines: readonly string[];
}

interface Recorded {
  readonly position: number;
  readonly hash: Buffer;
}

export async function readFacts(db: Knex, verifyUuid: string): Promise<ProvenFacts | undefined> {
  return queryRow<ProvenFacts>(
    db,
    `select uuid, commitment_seed as seed, ${factLinesOf((column) => column)} as lines from credentials credential
     where verify_uuid = ?::uuid and ${statusSql().isAvailable} and file_sha256 is not null`,
    [verifyUuid],
  );
}

/** Returns the first event of a credential that commits to these facts. */
export async function findRecorded(
  db: Knex,
  uuid: string,
  commitment: Buffer,
): Promise<Recorded | undefined> {
  return queryRow<Recorded>(
    db,
    `select position, hash from credential_events
     where credential_uuid = ?::uuid and commitment = ? order by position limit 1`,
    [uuid, commitment],
  );
}
