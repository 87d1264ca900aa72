import type { Message } from "@bufbuild/protobuf";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import { quoted, wrongField } from "#foundation/errors.js";
import { columnOf } from "#infrastructure/db/columns.js";

/**
 * Functions that read the fields of a message. The code compiles only if every field of the message is in `Fields` or
 * in `Other`. `Other` lists fields that only the service sets or that are read elsewhere.
 */
export type FieldReaders<From extends Message, Fields extends object, Other extends keyof From = never> = {
  readonly [Field in keyof Fields | Exclude<keyof From, Other | keyof Message>]: (
    message: From,
  ) => Field extends keyof Fields ? Fields[Field] : never;
};

export function readFields<From extends Message, Fields extends object>(
  readers: { readonly [Field in keyof Fields]: (message: From) => Fields[Field] },
  message: From,
): Fields {
  return masked({ paths: ["*"] }, readers, message) as Fields;
}

/**
 * Reads the fields that a field mask names. For `*`, reads all fields. Without a mask, reads the fields that are set.
 */
export function masked<From extends Message, Fields extends object>(
  mask: Pick<FieldMask, "paths"> | undefined,
  readers: { readonly [Field in keyof Fields]: (message: From) => Fields[Field] },
  message: From,
): Partial<Fields> {
  const named = new Set(mask?.paths);
  const fields = Object.keys(readers) as (keyof Fields & keyof From & string)[];
  const allowed = [...fields.map(columnOf), "*"];
  const unknown = [...named].find((path) => !allowed.includes(path));
  if (unknown !== undefined)
    throw wrongField("update_mask", `names ${quoted(unknown)}; it can name ${allowed.join(", ")}.`);
  const isChosen = (field: keyof From & string) =>
    named.size === 0 ? isSet(message[field]) : named.has("*") || named.has(columnOf(field));
  const read = fields.filter(isChosen).map((field) => [field, readers[field](message)]);
  return Object.fromEntries(read) as Partial<Fields>;
}

/** Returns whether a field has a value other than the default. An empty object counts as unset. */
function isSet(value: unknown): boolean {
  return typeof value === "object" && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}
