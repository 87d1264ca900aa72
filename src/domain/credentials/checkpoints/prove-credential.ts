import { isIncluded } from "#formats/transparency/inclusion.js";
import { inclusionProof } from "#formats/transparency/merkle.js";
import { commitmentOf, leafOf, type Opening, openLines, saltOf } from "#formats/transparency/opening.js";
import { writeProof } from "#formats/transparency/proof.js";
import type { Database } from "#infrastructure/db/database.js";
import type { Knex } from "#infrastructure/db/query.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { isUuid } from "../uuid.js";
import { type LogFiles, openLogFiles } from "./log-files.js";
import {
  findBestCheckpoint,
  listCosignatures,
  listLogs,
  listTokens,
  type StoredCheckpoint,
  type TransparencyLog,
} from "./log-store.js";
import { findRecorded, type ProvenFacts, readFacts } from "./proof-store.js";
import { hashesOfTiles } from "./tile-hashes.js";

/** Proofs that the file of a credential was recorded at a certain time, based on the log of events. */
export interface CredentialProofs {
  /**
   * Returns when the file was recorded: the time of a timestamp, or of the signed checkpoint if there is no timestamp.
   * @returns undefined if the credential is not valid, or if there is no proof: no checkpoint contains the credential
   * yet, its learner was erased, or its events were removed
   */
  provenSince(verifyUuid: string): Promise<Date | undefined>;
  /** Returns a C2SP tlog-proof, or `undefined` in the same cases as `provenSince`. */
  prove(verifyUuid: string): Promise<string | undefined>;
  /** Verifier keys of the current and former logs. Other parties enter them in their settings to verify the logs. */
  logKeys(): Promise<readonly string[]>;
}

const REVEALED_FIELDS = ["verify_uuid", "status", "file_sha256"];

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
  /** Yields the event's position in each log that contains it. */
  async function* logPositionsOf(verifyUuid: string): AsyncGenerator<LogPosition> {
    const facts = isUuid(verifyUuid) ? await readFacts(knex, verifyUuid) : undefined;
    const event = facts && (await firstEventOf(knex, facts));
    for (const log of event ? await listLogs(knex) : []) {
      const index = (event?.position ?? 0) - log.after - 1;
      const checkpoint = index < 0 ? undefined : await findBestCheckpoint(knex, log.id, index);
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

interface LogPosition {
  readonly log: TransparencyLog;
  readonly index: number;
  readonly checkpoint: StoredCheckpoint;
  readonly opening: Opening;
}

/**
 * Returns the first event that commits to the current facts. After a learner was renamed, earlier events don't match.
 */
async function firstEventOf(
  db: Knex,
  { uuid, seed, lines }: ProvenFacts,
): Promise<{ readonly position: number; readonly opening: Opening } | undefined> {
  const salted = lines.map((line) => ({ line, salt: saltOf(seed, line) }));
  const event = await findRecorded(db, uuid, commitmentOf(salted));
  return (
    event && {
      position: event.position,
      opening: { eventHash: event.hash, lines: openLines(salted, REVEALED_FIELDS) },
    }
  );
}

/**
 * Returns `undefined` if the log has a different event at this position. That happens if the log was published before
 * the database was restored from a backup.
 */
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
