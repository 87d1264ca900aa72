import { createHash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { type BadgeFile, type BadgeFileKind, badgeInFile } from "#formats/badges/badge-in-file.js";
import { keyUrl } from "#formats/badges/did-document.js";
import { isSignatureBy } from "#formats/badges/is-signature-by.js";
import { namesOf } from "#formats/badges/judge-badge.js";
import { MAX_PARTS } from "#formats/badges/max-badge.js";
import type { PublicKey } from "#formats/badges/public-key.js";
import { readBadge, readRecord, type UncheckedBadge } from "#formats/badges/read-badge.js";
import { lowerThread } from "#foundation/concurrency/lower-priority.js";

export interface ReadTask {
  readonly file: Uint8Array;
  /** Keys that may have signed a badge. */
  readonly keys: readonly PublicKey[];
}

export interface FileContents {
  readonly kind: BadgeFileKind;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Undefined if the file contains no badge or several badges. */
  readonly badge: ReadBadge | undefined;
}

export interface ReadBadge {
  /** An IRI; undefined if the badge has none. */
  readonly id: string | undefined;
  /** DID of the claimed issuer. */
  readonly issuer: string;
  /** Fragment of the key that the badge names; undefined if it is not one of the given keys. */
  readonly key: string | undefined;
  /**
   * Whether the key has signed the whole badge. For a badge in a record, also whether the record names the same holder.
   */
  readonly isSigned: boolean;
  /** Contents of a signed learner record. */
  readonly record?: {
    /** Not validated. */
    readonly validUntil: unknown;
    /** Undefined for a part that is not a badge. */
    readonly parts: readonly (ReadBadge | undefined)[];
  };
}

parentPort?.on("message", (task: ReadTask) => parentPort?.postMessage(contentsOf(task)));
lowerThread();
parentPort?.postMessage("ready");

function contentsOf({ file, keys }: ReadTask): FileContents {
  const found = badgeInFile(file);
  const sha256 = createHash("sha256").update(file).digest("hex");
  return { kind: found.kind, sha256, badge: badgeIn(found, keys) };
}

/** Returns `undefined` if the file contains no badge or several badges, is encrypted, or is nested too deeply. */
function badgeIn(file: BadgeFile, keys: readonly PublicKey[]): ReadBadge | undefined {
  try {
    const text = file.badge();
    if (text === undefined) return undefined;
    const record = readRecord(text);
    const badge = record ?? readBadge(text);
    const badgeCheck = badge && checked(badge, keys);
    if (!badgeCheck || !record) return badgeCheck;
    const { validUntil } = record.credential;
    const names = namesOf(record.credential);
    // The parts of an unsigned record are not checked, because they can't change its verdict.
    const parts = badgeCheck.isSigned ? record.parts.slice(0, MAX_PARTS) : [];
    return { ...badgeCheck, record: { validUntil, parts: parts.map((part) => readPart(part, names, keys)) } };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function checked(badge: UncheckedBadge, keys: readonly PublicKey[]): ReadBadge {
  const { id, issuer, signed } = badge;
  const key = keys.find((each) => badge.keyUrl === keyUrl(issuer, each));
  const isSigned = key !== undefined && signed !== undefined && isSignatureBy(key, signed);
  return { id, issuer, key: key?.fragment, isSigned };
}

function readPart(
  part: unknown,
  names: readonly unknown[],
  keys: readonly PublicKey[],
): ReadBadge | undefined {
  const badge = readBadge(typeof part === "string" ? part : JSON.stringify(part));
  if (!badge) return undefined;
  const read = checked(badge, keys);
  return { ...read, isSigned: read.isSigned && names.includes(namesOf(badge.credential)[0]) };
}
