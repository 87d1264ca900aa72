import {
  type DescMessage,
  fromJson,
  fromJsonString,
  type JsonValue,
  type MessageShape,
} from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { isObject } from "#foundation/text/is-object.js";
import { checkDays } from "../../pipeline/check-days.js";

/**
 * Former names of time fields, by their current names in the API. Files and command output still use the former names.
 */
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
 * @throws Error if an object contains a duplicate field, of which `JSON.parse` would silently keep the last value
 */
export function readJsonLine(line: string): JsonValue {
  const json: JsonValue = JSON.parse(line);
  if (!isObject(json)) return json;
  try {
    fromJsonString(EmptySchema, line, { ignoreUnknownFields: true });
  } catch (error) {
    throw new Error(String(error).replace(/^.*(?=duplicate object key)/s, ""));
  }
  return json;
}

/** @throws Error if the JSON, in which fields may have their former names, is not a message of this type */
export function readMessage<Desc extends DescMessage>(schema: Desc, json: JsonValue): MessageShape<Desc> {
  const renamedJson = withLaterNames(json);
  checkDays(schema, renamedJson);
  return fromJson(schema, renamedJson);
}

/**
 * Renames fields of a JSON object from their former names to the API's current names. If an object has both names,
 * neither is changed. The former name is later refused as unknown.
 */
function withLaterNames(json: JsonValue): JsonValue {
  return renamed(json, (name) => LATER_NAMES.get(name));
}

/** Renames fields of a JSON object from the API's current names to the former names, for command output. */
export function withEarlierNames(json: JsonValue): JsonValue {
  return renamed(json, (name) => EARLIER_NAMES[name as keyof typeof EARLIER_NAMES]);
}

function renamed(json: JsonValue, rename: (name: string) => string | undefined): JsonValue {
  if (!isObject(json)) return json;
  const names = new Set(Object.keys(json));
  const entries = Object.entries(json).map(([name, value]) => {
    const to = rename(name);
    if (to === undefined || names.has(to)) return [name, value] as const;
    names.add(to); // prevents a second field from getting the same name
    return [to, value] as const;
  });
  return Object.fromEntries(entries);
}
