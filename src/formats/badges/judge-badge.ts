import { idOf, readBadge, type UncheckedBadge } from "./read-badge.js";
import { readProof, type SignedBytes } from "./signed-bytes.js";
import { readStatusBit } from "./status-bit.js";

/**
 * How a verifier finds the keys and status lists of issuers and checks signatures. Implementations use the web, or the
 * data of one service.
 */
export interface Issuers {
  /**
   * Returns an issuer's public key with this DID URL, in the form that `isSignatureBy` takes.
   * @returns undefined if the issuer doesn't publish such a key
   * @throws Error if the issuer's keys can't be fetched
   */
  findKey(issuer: string, keyUrl: string): Promise<object | undefined>;
  /**
   * Returns the status list that an issuer's badge refers to, with the id and issuer that the list must have.
   * @throws Error if it can't be fetched
   */
  findStatusList(url: string, issuer: string): Promise<StatusList>;
  /** Returns whether the signature was made with the key. */
  isSignatureBy(key: object, signed: SignedBytes): boolean | Promise<boolean>;
}

/** A status list as received, with the id and issuer that it must have. */
export interface StatusList {
  readonly document: unknown;
  readonly id: string;
  readonly issuer: string;
}

/** A reason why a badge is not valid, or a check that was not possible. */
export interface Failure {
  /**
   * Not valid: `signature` (wrong or missing), `early` (not valid yet, or without a start date), `expired`, `revoked`,
   * `holder` (the badge names another person than the record that contains it). Not checked: `shape` (no canonical form
   * is implemented), `keys` (can't be fetched), `status`, `parts` (too many).
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
  /** The claims of the badge, whether true or not. */
  readonly says: {
    readonly issuer: string;
    readonly issuerName: string;
    readonly holder: string;
    readonly name: string;
    /** An RFC 3339 time; may be any text if the badge is not valid. */
    readonly issued: string;
  };
  /** The badge's id, an IRI; undefined if it has none. */
  readonly id: string | undefined;
  /** The DID URL of the key that the badge names as its signer. */
  readonly keyUrl: string | undefined;
  /** URL of the verified status list; undefined if none was read. */
  readonly statusListUrl: string | undefined;
  /** The badge is valid if the list is empty. */
  readonly failures: readonly Failure[];
  /** Texts of the failures that make the badge invalid. */
  readonly problems: readonly string[];
  /** Texts of the failures for checks that were not possible. */
  readonly unchecked: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Verifies a badge: its issuer signed all of it, it is valid at `now`, and it is not revoked. The service, the command
 * line and the browser all use this function.
 * @param badge JSON, or a JWT
 * @returns undefined if it is not an Open Badge
 */
export async function judgeBadge(badge: string, issuers: Issuers, now: Date): Promise<Verdict | undefined> {
  const read = readBadge(badge);
  return read && judgeRead(read, issuers, now);
}

/** Verifies a parsed badge or learner record. The badges in a learner record are not verified. */
export async function judgeRead(read: UncheckedBadge, issuers: Issuers, now: Date): Promise<Verdict> {
  const { credential, id, issuer, keyUrl } = read;
  const signature = await signatureFailure(read, issuers);
  // The address of an unsigned badge's list could be chosen by an attacker, so it is not fetched.
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

/** Completes a verdict with its failures; undefined ones are skipped. */
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

/** Returns the names of the people that a credential is about, in the order of the credential. */
export function namesOf({ credentialSubject }: Json): readonly unknown[] {
  const { identifier } = (credentialSubject ?? {}) as Json;
  return Array.isArray(identifier) ? identifier.map((each) => each?.identityHash) : [];
}

/** An XML Schema dateTimeStamp, the time format of credentials. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Returns the time in milliseconds; NaN if the value is not a time. */
function timeIn(value: unknown): number {
  return typeof value === "string" && TIME.test(value) ? Date.parse(value) : Number.NaN;
}

/** Returns the text of an untrusted value. It may be an object whose `toString` is not a function. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
