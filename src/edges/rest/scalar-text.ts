import { type DescField, ScalarType } from "@bufbuild/protobuf";
import { enumNames } from "./enum-name.js";

export interface ScalarText {
  /** @returns undefined if the text is not a value of the field's type */
  parse(text: string): string | number | bigint | boolean | undefined;
  /** Completes the sentence "it is not …". */
  readonly expected: string;
}

/**
 * Returns the parser of a singular scalar or enum field. Integers are decimal. Booleans are `true` or `false`. Enum
 * values have the same names as in REST JSON.
 * @throws Error if a field of this kind can't be parsed from text
 */
export function scalarText(field: DescField): ScalarText {
  if (field.oneof) throw new Error(`field "${field.name}" is part of a oneof: it can't be read from a URL`);
  if (field.fieldKind === "enum") {
    const numbers = new Map([...enumNames(field.enum)].map(([number, name]) => [name, number]));
    return { parse: (text) => numbers.get(text), expected: `one of ${[...numbers.keys()].join(", ")}` };
  }
  if (field.fieldKind !== "scalar") {
    throw new Error(`field "${field.name}" is not scalar: it can't be read from a URL`);
  }
  switch (field.scalar) {
    case ScalarType.STRING:
      return { parse: (text) => text, expected: "text" };
    case ScalarType.BOOL:
      return { parse: parseBool, expected: "true or false" };
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return { parse: parseNumber, expected: "a number" };
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return integer(-(2n ** 31n), 2n ** 31n - 1n, Number);
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return integer(0n, 2n ** 32n - 1n, Number);
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return integer(-(2n ** 63n), 2n ** 63n - 1n, field.longAsString ? String : BigInt);
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return integer(0n, 2n ** 64n - 1n, field.longAsString ? String : BigInt);
    default:
      throw new Error(`field "${field.name}" is of type bytes: it can't be read from a URL`);
  }
}

/** The longest 64-bit integer has 20 digits. */
const INTEGER = /^-?\d{1,20}$/;
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

function integer(min: bigint, max: bigint, convert: (value: bigint) => string | number | bigint): ScalarText {
  return {
    parse(text) {
      if (!INTEGER.test(text)) return undefined;
      const value = BigInt(text);
      return value >= min && value <= max ? convert(value) : undefined;
    },
    expected: `an integer from ${min} to ${max}`,
  };
}

function parseBool(text: string): boolean | undefined {
  if (text === "true") return true;
  return text === "false" ? false : undefined;
}

function parseNumber(text: string): number | undefined {
  const value = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}
