import { createHash } from "node:crypto";
import { leafHash } from "./merkle.js";

/** A revealed line of a commitment. */
export interface OpenedLine {
  /** `<name>: <fact>` */
  readonly line: string;
  readonly salt: Buffer;
}

/** The commitment of an event. Lines that are not revealed are replaced with their hashes. */
export interface Opening {
  /** Hash of the event in the chain of events. */
  readonly eventHash: Buffer;
  readonly lines: readonly (OpenedLine | Buffer)[];
}

const HEAD = "learning-credentials opening v1";

/** First line of a commitment. */
const COMMITMENT = "learning-credentials commitment v2";

const MAX_LINES = 200;

/**
 * Returns the salt of a line. It can't equal the hash of a username with the same seed, because usernames contain no
 * line feeds.
 */
export function saltOf(seed: Buffer, line: string): Buffer {
  return sha256(seed, `\n${line.slice(0, line.indexOf(": "))}`);
}

export function commitmentOf(lines: Opening["lines"]): Buffer {
  const hashes = lines.map((line) => (line instanceof Uint8Array ? line : sha256(line.salt, line.line)));
  return sha256(`${COMMITMENT}\n`, ...hashes);
}

/** Returns the hash of the event's leaf in the log. */
export function leafOf({ eventHash, lines }: Opening): Buffer {
  return leafHash(Buffer.concat([eventHash, commitmentOf(lines)]));
}

/** Reveals the lines with these names, and replaces the other lines with hashes. */
export function openLines(lines: readonly OpenedLine[], names: readonly string[]): (OpenedLine | Buffer)[] {
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
export function writeExtra({ eventHash, lines }: Opening, timestamps: readonly Buffer[]): Buffer {
  const parts = lines.map((line) =>
    line instanceof Uint8Array ? `hash ${base64(line)}` : `open ${base64(line.salt)} ${line.line}`,
  );
  const stamps = timestamps.map((token) => `timestamp ${base64(token)}`);
  return Buffer.from(`${[HEAD, `event ${base64(eventHash)}`, ...parts, ...stamps].join("\n")}\n`);
}

/**
 * Parses the extra data of a proof.
 * @throws RangeError if the data was not written by this service
 */
export function readExtra(extra: Buffer): {
  readonly opening: Opening;
  readonly timestamps: readonly Buffer[];
} {
  const [head, event = "", ...rest] = extra.toString("utf8").trimEnd().split("\n");
  const [, hash = ""] = /^event ([A-Za-z0-9+/]{43}=)$/.exec(event) ?? [];
  if (head !== HEAD || hash === "" || rest.length > MAX_LINES)
    throw new RangeError("opens no commitment of this kind");
  const lines: (OpenedLine | Buffer)[] = [];
  const timestamps: Buffer[] = [];
  for (const each of rest) {
    const [, kind, encoded = "", line = ""] =
      /^(hash|open|timestamp) ([A-Za-z0-9+/]+={0,2})(?: (\w+: .*))?$/.exec(each) ?? [];
    const bytes = Buffer.from(encoded, "base64");
    if (kind === "timestamp" && line === "") timestamps.push(bytes);
    else if (kind === "hash" && bytes.length === 32 && line === "") lines.push(bytes);
    else if (kind === "open" && bytes.length === 32 && line !== "") lines.push({ salt: bytes, line });
    else throw new RangeError("has a line that opens nothing");
  }
  return { opening: { eventHash: Buffer.from(hash, "base64"), lines }, timestamps };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

function sha256(...parts: readonly (Uint8Array | string)[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}
