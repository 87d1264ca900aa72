import type { Knex } from "knex";
import { inclusionProof, isIncluded } from "#formats/transparency/merkle.js";
import { commitmentOf, leafOf, type Opening, openLines, saltOf } from "#formats/transparency/opening.js";
import { writeProof } from "#formats/transparency/proof.js";
import { statusSql } from "#foundation/credential-status.js";
import type { Database } from "#infrastructure/db/database.js";
import { factLinesOf } from "#infrastructure/db/functions/credentials/credential-commitment.js";
import { queryRow } from "#infrastructure/db/query.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { isUuid } from "../uuid.js";
import { type LogFiles, openLogFiles } from "./log-files.js";
import {
  listCosignatures,
  listLogs,
  listTokens,
  type StoredCheckpoint,
  type TransparencyLog,
} from "./log-store.js";
import { hashesOfTiles } from "./tile-hashes.js";

/** Proofs by a log that files of credentials were recorded at some time. */
export interface CredentialProofs {
  /**
   * Returns the time since which others can vouch for the file of a credential.
   * @returns undefined if no such credential is in force, or there is no proof: it may be in no checkpoint yet, its
   * learner erased, or its events removed
   */
  provenSince(verifyUuid: string): Promise<Date | undefined>;
  /** Returns the proof, a C2SP tlog-proof; undefined as above. */
  prove(verifyUuid: string): Promise<string | undefined>;
  /**
   * The verifier keys of this service's current and former logs, in the format of the settings with which others verify
   * them.
   */
  logKeys(): Promise<readonly string[]>;
}

/** All fields of a credential that a proof reveals. */
const SHOWN = ["verify_uuid", "status", "file_sha256"];

/** A credential, and the lines of its commitment. */
interface Facts {
  readonly uuid: string;
  readonly seed: Buffer;
  readonly lines: readonly string[];
}

interface Recorded {
  readonly position: number;
  readonly hash: Buffer;
}

export function createCredentialProofs({
  database: {
    reads: { knex },
  },
  files: store,
  outputDir,
}: {
  readonly database: Database;
  readonly files: FileStore;
  readonly outputDir: string;
}): CredentialProofs {
  /** Yields the position of the credential's event in each log that may contain it. */
  async function* logPositionsOf(verifyUuid: string): AsyncGenerator<LogPosition> {
    const facts = isUuid(verifyUuid) ? await readFacts(knex, verifyUuid) : undefined;
    const event = facts && (await firstEventOf(knex, facts));
    for (const log of event ? await listLogs(knex) : []) {
      const index = (event?.position ?? 0) - log.after - 1;
      const checkpoint = index < 0 ? undefined : await bestCheckpoint(knex, log.id, index);
      if (event && checkpoint) yield { log, index, checkpoint, opening: event.opening };
    }
  }

  return {
    async provenSince(verifyUuid) {
      for await (const { log, checkpoint } of logPositionsOf(verifyUuid)) {
        const [first] = await listTokens(knex, log.id, [checkpoint.size]);
        return first?.stampedAt ?? checkpoint.signedAt;
      }
      return undefined;
    },
    async prove(verifyUuid) {
      for await (const logPosition of logPositionsOf(verifyUuid)) {
        const files = openLogFiles(store, outputDir, logPosition.log.id);
        const proof = await proofAt(knex, files, logPosition);
        if (proof !== undefined) return proof;
      }
      return undefined;
    },
    logKeys: async () => (await listLogs(knex)).map(({ verifierKey }) => verifierKey),
  };
}

/** An event in a log. */
interface LogPosition {
  readonly log: TransparencyLog;
  readonly index: number;
  readonly checkpoint: StoredCheckpoint;
  readonly opening: Opening;
}

async function readFacts(db: Knex, verifyUuid: string): Promise<Facts | undefined> {
  return queryRow<Facts>(
    db,
    `select uuid, commitment_seed as seed, ${factLinesOf((column) => column)} as lines from credentials credential
     where verify_uuid = ?::uuid and ${statusSql().isAvailable} and file_sha256 is not null`,
    [verifyUuid],
  );
}

/** Finds the first event that proves the credential's present facts. A new username starts a new series of events. */
async function firstEventOf(
  db: Knex,
  { uuid, seed, lines }: Facts,
): Promise<{ readonly position: number; readonly opening: Opening } | undefined> {
  const salted = lines.map((line) => ({ line, salt: saltOf(seed, line) }));
  const commitment = commitmentOf(salted);
  const event = await queryRow<Recorded>(
    db,
    `select position, hash from credential_events
     where credential_uuid = ?::uuid and commitment = ? order by position limit 1`,
    [uuid, commitment],
  );
  return (
    event && { position: event.position, opening: { eventHash: event.hash, lines: openLines(salted, SHOWN) } }
  );
}

/** @returns undefined if the log has another event at this position, as a log from before a restored backup may */
async function proofAt(
  db: Knex,
  files: LogFiles,
  { log, index, checkpoint, opening }: LogPosition,
): Promise<string | undefined> {
  const { size, note } = checkpoint;
  const path = await inclusionProof(index, size, hashesOfTiles(files, size));
  if (!isIncluded(leafOf(opening), index, checkpoint, path)) return undefined;
  const timestamps = (await listTokens(db, log.id, [size])).map(({ token }) => token);
  const cosignatures = await listCosignatures(db, log.id, size);
  const signed = note + cosignatures.map(({ line }) => line).join("");
  return writeProof({ opening, timestamps, index, path, checkpoint: signed });
}

/** Number of checkpoints from which the best is chosen; they span at least half a week. */
const NEAR = 100;

/** Finds the first checkpoint with the event, preferring one that has both a timestamp and a cosignature. */
function bestCheckpoint(db: Knex, logId: number, index: number): Promise<StoredCheckpoint | undefined> {
  const isVouchedIn = (table: string) =>
    `exists (select from ${table} other where (other.log_id, other.size) = (near.log_id, near.size))::int`;
  return queryRow<StoredCheckpoint>(
    db,
    `select size, root, note, signed_at as "signedAt"
     from (select * from log_checkpoints where log_id = ? and size > ? order by size limit ${NEAR}) as near
     order by ${isVouchedIn("log_timestamps")} + ${isVouchedIn("log_cosignatures")} desc, size
     limit 1`,
    [logId, index],
  );
}
