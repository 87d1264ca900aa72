import { isObject } from "#foundation/text/is-object.js";
import type { ExportFiles } from "../export.js";
import { asFields, type Fields, textIn } from "../fields.js";
import { parseItem, readJsonItems } from "../json-items.js";

/** A record written by `manage.py dumpdata`. */
interface DumpedRecord {
  /** Number of the record in its file, from 1. */
  readonly number: number;
  readonly location: string;
  readonly text: string;
  /** Name of the Django model, for example `auth.user`. */
  readonly model: string;
  readonly pk: string;
  readonly fields: Fields;
}

/** Reads the records of all dumps, in order. A record that is not valid JSON has an empty model. */
export async function* readDump(files: ExportFiles): AsyncGenerator<DumpedRecord> {
  for (const name of files.names.filter((each) => each.endsWith(".json"))) {
    for await (const { number, text } of readJsonItems(files.chunks(name), name)) {
      const location = `${files.names.length > 1 ? `${name}, ` : ""}record ${number}`;
      const item = asFields(parseItem(text), location);
      const fields = isObject(item.fields) ? item.fields : {};
      yield {
        number,
        location,
        text,
        model: textIn(item, "model").toLowerCase(),
        pk: textIn(item, "pk"),
        fields,
      };
    }
  }
}

/** Returns a foreign key as text: a number, or a natural key with a single part. */
export function keyIn(fields: Fields, name: string): string {
  const value = fields[name];
  return Array.isArray(value) && value.length === 1 ? String(value[0]) : textIn(fields, name);
}
