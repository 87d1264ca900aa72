import type { ImportCounts } from "#domain/learners/import-records.js";
import { recordWarning, skippedWarnings } from "#domain/learners/import-warnings.js";
import { inLearnerTransaction } from "#domain/learners/learner-transaction.js";
import { readStoredIds, storeIds } from "#domain/learners/one-roster-ids.js";
import { parsePlainRecord } from "#domain/learners/parse-record.js";
import type { LearnerRecord } from "#domain/learners/record.js";
import { withdrawSubsections } from "#domain/learners/withdraw-subsections.js";
import type { CheckedFile, RecordWithLine, Reject } from "#domain/rosters/judged.js";
import { type CheckedRoster, readOneRoster } from "#domain/rosters/one-roster.js";
import { readTableFile } from "#domain/rosters/read-table-file.js";
import { readSpreadsheet } from "#domain/rosters/spreadsheet.js";
import { invalid, Problem } from "#foundation/errors.js";
import { counted } from "#foundation/text/counted.js";
import { type Database, waitForLocks } from "#infrastructure/db/database.js";
import type { Knex } from "#infrastructure/db/query.js";
import { print } from "./print.js";
import { showProgress } from "./progress.js";
import { readInput } from "./read-input.js";
import type { TableMapping } from "./read-mapping.js";
import { openRejectsFile, type RejectsOptions } from "./rejects-file.js";

export const IMPORT_FORMATS = ["ndjson", "csv", "xlsx", "oneroster"] as const;

export type ImportFormat = (typeof IMPORT_FORMATS)[number];

interface TableOptions extends RejectsOptions {
  readonly format: Exclude<ImportFormat, "ndjson">;
  readonly organisation?: string;
  readonly mapping: TableMapping;
}

const BATCH = 1000;
const MAX_BYTES = 256 * 1024 * 1024;

/** Maximum number of rejected rows that an error message lists. */
const MAX_LISTED_REJECTS = 20;

/**
 * Imports a table or an archive of tables. Checks all rows before it writes the first.
 * @throws Problem `invalid` that lists the wrong rows, unless they are skipped
 */
export async function importTable(
  write: (records: readonly LearnerRecord[]) => Promise<ImportCounts>,
  file: string,
  options: TableOptions,
  database: Database,
  signal: AbortSignal,
): Promise<void> {
  const bytes = await readInput(file);
  if (bytes.length > MAX_BYTES)
    throw invalid(`${file} has ${bytes.length} bytes; at most ${MAX_BYTES} are read.`);
  const judged = await judge(bytes, file, options, database.knex);
  for (const note of judged.notes ?? []) process.stderr.write(`${file}: ${note}\n`);
  const { records, rejects } = check(judged);
  if (rejects.length > 0 && !options.skipInvalid) throw refusal(file, rejects);
  const rejectsFile = await openRejectsFile(file, options);
  const progress = showProgress("importing", records.length);
  let [written, done, erased, ownedElsewhere, withdrawn] = [0, 0, 0, 0, 0];
  try {
    await rejectsFile?.write(
      rejects.map(({ line, reason, file, text }) => ({
        line,
        reason: withLocation({ line, file }, reason),
        text,
      })),
    );
    while (done < records.length) {
      const batch = records.slice(done, done + BATCH);
      const result = await write(batch);
      written += result.written;
      erased += result.erased;
      ownedElsewhere += result.ownedElsewhere;
      done += batch.length;
      progress.update(done, done);
    }
    if ("stated" in judged && options.organisation !== undefined) {
      withdrawn = await withdrawDeleted(judged, database, signal);
      await storeIds(database.knex, options.organisation, judged.stated);
    }
  } finally {
    progress.stop();
    await rejectsFile?.close();
  }
  for (const warning of skippedWarnings({ erased, ownedElsewhere }))
    process.stderr.write(`warning: ${warning}\n`);
  print(`${written} written, ${done - written} unchanged, ${rejects.length} rejected`);
  if (withdrawn > 0) print(`${counted(withdrawn, "grade", "grades")} of deleted line items withdrawn`);
  rejectsFile?.printSummary("rows");
}

/** @returns the number of withdrawn grades */
function withdrawDeleted(
  { deletedItems }: CheckedRoster,
  database: Database,
  signal: AbortSignal,
): Promise<number> {
  return inLearnerTransaction(database, signal, async (transaction) => {
    await waitForLocks(transaction);
    let count = 0;
    for (const [courseKey, items] of deletedItems)
      count += await withdrawSubsections(transaction, courseKey, items, null);
    return count;
  });
}

async function judge(
  bytes: Buffer,
  file: string,
  options: TableOptions,
  db: Knex,
): Promise<CheckedFile | CheckedRoster> {
  const { format, organisation, mapping } = options;
  if (format !== "oneroster") return readSpreadsheet(readTableFile(bytes, file, mapping), file, mapping);
  if (organisation === undefined) {
    throw invalid(
      "OneRoster needs --organisation: course keys begin with it, as in course-v1:{organisation}+….",
    );
  }
  return readOneRoster(bytes, organisation, await readStoredIds(db, organisation), mapping.encoding);
}

function check({ records, rejects }: CheckedFile): { records: LearnerRecord[]; rejects: Reject[] } {
  const good: LearnerRecord[] = [];
  const bad = [...rejects];
  for (const placedRecord of records) {
    const result = parse(placedRecord);
    if ("reason" in result) bad.push(result);
    else good.push(result.record);
  }
  return { records: good, rejects: bad };
}

function parse({ line, file, text, record }: RecordWithLine): Reject | { record: LearnerRecord } {
  try {
    const checked = parsePlainRecord(record, undefined);
    const warning = recordWarning(checked);
    if (warning !== undefined)
      process.stderr.write(`${withLocation({ line, file }, `warning: ${warning}`)}\n`);
    return { record: checked };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { line, file, text, reason: error.message };
  }
}

function refusal(file: string, rejects: readonly Reject[]): Problem {
  const named = rejects.slice(0, MAX_LISTED_REJECTS).map((one) => withLocation(one, one.reason));
  const more = rejects.length > MAX_LISTED_REJECTS ? [`and ${rejects.length - MAX_LISTED_REJECTS} more`] : [];
  return invalid(
    [
      `${file}: ${counted(rejects.length, "row is", "rows are")} wrong, and nothing was imported. Correct them, or add --skip-invalid.`,
      ...named,
      ...more,
    ].join("\n"),
  );
}

function withLocation({ line, file }: Pick<Reject, "line" | "file">, text: string): string {
  return `${file && `${file}, `}line ${line}: ${text}`;
}
