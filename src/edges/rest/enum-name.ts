import type { DescEnum } from "@bufbuild/protobuf";

/**
 * Returns the REST names of an enum's values, by number. The names are in lower case and lack the shared prefix:
 * `CREDENTIAL_STATUS_AVAILABLE` becomes `available`. Of several names for a number, the first is used.
 */
export function enumNames(desc: DescEnum): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const { name, number } of desc.values) {
    if (!names.has(number)) names.set(number, name.slice(desc.sharedPrefix?.length ?? 0).toLowerCase());
  }
  return names;
}
