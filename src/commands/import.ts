import { createReadStream, createWriteStream, type WriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { finished } from "node:stream/promises";
import type { Command } from "commander";
import { recordWarning } from "../api/parse-record.js";
import { describeRecordLine, parseRecordLine } from "../api/parse-record-line.js";
import type { Database } from "../db/database.js";
import { invalid, Problem } from "../errors.js";
import { importRecords } from "../learners/import-records.js";
import type { LearnerRecord } from "../learners/record.js";
import { type Progress, showProgress } from "./progress.js";
import { type Line, readLines } from "./read-lines.js";
import { interruptSignal, withApp } from "./with-app.js";

const BATCH = 1000;
const MAX_LINE_BYTES = 1024 * 1024;

interface ImportOptions {
  readonly skipInvalid: boolean;
  readonly rejects?: string;
}

export function addImportCommand(program: Command): void {
  program
    .command("import")
    .description("take in learner records: one Record in proto JSON a line (see record.proto)")
    .argument("<file>", "an NDJSON file, or - for standard input")
    .option(
      "--skip-invalid",
      "carry on past invalid records, and write them with the reasons to a file",
      false,
    )
    .option("--rejects <file>", "that file (default: <file>.rejects.ndjson)")
    .addHelpText(
      "after",
      `
Each ${BATCH} lines are one transaction. An invalid record stops the import with its line number: nothing of its batch
is written, and what came before stays. Importing the same file again changes nothing that is there already.`,
    )
    .action((file: string, options: ImportOptions) =>
      withApp(({ database }) => importFile(database, file, options)),
    );
}

interface Tally {
  read: number;
  written: number;
  rejected: number;
}

async function importFile(database: Database, file: string, options: ImportOptions): Promise<void> {
  const rejectsFile = options.rejects ?? `${file === "-" ? "import" : file}.rejects.ndjson`;
  const source = await openSource(file);
  const progress = showProgress("importing", source.totalBytes);
  const signal = interruptSignal();
  const tally: Tally = { read: 0, written: 0, rejected: 0 };
  let rejects: WriteStream | undefined;

  const reject = (line: Line, reason: string) => {
    if (!options.skipInvalid) throw invalid(reason);
    rejects ??= createWriteStream(rejectsFile);
    rejects.write(`${JSON.stringify({ line: line.number, reason, record: line.text })}\n`);
    tally.rejected += 1;
  };

  const importLines = async (lines: readonly Line[]) => {
    const records = lines.flatMap((line) => parseLine(line, reject, progress));
    tally.written += await importRecords(database, records, signal);
    tally.read += lines.length;
    progress.update(source.bytesRead(), tally.read);
  };

  try {
    for await (const lines of inBatches(readLines(source.chunks, MAX_LINE_BYTES))) await importLines(lines);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const kept = tally.read > 0 ? ` ${tally.read} records before it are imported.` : "";
    throw new Problem(error.kind, `${error.message}${kept} Mend it and import the file again.`, {
      cause: error,
    });
  } finally {
    progress.stop();
    if (rejects) await finished(rejects.end());
  }
  const unchanged = tally.read - tally.written - tally.rejected;
  process.stdout.write(`${tally.written} written, ${unchanged} unchanged, ${tally.rejected} rejected\n`);
  if (tally.rejected > 0) {
    process.stdout.write(`rejected records and reasons: ${rejectsFile}\n`);
    process.exitCode = 1;
  }
}

function parseLine(
  line: Line,
  reject: (line: Line, reason: string) => void,
  progress: Progress,
): LearnerRecord[] {
  try {
    const record = parseRecordLine(line.text);
    const warning = recordWarning(record);
    if (warning !== undefined) progress.say(`line ${line.number}: warning: ${warning}`);
    return [record];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const about = describeRecordLine(line.text);
    reject(line, `line ${line.number}${about && ` (${about})`}: ${error.message}`);
    return [];
  }
}

/** Blank lines are nothing. */
async function* inBatches(lines: AsyncIterable<Line>): AsyncGenerator<Line[]> {
  let batch: Line[] = [];
  for await (const line of lines) {
    if (line.text.trim() === "") continue;
    batch.push(line);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

interface Source {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** undefined for standard input. */
  readonly totalBytes: number | undefined;
  bytesRead(): number;
}

async function openSource(file: string): Promise<Source> {
  if (file === "-") return { chunks: process.stdin, totalBytes: undefined, bytesRead: () => 0 };
  try {
    const { size } = await stat(file);
    const stream = createReadStream(file, { highWaterMark: 256 * 1024 });
    return { chunks: stream, totalBytes: size, bytesRead: () => stream.bytesRead };
  } catch (error) {
    throw invalid(`${file} can't be read: ${error instanceof Error ? error.message : error}`, error);
  }
}
