import { fromBase64, toBase64 } from "#foundation/text/bytes.js";
import { type Checkpoint, readCheckpoint } from "./checkpoint.js";
import { HASH_SIZE, isIncluded } from "./inclusion.js";
import type { Note } from "./note.js";
import { decodeExtraData, encodeExtraData, leafOf, type Opening } from "./opening.js";

/** The proof that an event is in a log (C2SP tlog-proof), with the revealed facts about the credential. */
interface LogProof {
  readonly opening: Opening;
  /** Timestamps in DER, over the checkpoint with only the log's signature. */
  readonly timestamps: readonly Uint8Array[];
  readonly index: number;
  /** Hashes from the leaf to the root. */
  readonly path: readonly Uint8Array[];
  /** The signed checkpoint. */
  readonly checkpoint: string;
}

/** In bytes. Enough for five timestamps and many cosignatures. */
export const MAX_PROOF = 256 * 1024;

/** The first line of a proof. */
export const PROOF_HEAD = "c2sp.org/tlog-proof@v1";
const FORM =
  /^c2sp\.org\/tlog-proof@v1\nextra (\S+)\nindex (0|[1-9]\d{0,14})\n((?:[A-Za-z0-9+/]{43}=\n){0,63})\n([\s\S]+)$/;

export function writeProof({ opening, timestamps, index, path, checkpoint }: LogProof): string {
  const hashes = path.map((hash) => `${toBase64(hash)}\n`).join("");
  const extra = toBase64(new TextEncoder().encode(encodeExtraData(opening, timestamps)));
  return `${PROOF_HEAD}\nextra ${extra}\nindex ${index}\n${hashes}\n${checkpoint}`;
}

/**
 * A parsed proof. Its leaf is in the tree of its checkpoint, but the signatures, which show whose log it is, are not
 * verified.
 */
export interface ReadLogProof extends LogProof {
  readonly log: Checkpoint & { readonly note: Note };
  /** The checkpoint without cosignatures. The timestamps cover this text. */
  readonly stamped: string;
}

/**
 * Parses a proof, and checks that the revealed facts are in the tree of its checkpoint.
 * @throws RangeError that describes the problem
 */
export function readLogProof(text: string): ReadLogProof {
  const [, extra = "", index = "", hashes = "", checkpoint = ""] = FORM.exec(text) ?? [];
  const opened = fromBase64(extra);
  if (!opened?.length) throw new RangeError(`is not a valid log proof (${PROOF_HEAD})`);
  const log = checkpointIn(checkpoint);
  const path = (hashes.match(/.+/g) ?? []).map(hashIn);
  const { opening, timestamps } = decodeExtraData(new TextDecoder().decode(opened));
  if (!isIncluded(leafOf(opening), Number(index), log, path))
    throw new RangeError("is not valid: its event is not in the tree of its checkpoint");
  // The log's own signature comes first.
  const end = checkpoint.indexOf("\n", log.note.text.length + 1) + 1;
  return {
    opening,
    timestamps,
    index: Number(index),
    path,
    checkpoint,
    log,
    stamped: checkpoint.slice(0, end),
  };
}

function checkpointIn(text: string): ReadLogProof["log"] {
  try {
    return readCheckpoint(text);
  } catch (error) {
    throw new RangeError(`has a checkpoint that ${(error as Error).message}`);
  }
}

function hashIn(line: string): Uint8Array {
  const hash = fromBase64(line);
  if (hash?.length !== HASH_SIZE) throw new RangeError("has a line that is not a hash");
  return hash;
}
