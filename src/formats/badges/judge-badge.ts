import { idOf, readBadge, type UncheckedBadge } from "./read-badge.js";
import { readProof, type SignedBytes } from "./signed-bytes.js";
import { readStatusBit } from "./status-bit.js";

/** What a verifier knows of issuers, and how it checks a signature: of the web, or of one service. */
export interface Issuers {
  /**
   * Returns an issuer's public key with this DID URL, as it is given to `isSignatureBy`.
   * @returns undefined if the issuer publishes no such key
   * @throws Error if its keys can't be had
   */
  findKey(issuer: string, keyUrl: string): Promise<object | undefined>;
  /**
   * Returns the status list that an issuer's badge names, with the id and issuer that it must have.
   * @throws Error if it can't be had
   */
  findStatusList(url: string, issuer: string): Promise<StatusList>;
  /** Returns whether the key has made the signature. */
  isSignatureBy(key: object, signed: SignedBytes): boolean | Promise<boolean>;
}

/** A status list as it was received, and whose it must be. */
export interface StatusList {
  readonly document: unknown;
  readonly id: string;
  readonly issuer: string;
}

/** Why a badge is not valid, or what could not be checked. */
export interface Failure {
  /**
   * Not valid: `signature` (another one, or none), `early` (not valid yet, or not said from when), `expired`, `revoked`,
   * `holder` (the record around it names others). Not checked: `shape` (it has no canonical form here), `keys` (they can't
   * be had), `status`, `parts` (too many).
   */
  readonly kind:
    | "signature"
    | "early"
    | "expired"
    | "revoked"
    | "holder"
    | "shape"
    | "keys"
    | "status"
    | "parts";
  readonly text: string;
}

const UNCHECKED = ["shape", "keys", "status", "parts"];

/** The result of verifying a badge. */
export interface Verdict {
  /** What the badge claims, whether or not it is true. */
  readonly says: {
    readonly issuer: string;
    readonly issuerName: string;
    readonly holder: string;
    readonly name: string;
    /** A time of RFC 3339; anything, if the badge is not valid. */
    readonly issued: string;
  };
  /** Its own id, an IRI; undefined if it has none. */
  readonly id: string | undefined;
  /** The DID URL of the key that is claimed to have signed it. */
  readonly keyUrl: string | undefined;
  /** The status list that its issuer has signed and serves; undefined if none was read. */
  readonly statusListUrl: string | undefined;
  /** The badge is valid if there is none. */
  readonly failures: readonly Failure[];
  /** The texts of the failures that say what is wrong. */
  readonly problems: readonly string[];
  /** The texts of the failures that say what could not be checked. */
  readonly unchecked: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Verifies a badge: its issuer signed all of it, it is valid at `now`, and it was not revoked. The service, the command and
 * the browser verify by this one function.
 * @param badge JSON, or a JWT
 * @returns undefined if it is not an Open Badge
 */
export async function judgeBadge(badge: string, issuers: Issuers, now: Date): Promise<Verdict | undefined> {
  const read = readBadge(badge);
  return read && judgeRead(read, issuers, now);
}

/** Verifies a badge or learner record that was read. Of a record, its parts are not verified. */
export async function judgeRead(read: UncheckedBadge, issuers: Issuers, now: Date): Promise<Verdict> {
  const { credential, id, issuer, keyUrl } = read;
  const signature = await signatureFailure(read, issuers);
  // Whoever made the file has chosen the address of a list that is not signed: it is not asked.
  const status = signature ? undefined : await statusFailure(credential, issuer, issuers, now);
  const { statusListCredential } = (credential.credentialStatus ?? {}) as Json;
  const verdict = {
    says: claimsOf(credential, issuer),
    id,
    keyUrl,
    statusListUrl: signature || status ? undefined : (statusListCredential as string | undefined),
  };
  return withFailures(verdict, [signature, validityFailure(credential, now), status]);
}

/** Returns the verdict with these failures alone. */
export function withFailures(
  verdict: Omit<Verdict, "failures" | "problems" | "unchecked">,
  found: readonly (Failure | undefined)[],
): Verdict {
  const failures = found.filter((each) => each !== undefined);
  const textsOf = (isUnchecked: boolean) =>
    failures.filter(({ kind }) => UNCHECKED.includes(kind) === isUnchecked).map(({ text }) => text);
  return { ...verdict, failures, problems: textsOf(false), unchecked: textsOf(true) };
}

async function signatureFailure(
  { issuer, keyUrl, signed, unknown, repeated }: Omit<UncheckedBadge, "credential" | "id">,
  issuers: Issuers,
): Promise<Failure | undefined> {
  const wrong = (text: string): Failure => ({ kind: "signature", text });
  if (repeated !== undefined) return wrong(`${repeated} Programs differ in which of them they show.`);
  if (unknown !== undefined)
    return { kind: "shape", text: `Its signature can't be checked here: ${unknown}` };
  if (keyUrl === undefined || !keyUrl.startsWith(`${issuer}#`))
    return wrong("It is not signed by a key of the issuer that it names.");
  try {
    const key = await issuers.findKey(issuer, keyUrl);
    if (!key) return wrong("Its issuer publishes no such key.");
    const isSigned = signed !== undefined && (await issuers.isSignatureBy(key, signed));
    return isSigned ? undefined : wrong("It is not what its issuer has signed.");
  } catch (error) {
    return { kind: "keys", text: `The keys of its issuer can't be fetched: ${(error as Error).message}` };
  }
}

function validityFailure({ validFrom, validUntil }: Json, now: Date): Failure | undefined {
  const from = timeIn(validFrom);
  if (Number.isNaN(from)) return { kind: "early", text: "It does not say from when it is valid." };
  if (from > now.getTime()) return { kind: "early", text: `It is not valid before ${textOf(validFrom)}.` };
  const until = validUntil === undefined ? Number.POSITIVE_INFINITY : timeIn(validUntil);
  if (Number.isNaN(until)) return { kind: "expired", text: "It does not say until when it is valid." };
  return until > now.getTime()
    ? undefined
    : { kind: "expired", text: `It was valid until ${textOf(validUntil)}.` };
}

async function statusFailure(
  { credentialStatus }: Json,
  issuer: string,
  issuers: Issuers,
  now: Date,
): Promise<Failure | undefined> {
  if (credentialStatus === undefined) return undefined;
  const { type, statusPurpose, statusListIndex, statusListCredential } = (credentialStatus ?? {}) as Json;
  const notKnown = (text: string): Failure => ({ kind: "status", text });
  const why = (text: string) => notKnown(`Whether it was revoked is not known: ${text}`);
  if (type !== "BitstringStatusListEntry" || statusPurpose !== "revocation")
    return notKnown("It has a status of a kind that is not known here.");
  if (typeof statusListCredential !== "string" || !/^\d{1,15}$/.test(textOf(statusListIndex)))
    return why("its status names no entry of a list.");
  try {
    const expected = await issuers.findStatusList(statusListCredential, issuer);
    const list = (expected.document ?? {}) as Json;
    const { encodedList, statusPurpose: purpose } = (list.credentialSubject ?? {}) as Json;
    const keyUrl = (list.proof as Json | null | undefined)?.verificationMethod;
    const signed = { ...readProof(list), issuer: expected.issuer, repeated: undefined };
    const wrong = await signatureFailure(
      { ...signed, keyUrl: typeof keyUrl === "string" ? keyUrl : undefined },
      issuers,
    );
    const isIts = list.id === expected.id && idOf(list.issuer) === expected.issuer;
    if (wrong || !isIts || purpose !== statusPurpose) return why("its status list is not one of its issuer.");
    if (validityFailure(list, now)) return why("its status list is out of date.");
    const bit = readStatusBit(textOf(encodedList), Number(statusListIndex));
    if (bit === undefined) return why("its status list has no entry for it.");
    return bit ? { kind: "revoked", text: "Its issuer has revoked it." } : undefined;
  } catch (error) {
    return why((error as Error).message);
  }
}

function claimsOf(credential: Json, issuer: string): Verdict["says"] {
  const [holder] = namesOf(credential);
  return {
    issuer,
    issuerName: textOf((credential.issuer as Json).name),
    holder: textOf(holder),
    name: textOf(credential.name),
    issued: textOf(credential.validFrom),
  };
}

/** Returns the names of the people that a credential is about, in its order. */
export function namesOf({ credentialSubject }: Json): readonly unknown[] {
  const { identifier } = (credentialSubject ?? {}) as Json;
  return Array.isArray(identifier) ? identifier.map((each) => each?.identityHash) : [];
}

/** A dateTimeStamp of XML Schema, as credentials have. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Returns the time in milliseconds; NaN if it is none. */
function timeIn(value: unknown): number {
  return typeof value === "string" && TIME.test(value) ? Date.parse(value) : Number.NaN;
}

/** Anyone may have written the value: an object may have a `toString` that is no function. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
