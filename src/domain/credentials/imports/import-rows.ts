import { Problem } from "#foundation/errors.js";
import type { ImportOutcome } from "./import-credential.js";
import type { ExternalCredential } from "./import-store.js";

/** A row from which a credential can be imported. */
export interface ImportRow {
  /** @throws Problem `invalid` */
  read(): ExternalCredential | Promise<ExternalCredential>;
}

export interface ImportTally {
  imported: number;
  unchanged: number;
  rejected: number;
}

/**
 * Imports or checks rows one after the other.
 * @param onRejected may throw, to stop at a rejected row
 */
export async function importRows<Row extends ImportRow>(
  rows: AsyncIterable<Row>,
  take: (external: ExternalCredential) => Promise<ImportOutcome>,
  onRejected: (row: Row, problem: Problem, tally: ImportTally) => Promise<void> | void,
  onProgress: (tally: ImportTally) => void = () => {},
): Promise<ImportTally> {
  const tally = { imported: 0, unchanged: 0, rejected: 0 };
  for await (const row of rows) {
    try {
      tally[await take(await row.read())]++;
    } catch (error) {
      if (!isRejection(error)) throw error;
      await onRejected(row, error, tally);
      tally.rejected++;
    }
    onProgress(tally);
  }
  return tally;
}

/** Returns whether the error concerns only this credential. The import then continues with the next one. */
function isRejection(error: unknown): error is Problem {
  return error instanceof Problem && (error.kind === "invalid" || error.kind === "failed-precondition");
}
