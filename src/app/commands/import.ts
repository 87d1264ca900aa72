import { type Command, Option } from "commander";
import { describeRecordLine, parseRecordLine } from "#api/services/requests/parse-record-line.js";
import { type ImportCounts, importRecords } from "#domain/learners/import-records.js";
import { recordWarning, skippedWarnings } from "#domain/learners/import-warnings.js";
import type { LearnerRecord } from "#domain/learners/record.js";
import { inBatches } from "#foundation/concurrency/in-batches.js";
import { invalid, Problem } from "#foundation/errors.js";
import { counted } from "#foundation/text/counted.js";
import { gradeScales } from "#foundation/text/tables/cell-values.js";
import { audited } from "./audited.js";
import { IMPORT_FORMATS, type ImportFormat, importTable } from "./import-table.js";
import { openSource } from "./open-source.js";
import { rowNumber, several } from "./option-values.js";
import { print } from "./print.js";
import { type ProgressDisplay, showProgress } from "./progress.js";
import { filledLines, type InputLine, readLines } from "./read-lines.js";
import { type MappingOptions, readMapping } from "./read-mapping.js";
import { openRejectsFile, type RejectedLine, type RejectsOptions, withRejects } from "./rejects-file.js";
import { withApp } from "./with-app.js";

const BATCH = 1000;
const MAX_LINE_BYTES = 1024 * 1024;

export function addCommand(program: Command): void {
  const command = program
    .command("import")
    .description(
      "import learner records: NDJSON (see record.proto), a table of learners and grades, or OneRoster",
    )
    .argument("<file>", "NDJSON, CSV, XLSX or ZIP file, or - for NDJSON from standard input")
    .option(
      "--format <format>",
      "ndjson, csv, xlsx or oneroster (default: by the file extension .csv, .xlsx or .zip)",
    )
    .option("--organisation <name>", "organisation in course keys, for oneroster");
  withRejects(withTableOptions(command), "records")
    .addHelpText(
      "after",
      `
Records are written in transactions of ${BATCH}. The import stops at the first invalid record and reports its line number:
no record of its batch is written, but earlier batches are. You can import the same file again, which changes nothing;
records without observe_time are then reported as written. A learner's record without an email keeps the stored address.

A table (csv, xlsx) has a header with the columns learner and course, and any of full_name, given_name, family_name,
sorted_name ("Kovač, Ana"), email, learner_id, grade, letter, passed and completion, in any order; percentages such as 85 or 85,5 %.
Titles above the header and sums below the table are ignored. To import attributes, use
--column learner.programme=Department or --column enrollment.prize=Prize. A file for --mapping contains for example
{"columns": {"learner": "SIS Login ID", "grade": "Final Score"}, "course": "course-v1:Uni+C1+2026"}; columns that it
doesn't name are ignored. OneRoster CSV is a ZIP with manifest.csv. All rows of a table or of OneRoster are checked before
anything is written: if a row is wrong, nothing is written, unless --skip-invalid is set.

Each line of the rejects file has "line", "reason" and "record" ("text" if the line is not JSON, as a row of a table).
After you have corrected them, \`jq -c .record <file>\` prints the lines to import, and \`jq -r .text <file>\` prints rows of
a table.`,
    )
    .action((file: string, options: ImportOptions) =>
      withApp((app, signal) =>
        audited(app, signal, "import", { others: [`file:${file}`] }, async (recordObjects) => {
          const write = async (records: readonly LearnerRecord[]) => {
            await recordObjects({ learners: learnersOf(records) });
            return importRecords(app.database, records, signal);
          };
          const format = formatOf(file, options.format);
          if (format !== "ndjson")
            return importTable(
              write,
              file,
              { ...options, format, mapping: await readMapping(options) },
              app.database,
              signal,
            );
          return importFile(write, file, options, signal);
        }),
      ),
    );
}

/** Adds the options that say how to read a table. */
function withTableOptions(command: Command): Command {
  return command
    .option("--sheet <name>", "sheet of the workbook (default: the first that is not hidden)")
    .option(
      "--encoding <name>",
      "encoding of a CSV file that is neither UTF-8 nor UTF-16, such as windows-1250",
    )
    .option(
      "--heading-row <number>",
      "row with the headings (default: the first row with two known headings)",
      rowNumber,
    )
    .option(
      "--column <name=heading>",
      "heading of the column with this content; repeatable",
      several(String),
      [],
    )
    .option(
      "--mapping <file>",
      "JSON file with the columns; can also contain sheet, encoding, heading_row, course and grades_are",
    )
    .option(
      "--ignore-other-columns",
      "read only columns named by --column or --mapping or, without these, columns with known headings",
    )
    .option("--course <key>", "course of all rows, if the table has no column for it")
    .addOption(
      new Option(
        "--grades-are <scale>",
        "what 0.855 in a table means: 0.855 % (percentage) or 85.5 % (fraction)",
      ).choices(gradeScales),
    );
}

interface ImportOptions extends RejectsOptions, MappingOptions {
  readonly format?: string;
  readonly organisation?: string;
}

const endings = [
  [".csv", "csv"],
  [".xlsx", "xlsx"],
  [".xlsm", "xlsx"],
  [".zip", "oneroster"],
] as const;

/** @throws Problem `invalid` if the format is unknown */
function formatOf(file: string, requestedFormat: string | undefined): ImportFormat {
  const name =
    requestedFormat ?? endings.find(([ending]) => file.toLowerCase().endsWith(ending))?.[1] ?? "ndjson";
  const format = IMPORT_FORMATS.find((each) => each === name);
  if (format) return format;
  throw invalid(`--format is ${name}; it must be one of ${IMPORT_FORMATS.join(", ")}.`);
}

interface Tally {
  read: number;
  written: number;
  erased: number;
  ownedElsewhere: number;
  rejected: number;
}

function learnersOf(records: readonly LearnerRecord[]): string[] {
  return [...new Set(records.flatMap((record) => ("username" in record ? [record.username] : [])))];
}

/**
 * Imports a file in batches. The method ImportRecords isn't used, because it can't report lines of a file, and doesn't
 * accept tables.
 */
async function importFile(
  write: (records: readonly LearnerRecord[]) => Promise<ImportCounts>,
  file: string,
  options: RejectsOptions,
  signal: AbortSignal,
): Promise<void> {
  const source = await openSource(file, signal);
  const rejects = await openRejectsFile(file, options);
  const progress = showProgress("importing", source.totalBytes);
  const tally: Tally = { read: 0, written: 0, erased: 0, ownedElsewhere: 0, rejected: 0 };

  const importLines = async (lines: readonly InputLine[]) => {
    const rejected: RejectedLine[] = [];
    const records = lines.flatMap((line) => {
      try {
        return [parseLine(line, progress)];
      } catch (error) {
        if (!(error instanceof Problem && rejects)) throw error;
        rejected.push({ line: line.number, reason: error.message, text: line.text });
        return [];
      }
    });
    await rejects?.write(rejected);
    const { written, erased, ownedElsewhere } = await write(records);
    tally.written += written;
    tally.erased += erased;
    tally.ownedElsewhere += ownedElsewhere;
    tally.read += lines.length;
    tally.rejected += rejected.length;
    progress.update(source.bytesRead(), tally.read);
  };

  try {
    const lines = filledLines(readLines(source.chunks, MAX_LINE_BYTES));
    for await (const batch of inBatches(lines, BATCH)) await importLines(batch);
  } catch (error) {
    const imported = tally.read - tally.rejected;
    if (signal.aborted) progress.say(`${counted(imported, "record is", "records are")} imported so far.`);
    if (signal.aborted || !(error instanceof Problem)) throw error;
    const importedNote =
      imported > 0 ? ` ${counted(imported, "record before it is", "records before it are")} imported.` : "";
    const message = `${error.message}${importedNote} Correct it and import the file again.`;
    throw new Problem(error.kind, message, { cause: error });
  } finally {
    progress.stop();
    await rejects?.close();
  }
  for (const warning of skippedWarnings(tally)) process.stderr.write(`warning: ${warning}\n`);
  const unchanged = tally.read - tally.written - tally.rejected;
  print(`${tally.written} written, ${unchanged} unchanged, ${tally.rejected} rejected`);
  rejects?.printSummary("records");
}

/** @throws Problem that names the line, its subject and the reason */
function parseLine(line: InputLine, progress: ProgressDisplay): LearnerRecord {
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
