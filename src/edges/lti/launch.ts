import type { Inbound } from "#api/pipeline/inbound.js";
import { beginLogin, findLogin, type StartedLogin } from "#domain/lti/begin-login.js";
import type { LaunchClaims } from "#domain/lti/claims.js";
import { deepLinkOf } from "#domain/lti/deep-link.js";
import { isDigestOf, type LoginState } from "#domain/lti/login-state.js";
import type { Lti } from "#domain/lti/lti.js";
import { originsOf } from "#domain/lti/manage-registrations.js";
import type { Registration } from "#domain/lti/registration.js";
import { listDeployments } from "#domain/lti/registration-store.js";
import { type LaunchResult, takeLaunch } from "#domain/lti/take-launch.js";
import { DEEP_LINK, refusal, verifyLaunch } from "#domain/lti/verify-launch.js";
import { printable } from "#foundation/errors.js";
import { isSameOrigin } from "../http/same-origin.js";
import { pageLanguages } from "../pages/languages.js";
import { learnersPage } from "./learner-page.js";
import { loginCookie } from "./login-cookie.js";
import {
  type LtiAnswer,
  type LtiEdgeDeps,
  type LtiPageFrame,
  type LtiWork,
  readForm,
} from "./lti-exchange.js";
import {
  deepLinkPage,
  findingPage,
  type LtiSentence,
  newTabPage,
  sentencePage,
  storagePage,
  teacherPage,
} from "./lti-pages.js";

export const login: LtiWork = async ({ lti, site }, { request, response, query }, _, pageFrame) => {
  const parameters = request.method === "POST" ? await readForm(request) : new URLSearchParams(query);
  const loginStart = await beginLogin(lti, parameters);
  const { registration, state, browserSecret, location } = loginStart;
  const cookie = loginCookie(state.id).set(browserSecret);
  if (state.storage === "") {
    response.setHeader("set-cookie", cookie);
    return location;
  }
  pageFrame.frameAncestors = await originsOfPlatform(lti, registration);
  const page = storagePage(site, pageFrame.language, storageOf(loginStart), {
    value: browserSecret,
    location: location.href,
  });
  return { page, sendsRequests: true, cookies: [cookie] };
};

export const launch: LtiWork = async (deps, { request, inbound }, call, pageFrame) => {
  const { lti, site } = deps;
  const form = await readForm(request);
  const { state, registration } = await findLogin(lti, form.get("state") ?? "");
  pageFrame.frameAncestors = await originsOfPlatform(lti, registration);
  const error = form.get("error");
  const cookie = loginCookie(state.id);
  // The stored secret is accepted only from our own page. Otherwise, another site could post someone else's launch.
  const isFromStorage = state.storage !== "" && isSameOrigin(request, site.publicUrl);
  const secret = cookie.read(request) ?? (isFromStorage ? form.get("browser") : null) ?? undefined;
  const token = form.get("id_token") ?? "";
  if (secret === undefined) {
    const restart = state.restart === "" ? undefined : `login?${state.restart}`;
    const page =
      state.storage === ""
        ? newTabPage(site, pageFrame.language, restart)
        : findingPage(
            site,
            pageFrame.language,
            storageOf({ state, registration }),
            Object.fromEntries(
              ["id_token", "state", "error", "error_description"].flatMap((name) => {
                const value = form.get(name);
                return value === null ? [] : [[name, value]];
              }),
            ),
            restart,
          );
    return { status: state.storage === "" ? 403 : 200, page, sendsRequests: true };
  }
  if (!isDigestOf(state.browserHash, secret))
    throw refusal("The login was started in another browser (state).");
  // The platform's error text is shown only in the browser that started the login. Otherwise, anyone could make the
  // page show any text.
  if (error !== null) return refusedByPlatform(deps, pageFrame, error, form.get("error_description") ?? "");
  const now = lti.now();
  const keys = lti.platformKeys(registration.jwksUrl);
  const claims = await verifyLaunch(token, registration, state, keys, now);
  const origins = originsOf([registration.issuer, registration.authorizationUrl, claims.returnUrl]);
  pageFrame.language = pageLanguages.find((claims.locale ?? "").replaceAll("_", "-")) ?? pageFrame.language;
  pageFrame.frameAncestors = origins;
  const taken = await takeLaunch(lti, registration, claims, origins, new Date(now), call.signal);
  const shown =
    claims.messageType === DEEP_LINK && taken.kind === "in course" && taken.role !== "learner"
      ? await placingPage(deps, pageFrame, registration, claims, taken, call.signal)
      : await launchedPage(deps, inbound, pageFrame, registration, taken);
  return { ...shown, cookies: [cookie.clear()] };
};

async function placingPage(
  { lti, site }: LtiEdgeDeps,
  { language }: LtiPageFrame,
  registration: Registration,
  claims: LaunchClaims,
  { contextTitle, deployment }: Extract<LaunchResult, { readonly kind: "in course" }>,
  signal: AbortSignal,
): Promise<LtiAnswer> {
  const link = await deepLinkOf(lti, registration, claims, language.ltiCourse, signal);
  return {
    page: deepLinkPage(site, language, contextTitle, link),
    frameAncestors: deployment.frameOrigins,
    formTarget: new URL(link.returnUrl).origin,
  };
}

async function launchedPage(
  deps: LtiEdgeDeps,
  inbound: Inbound,
  pageFrame: LtiPageFrame,
  registration: Registration,
  taken: LaunchResult,
): Promise<LtiAnswer> {
  const { site } = deps;
  const say = (status: number, sentence: LtiSentence): LtiAnswer => ({
    status,
    page: sentencePage(site, pageFrame.language, sentence),
  });
  if (taken.kind === "not accepted") {
    if (taken.state === "pending") return say(403, "ltiPending");
    throw refusal(
      "An administrator of this service has refused this deployment of the platform (deployment_id).",
    );
  }
  pageFrame.frameAncestors = taken.deployment.frameOrigins;
  if (taken.kind === "no course") return say(200, "ltiNoCourse");
  if (taken.kind === "unknown person") return say(200, "ltiUnknownPerson");
  if (taken.kind === "erased") return say(403, "ltiErased");
  const { contextKey, contextTitle, deployment, role, username } = taken;
  if (role === "learner") {
    const grant = {
      registrationId: registration.id,
      deploymentId: deployment.deploymentId,
      decision: registration.decision,
      username,
      contextKey,
      contextTitle,
      language: pageFrame.language.tag,
    };
    return learnersPage(deps, inbound, pageFrame, grant);
  }
  if (taken.signInLink === undefined) return say(200, "ltiNoRole");
  return { page: teacherPage(site, pageFrame.language, contextTitle, taken.signInLink) };
}

function refusedByPlatform(
  { site }: LtiEdgeDeps,
  { language }: LtiPageFrame,
  error: string,
  description: string,
): LtiAnswer {
  if (error === "login_required") return { status: 403, page: sentencePage(site, language, "ltiSignIn") };
  throw refusal(`The platform has refused the launch: ${printable(`${error} ${description}`.trim(), 300)}`);
}

function storageOf({
  state,
  registration,
}: Pick<StartedLogin, "registration"> & { readonly state: LoginState }) {
  const origin = new URL(registration.authorizationUrl).origin;
  return { frame: state.storage, origin, key: `lc_lti_${state.id}` };
}

async function originsOfPlatform(
  { database }: Lti,
  { id, issuer, authorizationUrl }: Registration,
): Promise<readonly string[]> {
  const deployments = await listDeployments(database.knex, id);
  const accepted = deployments.filter(({ state }) => state === "accepted");
  return originsOf([issuer, authorizationUrl, ...accepted.flatMap(({ frameOrigins }) => frameOrigins)]);
}
