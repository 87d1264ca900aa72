import type { Cancellation } from "#foundation/concurrency/cancellation.js";
import { Problem } from "#foundation/errors.js";
import { type Actor, CLAIM } from "#infrastructure/identity/actors.js";
import type { LookUpProgress } from "../../eligibility/learner-progress.js";
import { type EligibilityQuestion, reportEligibility } from "../../eligibility/report-eligibility.js";
import type { Credential } from "../credential.js";
import { issueCredential } from "./issue-credential.js";
import type { IssuingDeps } from "./issuing-deps.js";

/** A learner's request for a credential. */
interface Claim extends Omit<EligibilityQuestion, "retrievalFunc"> {
  readonly credentialTypeId: number;
  readonly claimedBy: Actor;
}

/**
 * Issues a credential that a learner has requested.
 * @throws Problem `not-found` for the context, the learner or the type; `permission-denied` if the credential can't be
 * claimed; `already-exists` with the existing credential; `failed-precondition` naming the missing requirement or data
 */
export async function claimCredential(
  deps: IssuingDeps & { readonly lookUpProgress: LookUpProgress },
  { credentialTypeId, claimedBy, ...question }: Claim,
  { signal, cancellation }: { readonly signal: AbortSignal; readonly cancellation: Cancellation },
): Promise<Credential> {
  const { username, key, requestedBy } = question;
  const progressQuestion = { ...question, retrievalFunc: "" };
  const entries = await reportEligibility(
    deps.lookUpProgress,
    deps.functions,
    progressQuestion,
    cancellation,
  );
  const claimed = entries.find(({ credential }) => credential.credentialTypeId === credentialTypeId);
  if (!claimed) {
    throw new Problem("not-found", `Credential type ${credentialTypeId} is not configured for ${key.text}.`, {
      reason: "CREDENTIAL_TYPE_NOT_FOUND",
    });
  }
  const { configurationId } = claimed.credential;
  const issuedBy = requestedBy === "staff-about-other" ? claimedBy : CLAIM;
  const issuing = { configurationId, username, skipEligibilityCheck: false, issuedBy, isClaim: true };
  return issueCredential(deps, issuing, signal);
}
