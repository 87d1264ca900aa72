import { createHash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { type BadgeFile, type BadgeFileKind, badgeInFile } from "../../badges/badge-in-file.js";
import { keyUrl } from "../../badges/did-document.js";
import type { PublicKey } from "../../badges/public-key.js";
import { readBadge } from "../../badges/read-badge.js";
import { lowerThread } from "../../concurrency/lower-priority.js";

/** The request to the thread. */
export interface ReadTask {
  readonly file: Uint8Array;
  /** Keys that may have signed a badge. */
  readonly keys: readonly PublicKey[];
}

/** Its response: what a file contains. */
export interface FileContents {
  readonly kind: BadgeFileKind;
  /** In lower-case hexadecimal. */
  readonly sha256: string;
  /** undefined if there is none, or no definite one. */
  readonly badge: ReadBadge | undefined;
}

/** A badge as it was read. */
export interface ReadBadge {
  /** Its own id, an IRI; undefined if it has none. */
  readonly id: string | undefined;
  /** The DID of the claimed issuer. */
  readonly issuer: string;
  /** The fragment of the key, of those given, that it names as the issuer's; undefined if there is none. */
  readonly key: string | undefined;
  /** Whether that key has signed all of it. */
  readonly isSigned: boolean;
}

parentPort?.on("message", (task: ReadTask) => parentPort?.postMessage(contentsOf(task)));
lowerThread();
parentPort?.postMessage("ready");

function contentsOf({ file, keys }: ReadTask): FileContents {
  const found = badgeInFile(file);
  const sha256 = createHash("sha256").update(file).digest("hex");
  return { kind: found.kind, sha256, badge: badgeIn(found, keys) };
}

/** A file with several badges, an encrypted one, or one nested too deeply makes no definite statement. */
function badgeIn(file: BadgeFile, keys: readonly PublicKey[]): ReadBadge | undefined {
  try {
    const text = file.badge();
    const badge = text === undefined ? undefined : readBadge(text);
    if (!badge) return undefined;
    const { id, issuer } = badge;
    const key = keys.find((each) => badge.keyUrl === keyUrl(issuer, each));
    return { id, issuer, key: key?.fragment, isSigned: key !== undefined && badge.isSignedBy(key) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
