import { Code, ConnectError } from "@connectrpc/connect";
import type { Inbound } from "#api/pipeline/inbound.js";
import { type PageGrant, readPageToken, writePageToken } from "#domain/lti/page-token.js";
import { findDeployment } from "#domain/lti/registration-store.js";
import { Problem } from "#foundation/errors.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { callMethod } from "../http/call-method.js";
import { type ClaimOutcome, claimByForm } from "../pages/claim.js";
import { pageLanguages } from "../pages/languages.js";
import {
  type LtiAnswer,
  type LtiEdgeDeps,
  type LtiPageFrame,
  type LtiWork,
  readForm,
} from "./lti-exchange.js";
import { learnerPage, sentencePage } from "./lti-pages.js";

export const progress: LtiWork = async (deps, { request, inbound }, _, pageFrame) => {
  const { grant } = await readGrant(deps, await readForm(request), pageFrame);
  return learnersPage(deps, inbound, pageFrame, grant);
};

/** Claims a credential for the learner. The form contains a token, which pages of other sites don't have. */
export const claim: LtiWork = async (deps, { request, inbound }, _, pageFrame) => {
  const form = await readForm(request);
  const { grant, token } = await readGrant(deps, form, pageFrame);
  const asLearner = { ...inbound, credentials: { page: token } };
  const outcome = await claimByForm(deps.pipeline, asLearner, grant.contextKey, form);
  return learnersPage(deps, inbound, pageFrame, grant, outcome);
};

/** @throws Problem `unauthenticated` if the page has expired, or if its LTI deployment is no longer accepted */
async function readGrant(
  { lti }: LtiEdgeDeps,
  form: URLSearchParams,
  pageFrame: LtiPageFrame,
): Promise<{ readonly grant: PageGrant; readonly token: string }> {
  const token = form.get("token") ?? "";
  const grant = readPageToken(lti.secrets, token, lti.now());
  const deployment =
    grant && (await findDeployment(lti.database.knex, grant.registrationId, grant.deploymentId));
  if (!grant || !deployment)
    throw new Problem("unauthenticated", "This page is no longer valid: open it in the course again.");
  pageFrame.language = pageLanguages.find(grant.language) ?? pageFrame.language;
  pageFrame.frameAncestors = deployment.frameOrigins;
  return { grant, token };
}

export async function learnersPage(
  { lti, site, pipeline }: LtiEdgeDeps,
  inbound: Inbound,
  { language }: LtiPageFrame,
  grant: Omit<PageGrant, "expiresAt">,
  outcome?: ClaimOutcome,
): Promise<LtiAnswer> {
  const token = writePageToken(lti.secrets[0], grant, lti.now());
  const { getEligibility } = EligibilityService.method;
  const asLearner = { ...inbound, credentials: { page: token } };
  try {
    const requested = { learningContextKey: grant.contextKey };
    const found = await callMethod(pipeline, getEligibility, asLearner, requested);
    return { page: learnerPage(site, language, { contextTitle: grant.contextTitle, token }, found, outcome) };
  } catch (error) {
    // The platform's connector hasn't yet read that this learner is enrolled in the course.
    const failure = ConnectError.from(error);
    if (failure.code !== Code.NotFound) throw failure.cause instanceof Problem ? failure.cause : error;
    return { page: sentencePage(site, language, "ltiUnknownPerson") };
  }
}
