import { HASH_SIZE, type Tree } from "./merkle.js";
import { type Note, readNote } from "./note.js";

/** The published state of a log's tree (C2SP tlog-checkpoint). */
export interface Checkpoint extends Tree {
  /** Name of the log. */
  readonly origin: string;
}

/** In bytes. */
const MAX_ORIGIN = 255;

const TEXT = /^([^\n]+)\n(0|[1-9]\d{0,14})\n([A-Za-z0-9+/]{43}=)\n(?:[^\n]+\n)*$/;

export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString("base64")}\n`;
}

/**
 * Parses a signed checkpoint without verifying its signatures.
 * @throws RangeError if the text is not a checkpoint
 */
export function readCheckpoint(signed: string): Checkpoint & { readonly note: Note } {
  const note = readNote(signed);
  const [, origin = "", size = "", encoded = ""] = TEXT.exec(note.text) ?? [];
  const root = Buffer.from(encoded, "base64");
  const isNamed = Buffer.byteLength(origin) <= MAX_ORIGIN;
  if (!isNamed || root.length !== HASH_SIZE || root.toString("base64") !== encoded)
    throw new RangeError("is not a checkpoint");
  return { origin, size: Number(size), root, note };
}
