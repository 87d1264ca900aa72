import {
  createImportJudge,
  type ImportDeps,
  importCredential,
} from "#domain/credentials/imports/import-credential.js";
import { createImportDeps } from "#domain/credentials/imports/import-deps.js";
import type { ImportRow } from "#domain/credentials/imports/import-rows.js";
import type { ExternalCredential } from "#domain/credentials/imports/import-store.js";
import { COMMAND_LINE } from "#infrastructure/identity/actors.js";
import type { App } from "../app.js";
import type { RejectedLine } from "./rejects-file.js";

/** A row of a file, from which a credential can be imported. */
export interface FileRow extends ImportRow {
  readonly number: number;
  /** The row as it is in the file. */
  readonly text: string;
  /** Identifies the row in errors, for example `line 12 (7d3c2b54-…)`. */
  readonly name: string;
}

export function rejectedLine({ number: line, text, name }: FileRow, { message }: Error): RejectedLine {
  return { line, text, reason: `${name}: ${message}` };
}

/**
 * Returns the functions that import and check credentials. The method ImportCredentials isn't used, because it can't
 * report rows of a file, and can't check against configurations that the import will create.
 * @param recordObjects adds objects to the entry in the audit trail
 */
export function createImporting(
  app: App,
  signal: AbortSignal,
  recordObjects: (more: { learners: string[]; others: string[] }) => Promise<void>,
) {
  const deps: ImportDeps = createImportDeps(app);
  const judge = createImportJudge(deps);
  return {
    async take(external: ExternalCredential) {
      const { username, verifyUuid } = external;
      await recordObjects({ learners: [username], others: [`verification:${verifyUuid}`] });
      return importCredential(deps, external, COMMAND_LINE, signal);
    },
    judge: (external: ExternalCredential, isPlanned?: boolean) => judge(external, signal, isPlanned),
  };
}
