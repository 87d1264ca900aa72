import { readFile, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import type { Command } from "commander";
import { isRejection } from "#api/services/import-credentials-handlers.js";
import { MAX_FILE_BYTES } from "#api/services/parse-imported-credential.js";
import {
  describeCredentialLine,
  parseImportedCredentialLine,
  type ReadNamedFile,
} from "#api/services/parse-imported-credential-line.js";
import { createInspectDocument } from "#domain/assets/inspection/inspect-asset.js";
import { importCredential } from "#domain/credentials/imports/import-credential.js";
import type { ExternalCredential } from "#domain/credentials/imports/import-store.js";
import { invalid, Problem } from "#foundation/errors.js";
import { quoted } from "#foundation/text/quoted.js";
import { COMMAND_LINE } from "#infrastructure/identity/actors.js";
import { audited } from "./audited.js";
import { checkPlatformName } from "./check-platform-name.js";
import { openSource } from "./open-source.js";
import { print } from "./print.js";
import { showProgress } from "./progress.js";
import { filledLines, type InputLine, readLines } from "./read-lines.js";
import { openRejectsFile, type RejectsOptions, withRejects } from "./rejects-file.js";
import { withApp } from "./with-app.js";

/** The largest file in base64, plus the other fields. */
const MAX_LINE_BYTES = 5 * 1024 * 1024;

interface ImportOptions extends RejectsOptions {
  readonly files?: string;
}

export function addCommand(program: Command): void {
  const command = program
    .command("import-credentials")
    .description(
      "import credentials that were issued elsewhere: one ImportedCredential in proto JSON per line",
    )
    .argument("<file>", "an NDJSON file, or - for standard input")
    .option("--files <dir>", "directory of the PDFs: `file` of each line is a path in it instead of base64");
  withRejects(command, "credentials")
    .addHelpText(
      "after",
      `
Each credential is imported in its own transaction, and nobody gets a mail. The first one that can't be imported ends the
import with its line number; those before it stay. Importing the same file again changes nothing that was imported.
Each line of the rejects file has "line", "reason" and "record" ("text" if the line is not JSON).`,
    )
    .action((file: string, options: ImportOptions) =>
      withApp(async (app, signal) => {
        await checkPlatformName(app);
        const inspectDocument = createInspectDocument();
        const parts = { ...app, inspectDocument, settings: app.config, outputDir: app.config.outputDir };
        return audited(app, signal, "import-credentials", { others: [`file:${file}`] }, (concerns) => {
          const takeOver = async (external: ExternalCredential) => {
            const { username, verifyUuid } = external;
            await concerns({ learners: [username], others: [`verification:${verifyUuid}`] });
            return importCredential(parts, external, COMMAND_LINE, signal);
          };
          return importFile(takeOver, file, options, signal);
        });
      }),
    );
}

async function importFile(
  takeOver: (external: ExternalCredential) => ReturnType<typeof importCredential>,
  file: string,
  options: ImportOptions,
  signal: AbortSignal,
): Promise<void> {
  const source = await openSource(file, signal);
  const rejects = await openRejectsFile(file, options);
  const readNamed = options.files === undefined ? undefined : readBelow(options.files);
  const progress = showProgress("importing", source.totalBytes);
  const tally = { imported: 0, unchanged: 0, rejected: 0 };

  const importLine = async (line: InputLine) => {
    if (line.problem !== undefined) throw invalid(line.problem);
    const external = await parseImportedCredentialLine(line.text, readNamed);
    tally[await takeOver(external)]++;
  };

  try {
    for await (const line of filledLines(readLines(source.chunks, MAX_LINE_BYTES))) {
      try {
        await importLine(line);
      } catch (error) {
        if (!isRejection(error)) throw error;
        const reason = `line ${line.number}${about(line)}: ${error.message}`;
        if (!rejects)
          throw new Problem(error.kind, `${reason}${kept(tally)} Correct it and import the file again.`);
        await rejects.write([{ line: line.number, reason, text: line.text }]);
        tally.rejected++;
      }
      progress.update(source.bytesRead(), tally.imported + tally.unchanged + tally.rejected);
    }
  } finally {
    progress.stop();
    await rejects?.close();
  }
  const { imported, unchanged, rejected } = tally;
  print(`${imported} imported, ${unchanged} unchanged, ${rejected} rejected`);
  rejects?.tell("credentials");
}

function about({ text }: InputLine): string {
  const uuid = describeCredentialLine(text);
  return uuid && ` (${uuid})`;
}

function kept({ imported }: { imported: number }): string {
  return imported > 0 ? ` ${imported} before it are imported.` : "";
}

/** Reads only files below a directory: the author of the lines may not be the person who runs the command. */
function readBelow(directory: string): ReadNamedFile {
  return async (path) => {
    const full = resolve(directory, path);
    const inside = relative(directory, full);
    if (inside === "" || inside.startsWith("..") || isAbsolute(inside))
      throw invalid(`file is ${quoted(path)}, which is not in the directory of --files.`);
    try {
      const { size } = await stat(full);
      if (size > MAX_FILE_BYTES)
        throw new Error(`it has ${size} bytes; at most ${MAX_FILE_BYTES} are accepted`);
      return await readFile(full);
    } catch (error) {
      throw invalid(`file ${quoted(path)} can't be read: ${(error as Error).message}.`, error);
    }
  };
}
