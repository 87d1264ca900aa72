import { CREDENTIALS_CONTEXT, LEARNER_RECORD_CONTEXT, OPEN_BADGES_CONTEXT } from "./contexts.js";
import { type IssuerFacts, nameOf, profileOf, startOfSecond } from "./open-badge.js";

export interface RecordFacts {
  /** An IRI. */
  readonly id: string;
  readonly issuer: IssuerFacts;
  readonly validFrom: Date;
  readonly validUntil: Date;
  /** The distinct names of the holder in the badges. */
  readonly names: readonly string[];
  /** True if the learner has valid credentials that are not in the record. */
  readonly isPartial: boolean;
  /** Signed Open Badges. */
  readonly badges: readonly object[];
}

/** Builds an unsigned Comprehensive Learner Record 2.0 (1EdTech) of one learner's signed badges. */
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
    // Each badge identifies the same holder by a different opaque id. The record states that all these ids belong to
    // one person.
    credentialSubject: { type: ["ClrSubject"], identifier: names.map(nameOf), verifiableCredential: badges },
  };
}
