import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { invalid } from "../errors.js";

/** Range of a Timestamp: the seconds of the years 1 to 9999, counted from 1970. */
const [FIRST, LAST] = [-62_135_596_800n, 253_402_300_799n];

/**
 * Reads a moment in whole milliseconds; smaller fractions are dropped.
 * @returns null if it is not given
 * @throws Problem `invalid` naming the field
 */
export function parseMoment(field: string, timestamp: Timestamp | undefined): Date | null {
  if (timestamp === undefined) return null;
  const { seconds, nanos } = timestamp;
  if (seconds < FIRST || seconds > LAST || nanos < 0 || nanos > 999_999_999) {
    throw invalid(
      `${field} is ${seconds} s and ${nanos} ns after 1970; it must lie in the years 1 to 9999, with 0 to 999999999 ns.`,
    );
  }
  // timestampDate would round up, possibly into the next second.
  return new Date(Number(seconds) * 1000 + Math.floor(nanos / 1e6));
}
