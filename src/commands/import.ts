import { type FileHandle, open } from "node:fs/promises";
import { addAbortSignal } from "node:stream";
import type { Command } from "commander";
import { recordWarning } from "../api/parse-record.js";
import { describeRecordLine, parseRecordLine } from "../api/parse-record-line.js";
import type { Database } from "../db/database.js";
import { invalid, Problem } from "../errors.js";
import { importRecords } from "../learners/import-records.js";
import type { LearnerRecord } from "../learners/record.js";
import { type Progress, showProgress } from "./progress.js";
import { type Line, readLines } from "./read-lines.js";
import { createRejectsFile, type RejectedLine } from "./rejects-file.js";
import { withApp } from "./with-app.js";

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
    .option("--rejects <file>", "that file, which must not exist yet (default: <file>.rejects.ndjson)")
    .addHelpText(
      "after",
      `
Each ${BATCH} records are one transaction. An invalid record stops the import with its line number: nothing of its batch
is written, and what came before stays. Importing the same file again changes nothing that is there already.`,
    )
    .action((file: string, options: ImportOptions) =>
      withApp(({ database }, signal) => importFile(database, file, options, signal)),
    );
}

interface Tally {
  read: number;
  written: number;
  rejected: number;
}

async function importFile(
  database: Database,
  file: string,
  options: ImportOptions,
  signal: AbortSignal,
): Promise<void> {
  if (options.rejects !== undefined && !options.skipInvalid) {
    throw invalid("--rejects needs --skip-invalid: without it, the first invalid record stops the import.");
  }
  const source = await openSource(file, signal);
  const rejectsFile = options.rejects ?? `${file === "-" ? "import" : file}.rejects.ndjson`;
  const rejects = options.skipInvalid ? await createRejectsFile(rejectsFile) : undefined;
  const progress = showProgress("importing", source.totalBytes);
  const tally: Tally = { read: 0, written: 0, rejected: 0 };

  const importLines = async (lines: readonly Line[]) => {
    const rejected: RejectedLine[] = [];
    const records = lines.flatMap((line) => {
      try {
        return [parseLine(line, progress)];
      } catch (error) {
        if (!(error instanceof Problem && rejects)) throw error;
        rejected.push({ line: line.number, reason: error.message, record: line.text });
        return [];
      }
    });
    await rejects?.write(rejected);
    tally.written += await importRecords(database, records, signal);
    tally.read += lines.length;
    tally.rejected += rejected.length;
    progress.update(source.bytesRead(), tally.read);
  };

  try {
    for await (const lines of inBatches(readLines(source.chunks, MAX_LINE_BYTES))) await importLines(lines);
  } catch (error) {
    const imported = tally.read - tally.rejected;
    if (signal.aborted) progress.say(`${imported} records are imported so far.`);
    if (signal.aborted || !(error instanceof Problem)) throw error;
    const kept = imported > 0 ? ` ${imported} records before it are imported.` : "";
    const message = `${error.message}${kept} Mend it and import the file again.`;
    throw new Problem(error.kind, message, { cause: error });
  } finally {
    progress.stop();
    await rejects?.close();
  }
  const unchanged = tally.read - tally.written - tally.rejected;
  process.stdout.write(`${tally.written} written, ${unchanged} unchanged, ${tally.rejected} rejected\n`);
  if (tally.rejected > 0) {
    process.stdout.write(`rejected records and reasons: ${rejectsFile}\n`);
    process.exitCode = 1;
  }
}

/** @throws Problem naming the line, what it is about, and the reason */
function parseLine(line: Line, progress: Progress): LearnerRecord {
  try {
    if (line.problem !== undefined) throw invalid(line.problem);
    const record = parseRecordLine(line.text);
    const warning = recordWarning(record);
    if (warning !== undefined) progress.say(`line ${line.number}: warning: ${warning}`);
    return record;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const about = describeRecordLine(line.text);
    throw invalid(`line ${line.number}${about && ` (${about})`}: ${error.message}`, error);
  }
}

/** Blank lines are nothing. */
async function* inBatches(lines: AsyncIterable<Line>): AsyncGenerator<Line[]> {
  let batch: Line[] = [];
  for await (const line of lines) {
    if (line.problem === undefined && line.text.trim() === "") continue;
    batch.push(line);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

interface Source {
  /** Fails when the signal aborts. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** undefined where it is not known, as of standard input. */
  readonly totalBytes: number | undefined;
  bytesRead(): number;
}

async function openSource(file: string, signal: AbortSignal): Promise<Source> {
  if (file === "-") {
    return { chunks: addAbortSignal(signal, process.stdin), totalBytes: undefined, bytesRead: () => 0 };
  }
  try {
    const handle = await open(file);
    const totalBytes = await readableSize(handle);
    const stream = addAbortSignal(signal, handle.createReadStream({ highWaterMark: 256 * 1024 }));
    return { chunks: stream, totalBytes, bytesRead: () => stream.bytesRead };
  } catch (error) {
    throw invalid(`${file} can't be read: ${error instanceof Error ? error.message : error}`, error);
  }
}

/** @returns undefined for a pipe or device */
async function readableSize(handle: FileHandle): Promise<number | undefined> {
  const about = await handle.stat();
  if (!about.isDirectory()) return about.isFile() ? about.size : undefined;
  await handle.close();
  throw new Error("it is a directory");
}
