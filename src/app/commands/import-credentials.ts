import type { Command } from "commander";
import { actOf } from "#api/pipeline/recorded-act.js";
import { MAX_FILE_BYTES } from "#api/services/requests/parse-imported-credential.js";
import {
  describeCredentialLine,
  parseImportedCredentialLine,
} from "#api/services/requests/parse-imported-credential-line.js";
import { type ImportTally, importRows } from "#domain/credentials/imports/import-rows.js";
import { invalid, Problem } from "#foundation/errors.js";
import { counted } from "#foundation/text/counted.js";
import { audited } from "./audited.js";
import { checkPlatformName } from "./check-platform-name.js";
import { type ReadFileBelow, readBelow } from "./files-below.js";
import { createImporting, type FileRow, rejectedLine } from "./import-rows.js";
import { openSource } from "./open-source.js";
import { print } from "./print.js";
import { showProgress } from "./progress.js";
import { filledLines, type InputLine, readLines } from "./read-lines.js";
import { openRejectsFile, type RejectsOptions, withRejects } from "./rejects-file.js";
import { withApp } from "./with-app.js";

/** Enough for the largest file in base64 plus the other fields. */
const MAX_LINE_BYTES = 5 * 1024 * 1024;

interface ImportOptions extends RejectsOptions {
  readonly files?: string;
  readonly dryRun: boolean;
}

export function addCommand(program: Command): void {
  const command = program
    .command("import-credentials")
    .description("import credentials issued by another system: one ImportedCredential in proto JSON per line")
    .argument("<file>", "NDJSON file, or - for standard input")
    .option(
      "--files <dir>",
      "directory of the PDFs; `file` of each line is then a path in it instead of base64",
    )
    .option("--dry-run", "check the credentials without importing them", false);
  withRejects(command, "credentials")
    .addHelpText(
      "after",
      `
Each credential is imported in its own transaction. No emails are sent. The import stops at the first credential that
can't be imported, and reports its line number; the credentials before it stay imported. You can import the same file
again, which doesn't change credentials that are already imported. Each line of the rejects file has "line", "reason" and "record" ("text" if the line is not JSON).`,
    )
    .action((file: string, options: ImportOptions) =>
      withApp(async (app, signal) => {
        await checkPlatformName(app);
        const act = actOf("import-credentials", options.dryRun);
        await audited(app, signal, act, { others: [`file:${file}`] }, (recordObjects) => {
          const { take, judge } = createImporting(app, signal, recordObjects);
          return importFile(options.dryRun ? (external) => judge(external) : take, file, options, signal);
        });
      }),
    );
}

async function importFile(
  take: Parameters<typeof importRows>[1],
  file: string,
  options: ImportOptions,
  signal: AbortSignal,
): Promise<void> {
  const source = await openSource(file, signal);
  const rejects = await openRejectsFile(file, options);
  const { files } = options;
  const readNamed = files === undefined ? undefined : readBelow(files, "--files", MAX_FILE_BYTES);
  const progress = showProgress("importing", source.totalBytes);
  try {
    const tally = await importRows(
      rowsOf(filledLines(readLines(source.chunks, MAX_LINE_BYTES)), readNamed),
      take,
      async (row, problem, before) => {
        const rejected = rejectedLine(row, problem);
        if (!rejects)
          throw new Problem(
            problem.kind,
            `${rejected.reason}${describeImported(before, options)} Correct it and import the file again.`,
          );
        await rejects.write([rejected]);
      },
      ({ imported, unchanged, rejected }) =>
        progress.update(source.bytesRead(), imported + unchanged + rejected),
    );
    progress.stop();
    print(summaryOf(tally, options.dryRun));
    rejects?.printSummary("credentials");
  } finally {
    progress.stop();
    await rejects?.close();
  }
}

async function* rowsOf(
  lines: AsyncIterable<InputLine>,
  readNamed: ReadFileBelow | undefined,
): AsyncGenerator<FileRow> {
  for await (const { number, text, problem } of lines) {
    const uuid = describeCredentialLine(text);
    yield {
      number,
      text,
      name: `line ${number}${uuid && ` (${uuid})`}`,
      async read() {
        if (problem !== undefined) throw invalid(problem);
        return parseImportedCredentialLine(text, readNamed);
      },
    };
  }
}

export function summaryOf({ imported, unchanged, rejected }: ImportTally, isDryRun: boolean): string {
  return isDryRun
    ? `${imported} would be imported, ${unchanged} unchanged, ${rejected} rejected; nothing was changed`
    : `${imported} imported, ${unchanged} unchanged, ${rejected} rejected`;
}

function describeImported({ imported }: ImportTally, { dryRun }: ImportOptions): string {
  return imported > 0 && !dryRun
    ? ` ${counted(imported, "credential before it is", "credentials before it are")} imported.`
    : "";
}
