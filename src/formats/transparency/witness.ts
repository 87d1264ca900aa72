import { readBounded } from "#foundation/text/read-bounded.js";
import { type NoteKey, readNote, readSignature, signatureLine } from "./note.js";
import { verifyNote } from "./verify-note.js";

/** An external witness, which cosigns checkpoints (C2SP tlog-witness). */
export interface WitnessClient {
  /** Name of the witness's key. */
  readonly name: string;
  /**
   * Requests a cosignature for a checkpoint.
   * @param old size of the latest checkpoint that the witness is known to have cosigned; 0 if there is none
   * @param proofFrom returns the proof that the log's tree extends its earlier tree of this size
   * @returns the witness's signature line and the time of signing; undefined if the witness didn't cosign. The failure
   *   is then reported to `onFailure`
   */
  cosign(
    note: string,
    old: number,
    proofFrom: (old: number) => Promise<readonly Buffer[]>,
  ): Promise<{ readonly line: string; readonly time: Date } | undefined>;
}

interface WitnessOptions {
  readonly key: NoteKey;
  /** Submission prefix, without a trailing slash. */
  readonly url: string;
  /** Called if there is no cosignature, unless the previous request also failed. */
  onFailure(name: string, error: Error): void;
}

const TIMEOUT_MS = 10_000;
/** How long a witness is skipped after a failure. */
const PAUSE_MS = 5 * 60_000;
const MAX_ANSWER = 64 * 1024;

/** Response status if the witness's latest cosigned checkpoint has another size. */
const CONFLICT = 409;

export function createWitnessClient(options: WitnessOptions): WitnessClient {
  const { key, url, onFailure } = options;
  let failedAt: number | undefined;

  async function post(note: string, old: number, proof: readonly Buffer[]) {
    const lines = proof.map((hash) => `${hash.toString("base64")}\n`).join("");
    const response = await fetch(`${url}/add-checkpoint`, {
      method: "POST",
      body: `old ${old}\n${lines}\n${note}`,
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const tooLarge = () => new Error(`The witness responded with more than ${MAX_ANSWER} bytes.`);
    return {
      status: response.status,
      body: (await readBounded(response.body, MAX_ANSWER, tooLarge)).toString(),
    };
  }

  async function requestCosignature(
    note: string,
    old: number,
    proofFrom: Parameters<WitnessClient["cosign"]>[2],
  ) {
    const first = await post(note, old, await proofFrom(old));
    if (first.status !== CONFLICT) return first;
    const [, size = ""] = /^(0|[1-9]\d{0,14})\n$/.exec(first.body) ?? [];
    if (size === "")
      throw new Error(
        `The witness responded with status ${CONFLICT}, but without the size that it has cosigned.`,
      );
    if (Number(size) === old)
      throw new Error(`The witness has already cosigned a different tree of ${old} events.`);
    const witnessedSize = Number(size);
    return post(note, witnessedSize, await proofFrom(witnessedSize));
  }

  return {
    name: key.name,
    async cosign(note, old, proofFrom) {
      if (failedAt !== undefined && performance.now() - failedAt < PAUSE_MS) return undefined;
      try {
        const { status, body } = await requestCosignature(note, old, proofFrom);
        if (status !== 200) throw new Error(`The witness responded with status ${status}.`);
        const cosigned = signatureLineOf(note, body, key);
        failedAt = undefined;
        return cosigned;
      } catch (error) {
        if (failedAt === undefined) onFailure(key.name, error as Error);
        failedAt = performance.now();
        return undefined;
      }
    },
  };
}

/**
 * Returns the line with this key's signature in a witness's response.
 * @throws Error if there is no such line, or if the signature is not valid
 */
function signatureLineOf(note: string, answer: string, key: NoteKey): { line: string; time: Date } {
  const lines = answer.split("\n").filter((line) => line.startsWith(`— ${key.name} `));
  for (const line of lines) {
    const { verdict, time } = verifyNote(
      { text: readNote(note).text, signatures: [readSignature(line)] },
      key,
    );
    if (verdict !== "signed" || time === undefined) continue;
    return { line: signatureLine(key, readSignature(line).signature), time: new Date(time * 1000) };
  }
  throw new Error("The witness responded without a valid signature by its key.");
}
