import { isSignedBy } from "./data-integrity.js";
import { assertionKey, didDocumentUrl, keyOfDidKey } from "./did-document.js";
import type { PublicKey } from "./public-key.js";
import { idOf, readBadge, type UncheckedBadge } from "./read-badge.js";
import { readStatusBit } from "./status-list.js";

/**
 * Fetches a JSON document. The verifier decides how to fetch, and which hosts to refuse. Rejects if the
 * document can't be fetched.
 */
export type FetchJson = (url: string) => Promise<unknown>;

/** The result of verifying a badge. */
export interface Verdict {
  /** What the badge claims, whether or not it is true. */
  readonly says: {
    readonly issuer: string;
    readonly issuerName: string;
    readonly holder: string;
    readonly name: string;
  };
  /** Its own id, an IRI; undefined if it has none. */
  readonly id: string | undefined;
  /** The status list that its issuer has signed and serves; undefined if none was read. */
  readonly statusListUrl: string | undefined;
  /** What is wrong with the badge. */
  readonly problems: readonly string[];
  /** What could not be checked. The badge is valid if this and `problems` are empty. */
  readonly unchecked: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/** Why a check did not succeed. */
interface Failure {
  /** True: something is wrong. False: it could not be checked. */
  readonly isProblem: boolean;
  readonly text: string;
}

const problem = (text: string): Failure => ({ isProblem: true, text });
const unchecked = (text: string): Failure => ({ isProblem: false, text });

/**
 * Verifies a badge: its issuer signed all of it, it is valid at `now`, and it was not revoked.
 * @param badge JSON, or a JWT
 * @returns undefined if it is not an Open Badge
 */
export async function verifyBadge(
  badge: string,
  fetchJson: FetchJson,
  now: Date,
): Promise<Verdict | undefined> {
  const read = readBadge(badge);
  return read && verifyRead(read, fetchJson, now);
}

/** Verifies a badge or learner record that was read. Of a record, its parts are not verified. */
export async function verifyRead(
  { credential, id, issuer, keyUrl, unknown, isSignedBy: signed }: UncheckedBadge,
  fetchJson: FetchJson,
  now: Date,
): Promise<Verdict> {
  const signature = await signatureFailure(issuer, keyUrl, signed, fetchJson, unknown);
  // Whoever made the file has chosen the address of a list that is not signed: it is not asked.
  const status = signature ? undefined : await statusFailure(credential, issuer, fetchJson, now);
  const failures = [signature, validityFailure(credential, now), status].filter((each) => each !== undefined);
  const textsOf = (isProblem: boolean) =>
    failures.filter((each) => each.isProblem === isProblem).map(({ text }) => text);
  const { statusListCredential } = (credential.credentialStatus ?? {}) as Json;
  return {
    says: told(credential, issuer),
    id,
    statusListUrl: signature || status ? undefined : (statusListCredential as string | undefined),
    problems: textsOf(true),
    unchecked: textsOf(false),
  };
}

async function signatureFailure(
  issuer: string,
  keyUrl: unknown,
  signed: (key: PublicKey) => boolean,
  fetchJson: FetchJson,
  unknown?: string,
): Promise<Failure | undefined> {
  if (unknown !== undefined) return unchecked(`Its signature can't be checked here: ${unknown}`);
  if (typeof keyUrl !== "string" || !keyUrl.startsWith(`${issuer}#`)) {
    return problem("It is not signed by a key of the issuer that it names.");
  }
  try {
    const key = await findKey(issuer, keyUrl, fetchJson);
    if (!key) return problem("Its issuer publishes no such key.");
    return signed(key) ? undefined : problem("It is not what its issuer has signed.");
  } catch (error) {
    return unchecked(`The keys of its issuer can't be fetched: ${(error as Error).message}`);
  }
}

/** @throws Error if the keys of the issuer can't be had */
async function findKey(issuer: string, keyUrl: string, fetchJson: FetchJson): Promise<PublicKey | undefined> {
  const own = keyOfDidKey(issuer);
  if (own) return keyUrl === `${issuer}#${own.fragment}` ? own : undefined;
  const url = didDocumentUrl(issuer);
  if (url === undefined) throw new Error("it is neither a did:web nor the did:key of an Ed25519 key");
  const document = (await fetchJson(url)) as Json;
  return document?.id === issuer ? assertionKey(document, keyUrl) : undefined;
}

function validityFailure({ validFrom, validUntil }: Json, now: Date): Failure | undefined {
  if (typeof validFrom !== "string" || !(Date.parse(validFrom) <= now.getTime()))
    return problem("It is not valid yet.");
  if (validUntil !== undefined && !(Date.parse(textOf(validUntil)) > now.getTime()))
    return problem(`It was valid until ${textOf(validUntil)}.`);
  return undefined;
}

async function statusFailure(
  { credentialStatus }: Json,
  issuer: string,
  fetchJson: FetchJson,
  now: Date,
): Promise<Failure | undefined> {
  if (credentialStatus === undefined) return undefined;
  const {
    type,
    statusPurpose,
    statusListIndex,
    statusListCredential: url,
  } = (credentialStatus ?? {}) as Json;
  if (type !== "BitstringStatusListEntry" || statusPurpose !== "revocation" || typeof url !== "string") {
    return unchecked("It has a status of a kind that is not known here.");
  }
  const notKnown = (why: string) => unchecked(`Whether it was revoked is not known: ${why}`);
  try {
    const list = (await fetchJson(url)) as Json;
    const { encodedList, statusPurpose: purpose } = (list?.credentialSubject ?? {}) as Json;
    const keyUrl = (list?.proof as Json | undefined)?.verificationMethod;
    const wrong = await signatureFailure(issuer, keyUrl, (key) => isSignedBy(list, key), fetchJson);
    if (wrong || list.id !== url || idOf(list.issuer) !== issuer || purpose !== statusPurpose)
      return notKnown("its status list is not one of its issuer.");
    if (validityFailure(list, now)) return notKnown("its status list is out of date.");
    const bit = readStatusBit(String(encodedList), Number(statusListIndex));
    if (bit === undefined) return notKnown("its status list has no entry for it.");
    return bit ? problem("Its issuer has revoked it.") : undefined;
  } catch (error) {
    return notKnown((error as Error).message);
  }
}

function told(credential: Json, issuer: string): Verdict["says"] {
  const { identifier } = (credential.credentialSubject ?? {}) as Json;
  const [named] = Array.isArray(identifier) ? identifier : [];
  return {
    issuer,
    issuerName: textOf((credential.issuer as Json).name),
    holder: textOf(named?.identityHash),
    name: textOf(credential.name),
  };
}

/** Anybody may have written the value: an object may have a `toString` that is no function. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
