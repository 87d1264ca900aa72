import { fromBase64, toBase64 } from "#foundation/text/bytes.js";
import { HASH_SIZE, leafHash } from "./inclusion.js";
import { sha256 } from "./sha256.js";

/** A revealed line of a commitment. */
interface OpenedLine {
  /** `<name>: <fact>` */
  readonly line: string;
  readonly salt: Uint8Array;
}

/** The commitment of an event. Lines that are not revealed are replaced with their hashes. */
export interface Opening {
  /** Hash of the event in the chain of events. */
  readonly eventHash: Uint8Array;
  readonly lines: readonly (OpenedLine | Uint8Array)[];
}

const HEAD = "learning-credentials opening v1";

/** First line of a commitment. */
const COMMITMENT = "learning-credentials commitment v2";

const MAX_LINES = 200;

/**
 * Returns the salt of a line. The salt can't equal the hash of a username with the same seed, because the hashed text
 * starts with a line feed, and usernames contain none.
 */
export function saltOf(seed: Uint8Array, line: string): Buffer {
  return sha256(seed, `\n${line.slice(0, line.indexOf(": "))}`);
}

export function commitmentOf(lines: Opening["lines"]): Buffer {
  const hashes = lines.map((line) => (line instanceof Uint8Array ? line : sha256(line.salt, line.line)));
  return sha256(`${COMMITMENT}\n`, ...hashes);
}

/** Returns the hash of the event's leaf in the log. */
export function leafOf({ eventHash, lines }: Opening): Buffer {
  return leafHash(Uint8Array.of(...eventHash, ...commitmentOf(lines)));
}

/** Reveals the lines with these names, and replaces the other lines with hashes. */
export function openLines(
  lines: readonly OpenedLine[],
  names: readonly string[],
): (OpenedLine | Uint8Array)[] {
  return lines.map((line) =>
    names.some((name) => line.line.startsWith(`${name}: `)) ? line : sha256(line.salt, line.line),
  );
}

/** Returns the revealed fact with this name. */
export function factIn({ lines }: Opening, name: string): string | undefined {
  const start = `${name}: `;
  for (const line of lines)
    if (!(line instanceof Uint8Array) && line.line.startsWith(start)) return line.line.slice(start.length);
  return undefined;
}

/** Encodes an opening and the checkpoint's timestamps as the extra data of a proof. */
export function encodeExtraData({ eventHash, lines }: Opening, timestamps: readonly Uint8Array[]): string {
  const parts = lines.map((line) =>
    line instanceof Uint8Array ? `hash ${toBase64(line)}` : `open ${toBase64(line.salt)} ${line.line}`,
  );
  const stamps = timestamps.map((token) => `timestamp ${toBase64(token)}`);
  return `${[HEAD, `event ${toBase64(eventHash)}`, ...parts, ...stamps].join("\n")}\n`;
}

/**
 * Parses the extra data of a proof.
 * @throws RangeError if the data was not written by this service
 */
export function decodeExtraData(extra: string): {
  readonly opening: Opening;
  readonly timestamps: readonly Uint8Array[];
} {
  const [head, event = "", ...rest] = extra.trimEnd().split("\n");
  const eventHash = fromBase64(/^event (\S+)$/.exec(event)?.[1] ?? "");
  if (head !== HEAD || eventHash?.length !== HASH_SIZE || rest.length > MAX_LINES)
    throw new RangeError("has extra data in an unknown format");
  const lines: (OpenedLine | Uint8Array)[] = [];
  const timestamps: Uint8Array[] = [];
  for (const each of rest) {
    const [, kind, encoded = "", line = ""] = /^(hash|open|timestamp) (\S+)(?: (\w+: .*))?$/.exec(each) ?? [];
    const bytes = fromBase64(encoded);
    const isHash = bytes?.length === HASH_SIZE;
    if (kind === "timestamp" && bytes && line === "") timestamps.push(bytes);
    else if (kind === "hash" && isHash && line === "") lines.push(bytes);
    else if (kind === "open" && isHash && line !== "") lines.push({ salt: bytes, line });
    else throw new RangeError("has a line in an unknown format in its extra data");
  }
  return { opening: { eventHash, lines }, timestamps };
}
