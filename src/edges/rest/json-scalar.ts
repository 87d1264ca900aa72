import type { DescEnum } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { isTimestamp } from "#foundation/calendar/timestamp.js";
import { enumNames } from "./enum-name.js";

/**
 * Characters that a JSON string may have to escape: quote, backslash, controls, and surrogates, which may be
 * unpaired.
 */
const NEEDS_ESCAPE = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** Writes a JSON string. An unpaired surrogate is escaped, so that the text is valid UTF-8. */
export function writeString(value: string): string {
  return NEEDS_ESCAPE.test(value) ? JSON.stringify(value) : `"${value}"`;
}

/** Most numbers have been rounded already, and rounding again takes several times as long. */
const AT_MOST_6_DECIMALS = /^-?\d+\.\d{1,6}$/;

/**
 * Writes a number with at most 6 decimals, without an exponent below 1e21, and never as `-0`.
 * @throws RangeError if it is not finite
 */
export function writeNumber(value: number): string {
  if (Number.isInteger(value)) return String(value);
  if (!Number.isFinite(value)) throw new RangeError(`JSON has no number ${value}`);
  const text = String(value);
  return AT_MOST_6_DECIMALS.test(text) ? text : String(Number(value.toFixed(6)));
}

/**
 * Writes a timestamp as RFC 3339 in UTC: in whole seconds, or with the smallest sufficient number of decimals out of 3,
 * 6 and 9.
 * @throws RangeError if it is outside the years 1 to 9999
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

/** Returns a writer for the values of an enum. It throws a RangeError for an unknown number. */
export function enumWriter(desc: DescEnum): (value: number) => string {
  const texts = new Map([...enumNames(desc)].map(([number, name]) => [number, writeString(name)]));
  return (value) => {
    const text = texts.get(value);
    if (text === undefined) throw new RangeError(`${desc.typeName} has no value ${value}`);
    return text;
  };
}
