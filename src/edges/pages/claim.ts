import { Code, ConnectError } from "@connectrpc/connect";
import type { Inbound } from "#api/pipeline/inbound.js";
import type { Pipeline } from "#api/pipeline/pipeline.js";
import { Problem, type Reason } from "#foundation/errors.js";
import { ClaimMode } from "#gen/learning_credentials/v1/configuration_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import type { CredentialEligibility } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { callMethod } from "../http/call-method.js";
import { type Html, html } from "../http/html.js";
import type { PageLanguage } from "./languages.js";

/** Names of the sentences, by the outcome of a claim. */
const outcomes = {
  started: "claimStarted",
  held: "claimHeld",
  missing: "claimMissing",
  withdrawn: "claimWithdrawn",
  closed: "claimClosed",
  refused: "claimRefused",
} as const satisfies Record<string, keyof PageLanguage>;

export type ClaimOutcome = keyof typeof outcomes;

const outcomesByReason: Partial<Record<Reason, ClaimOutcome>> = {
  ALREADY_EXISTS: "held",
  NOT_ELIGIBLE: "missing",
  NOT_EARNED_ANEW: "missing",
  INVALIDATED: "withdrawn",
  CLAIM_NOT_ALLOWED: "closed",
  LEARNING_CONTEXT_NOT_FOUND: "closed",
  CREDENTIAL_TYPE_NOT_FOUND: "closed",
};

export function readOutcome(name: string | null): ClaimOutcome | undefined {
  return name !== null && Object.hasOwn(outcomes, name) ? (name as ClaimOutcome) : undefined;
}

/**
 * Claims the credential that a form specifies, on behalf of the caller.
 * @throws ConnectError if the error concerns the caller or the service instead of the claim
 */
export async function claimByForm(
  pipeline: Pipeline,
  inbound: Inbound,
  learningContextKey: string,
  form: URLSearchParams,
): Promise<ClaimOutcome> {
  const { claimCredential } = CredentialService.method;
  const typed = Number(form.get("type"));
  const credentialTypeId = Number.isInteger(typed) && typed > 0 && typed < 2 ** 31 ? typed : 0;
  try {
    await callMethod(pipeline, claimCredential, inbound, { learningContextKey, credentialTypeId });
    return "started";
  } catch (error) {
    const failure = ConnectError.from(error);
    const outcome = failure.cause instanceof Problem ? outcomesByReason[failure.cause.reason] : undefined;
    if (outcome) return outcome;
    if (failure.code === Code.FailedPrecondition) return "refused";
    if (failure.code === Code.InvalidArgument) return "closed";
    throw error;
  }
}

/** Renders the outcome of a claim. The notice gets the focus, so screen readers read it first. */
export function claimNotice(language: PageLanguage, outcome: ClaimOutcome): Html {
  return html`<section class="card padded" role="status" tabindex="-1" autofocus="autofocus">
<p class="explanation">${language[outcomes[outcome]]}</p>
</section>
`;
}

/**
 * Renders the button that claims a credential, if the learner is eligible. If the credential is issued only when
 * claimed, also renders a note.
 * @param fields form fields in addition to the type
 * @param id suffix for the id of the heading that names the credential
 * @param query query of the page, which contains its language; may be empty
 * @returns undefined if there is nothing to claim
 */
export function claimForm(
  language: PageLanguage,
  { claim, credentialTypeId, existingCredential, isEligible }: CredentialEligibility,
  fields: Readonly<Record<string, string>>,
  id = String(credentialTypeId),
  query = "",
): Html | undefined {
  if (claim === undefined || existingCredential) return undefined;
  const hidden = Object.entries({ ...fields, type: String(credentialTypeId) }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  const only = claim === ClaimMode.REQUIRED ? html`<p>${language.claimRequired}</p>\n` : undefined;
  if (!isEligible) return only;
  return html`${only}<form method="post" action="claim${query}">${hidden}<button id="claim-${id}" aria-labelledby="claim-${id} credential-${id}">${language.claim}</button></form>
`;
}
