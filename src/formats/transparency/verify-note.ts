import { createPublicKey, verify } from "node:crypto";
import { type Note, type NoteKey, SIGNATURE_SIZE, signaturesBy } from "./note.js";

/**
 * Whether a key signed a note. `forged`: the signature on a line that names the key is not valid, which makes the note
 * invalid.
 */
type NoteVerdict = "signed" | "unsigned" | "forged";

/**
 * Verifies a key's signature on a note.
 * @returns the verdict and, for a witness, the time of signing in seconds
 */
export function verifyNote(note: Note, key: NoteKey): { verdict: NoteVerdict; time?: number } {
  const own = signaturesBy(key, note);
  const [first] = own;
  if (!first) return { verdict: "unsigned" };
  const jwk = { kty: "OKP", crv: "Ed25519", x: Buffer.from(key.publicKey).toString("base64url") };
  const publicKey = createPublicKey({ key: jwk, format: "jwk" });
  const areValid = own.every(
    ({ text, signature }) =>
      signature.length === SIGNATURE_SIZE && verify(null, Buffer.from(text), publicKey, signature),
  );
  if (!areValid) return { verdict: "forged" };
  return { verdict: "signed", ...(first.time !== undefined && { time: first.time }) };
}
