import { fromJsonString, type JsonValue } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";

/** Field names that files and command output had before the API's times were named alike, by their names in messages. */
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
 * Reads the JSON of a line in a file.
 * @throws if an object in it has a field twice: `JSON.parse` would keep the last
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

/** Renames fields of a JSON object to those that messages have. What has both names is left alone, and refused as unknown. */
export function withLaterNames(json: JsonValue): JsonValue {
  return renamed(json, (name) => LATER_NAMES.get(name));
}

/** Renames fields of a JSON object to those that command output has always had. */
export function withEarlierNames(json: JsonValue): JsonValue {
  return renamed(json, (name) => EARLIER_NAMES[name as keyof typeof EARLIER_NAMES]);
}

function renamed(json: JsonValue, rename: (name: string) => string | undefined): JsonValue {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return json;
  const names = new Set(Object.keys(json));
  const entries = Object.entries(json).map(([name, value]) => {
    const to = rename(name);
    if (to === undefined || names.has(to)) return [name, value] as const;
    names.add(to); // so that another spelling of the earlier name is not taken for it, too
    return [to, value] as const;
  });
  return Object.fromEntries(entries);
}
