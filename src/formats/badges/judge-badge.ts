import { idOf, readBadge, type UncheckedBadge } from "./read-badge.js";
import { readDataIntegrityProof, type SignedBytes } from "./signed-bytes.js";
import { readStatusBit } from "./status-bit.js";

/**
 * Finds issuers' keys and status lists, and checks signatures. One implementation reads from the web, another from the
 * data of one service.
 */
export interface Issuers {
  /**
   * Returns the issuer's public key with this DID URL, in the form that `isSignatureBy` expects.
   * @returns undefined if the issuer doesn't publish such a key
   * @throws Error if the keys can't be fetched
   */
  findKey(issuer: string, keyUrl: string): Promise<object | undefined>;
  /**
   * Returns the status list of an issuer's badge.
   * @throws Error if the list can't be fetched
   */
  findStatusList(url: string, issuer: string): Promise<StatusList>;
  isSignatureBy(key: object, signed: SignedBytes): boolean | Promise<boolean>;
}

/** A status list as received, with the id and issuer that it must have. */
interface StatusList {
  readonly document: unknown;
  readonly id: string;
  readonly issuer: string;
}

interface BadgeFailure {
  /**
   * Some kinds make the badge invalid: `signature` (wrong or missing), `early` (not valid yet, or without a start
   * date), `expired`, `revoked`, `holder` (the badge names a different person than the record that contains it). The
   * others mean that something was not checked: `shape` (has no implemented canonical form), `keys` (can't be fetched),
   * `status` (unknown), `parts` (too many).
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

export interface BadgeVerdict {
  /** The badge's claims, which may be false. */
  readonly says: {
    readonly issuer: string;
    readonly issuerName: string;
    readonly holder: string;
    readonly name: string;
    /** RFC 3339 time; any text if the badge is not valid. */
    readonly issued: string;
  };
  /** An IRI. */
  readonly id: string | undefined;
  /** DID URL of the key that the badge claims as its signer. */
  readonly keyUrl: string | undefined;
  /** URL of the verified status list; undefined if none was read. */
  readonly statusListUrl: string | undefined;
  /** Empty if the badge is valid. */
  readonly failures: readonly BadgeFailure[];
  /** Texts of the failures that make the badge invalid. */
  readonly problems: readonly string[];
  /** Texts of the failures that mean that something was not checked. */
  readonly unchecked: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Verifies that a badge is completely signed by its issuer, valid at `now`, and not revoked. The service, the command
 * line and the browser share this function.
 * @param badge JSON, or a JWT
 * @returns undefined if the text is not an Open Badge
 */
export async function judgeBadge(
  badge: string,
  issuers: Issuers,
  now: Date,
): Promise<BadgeVerdict | undefined> {
  const read = readBadge(badge);
  return read && judgeParsed(read, issuers, now);
}

/** Verifies a parsed badge or learner record, but not the badges in a record. */
export async function judgeParsed(read: UncheckedBadge, issuers: Issuers, now: Date): Promise<BadgeVerdict> {
  const { credential, id, issuer, keyUrl } = read;
  const signature = await signatureFailure(read, issuers);
  // An attacker could choose the list's address in an unsigned badge, so it is not fetched.
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

/** Adds failures and their texts to a verdict. Ignores undefined failures. */
export function withFailures(
  verdict: Omit<BadgeVerdict, "failures" | "problems" | "unchecked">,
  found: readonly (BadgeFailure | undefined)[],
): BadgeVerdict {
  const failures = found.filter((each) => each !== undefined);
  const textsOf = (isUnchecked: boolean) =>
    failures.filter(({ kind }) => UNCHECKED.includes(kind) === isUnchecked).map(({ text }) => text);
  return { ...verdict, failures, problems: textsOf(false), unchecked: textsOf(true) };
}

async function signatureFailure(
  { issuer, keyUrl, signed, unknown, repeated }: Omit<UncheckedBadge, "credential" | "id">,
  issuers: Issuers,
): Promise<BadgeFailure | undefined> {
  const wrong = (text: string): BadgeFailure => ({ kind: "signature", text });
  if (repeated !== undefined) return wrong(`${repeated} Programs differ in which of them they show.`);
  if (unknown !== undefined)
    return { kind: "shape", text: `The signature of the badge can't be checked here: ${unknown}` };
  if (keyUrl === undefined || !keyUrl.startsWith(`${issuer}#`))
    return wrong("The badge is not signed by a key of the issuer that it names.");
  try {
    const key = await issuers.findKey(issuer, keyUrl);
    if (!key) return wrong("The issuer does not publish the key that signed the badge.");
    const isSigned = signed !== undefined && (await issuers.isSignatureBy(key, signed));
    return isSigned ? undefined : wrong("The badge has changed since its issuer signed it.");
  } catch (error) {
    return { kind: "keys", text: `The issuer's keys can't be fetched: ${(error as Error).message}` };
  }
}

function validityFailure({ validFrom, validUntil }: Json, now: Date): BadgeFailure | undefined {
  const from = timeIn(validFrom);
  if (Number.isNaN(from))
    return { kind: "early", text: "The start of the badge's validity is missing or malformed." };
  if (from > now.getTime())
    return { kind: "early", text: `The badge is not valid before ${textOf(validFrom)}.` };
  const until = validUntil === undefined ? Number.POSITIVE_INFINITY : timeIn(validUntil);
  if (Number.isNaN(until)) return { kind: "expired", text: "The end of the badge's validity is malformed." };
  return until > now.getTime()
    ? undefined
    : { kind: "expired", text: `The badge was valid until ${textOf(validUntil)}.` };
}

async function statusFailure(
  { credentialStatus }: Json,
  issuer: string,
  issuers: Issuers,
  now: Date,
): Promise<BadgeFailure | undefined> {
  if (credentialStatus === undefined) return undefined;
  const { type, statusPurpose, statusListIndex, statusListCredential } = (credentialStatus ?? {}) as Json;
  const notKnown = (text: string): BadgeFailure => ({ kind: "status", text });
  const why = (text: string) => notKnown(`It is unknown whether the badge was revoked: ${text}`);
  if (type !== "BitstringStatusListEntry" || statusPurpose !== "revocation")
    return why("its kind of status is not supported.");
  if (typeof statusListCredential !== "string" || !/^\d{1,15}$/.test(textOf(statusListIndex)))
    return why("its status does not name an entry in a status list.");
  try {
    const expected = await issuers.findStatusList(statusListCredential, issuer);
    const list = (expected.document ?? {}) as Json;
    const { encodedList, statusPurpose: purpose } = (list.credentialSubject ?? {}) as Json;
    const keyUrl = (list.proof as Json | null | undefined)?.verificationMethod;
    const signed = { ...readDataIntegrityProof(list), issuer: expected.issuer, repeated: undefined };
    const wrong = await signatureFailure(
      { ...signed, keyUrl: typeof keyUrl === "string" ? keyUrl : undefined },
      issuers,
    );
    const isIts = list.id === expected.id && idOf(list.issuer) === expected.issuer;
    if (wrong || !isIts || purpose !== statusPurpose)
      return why("its status list can't be verified as its issuer's.");
    if (validityFailure(list, now)) return why("its status list is out of date.");
    const bit = readStatusBit(textOf(encodedList), Number(statusListIndex));
    if (bit === undefined) return why("its status list has no entry for the badge.");
    return bit ? { kind: "revoked", text: "The issuer has revoked the badge." } : undefined;
  } catch (error) {
    return why((error as Error).message);
  }
}

function claimsOf(credential: Json, issuer: string): BadgeVerdict["says"] {
  const [holder] = namesOf(credential);
  return {
    issuer,
    issuerName: textOf((credential.issuer as Json).name),
    holder: textOf(holder),
    name: textOf(credential.name),
    issued: textOf(credential.validFrom),
  };
}

/** Returns the names of the people that a credential is about, in order. */
export function namesOf({ credentialSubject }: Json): readonly unknown[] {
  const { identifier } = (credentialSubject ?? {}) as Json;
  return Array.isArray(identifier) ? identifier.map((each) => each?.identityHash) : [];
}

/** XML Schema dateTimeStamp. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Returns the time in milliseconds; NaN if the value is not a time. */
function timeIn(value: unknown): number {
  return typeof value === "string" && TIME.test(value) ? Date.parse(value) : Number.NaN;
}

/** Converts an untrusted value to text. `String()` would throw for an object whose `toString` is not a function. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
