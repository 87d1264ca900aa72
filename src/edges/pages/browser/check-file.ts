import { badgeInFile } from "#formats/badges/badge-in-file.js";
import { fetchOnce } from "#formats/badges/fetch-once.js";
import { canBeDidOf } from "#formats/badges/issuer-url.js";
import { type BadgeVerdict, type Issuers, judgeBadge } from "#formats/badges/judge-badge.js";
import { judgeRecord, type RecordVerdict } from "#formats/badges/judge-record.js";
import type { SignedBytes } from "#formats/badges/signed-bytes.js";
import { toHex } from "#foundation/text/bytes.js";

/**
 * The result of checking a file. With the prefix `badge-`, the result applies only to the badge, because the picture,
 * PDF or wrapper around the badge is not signed. A learner record is `partly` genuine if some of its badges are not
 * genuine.
 */
export type FileOutcome =
  | Validity
  | `badge-${Validity}`
  | `record-${"genuine" | "partly" | "expired"}`
  | "altered"
  | "foreign"
  | "unknown"
  | "unchecked";

/** `early`: the badge is not valid yet. */
type Validity = "genuine" | "withdrawn" | "expired" | "early";

/** An outcome, and the facts that the issuer has signed. */
interface FileCheck {
  readonly outcome: FileOutcome;
  readonly facts?: FileFacts;
  /** The results of the badges in a learner record. */
  readonly badges?: readonly FileCheck[];
  /** True for a learner record in a PDF or wrapper that is not signed itself. */
  readonly isPage?: boolean;
}

interface FileFacts {
  readonly holder: string;
  readonly credential: string;
  /** In RFC 3339 format; empty if the file doesn't contain it. */
  readonly issued: string;
  readonly verifyUuid: string;
}

/** Sends requests to this service. Only the checksum of a PDF is sent. Each function rejects if its request fails. */
export interface Service {
  issuer(): Promise<Issuer & { organisations?: Issuer[] }>;
  statusList(number: string): Promise<Json>;
  byChecksum(sha256: string): Promise<{ verdict: string; facts?: FileFacts }>;
}

/** The service itself, or an organisation with its own keys. */
interface Issuer {
  readonly organisation?: string;
  readonly did: string;
  readonly keys: readonly Key[];
}

interface Key {
  readonly fragment: string;
  readonly jwk: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a document from an unknown author
type Json = any;

export type Bytes = Uint8Array<ArrayBuffer>;

/** Checks a file in the browser. Requires `crypto.subtle`, which browsers offer only on HTTPS pages. */
export async function checkFile(file: Bytes, service: Service, now = new Date()): Promise<FileCheck> {
  const { kind, badge } = badgeInFile(file);
  const check = () => checkBadge(definite(badge), issuersOf(service), now);
  try {
    if (kind === "text") return await check();
    if (kind !== "pdf") return ofBadgeOnly(await check());
    const checksum = await sha256(file);
    const recorded = await service.byChecksum(checksum).catch(() => undefined);
    if (!recorded) {
      const badgeOnly = ofBadgeOnly(await check());
      return badgeOnly.outcome === "unknown" || badgeOnly.outcome === "foreign"
        ? { outcome: "unchecked" }
        : badgeOnly;
    }
    const { verdict, facts } = recorded;
    const withFacts = { ...(facts && { facts }) };
    if (verdict === "CREDENTIAL_VERDICT_GENUINE") return { outcome: "genuine", ...withFacts };
    if (verdict === "CREDENTIAL_VERDICT_WITHDRAWN") return { outcome: "withdrawn", ...withFacts };
    if (verdict === "CREDENTIAL_VERDICT_EXPIRED") return { outcome: "expired", ...withFacts };
    const badgeOutcome = await check();
    // The PDF of a learner record is created for each request, so its checksum is unknown and only its badges can be
    // checked.
    if (badgeOutcome.badges) return ofBadgeOnly(badgeOutcome);
    // This service has issued no PDF with this checksum, so the pages may show anything, even if the badge in the file
    // is genuine.
    const isOurs = badgeOutcome.outcome !== "unknown" && badgeOutcome.outcome !== "foreign";
    return isOurs ? { ...badgeOutcome, outcome: "altered" } : { outcome: "unknown" };
  } catch {
    return { outcome: "unchecked" };
  }
}

/** Returns undefined if the file contains several badges or is encrypted. */
function definite(badge: () => string | undefined): string | undefined {
  try {
    return badge();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Restricts an outcome to the badge, because anyone may have created the file around it. */
function ofBadgeOnly({ outcome, ...rest }: FileCheck): FileCheck {
  if (rest.badges) return { ...rest, outcome, isPage: true };
  const isAsIssued =
    outcome === "genuine" || outcome === "withdrawn" || outcome === "expired" || outcome === "early";
  return { ...rest, outcome: isAsIssued ? `badge-${outcome}` : outcome };
}

async function checkBadge(text: string | undefined, issuers: KnownIssuers, now: Date): Promise<FileCheck> {
  if (text === undefined) return { outcome: "unknown" };
  const record = await judgeRecord(text, issuers, now);
  if (record) return checkOf(record, issuers);
  const verdict = await judgeBadge(text, issuers, now);
  return verdict ? outcomeOf(verdict, issuers) : { outcome: "unknown" };
}

async function checkOf(
  { ownVerdict, names, parts }: RecordVerdict,
  issuers: KnownIssuers,
): Promise<FileCheck> {
  const { outcome, facts } = await outcomeOf(ownVerdict, issuers);
  if (!facts || (outcome !== "genuine" && outcome !== "expired")) return { outcome };
  const badges = await Promise.all(parts.map((part) => outcomeOf(part, issuers)));
  const areAllGenuine = badges.every((badge) => badge.outcome === "genuine");
  return {
    outcome: outcome === "expired" ? "record-expired" : areAllGenuine ? "record-genuine" : "record-partly",
    facts: { ...facts, holder: names.join(", "), verifyUuid: "" },
    badges,
  };
}

async function outcomeOf(verdict: BadgeVerdict, issuers: KnownIssuers): Promise<FileCheck> {
  const { failures, says, keyUrl } = verdict;
  const has = (...kinds: BadgeVerdict["failures"][number]["kind"][]) =>
    failures.some(({ kind }) => kinds.includes(kind));
  // A document without a canonical form can't have been signed by this service.
  if (has("signature", "shape"))
    return { outcome: (await issuers.isForeign(says.issuer, keyUrl)) ? "foreign" : "altered" };
  if (has("keys")) return { outcome: "unchecked" };
  const facts = factsOf(verdict);
  if (has("holder")) return { outcome: "altered", facts };
  if (has("revoked")) return { outcome: "withdrawn", facts };
  if (has("expired")) return { outcome: "expired", facts };
  if (has("early")) return { outcome: "early", facts };
  return { outcome: failures.length > 0 ? "unchecked" : "genuine", facts };
}

interface KnownIssuers extends Issuers {
  isForeign(issuer: string, keyUrl: string | undefined): Promise<boolean>;
}

/** Fetches the keys, and each status list, only once. */
function issuersOf(service: Service): KnownIssuers {
  const issuer = fetchOnce(() => service.issuer());
  const statusList = fetchOnce((number: string) => service.statusList(number));
  async function knownIssuers(): Promise<Issuer[]> {
    const { organisations = [], ...own } = await issuer("");
    return [own, ...organisations];
  }
  const keyOf = async (did: string, keyUrl: string | undefined) =>
    (await knownIssuers())
      .filter((each) => canBe(each, did))
      .flatMap(({ keys }) => keys)
      .find(({ fragment }) => keyUrl === `${did}#${fragment}`);
  return {
    isSignatureBy,
    async findKey(did, keyUrl) {
      const key = await keyOf(did, keyUrl);
      return key && JSON.parse(key.jwk);
    },
    async isForeign(did, keyUrl) {
      const isKnown = (await knownIssuers()).some((each) => each.did === did);
      return !isKnown && (await keyOf(did, keyUrl)) === undefined;
    },
    async findStatusList(url, did) {
      const number = /\/status\/(\d{1,9})$/.exec(url)?.[1];
      if (number === undefined) throw new Error("its status list doesn't belong to this service.");
      // Fetches the service's own list, because the lists of organisations have the same bits.
      const document = await statusList(number);
      // If the service's address has changed since the badge was issued, the list is signed under the new address.
      return document.issuer === did
        ? { document, id: url, issuer: did }
        : { document, id: document.id, issuer: document.issuer };
    },
  };
}

/** Returns whether this issuer may have issued the badge. The issuer's address may have changed since. */
function canBe({ organisation, did }: Issuer, issuer: string): boolean {
  return issuer.startsWith("did:key:") || issuer === did || canBeDidOf(organisation, issuer);
}

/** Like is-signature-by.ts, but with Web Crypto. */
async function isSignatureBy(jwk: Json, { algorithm, bytes, signature }: SignedBytes): Promise<boolean> {
  if (jwk.crv !== algorithm) return false;
  const isEd25519 = algorithm === "Ed25519";
  const curve = isEd25519 ? algorithm : { name: "ECDSA", namedCurve: algorithm };
  const scheme = isEd25519 ? algorithm : { name: "ECDSA", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("jwk", jwk, curve, false, ["verify"]);
  return crypto.subtle.verify(scheme, key, Uint8Array.from(signature), Uint8Array.from(bytes));
}

function factsOf({ id = "", says }: BadgeVerdict): FileFacts {
  return {
    holder: says.holder,
    credential: says.name,
    issued: says.issued,
    verifyUuid: /^urn:uuid:([\da-f-]{36})$/.exec(id)?.[1] ?? "",
  };
}

export async function sha256(bytes: Bytes): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}
