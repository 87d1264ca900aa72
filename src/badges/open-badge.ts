import { CREDENTIALS_CONTEXT, OPEN_BADGES_CONTEXT } from "./contexts.js";
import type { Document } from "./data-integrity.js";

/** What an Open Badge says: nothing but what is here. */
export interface BadgeFacts {
  /** Of the credential: survives when the service moves. */
  readonly verifyUuid: string;
  readonly issuer: { readonly did: string; readonly name: string; readonly url: string };
  /** Whole seconds. */
  readonly issuedAt: Date;
  readonly holder: {
    /** An IRI that tells nothing of who it is, and is another one in each credential. */
    readonly id: string;
    readonly name: string;
  };
  readonly achievement: {
    /** An IRI, the same in all credentials for it. */
    readonly id: string;
    readonly name: string;
    /** One of Open Badges 3.0. */
    readonly type: string;
    readonly description: string;
    readonly criteria: string;
    /** BCP 47. */
    readonly language: string;
  };
  /** The name of what was issued, such as "Certificate of Completion". */
  readonly credentialType: string;
  /** Where people verify it. */
  readonly verifyUrl: string;
  readonly status: StatusEntry;
}

/** Where a verifier finds whether a credential was revoked. */
export interface StatusEntry {
  readonly listUrl: string;
  readonly index: number;
}

/** An Open Badge 3.0 on the Verifiable Credentials Data Model 2.0, unsigned. */
export type OpenBadge = ReturnType<typeof openBadge> & Document;

/** Writes an Open Badge. Each part is as 1EdTech's JSON schema has it, and as wallets read it. */
export function openBadge(facts: BadgeFacts) {
  const { achievement, holder, issuer, status } = facts;
  const issued = `${facts.issuedAt.toISOString().slice(0, 19)}Z`;
  return {
    "@context": [CREDENTIALS_CONTEXT, OPEN_BADGES_CONTEXT],
    id: `urn:uuid:${facts.verifyUuid}`,
    type: ["VerifiableCredential", "OpenBadgeCredential"],
    name: `${facts.credentialType}: ${achievement.name}`,
    issuer: { id: issuer.did, type: ["Profile"], name: issuer.name, url: issuer.url },
    validFrom: issued,
    awardedDate: issued,
    credentialSubject: {
      id: holder.id,
      type: ["AchievementSubject"],
      // A wallet shows the first identifier that is not hashed as the holder, whatever its type.
      identifier: [
        { type: "IdentityObject", hashed: false, identityHash: holder.name, identityType: "name" },
      ],
      achievement: {
        id: achievement.id,
        type: ["Achievement"],
        achievementType: achievement.type,
        name: achievement.name,
        description: achievement.description,
        criteria: { narrative: achievement.criteria },
        inLanguage: achievement.language,
      },
    },
    evidence: [{ id: facts.verifyUrl, type: ["Evidence"] }],
    credentialStatus: {
      id: `${status.listUrl}#${status.index}`,
      type: "BitstringStatusListEntry",
      statusPurpose: "revocation",
      statusListIndex: String(status.index),
      statusListCredential: status.listUrl,
    },
  };
}
