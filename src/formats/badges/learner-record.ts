import { CREDENTIALS_CONTEXT, LEARNER_RECORD_CONTEXT, OPEN_BADGES_CONTEXT } from "./contexts.js";
import { type IssuerFacts, nameOf, profileOf, startOfSecond } from "./open-badge.js";

/** The facts that a learner record states beside its badges. */
export interface RecordFacts {
  /** An IRI. */
  readonly id: string;
  readonly issuer: IssuerFacts;
  readonly validFrom: Date;
  readonly validUntil: Date;
  /** The names under which its badges were issued, without repetition. */
  readonly names: readonly string[];
  /** Whether the learner has credentials in force that are not in it. */
  readonly isPartial: boolean;
  /** Signed Open Badges. */
  readonly badges: readonly object[];
}

/** Builds an unsigned Comprehensive Learner Record 2.0 (1EdTech): badges of one learner, whole and signed, under one more signature. */
export function learnerRecord({ id, issuer, validFrom, validUntil, names, isPartial, badges }: RecordFacts) {
  return {
    "@context": [CREDENTIALS_CONTEXT, LEARNER_RECORD_CONTEXT, OPEN_BADGES_CONTEXT],
    id,
    type: ["VerifiableCredential", "ClrCredential"],
    name: "Comprehensive Learner Record",
    issuer: profileOf(issuer),
    validFrom: startOfSecond(validFrom),
    validUntil: startOfSecond(validUntil),
    ...(isPartial && { partial: true }),
    // Each badge names its holder by another opaque id. The record says that they are one.
    credentialSubject: { type: ["ClrSubject"], identifier: names.map(nameOf), verifiableCredential: badges },
  };
}
