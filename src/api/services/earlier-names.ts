import type { JsonValue } from "@bufbuild/protobuf";

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
  const entries = Object.entries(json).map(([name, value]) => {
    const to = rename(name);
    return [to === undefined || to in json ? name : to, value] as const;
  });
  return Object.fromEntries(entries);
}
