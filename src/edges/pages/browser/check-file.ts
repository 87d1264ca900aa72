import { fromBase58 } from "../../../badges/base58.js";
import { canBeDidOf } from "../../../badges/issuer-url.js";
import { claimsAgree } from "../../../badges/jwt-claims.js";
import { canonicalQuads, UnknownShapeError } from "../../../badges/quads.js";
import { badgeInFile, unpack } from "./badge-in-file.js";

/**
 * What a file is, as the browser found out by itself. Those with `badge-` tell of the badge in a picture or PDF for
 * which nobody vouches. A learner record is `partly` genuine if not every badge in it is.
 */
export type Outcome =
  | Standing
  | `badge-${Standing}`
  | `record-${"genuine" | "partly" | "expired"}`
  | "altered"
  | "foreign"
  | "unknown"
  | "unchecked";

/** What became of a credential since it was issued. */
type Standing = "genuine" | "withdrawn" | "expired";

/** An outcome, and what the file says where its issuer vouches for that. */
export interface FileCheck {
  readonly outcome: Outcome;
  readonly facts?: Facts;
  /** Of a learner record: the same of each badge in it. */
  readonly badges?: readonly FileCheck[];
  /** Whether it is a PDF with a learner record, whose page nobody vouches for. */
  readonly isPage?: boolean;
}

export interface Facts {
  readonly holder: string;
  readonly credential: string;
  /** A time of RFC 3339; empty if it says none. */
  readonly issued: string;
  readonly verifyUuid: string;
}

/** What this service is asked for: nothing of the file but the checksum of a PDF. Each rejects when it can't be had. */
export interface Service {
  issuer(): Promise<Issuer & { organisations?: Issuer[] }>;
  statusList(number: string): Promise<Json>;
  byChecksum(sha256: string): Promise<{ verdict: string; facts?: Facts }>;
}

/** The service itself, or an organisation with keys of its own. */
interface Issuer {
  readonly organisation?: string;
  readonly did: string;
  readonly keys: readonly Key[];
}

interface Key {
  readonly fragment: string;
  readonly jwk: string;
}

// biome-ignore lint/suspicious/noExplicitAny: documents of whoever has made the file
type Json = any;

export type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Verifies a file in the browser: signature, issuer, status and checksum. It needs `crypto.subtle`, so it works only on
 * pages that came by HTTPS.
 */
export async function checkFile(file: Bytes, service: Service, now = new Date()): Promise<FileCheck> {
  const { kind, badge } = await badgeInFile(file);
  try {
    if (kind === "text") return await checkBadge(badge, service, now);
    if (kind === "picture") return ofBadgeOnly(await checkBadge(badge, service, now));
    const checksum = hex(await sha256(file));
    const recorded = await service.byChecksum(checksum).catch(() => undefined);
    if (!recorded) {
      const carried = ofBadgeOnly(await checkBadge(badge, service, now));
      return carried.outcome === "unknown" || carried.outcome === "foreign"
        ? { outcome: "unchecked" }
        : carried;
    }
    const { verdict, facts } = recorded;
    const known = { ...(facts && { facts }) };
    if (verdict === "CREDENTIAL_VERDICT_GENUINE") return { outcome: "genuine", ...known };
    if (verdict === "CREDENTIAL_VERDICT_WITHDRAWN") return { outcome: "withdrawn", ...known };
    if (verdict === "CREDENTIAL_VERDICT_EXPIRED") return { outcome: "expired", ...known };
    const carried = await checkBadge(badge, service, now);
    // A record is made when it is asked for, so its bytes are not known.
    if (carried.badges) return ofBadgeOnly(carried);
    // Its bytes are not those that were issued: what it shows may be anything, whatever it carries.
    const isOurs = carried.outcome !== "unknown" && carried.outcome !== "foreign";
    return isOurs ? { ...carried, outcome: "altered" } : { outcome: "unknown" };
  } catch {
    return { outcome: "unchecked" };
  }
}

/** A signature covers the badge, and not what a picture or page shows: anybody may have drawn that around it. */
function ofBadgeOnly({ outcome, ...rest }: FileCheck): FileCheck {
  if (rest.badges) return { ...rest, outcome, isPage: true };
  const isAsIssued = outcome === "genuine" || outcome === "withdrawn" || outcome === "expired";
  return { ...rest, outcome: isAsIssued ? `badge-${outcome}` : outcome };
}

async function checkBadge(text: string | undefined, service: Service, now: Date): Promise<FileCheck> {
  const read = text === undefined ? undefined : readBadge(text.trim());
  return read ? checkRead(read, service, now) : { outcome: "unknown" };
}

async function checkRead(read: Read, service: Service, now: Date): Promise<FileCheck> {
  const { credential, issuer, keyUrl, isRecord } = read;
  const { organisations = [], ...own } = await service.issuer();
  const issuers = [own, ...organisations];
  const key = issuers
    .filter((each) => canBe(each, issuer))
    .flatMap((each) => each.keys)
    .find(({ fragment }) => keyUrl === `${issuer}#${fragment}`);
  if (!key) return { outcome: issuers.some(({ did }) => issuer === did) ? "altered" : "foreign" };
  if (!(await read.isSignedBy(JSON.parse(key.jwk)))) return { outcome: "altered" };
  const facts = factsOf(credential);
  const { validUntil } = credential;
  const isExpired = validUntil !== undefined && !(Date.parse(validUntil) > now.getTime());
  if (isRecord) return checkRecord(credential, { facts, isExpired, service: once(service), now });
  if (await isRevoked(credential, issuer, service, own.keys, now)) return { outcome: "withdrawn", facts };
  return { outcome: isExpired ? "expired" : "genuine", facts };
}

/** Checks each badge in a record that is signed here, and whether its holder is named by the record. */
async function checkRecord(
  { credentialSubject: { identifier, verifiableCredential: parts } }: Json,
  { facts, isExpired, service, now }: { facts: Facts; isExpired: boolean; service: Service; now: Date },
): Promise<FileCheck> {
  const names = identifier.map(({ identityHash }: Json) => identityHash);
  const badges: FileCheck[] = [];
  for (const part of parts) {
    const text = typeof part === "string" ? part : JSON.stringify(part);
    const checked = await checkBadge(text, service, now).catch((): FileCheck => ({ outcome: "unchecked" }));
    const isNamed = checked.facts === undefined || names.includes(checked.facts.holder);
    badges.push(isNamed ? checked : { ...checked, outcome: "altered" });
  }
  const isWhole = badges.every(({ outcome }) => outcome === "genuine");
  const outcome = isExpired ? "record-expired" : isWhole ? "record-genuine" : "record-partly";
  return { outcome, facts: { ...facts, holder: names.join(", "), verifyUuid: "" }, badges };
}

/** The badges of a record share keys and lists: each is asked for once. */
function once(service: Service): Service {
  const known = new Map<string, Promise<Json>>();
  const asked = <T>(what: string, ask: () => Promise<T>): Promise<T> => {
    const answer = known.get(what) ?? ask();
    known.set(what, answer);
    return answer;
  };
  return {
    ...service,
    issuer: () => asked("issuer", service.issuer),
    statusList: (number) => asked(number, () => service.statusList(number)),
  };
}

/** The service may have moved since. */
function canBe({ organisation, did }: Issuer, issuer: string): boolean {
  return issuer.startsWith("did:key:") || issuer === did || canBeDidOf(organisation, issuer);
}

interface Read {
  readonly credential: Json;
  readonly issuer: string;
  readonly keyUrl: unknown;
  readonly isRecord: boolean;
  isSignedBy(jwk: Json): Promise<boolean>;
}

function readBadge(text: string): Read | undefined {
  const parts = text.split(".");
  const isJwt = parts.length === 3 && text.startsWith("eyJ");
  const [head, payload, signature = ""] = parts;
  const header = isJwt ? parse(fromBase64Url(head)) : undefined;
  const credential = isJwt ? parse(fromBase64Url(payload)) : parse(text);
  if (isJwt && !parts.every(isBase64Url)) return undefined;
  const issuer = typeof credential?.issuer === "string" ? credential.issuer : credential?.issuer?.id;
  const types = Array.isArray(credential?.type) ? credential.type : [];
  const isRecord = types.includes("ClrCredential");
  if ((!isRecord && !types.includes("OpenBadgeCredential")) || typeof issuer !== "string") return undefined;
  if (!isJwt) {
    const keyUrl = credential.proof?.verificationMethod;
    return { credential, issuer, keyUrl, isRecord, isSignedBy: (jwk) => isDocumentSignedBy(credential, jwk) };
  }
  return {
    credential,
    issuer,
    keyUrl: header?.kid,
    isRecord,
    async isSignedBy(jwk) {
      if (header?.alg !== "ES256" || header.crit !== undefined || jwk.crv !== "P-256") return false;
      const curve = { name: "ECDSA", namedCurve: "P-256" };
      const key = await crypto.subtle.importKey("jwk", jwk, curve, false, ["verify"]);
      const signed = new TextEncoder().encode(`${head}.${payload}`);
      const bytes = Uint8Array.from(fromBase64Url(signature), (character) => character.charCodeAt(0));
      return (
        claimsAgree(credential) &&
        crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, key, bytes, signed)
      );
    },
  };
}

/** As `isSignedBy` of data-integrity.ts, by what browsers have. */
async function isDocumentSignedBy(document: Json, jwk: Json): Promise<boolean> {
  const { proof, ...unsigned } = document;
  const { proofValue, ...options } = proof ?? {};
  if (options.type !== "DataIntegrityProof" || options.cryptosuite !== "eddsa-rdfc-2022") return false;
  if (options.proofPurpose !== "assertionMethod" || typeof proofValue !== "string") return false;
  const signature = fromBase58(proofValue);
  if (signature?.length !== 64 || jwk.crv !== "Ed25519") return false;
  let texts: string[];
  try {
    texts = [canonicalQuads({ "@context": unsigned["@context"], ...options }), canonicalQuads(unsigned)];
  } catch (error) {
    if (error instanceof UnknownShapeError) return false;
    throw error;
  }
  const signed = new Uint8Array(64);
  for (const [at, text] of texts.entries()) signed.set(await sha256(new TextEncoder().encode(text)), 32 * at);
  const key = await crypto.subtle.importKey("jwk", jwk, "Ed25519", false, ["verify"]);
  return crypto.subtle.verify("Ed25519", key, Uint8Array.from(signature), signed);
}

/** @throws Error if that is not known */
async function isRevoked(
  { credentialStatus }: Json,
  issuer: string,
  service: Service,
  keys: readonly Key[],
  now: Date,
): Promise<boolean> {
  const { type, statusPurpose, statusListIndex, statusListCredential: url } = credentialStatus ?? {};
  const number = /\/status\/(\d{1,9})$/.exec(url)?.[1];
  if (type !== "BitstringStatusListEntry" || statusPurpose !== "revocation" || number === undefined) {
    throw new Error("its status is of an unknown kind");
  }
  // The lists of organisations have the same bits.
  const list = await service.statusList(number);
  const key = keys.find(({ fragment }) => list.proof?.verificationMethod === `${list.issuer}#${fragment}`);
  // The service may have moved since the badge was issued: then it signs the list under its address of today.
  const isOurs = key !== undefined && (list.issuer !== issuer || list.id === url);
  if (!isOurs || !(await isDocumentSignedBy(list, JSON.parse(key.jwk))))
    throw new Error("the list is not signed");
  if (!(Date.parse(list.validUntil) > now.getTime())) throw new Error("the list is out of date");
  const { encodedList, statusPurpose: purpose } = list.credentialSubject;
  if (purpose !== "revocation" || encodedList[0] !== "u") throw new Error("the list is of another kind");
  const packed = Uint8Array.from(fromBase64Url(encodedList.slice(1)), (character) => character.charCodeAt(0));
  const bits = await unpack(packed, "gzip");
  const index = Number(statusListIndex);
  const byte = Number.isSafeInteger(index) && index >= 0 ? bits[index >> 3] : undefined;
  if (byte === undefined) throw new Error("the list has no place for it");
  return (byte & (0x80 >> (index & 7))) !== 0;
}

function factsOf({ id, name, validFrom, credentialSubject }: Json): Facts {
  return {
    holder: String(credentialSubject?.identifier?.[0]?.identityHash ?? ""),
    credential: String(name ?? ""),
    issued: String(validFrom ?? ""),
    verifyUuid: /^urn:uuid:([\da-f-]{36})$/.exec(id)?.[1] ?? "",
  };
}

function parse(text: string | undefined): Json {
  try {
    const value = JSON.parse(text ?? "");
    return typeof value === "object" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Browsers also read other spellings: with padding or leftover bits. A JWT has one (RFC 7515, 2). */
function isBase64Url(part: string): boolean {
  return btoa(fromBase64Url(part)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") === part;
}

/** @returns one character for each byte; our own JSON is ASCII */
function fromBase64Url(text: string | undefined): string {
  try {
    return atob((text ?? "").replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}

/** Returns the SHA-256 of these bytes, one after the other. */
export async function sha256(...parts: readonly Bytes[]): Promise<Bytes> {
  const whole = new Uint8Array(await new Blob([...parts]).arrayBuffer());
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
