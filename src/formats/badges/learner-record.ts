import { CREDENTIALS_CONTEXT, LEARNER_RECORD_CONTEXT, OPEN_BADGES_CONTEXT } from "./contexts.js";
import { type IssuerFacts, nameOf, profileOf, startOfSecond } from "./open-badge.js";

/** The facts that a learner record states in addition to its badges. */
export interface RecordFacts {
  /** An IRI. */
  readonly id: string;
  readonly issuer: IssuerFacts;
  readonly validFrom: Date;
  readonly validUntil: Date;
  /** The distinct names under which its badges were issued. */
  readonly names: readonly string[];
  /** True if the learner has valid credentials that are not in the record. */
  readonly isPartial: boolean;
  /** Signed Open Badges. */
  readonly badges: readonly object[];
}

/**
 * Builds an unsigned Comprehensive Learner Record 2.0 (1EdTech): complete signed badges of one learner, to be signed
 * together.
 */
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
    // The badges identify their holder by different opaque ids. The record states that they are the same person.
    credentialSubject: { type: ["ClrSubject"], identifier: names.map(nameOf), verifiableCredential: badges },
  };
}
