import { CREDENTIALS_CONTEXT, OPEN_BADGES_CONTEXT } from "./contexts.js";
import type { Document } from "./data-integrity.js";

/** The facts that an Open Badge states; it states nothing else. */
export interface BadgeFacts {
  /** UUID of the credential. It survives a move of the service. */
  readonly verifyUuid: string;
  readonly issuer: IssuerFacts;
  /** Whole seconds. */
  readonly issuedAt: Date;
  /** When it was earned; a reissued credential keeps the date of the first. Whole seconds. */
  readonly awardedAt: Date;
  /** When it expires; null if it never does. */
  readonly validUntil: Date | null;
  readonly holder: {
    /** An opaque IRI, different in each credential. */
    readonly id: string;
    readonly name: string;
    /** The address in hashed form; null: the badge states none. */
    readonly email: HashedIdentity | null;
  };
  readonly achievement: {
    /** An IRI, the same in all credentials for this achievement. */
    readonly id: string;
    readonly name: string;
    /** An achievement type of Open Badges 3.0. */
    readonly type: string;
    readonly description: string;
    readonly criteria: string;
    /** URL of a page with the criteria; null: the badge names none. */
    readonly criteriaUrl: string | null;
    /** BCP 47. */
    readonly language: string;
    /** Words by which it is found. */
    readonly tags: readonly string[];
    /** URL of its picture; null: it has none. */
    readonly image: string | null;
    /** The skills of frameworks to which it leads. */
    readonly alignments: readonly Alignment[];
    /** Who has defined it, if someone else than the issuer; null: the badge says nobody. */
    readonly creator: { readonly name: string; readonly url: string } | null;
    /** What it is worth to whoever earns it; null: that is not said. */
    readonly credits: number | null;
    readonly fieldOfStudy: string | null;
  };
  /** What the holder has attained. */
  readonly results: readonly BadgeResult[];
  /** Other credentials of the holder that this one required. */
  readonly held: readonly HeldBadge[];
  /** Name of the kind of credential, such as "Certificate of Completion". */
  readonly credentialType: string;
  /** URL of the verification page. */
  readonly verifyUrl: string;
  readonly status: StatusEntry;
}

/** What a badge says of its issuer. */
export interface IssuerFacts {
  readonly did: string;
  readonly name: string;
  readonly url: string;
  /** null: it has none. */
  readonly description: string | null;
  /** URL of its logo; null: it has none. */
  readonly image: string | null;
  /** Where it answers questions; null: nowhere by email. */
  readonly email: string | null;
}

/** A node of a framework of skills, or another one to which an achievement corresponds. */
export interface Alignment {
  readonly name: string;
  /** Its address in the framework. */
  readonly url: string;
  readonly description?: string | undefined;
  /** Name of the framework. */
  readonly framework?: string | undefined;
  /** By which the framework names it. */
  readonly code?: string | undefined;
  /** An alignment target type of Open Badges 3.0. */
  readonly type?: string | undefined;
}

/** A text that is recognised only by those who know it. */
export interface HashedIdentity {
  readonly salt: string;
  /** SHA-256 of the text followed by the salt, in hexadecimal. */
  readonly sha256: string;
}

/** A result that the holder has attained. */
export interface BadgeResult {
  /** An IRI, the same in all credentials for this achievement. */
  readonly id: string;
  /** What was measured. */
  readonly name: string;
  readonly attained: Attained;
}

/** A result, by the result types of Open Badges 3.0. */
export type Attained =
  /** A number 0..100. */
  | { readonly type: "Percent"; readonly percentage: number }
  /** @param scale its grades, best first; empty if they are not known */
  | { readonly type: "LetterGrade"; readonly letter: string; readonly scale: readonly string[] }
  /** @param scale its grades, best first; or the highest of its points */
  | { readonly type: "ScaledScore"; readonly score: string; readonly scale: readonly string[] | number }
  | { readonly type: "Status"; readonly passed: boolean };

/** A credential that another one required. */
export interface HeldBadge {
  readonly name: string;
  /** URL of its verification page. */
  readonly verifyUrl: string;
}

/** Where a verifier finds out whether a credential was revoked. */
export interface StatusEntry {
  readonly listUrl: string;
  readonly index: number;
}

/** An unsigned Open Badge 3.0, in the Verifiable Credentials Data Model 2.0. */
export type OpenBadge = ReturnType<typeof openBadge> & Document;

/** Builds an Open Badge. Each part follows 1EdTech's JSON schema in the form that wallets read. */
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
      // Wallets show the first unhashed identifier as the holder, whatever its type.
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

/** The standard lists them from low to high. */
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

/** The profile of an issuer, as badges and learner records name it. */
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

/** Someone's name, as wallets show it. */
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

/** A time as badges state it. */
export function startOfSecond(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}
