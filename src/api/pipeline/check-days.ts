import type { DescMessage } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { parseDay } from "#foundation/calendar/day.js";
import { isObject } from "#foundation/text/is-object.js";

/**
 * Checks the timestamps of a message in JSON. `fromJson` would read 30 February as 2 March.
 * @throws Error naming the first field whose day doesn't exist
 */
export function checkDays(message: DescMessage, json: unknown): void {
  if (!isObject(json)) return;
  for (const field of message.fields) {
    const value = json[field.jsonName] ?? json[field.name];
    if (!field.message || !value) continue;
    for (const each of field.fieldKind === "message" ? [value] : Object.values(value))
      if (field.message.typeName !== TimestampSchema.typeName) checkDays(field.message, each);
      else if (typeof each === "string" && /^\d{4}-\d\d-\d\dT/.test(each) && !parseDay(each.slice(0, 10)))
        throw new Error(`${field.name}: the day ${each.slice(0, 10)} doesn't exist`);
  }
}
