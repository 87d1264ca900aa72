import { UnknownFormError } from "./seal-errors.js";

/** An element of DER (X.690). */
export interface Element {
  readonly tag: number;
  readonly content: Buffer;
  /** Includes tag and length. */
  readonly derBytes: Buffer;
}

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  objectId: 0x06,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

export function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const length = content.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([head(tag, length), ...content]);
}

function head(tag: number, length: number): Buffer {
  if (length < 0x80) return Buffer.from([tag, length]);
  const digits = Buffer.alloc(4);
  digits.writeUInt32BE(length);
  const significant = digits.subarray(digits.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.from([tag, 0x80 | significant.length]), significant]);
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(TAG.sequence, ...parts);

/** DER sorts a SET OF by the bytes of its elements. */
export const setOf = (...parts: readonly Buffer[]): Buffer =>
  der(TAG.set, ...[...parts].sort(Buffer.compare));

export const octets = (bytes: Uint8Array): Buffer => der(TAG.octets, bytes);

/** Writes a number below 128. */
export const integer = (value: number): Buffer => der(TAG.integer, Buffer.from([value]));

/** Writes an unsigned number without leading zeros, except the one that DER requires if the first bit is set. */
export function unsignedInteger(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const magnitude = bytes.subarray(first === -1 ? bytes.length - 1 : first);
  const padding = Buffer.alloc((magnitude[0] ?? 0) >= 0x80 ? 1 : 0);
  return der(TAG.integer, padding, magnitude);
}

/** Writes an object identifier, for example `1.2.840.113549.1.7.2`. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split(".").map(Number);
  return der(TAG.objectId, Buffer.from([first * 40 + second, ...others.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128))
    digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}

/**
 * Reads the element at the start of the bytes. More bytes may follow.
 * @throws RangeError if the bytes don't start with a DER element
 */
export function readElement(bytes: Buffer): Element {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw notDer();
  const digits = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80)
    throw new UnknownFormError("has elements of indefinite length, which are not supported");
  if (digits > 4 || bytes.length < 2 + digits) throw notDer();
  const length = digits === 0 ? first : bytes.readUIntBE(2, digits);
  const end = 2 + digits + length;
  if (end > bytes.length) throw notDer();
  return { tag, content: bytes.subarray(2 + digits, end), derBytes: bytes.subarray(0, end) };
}

/** @throws RangeError if the content is not DER */
export function elementsOf({ content }: Pick<Element, "content">): Element[] {
  const elements: Element[] = [];
  for (let rest = content; rest.length > 0; ) {
    const element = readElement(rest);
    elements.push(element);
    rest = rest.subarray(element.derBytes.length);
  }
  return elements;
}

/** @throws RangeError if the element is missing or has another tag */
export function expectElement(element: Element | undefined, tag: number): Element {
  if (element?.tag !== tag) throw notDer();
  return element;
}

/**
 * Reads an object identifier.
 * @throws RangeError if the element is something else
 */
export function objectIdIn(element: Element | undefined): string {
  const { content } = expectElement(element, TAG.objectId);
  const numbers: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(value);
    value = 0;
  }
  const [first = 0, ...others] = numbers;
  const top = Math.min(Math.floor(first / 40), 2);
  return [top, first - top * 40, ...others].join(".");
}

function notDer(): RangeError {
  return new RangeError("is not encoded as DER requires");
}
