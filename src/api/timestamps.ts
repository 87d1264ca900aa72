import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { isTimestamp } from "../calendar/timestamp.js";
import { invalidField } from "../errors.js";

/**
 * Reads a moment in whole milliseconds; smaller fractions are dropped.
 * @returns null if it is not given
 * @throws Problem `invalid` naming the field
 */
export function parseMoment(field: string, timestamp: Timestamp | undefined): Date | null {
  if (timestamp === undefined) return null;
  const { seconds, nanos } = timestamp;
  if (!isTimestamp(timestamp)) {
    throw invalidField(
      field,
      `${field} is ${seconds} s and ${nanos} ns after 1970; it must be in the years 1 to 9999, with 0 to 999999999 ns.`,
    );
  }
  // timestampDate would round up, possibly into the next second.
  return new Date(Number(seconds) * 1000 + Math.floor(nanos / 1e6));
}
