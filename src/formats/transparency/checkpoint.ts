import { fromBase64, toBase64 } from "#foundation/text/bytes.js";
import { HASH_SIZE, type Tree } from "./inclusion.js";
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
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/**
 * Parses a signed checkpoint without verifying its signatures.
 * @throws RangeError if the text is not a checkpoint
 */
export function readCheckpoint(signed: string): Checkpoint & { readonly note: Note } {
  const note = readNote(signed);
  const [, origin = "", size = "", encoded = ""] = TEXT.exec(note.text) ?? [];
  const root = fromBase64(encoded);
  const isNamed = new TextEncoder().encode(origin).length <= MAX_ORIGIN;
  if (!isNamed || root?.length !== HASH_SIZE)
    throw new RangeError("is not in the C2SP tlog-checkpoint format");
  return { origin, size: Number(size), root, note };
}
