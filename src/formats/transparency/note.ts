import { fromBase64, toHex } from "#foundation/text/bytes.js";
import { sha256 } from "./sha256.js";

// The functions that read keys and notes also run in browsers.

/** The key of a log or a witness (C2SP signed-note, tlog-cosignature). */
export interface NoteKey {
  /** A URL without its scheme, for example `credentials.example.org/log`. */
  readonly name: string;
  readonly kind: NoteKeyKind;
  /** Ed25519 key of 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** The byte that identifies what the key signs. A log signs the note itself, a witness signs the note with the time. */
const NOTE_KEY_KINDS = { log: 1, witness: 4 } as const;
export type NoteKeyKind = keyof typeof NOTE_KEY_KINDS;

interface NoteSignature {
  readonly name: string;
  /** The first 4 bytes of the decoded signature, which identify the key. */
  readonly keyId: Uint8Array;
  readonly signature: Uint8Array;
}

/** A note with its signatures, unverified. */
export interface Note {
  /** Ends with a line feed. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

const ID_SIZE = 4;
export const SIGNATURE_SIZE = 64;
/** Number of bytes that encode the time at the start of a cosignature. */
const STAMP_SIZE = 8;
const MAX_SIGNATURES = 100;
const MAX_NAME = 255;
const LINE = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/u;

function keyIdOf({ name, kind, publicKey }: NoteKey): Uint8Array {
  return sha256(`${name}\n`, Uint8Array.of(NOTE_KEY_KINDS[kind]), publicKey).subarray(0, ID_SIZE);
}

/** Writes a key as `<name>+<id>+<key>`, the format in other programs' settings. */
export function writeKey(key: NoteKey): string {
  const typed = Buffer.concat([Buffer.from([NOTE_KEY_KINDS[key.kind]]), key.publicKey]);
  return `${key.name}+${toHex(keyIdOf(key))}+${typed.toString("base64")}`;
}

/**
 * Parses a key in the format of `writeKey`.
 * @throws RangeError that describes the problem
 */
export function readKey(text: string): NoteKey {
  const [, name = "", id = "", encoded = ""] =
    /^([^\s+]+)\+([\da-f]{8})\+([A-Za-z0-9+/]+={0,2})$/u.exec(text) ?? [];
  if (name === "" || name.length > MAX_NAME)
    throw new RangeError("is not of the form <name>+<8 hexadecimal digits>+<base64>");
  const typed = fromBase64(encoded);
  const kind = Object.entries(NOTE_KEY_KINDS).find(([, byte]) => byte === typed?.[0])?.[0];
  if (kind === undefined || typed?.length !== 33)
    throw new RangeError("is not an Ed25519 key of a log (type 1) or a witness (type 4)");
  const key: NoteKey = { name, kind: kind as NoteKeyKind, publicKey: typed.subarray(1) };
  if (toHex(keyIdOf(key)) !== id)
    throw new RangeError("is damaged: its 8 hexadecimal digits don't match the rest");
  return key;
}

/** Writes a signature line including its line feed. */
export function signatureLine(key: NoteKey, signature: Uint8Array): string {
  return `— ${key.name} ${Buffer.concat([keyIdOf(key), signature]).toString("base64")}\n`;
}

/** @throws RangeError if the text is not a note */
export function readNote(note: string): Note {
  const end = note.lastIndexOf("\n\n");
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2).split("\n");
  // Line feeds are the only allowed control characters.
  if (end < 1 || lines.pop() !== "" || lines.length === 0 || /[^\P{Cc}\n]/u.test(note))
    throw new RangeError("is not a signed note");
  if (lines.length > MAX_SIGNATURES) throw new RangeError(`has more than ${MAX_SIGNATURES} signatures`);
  return { text, signatures: lines.map(readSignature) };
}

/** @throws RangeError if the line is not a signature line */
export function readSignature(line: string): NoteSignature {
  const [, name = "", encoded = ""] = LINE.exec(line) ?? [];
  const bytes = fromBase64(encoded);
  if (name === "" || !bytes || bytes.length <= ID_SIZE)
    throw new RangeError("has a malformed signature line");
  return { name, keyId: bytes.subarray(0, ID_SIZE), signature: bytes.subarray(ID_SIZE) };
}

/** A text with a signature of it, unverified. */
interface SignedText {
  readonly text: string;
  readonly signature: Uint8Array;
  /** The time at which a witness signed, in seconds. */
  readonly time?: number;
}

/** Returns the unverified signatures that name this key. A malformed signature is empty. */
export function signaturesBy(key: NoteKey, { text, signatures }: Note): SignedText[] {
  const id = toHex(keyIdOf(key));
  return signatures
    .filter(({ name, keyId }) => name === key.name && toHex(keyId) === id)
    .map(({ signature }) => (key.kind === "log" ? { text, signature } : cosigned(text, signature)));
}

function cosigned(text: string, bytes: Uint8Array): SignedText {
  if (bytes.length !== STAMP_SIZE + SIGNATURE_SIZE) return { text, signature: new Uint8Array() };
  const time = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0));
  return Number.isSafeInteger(time)
    ? { text: textToCosign(text, time), signature: bytes.subarray(STAMP_SIZE), time }
    : { text, signature: new Uint8Array() };
}

/**
 * Returns the text that a witness signs.
 * @param time in seconds
 */
export function textToCosign(text: string, time: number): string {
  return `cosignature/v1\ntime ${time}\n${text}`;
}

/** Returns a witness's signature, preceded by the time. */
export function cosignature(time: number, signature: Uint8Array): Buffer {
  const stamped = Buffer.alloc(STAMP_SIZE);
  stamped.writeBigUInt64BE(BigInt(time));
  return Buffer.concat([stamped, signature]);
}
