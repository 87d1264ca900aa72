import { type Note, type NoteKey, readKey, signaturesBy } from "#formats/transparency/note.js";
import { factIn } from "#formats/transparency/opening.js";
import { PROOF_HEAD, readLogProof } from "#formats/transparency/proof.js";
import { type Bytes, sha256 } from "./check-file.js";

/** The outcome and, if a trusted log contains the file, the log's name. */
export interface ProofCheck {
  readonly outcome: "logged" | "not-logged" | "unchecked";
  readonly origin?: string;
}

/** Returns the text of a log proof; undefined for any other file. */
export function proofTextIn(bytes: Bytes): string | undefined {
  const head = new TextDecoder().decode(bytes.subarray(0, PROOF_HEAD.length + 1));
  return head === `${PROOF_HEAD}\n` ? new TextDecoder().decode(bytes) : undefined;
}

/**
 * Checks in the browser whether a proof belongs to a file and is signed by a trusted log.
 * @param keys trusted log keys in the form `<name>+<id>+<key>`
 */
export async function checkProof(file: Bytes, text: string, keys: readonly string[]): Promise<ProofCheck> {
  try {
    const { opening, log } = readLogProof(text);
    const isOfFile = factIn(opening, "file_sha256") === (await sha256(file));
    const isIssued = factIn(opening, "status") === "available";
    if (!isOfFile || !isIssued) return { outcome: "not-logged" };
    const trusted = keys.map(readTrustedKey);
    const ofLog = trusted
      .filter((key) => key !== undefined)
      .filter(({ kind, name }) => kind === "log" && name === log.origin);
    const isSigned = (await Promise.all(ofLog.map((key) => hasSigned(key, log.note)))).includes(true);
    if (isSigned) return { outcome: "logged", origin: log.origin };
    return { outcome: trusted.includes(undefined) ? "unchecked" : "not-logged" };
  } catch (error) {
    return { outcome: error instanceof RangeError ? "not-logged" : "unchecked" };
  }
}

/** Returns undefined for a malformed key. */
function readTrustedKey(text: string): NoteKey | undefined {
  try {
    return readKey(text);
  } catch {
    return undefined;
  }
}

/** Same as `verifyNote`, but with Web Crypto. */
async function hasSigned(key: NoteKey, note: Note): Promise<boolean> {
  const own = signaturesBy(key, note);
  const algorithm = "Ed25519";
  const publicKey = await crypto.subtle.importKey("raw", Uint8Array.from(key.publicKey), algorithm, false, [
    "verify",
  ]);
  const verdicts = own.map(({ text, signature }) =>
    crypto.subtle.verify(algorithm, publicKey, Uint8Array.from(signature), new TextEncoder().encode(text)),
  );
  return own.length > 0 && !(await Promise.all(verdicts)).includes(false);
}
