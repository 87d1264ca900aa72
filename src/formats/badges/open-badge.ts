import { CREDENTIALS_CONTEXT, OPEN_BADGES_CONTEXT } from "./contexts.js";
import type { Document } from "./data-integrity.js";

export interface BadgeFacts {
  /** UUID of the credential. It stays the same if the service moves to another URL. */
  readonly verifyUuid: string;
  readonly issuer: IssuerFacts;
  /** In whole seconds. */
  readonly issuedAt: Date;
  /** When the credential was earned, in whole seconds. A reissued credential keeps the date of the original. */
  readonly awardedAt: Date;
  /** Null if the credential never expires. */
  readonly validUntil: Date | null;
  readonly holder: {
    /** An opaque IRI, different in each credential. */
    readonly id: string;
    readonly name: string;
    /** Null if the badge doesn't contain the address. */
    readonly email: HashedIdentity | null;
  };
  readonly achievement: {
    /** An IRI, the same in all credentials for this achievement. */
    readonly id: string;
    readonly name: string;
    /** An Open Badges 3.0 achievement type. */
    readonly type: string;
    readonly description: string;
    readonly criteria: string;
    readonly criteriaUrl: string | null;
    /** BCP 47 tag. */
    readonly language: string;
    readonly tags: readonly string[];
    /** URL of the picture. */
    readonly image: string | null;
    readonly alignments: readonly Alignment[];
    /** Who defined the achievement; null if the issuer did. */
    readonly creator: { readonly name: string; readonly url: string } | null;
    /** Null if unknown. */
    readonly credits: number | null;
    readonly fieldOfStudy: string | null;
  };
  readonly results: readonly BadgeResult[];
  /** Other credentials that were required to earn this credential. */
  readonly held: readonly HeldBadge[];
  /** Name of the credential type, for example "Certificate of Completion". */
  readonly credentialType: string;
  /** URL of the verification page. */
  readonly verifyUrl: string;
  readonly status: StatusEntry;
}

export interface IssuerFacts {
  readonly did: string;
  readonly name: string;
  readonly url: string;
  readonly description: string | null;
  /** URL of the logo. */
  readonly image: string | null;
  readonly email: string | null;
}

/** A skill or other node in a framework. */
interface Alignment {
  readonly name: string;
  /** URL in the framework. */
  readonly url: string;
  readonly description?: string | undefined;
  /** Name of the framework. */
  readonly framework?: string | undefined;
  /** The framework's own code. */
  readonly code?: string | undefined;
  /** An Open Badges 3.0 alignment target type. */
  readonly type?: string | undefined;
}

/** Salted hash of a text. Only someone who already knows the text can recognise it. */
export interface HashedIdentity {
  readonly salt: string;
  /** SHA-256 of the text followed by the salt, in hex. */
  readonly sha256: string;
}

export interface BadgeResult {
  /** An IRI, the same in all credentials for this achievement. */
  readonly id: string;
  /** Name of the measured quantity. */
  readonly name: string;
  readonly attained: Attained;
}

/** A result, by Open Badges 3.0 result type. */
export type Attained =
  /** 0 to 100. */
  | { readonly type: "Percent"; readonly percentage: number }
  /** @param scale the possible grades, best first; empty if unknown */
  | { readonly type: "LetterGrade"; readonly letter: string; readonly scale: readonly string[] }
  /** @param scale the possible grades, best first; or the maximum number of points */
  | { readonly type: "ScaledScore"; readonly score: string; readonly scale: readonly string[] | number }
  | { readonly type: "Status"; readonly passed: boolean };

interface HeldBadge {
  readonly name: string;
  /** URL of the required credential's verification page. */
  readonly verifyUrl: string;
}

interface StatusEntry {
  readonly listUrl: string;
  readonly index: number;
}

/** An unsigned Open Badge in the Verifiable Credentials Data Model 2.0. */
export type OpenBadge = ReturnType<typeof openBadge> & Document;

/** Builds an Open Badge that conforms to 1EdTech's JSON schema. */
export function openBadge(facts: BadgeFacts) {
  const { achievement, held, holder, issuer, results, status } = facts;
  const { alignments, creator, credits, fieldOfStudy } = achievement;
  return {
    "@context": [CREDENTIALS_CONTEXT, OPEN_BADGES_CONTEXT],
    id: `urn:uuid:${facts.verifyUuid}`,
    type: ["VerifiableCredential", "OpenBadgeCredential"],
    name: `${facts.credentialType}: ${achievement.name}`,
    issuer: profileOf(issuer),
    validFrom: startOfSecond(facts.issuedAt),
    ...(facts.validUntil && { validUntil: startOfSecond(facts.validUntil) }),
    awardedDate: startOfSecond(facts.awardedAt),
    credentialSubject: {
      id: holder.id,
      type: ["AchievementSubject"],
      // Wallets show the first unhashed identifier as the holder, whatever its type is.
      identifier: [nameOf(holder.name), ...(holder.email ? [hashedAddress(holder.email)] : [])],
      achievement: {
        id: achievement.id,
        type: ["Achievement"],
        achievementType: achievement.type,
        name: achievement.name,
        description: achievement.description,
        criteria: {
          ...(achievement.criteriaUrl !== null && { id: achievement.criteriaUrl }),
          narrative: achievement.criteria,
        },
        inLanguage: achievement.language,
        ...(achievement.tags.length > 0 && { tag: achievement.tags }),
        ...(achievement.image !== null && { image: imageAt(achievement.image) }),
        ...(alignments.length > 0 && { alignment: alignments.map(alignmentTo) }),
        ...(creator && {
          creator: { id: creator.url, type: ["Profile"], name: creator.name, url: creator.url },
        }),
        ...(credits !== null && { creditsAvailable: credits }),
        ...(fieldOfStudy !== null && { fieldOfStudy }),
        ...(held.length > 0 && {
          related: held.map((each) => ({ id: `${each.verifyUrl}#achievement`, type: ["Related"] })),
        }),
        ...(results.length > 0 && {
          resultDescription: results.map(({ id, name, attained }) => ({
            id,
            type: ["ResultDescription"],
            name,
            resultType: attained.type,
            ...allowedValues(attained),
          })),
        }),
      },
      ...(credits !== null && { creditsEarned: credits }),
      ...(results.length > 0 && {
        result: results.map(({ id, attained }) => ({
          type: ["Result"],
          resultDescription: id,
          ...attainedValue(attained),
        })),
      }),
    },
    evidence: [
      { id: facts.verifyUrl, type: ["Evidence"] },
      ...held.map((each) => ({ id: each.verifyUrl, type: ["Evidence"], name: each.name })),
    ],
    credentialStatus: {
      id: `${status.listUrl}#${status.index}`,
      type: "BitstringStatusListEntry",
      statusPurpose: "revocation",
      statusListIndex: String(status.index),
      statusListCredential: status.listUrl,
    },
  };
}

/** Returns the possible results from low to high, as the standard requires. */
function allowedValues(attained: Attained) {
  const scale = "scale" in attained ? attained.scale : [];
  if (typeof scale === "number") return { valueMin: "0", valueMax: String(scale) };
  return scale.length > 0 ? { allowedValue: scale.toReversed() } : {};
}

function attainedValue(attained: Attained) {
  if (attained.type === "Status") return { status: attained.passed ? "Completed" : "Failed" };
  if (attained.type === "ScaledScore") return { value: attained.score };
  return { value: attained.type === "Percent" ? String(attained.percentage) : attained.letter };
}

/** Returns the issuer's profile for badges and learner records. */
export function profileOf({ did, name, url, description, image, email }: IssuerFacts) {
  return {
    id: did,
    type: ["Profile"],
    name,
    url,
    ...(description !== null && { description }),
    ...(image !== null && { image: imageAt(image) }),
    ...(email !== null && { email }),
  };
}

export function nameOf(identityHash: string) {
  return { type: "IdentityObject", hashed: false, identityHash, identityType: "name" };
}

function alignmentTo({ name, url, description, framework, code, type }: Alignment) {
  return {
    type: ["Alignment"],
    targetName: name,
    targetUrl: url,
    ...(description !== undefined && { targetDescription: description }),
    ...(framework !== undefined && { targetFramework: framework }),
    ...(code !== undefined && { targetCode: code }),
    ...(type !== undefined && { targetType: type }),
  };
}

function imageAt(url: string) {
  return { id: url, type: "Image" };
}

function hashedAddress({ salt, sha256 }: HashedIdentity) {
  return {
    type: "IdentityObject",
    hashed: true,
    identityHash: `sha256$${sha256}`,
    identityType: "emailAddress",
    salt,
  };
}

export function startOfSecond(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}
