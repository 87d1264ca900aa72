import type { JsonValue } from "@bufbuild/protobuf";

/** Returns whether two values are equal. Ignores the order of names. */
export function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return sortedText(one) === sortedText(other);
}

/** Returns the value as JSON with sorted names, because the database doesn't keep their order. */
function sortedText(value: JsonValue | undefined): string | undefined {
  return JSON.stringify(value, (_, each) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? { entries: Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)) }
      : each,
  );
}
