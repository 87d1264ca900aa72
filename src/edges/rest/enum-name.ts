import type { DescEnum } from "@bufbuild/protobuf";

/**
 * Returns the REST names of an enum's values, by number: in lower case, without the prefix that all values share
 * (`CREDENTIAL_STATUS_AVAILABLE` -> `available`). If values are aliases, the first is used.
 */
export function enumNames(desc: DescEnum): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const { name, number } of desc.values) {
    if (!names.has(number)) names.set(number, name.slice(desc.sharedPrefix?.length ?? 0).toLowerCase());
  }
  return names;
}
