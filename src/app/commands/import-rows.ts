import { isRejection } from "#api/services/credentials/import-credentials-handlers.js";
import {
  type ImportDeps,
  importCredential,
  judgeImport,
} from "#domain/credentials/imports/import-credential.js";
import { createImportDeps } from "#domain/credentials/imports/import-deps.js";
import type { ExternalCredential } from "#domain/credentials/imports/import-store.js";
import { COMMAND_LINE } from "#infrastructure/identity/actors.js";
import type { App } from "../app.js";
import type { RejectedLine } from "./rejects-file.js";

/** A row of a file, from which a credential can be imported. */
export interface ImportRow {
  readonly number: number;
  /** The row as it is in the file. */
  readonly text: string;
  /** Identifies the row in errors, for example `line 12 (7d3c2b54-…)`. */
  readonly name: string;
  /** @throws Problem `invalid` */
  read(): Promise<ExternalCredential>;
}

export interface RejectedRow extends RejectedLine {
  readonly name: string;
  readonly error: Error & { readonly kind: string };
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
export async function importRows(
  rows: AsyncIterable<ImportRow>,
  take: (external: ExternalCredential, row: ImportRow) => Promise<"imported" | "unchanged">,
  onRejected: (rejected: RejectedRow, tally: ImportTally) => Promise<void> | void,
  onProgress: (tally: ImportTally) => void = () => {},
): Promise<ImportTally> {
  const tally = { imported: 0, unchanged: 0, rejected: 0 };
  for await (const row of rows) {
    try {
      tally[await take(await row.read(), row)]++;
    } catch (error) {
      if (!isRejection(error)) throw error;
      const { number: line, text, name } = row;
      await onRejected({ line, text, name, reason: `${name}: ${error.message}`, error }, tally);
      tally.rejected++;
    }
    onProgress(tally);
  }
  return tally;
}

/**
 * Returns the functions that import and check credentials. The method ImportCredentials isn't used, because it can't
 * report rows of a file, and can't check against configurations that the import will create.
 * @param concerns records in the audit trail which objects a credential concerns
 */
export function createTaking(
  app: App,
  signal: AbortSignal,
  concerns: (more: { learners: string[]; others: string[] }) => Promise<void>,
) {
  const deps: ImportDeps = createImportDeps(app);
  return {
    async take(external: ExternalCredential) {
      const { username, verifyUuid } = external;
      await concerns({ learners: [username], others: [`verification:${verifyUuid}`] });
      return importCredential(deps, external, COMMAND_LINE, signal);
    },
    judge: (external: ExternalCredential, isPlanned = false) =>
      judgeImport(deps, external, signal, isPlanned),
  };
}
