import { type Bytes, hex, sha256 } from "./check-file.js";

/** The outcome and, if a trusted log contains the file, the log's name. */
export interface ProofCheck {
  readonly outcome: "logged" | "not-logged" | "unchecked";
  readonly origin?: string;
}

const HEAD = "c2sp.org/tlog-proof@v1\n";
const FORM =
  /^c2sp\.org\/tlog-proof@v1\nextra (\S+)\nindex (\d{1,15})\n((?:[A-Za-z0-9+/]{43}=\n){0,63})\n(([^\n]+)\n(\d{1,15})\n(\S{44})\n)\n([\s\S]+)$/;

/** Returns the text of a log proof; undefined for any other file. */
export function isProof(bytes: Bytes): string | undefined {
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD.length));
  return head === HEAD ? new TextDecoder().decode(bytes) : undefined;
}

/**
 * Verifies that a proof belongs to a file, like `proof.ts` and `opening.ts`, but with Web Crypto.
 * @param keys trusted log keys in the form `<name>+<id>+<key>`
 */
export async function checkProof(file: Bytes, proof: string, keys: readonly string[]): Promise<ProofCheck> {
  try {
    const [
      ,
      extra = "",
      index = "",
      path = "",
      text = "",
      origin = "",
      size = "",
      root = "",
      signatures = "",
    ] = FORM.exec(proof) ?? [];
    if (extra === "") return { outcome: "not-logged" };
    const opened = await openLines(new TextDecoder().decode(fromBase64(extra)));
    const isOfFile = opened.facts.includes(`file_sha256: ${hex(await sha256(file))}`);
    const isIssued = opened.facts.includes("status: available");
    const hashes = path.split("\n").filter(Boolean).map(fromBase64);
    const holds =
      isOfFile &&
      isIssued &&
      (await isIncluded(opened.leaf, Number(index), Number(size), hashes, fromBase64(root))) &&
      (await isSigned(text, origin, signatures, keys));
    return holds ? { outcome: "logged", origin } : { outcome: "not-logged" };
  } catch {
    return { outcome: "unchecked" };
  }
}

/** Returns the facts that the proof reveals, and the hash of the leaf that commits to them. */
async function openLines(extra: string): Promise<{ facts: string[]; leaf: Bytes }> {
  const facts: string[] = [];
  const hashes: Bytes[] = [];
  let event: Bytes = new Uint8Array();
  for (const each of extra.split("\n")) {
    const [, kind, encoded = "", line = ""] = /^(event|hash|open) (\S+)(?: (.*))?$/.exec(each) ?? [];
    if (kind === "event") event = fromBase64(encoded);
    if (kind === "hash") hashes.push(fromBase64(encoded));
    if (kind !== "open") continue;
    facts.push(line);
    hashes.push(await sha256(fromBase64(encoded), utf8(line)));
  }
  if ([event, ...hashes].some(({ length }) => length !== 32)) throw new Error("a hash of another length");
  const commitment = await sha256(utf8("learning-credentials commitment v2\n"), ...hashes);
  return { facts, leaf: await sha256(Uint8Array.of(0), event, commitment) };
}

/** Same as `isIncluded` in merkle.ts. */
async function isIncluded(
  leaf: Bytes,
  index: number,
  size: number,
  path: readonly Bytes[],
  root: Bytes,
): Promise<boolean> {
  if (index >= size) return false;
  let [position, last, hash] = [index, size - 1, leaf];
  for (const sibling of path) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      hash = await sha256(Uint8Array.of(1), sibling, hash);
      while (position % 2 === 0 && position !== 0) [position, last] = [position / 2, Math.floor(last / 2)];
    } else hash = await sha256(Uint8Array.of(1), hash, sibling);
    [position, last] = [Math.floor(position / 2), Math.floor(last / 2)];
  }
  return last === 0 && hex(hash) === hex(root);
}

async function isSigned(
  text: string,
  origin: string,
  signatures: string,
  keys: readonly string[],
): Promise<boolean> {
  const vkey = keys.find((key) => key.startsWith(`${origin}+`));
  const publicKey = vkey && fromBase64(vkey.slice(vkey.indexOf("+", origin.length + 1) + 1)).subarray(1);
  const start = `— ${origin} `;
  const line = signatures.split("\n").find((each) => each.startsWith(start));
  if (!publicKey || line === undefined) return false;
  const signature = fromBase64(line.slice(start.length)).subarray(4);
  const key = await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
  return crypto.subtle.verify("Ed25519", key, signature, utf8(text));
}

function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
