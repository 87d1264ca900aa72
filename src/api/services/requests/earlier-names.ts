import { fromJsonString, type JsonValue } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";

/** Former names of time fields in files and command output, by the names that the API has now. */
const EARLIER_NAMES = {
  createTime: "created",
  invalidateTime: "invalidated",
  importTime: "imported",
  expireTime: "validUntil",
  emailTime: "emailed",
  observeTime: "observedAt",
};

const LATER_NAMES = new Map(
  Object.entries(EARLIER_NAMES).flatMap(([later, earlier]) => [
    [earlier, later],
    [earlier.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), later],
  ]),
);

/**
 * Parses a line of JSON from a file.
 * @throws if an object in it has a duplicate field, of which `JSON.parse` would keep the last
 */
export function readJsonLine(line: string): JsonValue {
  const json: JsonValue = JSON.parse(line);
  if (typeof json !== "object" || json === null || Array.isArray(json)) return json;
  try {
    fromJsonString(EmptySchema, line, { ignoreUnknownFields: true });
  } catch (error) {
    throw new Error(String(error).replace(/^.*(?=duplicate object key)/s, ""));
  }
  return json;
}

/**
 * Renames fields of a JSON object from their former names to the API's. If an object has both, neither is changed, so
 * that the former one is refused as unknown.
 */
export function withLaterNames(json: JsonValue): JsonValue {
  return renamed(json, (name) => LATER_NAMES.get(name));
}

/** Renames fields of a JSON object from the API's names to the former ones, which command output has kept. */
export function withEarlierNames(json: JsonValue): JsonValue {
  return renamed(json, (name) => EARLIER_NAMES[name as keyof typeof EARLIER_NAMES]);
}

function renamed(json: JsonValue, rename: (name: string) => string | undefined): JsonValue {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return json;
  const names = new Set(Object.keys(json));
  const entries = Object.entries(json).map(([name, value]) => {
    const to = rename(name);
    if (to === undefined || names.has(to)) return [name, value] as const;
    names.add(to); // Prevents another spelling of the former name from being renamed to the same field.
    return [to, value] as const;
  });
  return Object.fromEntries(entries);
}
