import type { FieldMask } from "@bufbuild/protobuf/wkt";
import { wrongField } from "#foundation/errors.js";
import { quoted } from "#foundation/text/quoted.js";

/** A field that a mask can name: whether the message sets it, and the resulting change. */
export interface MaskedField<Changes> {
  readonly isGiven: boolean;
  changes(): Changes;
}

/** Returns the field of a mask that is changed to its value as it stands. */
export function given<K extends string, V extends string | object>(
  key: K,
  value: V | undefined,
): MaskedField<Partial<Record<K, V>>> {
  const isGiven = value !== undefined && Object.keys(value).length > 0;
  return { isGiven, changes: () => ({ [key]: value ?? {} }) as Partial<Record<K, V>> };
}

/**
 * Returns the changes that a field mask allows: its fields, everything for `*`, and the given fields without
 * a mask.
 */
export function masked<Changes>(
  mask: FieldMask | undefined,
  fields: Record<string, MaskedField<Changes>>,
): Changes {
  const paths = mask === undefined || mask.paths.length === 0 ? undefined : mask.paths;
  const unknown = paths?.find((path) => path !== "*" && !Object.hasOwn(fields, path));
  if (unknown !== undefined) {
    const known = [...Object.keys(fields), "*"].join(", ");
    throw wrongField("update_mask", `names ${quoted(unknown)}; it can name ${known}.`);
  }
  const chosen = Object.entries(fields).filter(([name, field]) =>
    paths === undefined ? field.isGiven : paths.includes(name) || paths.includes("*"),
  );
  return Object.assign({}, ...chosen.map(([, field]) => field.changes()));
}
