import type { DescMessage } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { parseDay } from "#foundation/calendar/day.js";
import { isObject } from "#foundation/text/is-object.js";

/**
 * Checks the timestamps of a message in JSON. `fromJson` would read 30 February as 2 March. Skips other types of
 * google.protobuf, because `Struct` can be nested so deeply that a search would exceed the stack.
 * @throws Error naming the first field whose day doesn't exist
 */
export function checkDays(message: DescMessage, json: unknown): void {
  if (!isObject(json)) return;
  for (const field of message.fields) {
    const value = json[field.jsonName] ?? json[field.name];
    if (!field.message || !value) continue;
    const { typeName } = field.message;
    for (const each of field.fieldKind === "message" ? [value] : Object.values(value))
      if (typeName === TimestampSchema.typeName) checkDay(field.name, each);
      else if (!typeName.startsWith("google.protobuf.")) checkDays(field.message, each);
  }
}

function checkDay(field: string, time: unknown): void {
  if (typeof time === "string" && /^\d{4}-\d\d-\d\dT/.test(time) && !parseDay(time.slice(0, 10)))
    throw new Error(`${field}: the day ${time.slice(0, 10)} doesn't exist`);
}
