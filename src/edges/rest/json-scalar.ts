import type { DescEnum } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { isTimestamp } from "#foundation/calendar/timestamp.js";
import { enumNames } from "./enum-name.js";

/**
 * Matches characters that may need escaping in JSON: quote, backslash, controls, and surrogates, which may be unpaired.
 */
const NEEDS_ESCAPE = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** Writes a JSON string. Escapes unpaired surrogates to keep the text valid UTF-8. */
export function writeString(value: string): string {
  return NEEDS_ESCAPE.test(value) ? JSON.stringify(value) : `"${value}"`;
}

/** Most numbers are already rounded. Rounding would take several times as long as this check. */
const AT_MOST_6_DECIMALS = /^-?\d+\.\d{1,6}$/;

/**
 * Writes a number with at most 6 decimals. Never writes an exponent below 1e21, and never writes `-0`.
 * @throws RangeError if the number is not finite
 */
export function writeNumber(value: number): string {
  if (Number.isInteger(value)) return String(value);
  if (!Number.isFinite(value)) throw new RangeError(`${value} can't be represented as a JSON number`);
  const text = String(value);
  return AT_MOST_6_DECIMALS.test(text) ? text : String(Number(value.toFixed(6)));
}

/**
 * Writes a timestamp as RFC 3339 in UTC, with as few decimals as possible: 0, 3, 6 or 9.
 * @throws RangeError if the timestamp is invalid, for example outside the years 1 to 9999
 */
export function writeTimestamp(timestamp: Timestamp): string {
  const { seconds, nanos } = timestamp;
  if (!isTimestamp(timestamp)) throw new RangeError(`${seconds} s and ${nanos} ns is not a valid time`);
  const time = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return nanos === 0 ? `"${time}Z"` : `"${time}.${fraction(nanos)}Z"`;
}

function fraction(nanos: number): string {
  return String(nanos)
    .padStart(9, "0")
    .replace(/(000){1,2}$/, "");
}

/** Compiles a writer of enum values. The writer throws a RangeError for an unknown number. */
export function enumWriter(desc: DescEnum): (value: number) => string {
  const texts = new Map([...enumNames(desc)].map(([number, name]) => [number, writeString(name)]));
  return (value) => {
    const text = texts.get(value);
    if (text === undefined) throw new RangeError(`${desc.typeName} has no value ${value}`);
    return text;
  };
}
