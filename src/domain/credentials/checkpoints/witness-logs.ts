import { type Checkpoint, readCheckpoint } from "#formats/transparency/checkpoint.js";
import { isSameHash, type Tree } from "#formats/transparency/inclusion.js";
import { EMPTY_ROOT, isConsistent } from "#formats/transparency/merkle.js";
import { cosignature, type Note, signatureLine, textToCosign } from "#formats/transparency/note.js";
import { verifyNote } from "#formats/transparency/verify-note.js";
import { type Database, inTransaction } from "#infrastructure/db/database.js";
import { execute, type Knex, queryRowOrThrow } from "#infrastructure/db/query.js";
import type { WitnessSigning } from "../../keys/log-signing.js";
import { witnessName } from "./log-urls.js";

interface WitnessAnswer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  /**
   * The cosignature if the status is 200, the size of the last cosigned checkpoint if it is 409, otherwise an error
   * message.
   */
  readonly body: string;
}

/**
 * Cosigns a log's checkpoint if the log has only grown since its last checkpoint (C2SP tlog-witness, add-checkpoint).
 */
export type AddCheckpoint = (request: string, signal: AbortSignal) => Promise<WitnessAnswer>;

interface Submitted {
  readonly old: number;
  readonly proof: readonly Buffer[];
  readonly checkpoint: Checkpoint & { readonly note: Note };
}

export function createAddCheckpoint(
  database: Database,
  { key, logs }: WitnessSigning,
  publicUrl: string,
): AddCheckpoint {
  return async (request, signal) => {
    const submitted = readRequest(request);
    if (typeof submitted === "string") return { status: 400, body: `${submitted}\n` };
    const { old, checkpoint } = submitted;
    const { origin, size, note } = checkpoint;
    const own = logs.filter(({ name }) => name === origin);
    if (own.length === 0) return { status: 404, body: "This witness does not know the log.\n" };
    const verdicts = own.map((each) => verifyNote(note, each).verdict);
    if (verdicts.includes("forged") || !verdicts.includes("signed"))
      return { status: 403, body: "The log has not signed this checkpoint.\n" };
    if (old > size) return { status: 400, body: "The checkpoint is smaller than the old size.\n" };
    const time = Math.floor(Date.now() / 1000);
    const refused = await inTransaction(database, signal, (transaction) =>
      replace(transaction, submitted, time),
    );
    if (refused) return refused;
    const signature = await key.sign(textToCosign(note.text, time));
    const line = signatureLine(key.as(witnessName(publicUrl), "witness"), cosignature(time, signature));
    return { status: 200, body: line };
  };
}

/** Replaces the last checkpoint of the log. Returns the refusal, or `undefined` on success. */
async function replace(
  transaction: Knex.Transaction,
  { old, proof, checkpoint }: Submitted,
  time: number,
): Promise<WitnessAnswer | undefined> {
  const { origin, size, root, note } = checkpoint;
  await execute(
    transaction,
    `insert into witnessed_logs (origin, size, root, note, cosigned_at) values (?, 0, ?, '', now())
     on conflict (origin) do nothing`,
    [origin, EMPTY_ROOT],
  );
  const last = await queryRowOrThrow<Tree>(
    transaction,
    "select size, root from witnessed_logs where origin = ? for update",
    [origin],
  );
  // C2SP tlog-witness requires status 409 also for a different tree of the same size.
  const isOther = size === last.size && !isSameHash(root, last.root);
  if (last.size !== old || isOther) return { status: 409, body: `${last.size}\n` };
  if (!isConsistent(last, checkpoint, proof))
    return {
      status: 422,
      body: "The proof does not show that the checkpoint extends the last one that this witness cosigned.\n",
    };
  await execute(
    transaction,
    "update witnessed_logs set size = ?, root = ?, note = ?, cosigned_at = to_timestamp(?) where origin = ?",
    [size, root, note.text, time, origin],
  );
  return undefined;
}

const REQUEST = /^old (0|[1-9]\d{0,14})\n((?:[A-Za-z0-9+/]{43}=\n){0,63})\n([\s\S]+)$/;

/** Returns the request's parts, or a sentence that explains why the request is invalid. */
function readRequest(request: string): Submitted | string {
  const [, old = "", hashes = "", signed = ""] = REQUEST.exec(request) ?? [];
  if (old === "") return "The body must be the old size, a proof, an empty line and a checkpoint.";
  const proof = (hashes.match(/.+/g) ?? []).map((hash) => Buffer.from(hash, "base64"));
  try {
    return { old: Number(old), proof, checkpoint: readCheckpoint(signed) };
  } catch (error) {
    if (error instanceof RangeError) return `The checkpoint ${error.message}.`;
    throw error;
  }
}
