import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";

/** The key of a log or a witness (C2SP signed-note, tlog-cosignature). */
export interface NoteKey {
  /** A URL without its scheme, for example `credentials.example.org/log`. */
  readonly name: string;
  readonly kind: NoteKeyKind;
  /** Ed25519 key of 32 bytes. */
  readonly publicKey: Buffer;
}

/** The byte that identifies what the key signs. A log signs the note itself, a witness signs the note with the time. */
const NOTE_KEY_KINDS = { log: 1, witness: 4 } as const;
export type NoteKeyKind = keyof typeof NOTE_KEY_KINDS;

export interface NoteSignature {
  readonly name: string;
  /** The first 4 bytes of the decoded signature, which identify the key. */
  readonly keyId: Buffer;
  readonly signature: Buffer;
}

/** A note with its signatures, unverified. */
export interface Note {
  /** Ends with a line feed. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

const ID_SIZE = 4;
const MAX_SIGNATURES = 100;
const MAX_NAME = 255;
const LINE = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/u;

function keyIdOf({ name, kind, publicKey }: NoteKey): Buffer {
  const text = Buffer.concat([Buffer.from(`${name}\n`), Buffer.from([NOTE_KEY_KINDS[kind]]), publicKey]);
  return createHash("sha256").update(text).digest().subarray(0, ID_SIZE);
}

/** Writes a key as `<name>+<id>+<key>`, the format in other programs' settings. */
export function writeKey(key: NoteKey): string {
  const typed = Buffer.concat([Buffer.from([NOTE_KEY_KINDS[key.kind]]), key.publicKey]);
  return `${key.name}+${keyIdOf(key).toString("hex")}+${typed.toString("base64")}`;
}

/**
 * Parses a key in the format of `writeKey`.
 * @throws RangeError that describes the problem
 */
export function readKey(text: string): NoteKey {
  const [, name = "", id = "", encoded = ""] =
    /^([^\s+]+)\+([\da-f]{8})\+([A-Za-z0-9+/]+={0,2})$/u.exec(text) ?? [];
  if (name === "" || name.length > MAX_NAME)
    throw new RangeError("is not a key of the form <name>+<8 hexadecimal digits>+<base64>");
  const typed = Buffer.from(encoded, "base64");
  const kind = Object.entries(NOTE_KEY_KINDS).find(([, byte]) => byte === typed[0])?.[0];
  if (kind === undefined || typed.length !== 33)
    throw new RangeError("is not an Ed25519 key of a log (1) or a witness (4)");
  const key: NoteKey = { name, kind: kind as NoteKeyKind, publicKey: typed.subarray(1) };
  if (keyIdOf(key).toString("hex") !== id)
    throw new RangeError("is damaged: its digits are not those of its key");
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
  const bytes = Buffer.from(encoded, "base64");
  if (name === "" || bytes.length <= ID_SIZE || bytes.toString("base64") !== encoded)
    throw new RangeError("has a line that is not a signature");
  return { name, keyId: bytes.subarray(0, ID_SIZE), signature: bytes.subarray(ID_SIZE) };
}

/**
 * Whether a key signed a note. `forged`: the signature on a line that names the key is not valid, which makes the note
 * invalid.
 */
export type NoteVerdict = "signed" | "unsigned" | "forged";

/**
 * Verifies a key's signature on a note.
 * @returns the verdict and, for a witness, the time of signing in seconds
 */
export function verifyNote(
  { text, signatures }: Note,
  key: NoteKey,
): { verdict: NoteVerdict; time?: number } {
  const id = keyIdOf(key);
  const own = signatures.filter(({ name, keyId }) => name === key.name && keyId.equals(id));
  const [line] = own;
  if (!line) return { verdict: "unsigned" };
  const { publicKey, kind } = key;
  if (kind === "log")
    return {
      verdict: own.every(({ signature }) => isSignature(publicKey, text, signature)) ? "signed" : "forged",
    };
  if (own.some(({ signature }) => !isCosignature(publicKey, text, signature))) return { verdict: "forged" };
  return { verdict: "signed", time: Number(line.signature.readBigUInt64BE(0)) };
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
  const stamped = Buffer.alloc(8);
  stamped.writeBigUInt64BE(BigInt(time));
  return Buffer.concat([stamped, signature]);
}

function isCosignature(publicKey: Buffer, text: string, bytes: Buffer): boolean {
  if (bytes.length !== 72 || bytes.readUInt32BE(0) > 0x1f_ffff) return false;
  const time = Number(bytes.readBigUInt64BE(0));
  return isSignature(publicKey, textToCosign(text, time), bytes.subarray(8));
}

function isSignature(publicKey: Buffer, text: string, signature: Buffer): boolean {
  return signature.length === 64 && verify(null, Buffer.from(text), keyObject(publicKey), signature);
}

function keyObject(publicKey: Buffer): KeyObject {
  const jwk = { kty: "OKP", crv: "Ed25519", x: publicKey.toString("base64url") };
  return createPublicKey({ key: jwk, format: "jwk" });
}
