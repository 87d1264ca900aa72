import type { Message } from "@bufbuild/protobuf";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import { wrongField } from "#foundation/errors.js";
import { quoted } from "#foundation/text/quoted.js";
import { columnOf } from "#infrastructure/db/columns.js";

/**
 * For each field of `Fields`, a function that reads it from a message. Compilation fails if the message has a field
 * that is neither in `Fields` nor in `Other`, which lists fields that only the service sets or that are read elsewhere.
 */
export type FieldReaders<From extends Message, Fields extends object, Other extends keyof From = never> = {
  readonly [Field in keyof Fields | Exclude<keyof From, Other | keyof Message>]: (
    message: From,
  ) => Field extends keyof Fields ? Fields[Field] : never;
};

/** Reads every field of a message. */
export function readFields<From extends Message, Fields extends object>(
  readers: { readonly [Field in keyof Fields]: (message: From) => Fields[Field] },
  message: From,
): Fields {
  return masked({ paths: ["*"] }, readers, message) as Fields;
}

/** Reads the fields that a field mask names: all for `*`, or the fields that are set if there is no mask. */
export function masked<From extends Message, Fields extends object>(
  mask: Pick<FieldMask, "paths"> | undefined,
  readers: { readonly [Field in keyof Fields]: (message: From) => Fields[Field] },
  message: From,
): Partial<Fields> {
  const named = new Set(mask?.paths);
  const fields = Object.keys(readers) as (keyof Fields & keyof From & string)[];
  const known = [...fields.map(columnOf), "*"];
  const unknown = [...named].find((path) => !known.includes(path));
  if (unknown !== undefined)
    throw wrongField("update_mask", `names ${quoted(unknown)}; it can name ${known.join(", ")}.`);
  const isChosen = (field: keyof From & string) =>
    named.size === 0 ? isSet(message[field]) : named.has("*") || named.has(columnOf(field));
  const read = fields.filter(isChosen).map((field) => [field, readers[field](message)]);
  return Object.fromEntries(read) as Partial<Fields>;
}

/** Returns whether a field of a message has a non-default value. An empty object counts as unset. */
function isSet(value: unknown): boolean {
  return typeof value === "object" && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}
