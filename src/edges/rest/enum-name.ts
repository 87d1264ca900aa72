import type { DescEnum } from "@bufbuild/protobuf";

/**
 * The names of an enum's values in REST, by number: without the prefix that the values share, in lower case
 * (`CREDENTIAL_STATUS_AVAILABLE` -> `available`). Of aliases, the first.
 */
export function enumNames(desc: DescEnum): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const { name, number } of desc.values) {
    if (!names.has(number)) names.set(number, name.slice(desc.sharedPrefix?.length ?? 0).toLowerCase());
  }
  return names;
}
