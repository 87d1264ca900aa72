import { z } from "zod";
import type { FileOptions } from "#domain/rosters/read-table-file.js";
import type { Mapping } from "#domain/rosters/spreadsheet.js";
import { invalid } from "#foundation/errors.js";
import { parseSettings } from "#foundation/text/settings-json.js";
import { type GradesAre, gradeScales } from "#foundation/text/tables/cell-values.js";
import { encodingOf } from "./encoding-option.js";
import { readInput } from "./read-input.js";

export interface MappingOptions {
  readonly sheet?: string;
  readonly encoding?: string;
  readonly headingRow?: number;
  /** Each as `name=heading`. */
  readonly column: readonly string[];
  readonly mapping?: string;
  readonly ignoreOtherColumns?: boolean;
  readonly course?: string;
  readonly gradesAre?: GradesAre;
}

/** Describes how to read a table, and which sheet of a workbook to read. */
export interface TableMapping extends Mapping, FileOptions {}

const storedMapping = z.strictObject({
  columns: z.record(z.string(), z.string()).default({}),
  sheet: z.string().optional(),
  encoding: z.string().optional(),
  heading_row: z.int().min(1).optional(),
  course: z.string().optional(),
  grades_are: z.enum(gradeScales).optional(),
});

/**
 * Reads a mapping from the mapping file, if any, and from the options. The options override the file.
 * @throws Problem `invalid` that names the file or the option
 */
export async function readMapping(options: MappingOptions): Promise<TableMapping> {
  const stored = options.mapping === undefined ? undefined : await readFile(options.mapping);
  const columns = { ...stored?.columns, ...Object.fromEntries(options.column.map(splitColumn)) };
  return {
    columns,
    ignoresOthers: options.ignoreOtherColumns ?? stored !== undefined,
    sheet: options.sheet ?? stored?.sheet,
    encoding: encodingOf({ encoding: options.encoding ?? stored?.encoding }),
    headingRow: options.headingRow ?? stored?.heading_row,
    course: options.course ?? stored?.course,
    gradesAre: options.gradesAre ?? stored?.grades_are,
  };
}

async function readFile(file: string): Promise<z.infer<typeof storedMapping>> {
  return parseSettings((await readInput(file)).toString("utf8"), file, storedMapping);
}

function splitColumn(text: string): [string, string] {
  const [, name, heading] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name !== undefined && heading !== undefined) return [name.trim(), heading];
  throw invalid(`--column is ${JSON.stringify(text)}; it must be name=heading, as in grade="Final Score".`);
}
