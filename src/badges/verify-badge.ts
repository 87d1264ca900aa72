import { isSignedBy } from "./data-integrity.js";
import { assertionKey, didDocumentUrl, keyOfDidKey } from "./did-document.js";
import type { PublicKey } from "./public-key.js";
import { idOf, readBadge } from "./read-badge.js";
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
  /** Why the badge fails; empty if every check succeeded. */
  readonly problems: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

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
  if (!read) return undefined;
  const { credential, issuer, keyUrl, unknown } = read;
  const problems = [
    await signatureProblem(issuer, keyUrl, read.isSignedBy, fetchJson, unknown),
    validityProblem(credential, now),
    await statusProblem(credential, issuer, fetchJson, now),
  ];
  return { says: told(credential, issuer), problems: problems.filter((problem) => problem !== undefined) };
}

async function signatureProblem(
  issuer: string,
  keyUrl: unknown,
  signed: (key: PublicKey) => boolean,
  fetchJson: FetchJson,
  unknown?: string,
): Promise<string | undefined> {
  if (unknown !== undefined) return `Its signature can't be checked here: ${unknown}`;
  if (typeof keyUrl !== "string" || !keyUrl.startsWith(`${issuer}#`)) {
    return "It is not signed by a key of the issuer that it names.";
  }
  try {
    const key = await findKey(issuer, keyUrl, fetchJson);
    if (!key) return "Its issuer publishes no such key.";
    return signed(key) ? undefined : "It is not what its issuer has signed.";
  } catch (error) {
    return `The keys of its issuer can't be fetched: ${(error as Error).message}`;
  }
}

async function findKey(issuer: string, keyUrl: string, fetchJson: FetchJson): Promise<PublicKey | undefined> {
  const own = keyOfDidKey(issuer);
  if (own) return keyUrl === `${issuer}#${own.fragment}` ? own : undefined;
  const url = didDocumentUrl(issuer);
  if (url === undefined) return undefined;
  const document = (await fetchJson(url)) as Json;
  return document?.id === issuer ? assertionKey(document, keyUrl) : undefined;
}

function validityProblem({ validFrom, validUntil }: Json, now: Date): string | undefined {
  if (typeof validFrom !== "string" || !(Date.parse(validFrom) <= now.getTime()))
    return "It is not valid yet.";
  if (validUntil !== undefined && !(Date.parse(textOf(validUntil)) > now.getTime()))
    return `It was valid until ${textOf(validUntil)}.`;
  return undefined;
}

async function statusProblem(
  { credentialStatus }: Json,
  issuer: string,
  fetchJson: FetchJson,
  now: Date,
): Promise<string | undefined> {
  if (credentialStatus === undefined) return undefined;
  const {
    type,
    statusPurpose,
    statusListIndex,
    statusListCredential: url,
  } = (credentialStatus ?? {}) as Json;
  if (type !== "BitstringStatusListEntry" || statusPurpose !== "revocation" || typeof url !== "string") {
    return "It has a status of a kind that is not known here.";
  }
  try {
    const list = (await fetchJson(url)) as Json;
    const { encodedList, statusPurpose: purpose } = (list?.credentialSubject ?? {}) as Json;
    const keyUrl = (list?.proof as Json | undefined)?.verificationMethod;
    const wrong = await signatureProblem(issuer, keyUrl, (key) => isSignedBy(list, key), fetchJson);
    if (wrong !== undefined || list.id !== url || idOf(list.issuer) !== issuer || purpose !== statusPurpose) {
      return "Whether it was revoked is not known: its status list is not one of its issuer.";
    }
    if (validityProblem(list, now) !== undefined)
      return "Whether it was revoked is not known: its status list is out of date.";
    const bit = readStatusBit(String(encodedList), Number(statusListIndex));
    if (bit === undefined) return "Whether it was revoked is not known: its status list has no entry for it.";
    return bit ? "Its issuer has revoked it." : undefined;
  } catch (error) {
    return `Whether it was revoked is not known: ${(error as Error).message}`;
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
