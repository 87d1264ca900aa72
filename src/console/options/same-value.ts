import type { JsonValue } from "@bufbuild/protobuf";

/** Whether two values are the same, whatever the order of names. */
export function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return sortedText(one) === sortedText(other);
}

/** The database has an order of keys of its own. */
function sortedText(value: JsonValue | undefined): string | undefined {
  return JSON.stringify(value, (_, each) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? { entries: Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)) }
      : each,
  );
}
