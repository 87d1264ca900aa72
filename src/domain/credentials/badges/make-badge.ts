import { createHmac } from "node:crypto";
import { asciiJson } from "#formats/badges/ascii-json.js";
import { signDocument } from "#formats/badges/data-integrity.js";
import { signJwt } from "#formats/badges/jwt.js";
import { type HashedIdentity, type OpenBadge, openBadge } from "#formats/badges/open-badge.js";
import type { SigningKey } from "#formats/badges/public-key.js";
import { createStatusIndexes, type StatusIndexes } from "#formats/badges/status-index.js";
import { failedPrecondition } from "#foundation/errors.js";
import { REQUIREMENTS } from "#foundation/text/merge-options.js";
import { uuidOfHex } from "#foundation/text/uuid-of-hex.js";
import { OPEN_BADGE, storedOpenBadge } from "../../configurations/open-badge-option.js";
import { type IssuerKeys, type SigningKeys, settingOf } from "../../keys/signing-keys.js";
import { parseLearningContextKey } from "../../learners/learning-context-key.js";
import type { Credential } from "../credential.js";
import { verifyUrl } from "../verify-url.js";
import { badgePictureOf, badgePictureUrl } from "./badge-picture-of.js";
import { badgeRefusal } from "./badge-refusal.js";
import { badgeResults } from "./badge-results.js";
import { criteriaInWords } from "./criteria.js";
import { type BadgeDeps, type Issuer, issuerOf, signsNothing } from "./issuer.js";
import { readBadgeSecret } from "./issuer-key-store.js";
import { statusListUrl } from "./status-lists.js";

/** JSON with an embedded proof (Data Integrity), or a JWT. */
type BadgeFormat = "json" | "jwt";

/**
 * Makes the Open Badge of a credential. The JSON form is the same in every call.
 * @param holder DID of the wallet that gets the badge; undefined if the badge names no key of a holder
 */
export type MakeBadge = (credential: Credential, format: BadgeFormat, holder?: string) => Promise<string>;

/**
 * The created function throws Problem `gone` if the credential was invalidated or its learner was erased. It throws
 * `failed-precondition` if the credential is not available yet, was imported without `open_badge`, or has a type
 * without badges, or if no key can sign the format.
 */
export function createMakeBadge(parts: BadgeDeps): MakeBadge {
  const compose = createComposeBadge(parts);
  const { signingKeys, publicUrl } = parts;
  return async (credential, format, holder) => {
    if (!signingKeys) throw signsNothing();
    const refusal = badgeRefusal(credential);
    if (refusal) throw refusal;
    const keys = await keysOf(credential, signingKeys);
    // Uses the key of the badge in the credential's file, if possible, so that both badges have the same JSON.
    const key = keys.usable(credential.badgeKey) ?? keys.ed25519;
    const issuer = issuerOf(keys, publicUrl, { key, organisation: organisationOf(credential) });
    const composed = await compose(credential, { did: issuer.did, publicUrl });
    const badge = holder === undefined ? composed : boundTo(composed, holder);
    return format === "json" ? signedJson(badge, issuer, key) : signedJwt(badge, issuer);
  };
}

function boundTo(badge: OpenBadge, holder: string): OpenBadge {
  return { ...badge, credentialSubject: { ...badge.credentialSubject, id: holder } };
}

interface NamedIssuer {
  readonly did: string;
  readonly publicUrl: string;
}

/** Composes an unsigned badge. */
export type ComposeBadge = (credential: Credential, by: NamedIssuer) => Promise<OpenBadge>;

export function createComposeBadge({ database }: Pick<BadgeDeps, "database">): ComposeBadge {
  let derived: Promise<Derived> | undefined;
  return async (credential, by) => {
    derived ??= readBadgeSecret(database.knex).then(derive);
    const identifiers = await derived.catch((error) => {
      derived = undefined; // the next call tries again
      throw error;
    });
    return badgeOf(credential, by, identifiers);
  };
}

/** The badge in the file of a credential. */
interface DocumentBadge {
  readonly json: string;
  /** Fragment of the signing key. */
  readonly key: string;
}

/** Makes the badge in a credential's file. Returns `undefined` if the file contains no badge. */
export type MakeDocumentBadge = (credential: Credential) => Promise<DocumentBadge | undefined>;

/**
 * The first time a file is generated, its badge is signed with the issuer's first key. When the file is generated
 * again, the badge is signed with the key recorded for the credential. If no key is recorded, the file has no badge.
 *
 * The created function throws Problem `failed-precondition` if this process does not have the recorded key.
 */
export function createMakeDocumentBadge(parts: BadgeDeps): MakeDocumentBadge {
  const compose = createComposeBadge(parts);
  const { signingKeys, publicUrl } = parts;
  return async (credential) => {
    const isFirst = credential.status === "generating";
    const key = await (isFirst
      ? firstKey(credential, signingKeys)
      : credentialKeyOf(credential, signingKeys));
    if (!key || !signingKeys) return undefined;
    const keys = await keysOf(credential, signingKeys);
    const issuer = issuerOf(keys, publicUrl, { key, organisation: organisationOf(credential) });
    const badge = await compose(credential, { did: issuer.did, publicUrl });
    return { json: await signedJson(badge, issuer, key), key: key.fragment };
  };
}

async function firstKey(
  credential: Credential,
  keys: SigningKeys | undefined,
): Promise<SigningKey | undefined> {
  const { erasedAt, importedAt, options } = credential;
  const hasNone = erasedAt !== null || importedAt !== null || options[OPEN_BADGE] === false;
  return hasNone || !keys ? undefined : (await keysOf(credential, keys)).first("Ed25519");
}

async function credentialKeyOf(
  credential: Credential,
  keys: SigningKeys | undefined,
): Promise<SigningKey | undefined> {
  const { badgeKey } = credential;
  if (badgeKey === null) return undefined;
  const organisation = organisationOf(credential);
  const key = (await keys?.find(organisation))?.all.find(({ fragment }) => fragment === badgeKey);
  if (key) return key;
  throw failedPrecondition(
    `The credential's file contains a badge signed with the key ${badgeKey}, which is not in ${settingOf(organisation)}: add that key again.`,
  );
}

/** Returns the organisation that issues the badge, or `undefined` for the service itself. */
function organisationOf({ printSettings }: Pick<Credential, "printSettings">): string | undefined {
  return printSettings.issuer?.organisation;
}

/** @throws Problem `failed-precondition` if this process has no keys of the issuing organisation */
async function keysOf(credential: Credential, keys: SigningKeys): Promise<IssuerKeys> {
  const organisation = organisationOf(credential);
  const found = await keys.find(organisation);
  if (found && found.all.length > 0) return found;
  throw failedPrecondition(
    found
      ? `${organisation ?? "The service"} issues the badge, but its keys can't be read: see Administration › Organisations in the console.`
      : `${organisation} issues the badge, but ISSUERS_FILE names no keys of ${organisation}: add them.`,
  );
}

/** Functions derived from the badge secret. */
interface Derived {
  readonly statusIndexes: StatusIndexes;
  /** Returns an opaque IRI. The same arguments always give the same IRI. */
  name(kind: "holder" | "achievement" | "result", of: string): string;
}

function derive(secret: Buffer): Derived {
  return {
    statusIndexes: createStatusIndexes(secret),
    name(kind, of) {
      const bytes = createHmac("sha256", secret).update(`${kind} ${of}`).digest().subarray(0, 16);
      // A UUID with custom content (RFC 9562, version 8).
      bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
      bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
      return `urn:uuid:${uuidOfHex(bytes.toString("hex"))}`;
    },
  };
}

/**
 * The current version of badge composition. A file that is generated again keeps the version of its badge.
 *
 * Versions 1 and 2 lack the criteria page, the required credentials, letter grades, and the platform's verdicts.
 * Version 1 also uses the day of issue as the day of the award, states nothing about the issuer except its name, and
 * lists results in the order of the database.
 */
export const BADGE_VERSION = 3;

function versionOf({ badgeKey, badgeVersion }: Credential): number {
  return badgeKey === null ? BADGE_VERSION : (badgeVersion ?? 1);
}

function badgeOf(
  credential: Credential,
  { did, publicUrl }: NamedIssuer,
  { statusIndexes, name }: Derived,
): OpenBadge {
  const { learningContextName, learningContextKey, credentialType, printSettings, originalIssuer } =
    credential;
  const option = storedOpenBadge(credential.options[OPEN_BADGE]);
  const names = `${credentialType}: ${learningContextName}`;
  const isPath = parseLearningContextKey(learningContextKey).kind === "path";
  const { list, index } = statusIndexes.of(credential.id);
  const version = versionOf(credential);
  const isFirst = version === 1;
  const { issuerProfile: profile, issuerLogo, issuerEmail = null } = isFirst ? {} : printSettings;
  const hasPages = version > 2;
  const ownUrl = verifyUrl(publicUrl, credential.verifyUuid);
  const { language } = printSettings;
  const inTree = hasPages
    ? criteriaInWords(credential.options[REQUIREMENTS], credential.results, language)
    : undefined;
  const picture = badgePictureOf(credential);
  const inWords = option.criteria ?? inTree;
  return openBadge({
    verifyUuid: credential.verifyUuid,
    issuer: {
      did,
      name: printSettings.issuer?.name ?? printSettings.platformName,
      url: profile?.url ?? publicUrl,
      description: profile?.description ?? null,
      image: profile?.image ?? (issuerLogo === undefined ? null : `${publicUrl}/brand/${issuerLogo}`),
      email: issuerEmail,
    },
    issuedAt: credential.createdAt,
    awardedAt: (isFirst ? null : credential.awardedAt) ?? credential.createdAt,
    validUntil: credential.validUntil,
    holder: {
      id: name("holder", credential.uuid),
      name: credential.userFullName,
      email: hashedAddressOf(credential),
    },
    achievement: {
      id: name("achievement", String(credential.configurationId)),
      name: learningContextName,
      type: option.achievement_type ?? (isPath ? "LearningProgram" : "CertificateOfCompletion"),
      description: option.description ?? (originalIssuer ? `${names} (${originalIssuer})` : names),
      criteria: inWords ?? names,
      criteriaUrl: hasPages ? (inWords === undefined ? ownUrl : `${ownUrl}#criteria`) : null,
      language,
      tags: option.tags ?? [],
      image: option.image ?? (picture ? badgePictureUrl(publicUrl, picture) : null),
      alignments: option.alignment ?? [],
      creator: option.creator ?? null,
      credits: option.credits ?? null,
      fieldOfStudy: option.field_of_study ?? null,
    },
    results: option.results ? badgeResults(credential, (of) => name("result", of), version) : [],
    held: hasPages
      ? (credential.results?.held ?? []).map((each) => ({
          name: `${each.credential_type}: ${each.learning_context_name}`,
          verifyUrl: verifyUrl(publicUrl, each.verify_uuid),
        }))
      : [],
    credentialType,
    verifyUrl: ownUrl,
    status: { listUrl: statusListUrl(publicUrl, list, organisationOf(credential)), index },
  });
}

function hashedAddressOf({ addressHash }: Credential): HashedIdentity | null {
  const [salt = "", sha256 = ""] = addressHash?.split(":") ?? [];
  return addressHash === null ? null : { salt, sha256 };
}

async function signedJson(badge: OpenBadge, { keyUrl }: Issuer, key: SigningKey): Promise<string> {
  const by = { key, verificationMethod: keyUrl(key), created: badge.validFrom };
  return asciiJson(await signDocument(badge, by));
}

async function signedJwt(badge: OpenBadge, { keys: { p256 }, isWeb, keyUrl }: Issuer): Promise<string> {
  if (!p256) throw failedPrecondition("There is no P-256 key to sign a JWT: add one to SIGNING_KEY_FILES.");
  if (!isWeb) {
    throw failedPrecondition(
      "A JWT needs an issuer with HTTPS: set PUBLIC_URL to a URL that starts with https://.",
      {
        reason: "NO_HTTPS",
      },
    );
  }
  return signJwt(badge, { key: p256, kid: keyUrl(p256) });
}
