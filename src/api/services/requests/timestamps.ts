import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { isTimestamp } from "#foundation/calendar/timestamp.js";
import { wrongField } from "#foundation/errors.js";

/**
 * Converts a timestamp to a `Date`. Drops fractions of a millisecond.
 * @returns null if the timestamp is missing
 * @throws Problem `invalid` that names the field
 */
export function parseMoment(field: string, timestamp: Timestamp | undefined): Date | null {
  if (timestamp === undefined) return null;
  const { seconds, nanos } = timestamp;
  if (!isTimestamp(timestamp)) {
    throw wrongField(
      field,
      `is ${seconds} s and ${nanos} ns after 1970; it must be in the years 1 to 9999, with 0 to 999999999 ns.`,
    );
  }
  // `timestampDate` would round up, possibly to the next second.
  return new Date(Number(seconds) * 1000 + Math.floor(nanos / 1e6));
}

/**
 * Reads the start and end of a range. Both are optional.
 * @param path prefix of the field names
 * @throws Problem `invalid` naming the field if a time is invalid, or if the start isn't before the end
 */
export function parseRange(
  path: string,
  [fromName, from]: readonly [string, Timestamp | undefined],
  [beforeName, before]: readonly [string, Timestamp | undefined],
): { readonly from: Date | null; readonly before: Date | null } {
  const field = `${path}${fromName}`;
  const range = { from: parseMoment(field, from), before: parseMoment(`${path}${beforeName}`, before) };
  if (range.from === null || range.before === null || range.from < range.before) return range;
  throw wrongField(
    field,
    `is ${range.from.toISOString()}; it must be earlier than ${beforeName}, ${range.before.toISOString()}.`,
  );
}
