import type { IncomingMessage, ServerResponse } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Logger } from "pino";
import type { Call } from "#api/pipeline/handlers.js";
import type { Inbound } from "#api/pipeline/inbound.js";
import { recordAct } from "#api/pipeline/recording.js";
import { beginLogin, findLogin, LAUNCH_PATH, type StartedLogin } from "#domain/lti/begin-login.js";
import type { LaunchClaims } from "#domain/lti/claims.js";
import { deepLinkOf } from "#domain/lti/deep-link.js";
import { inviterOf, readPlatform, registerDynamically } from "#domain/lti/dynamic-registration.js";
import { isDigestOf, type LoginState } from "#domain/lti/login-state.js";
import type { Lti } from "#domain/lti/lti.js";
import { originsOf } from "#domain/lti/manage-registrations.js";
import { type PageGrant, readPageToken, writePageToken } from "#domain/lti/page-token.js";
import type { Registration } from "#domain/lti/registration.js";
import { findDeployment, listDeployments } from "#domain/lti/registration-store.js";
import { type LaunchResult, takeLaunch } from "#domain/lti/take-launch.js";
import { DEEP_LINK, refusal, verifyLaunch } from "#domain/lti/verify-launch.js";
import { invalid, Problem, printable } from "#foundation/errors.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { ltiStorageScript } from "#gen/pages/lti-storage-script.js";
import type { AuditTrail } from "#infrastructure/audit/audit-trail.js";
import { COMMAND_LINE } from "#infrastructure/identity/actors.js";
import { callMethod } from "../http/call-method.js";
import type { Html } from "../http/html.js";
import { httpStatusOf } from "../http/http-status.js";
import type { Exchange, HttpRoute } from "../http/routes.js";
import { isSameOrigin } from "../http/same-origin.js";
import { sendAnswer } from "../http/send-answer.js";
import { mediaTypeOf, readSmallBody } from "../http/small-body.js";
import { type ClaimOutcome, claimByForm } from "../pages/claim.js";
import { sealPicture } from "../pages/icons.js";
import { languages, type PageLanguage } from "../pages/languages.js";
import { negotiateLanguage } from "../pages/negotiate-language.js";
import type { PageDeps } from "../pages/page-route.js";
import { sendPage, sendRedirect } from "../pages/send-page.js";
import { loginCookie } from "./login-cookie.js";
import {
  deepLinkPage,
  findingPage,
  type LtiSentence,
  learnerPage,
  newTabPage,
  registeredPage,
  registrationPage,
  sentencePage,
  storagePage,
  teacherPage,
} from "./lti-pages.js";

interface LtiEdgeDeps extends PageDeps {
  readonly lti: Lti;
  readonly audit: AuditTrail;
  readonly log: Logger;
}

interface Answer {
  /** By default 200. */
  readonly status?: number;
  readonly page: Html;
  /** Origins whose pages may frame the page; by default those in `PageFrame`. */
  readonly frameAncestors?: readonly string[];
  readonly formTarget?: string;
  readonly sendsRequests?: boolean;
  readonly cookies?: readonly string[];
}

const ICON_PATH = "/lti/icon.svg";

/**
 * The language and frame origins of the response. They are set while the request is being handled, and error pages use
 * them, too.
 */
interface PageFrame {
  language: PageLanguage;
  frameAncestors: readonly string[];
}

type Work = (
  deps: LtiEdgeDeps,
  exchange: Exchange,
  call: Call,
  pageFrame: PageFrame,
) => Promise<Answer | URL>;

/**
 * The routes for LTI 1.3: `/lti/login`, `/lti/launch`, `/lti/jwks` and `/lti/register`. `/lti/progress` and
 * `/lti/claim` serve the framed page of a learner. None of the routes reads or sets a session.
 */
export function ltiRoutes(deps: LtiEdgeDeps): HttpRoute[] {
  const page = (path: string, methods: readonly string[], work: Work): HttpRoute => ({
    path,
    methods,
    answer: (exchange) => answer(deps, path, work, exchange),
    refuse: ({ request, response }, { status, message }) =>
      sendPage(response, status, sentencePage(deps.site, languageOf(deps, request), undefined, message)),
  });
  return [
    page("/lti/login", ["GET", "POST"], login),
    page(LAUNCH_PATH, ["POST"], launch),
    page("/lti/progress", ["POST"], progress),
    page("/lti/claim", ["POST"], claim),
    page("/lti/register", ["GET", "POST"], register),
    {
      path: "/lti/jwks",
      async answer({ response, inbound }) {
        const visit = deps.pipeline.visit({ name: "GET /lti/jwks", kind: "unary" }, inbound, ({ signal }) =>
          deps.lti.toolKeys.published(signal),
        );
        sendAnswer(response, {
          contentType: "application/json",
          headers: ["Cache-Control", "public, max-age=300"],
          body: JSON.stringify(await visit),
        });
      },
    },
    {
      path: ICON_PATH,
      answer({ response }) {
        sendAnswer(response, {
          contentType: "image/svg+xml",
          // Pages of the platform embed the icon.
          headers: ["Cache-Control", "public, max-age=3600", "Cross-Origin-Resource-Policy", "cross-origin"],
          body: sealPicture,
        });
      },
    },
    {
      path: "/lti/lti.js",
      answer({ response }) {
        sendAnswer(response, {
          contentType: "text/javascript; charset=utf-8",
          headers: ["Cache-Control", "public, max-age=3600"],
          body: ltiStorageScript,
        });
      },
    },
  ];
}

async function answer(deps: LtiEdgeDeps, path: string, work: Work, exchange: Exchange): Promise<void> {
  const { request, response, inbound } = exchange;
  const pageFrame: PageFrame = { language: languageOf(deps, request), frameAncestors: [] };
  const name = `${request.method} ${path}`;
  try {
    const found = await deps.pipeline.visit({ name, kind: "unary" }, inbound, (call) =>
      work(deps, exchange, call, pageFrame),
    );
    if (response.destroyed) return;
    if (found instanceof URL) sendRedirect(response, 302, found.href);
    else send(response, { frameAncestors: pageFrame.frameAncestors, ...found });
  } catch (error) {
    const { sentence, reason, status } = failureOf(error);
    if (reason !== undefined) deps.log.warn({ path, reason }, "LTI launch refused");
    const shown = sentencePage(deps.site, pageFrame.language, sentence, reason);
    sendPage(response, status, shown, { frameAncestors: pageFrame.frameAncestors });
  }
}

function send(response: ServerResponse, { status = 200, page, cookies = [], ...loaded }: Answer): void {
  if (cookies.length > 0) response.setHeader("set-cookie", [...cookies]);
  sendPage(response, status, page, loaded);
}

interface Failure {
  readonly status: number;
  readonly sentence: LtiSentence | undefined;
  readonly reason: string | undefined;
}

function failureOf(error: unknown): Failure {
  const failure = ConnectError.from(error);
  const status = httpStatusOf(failure);
  const facts = failure.cause instanceof Problem ? failure.cause.facts : undefined;
  if (facts?.launch === "no invitation") return { status, sentence: "ltiInvitation", reason: undefined };
  if (failure.code === Code.Unauthenticated) return { status, sentence: "ltiExpired", reason: undefined };
  if (failure.cause instanceof Problem && status < 500 && status !== 429)
    return { status, sentence: undefined, reason: failure.rawMessage };
  if (failure.code === Code.Unavailable)
    return { status, sentence: "outOfReach", reason: failure.rawMessage };
  return { status, sentence: status === 500 ? "fault" : "outOfReach", reason: undefined };
}

const login: Work = async ({ lti, site }, { request, response, query }, _, pageFrame) => {
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

const launch: Work = async (deps, { request, inbound }, call, pageFrame) => {
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
  pageFrame.language = languages.find((claims.locale ?? "").replaceAll("_", "-")) ?? pageFrame.language;
  pageFrame.frameAncestors = origins;
  const taken = await takeLaunch(lti, registration, claims, origins, new Date(now), call.signal);
  const shown =
    claims.messageType === DEEP_LINK && taken.kind === "in course" && taken.role !== "learner"
      ? await placingPage(deps, pageFrame, registration, claims, taken, call.signal)
      : await launchedPage(deps, inbound, pageFrame, registration, taken);
  return { ...shown, cookies: [cookie.clear()] };
};

const progress: Work = async (deps, { request, inbound }, _, pageFrame) => {
  const { grant } = await readGrant(deps, await readForm(request), pageFrame);
  return learnersPage(deps, inbound, pageFrame, grant);
};

/** Claims a credential for the learner. The form contains a token, which pages of other sites don't have. */
const claim: Work = async (deps, { request, inbound }, _, pageFrame) => {
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
  pageFrame: PageFrame,
): Promise<{ readonly grant: PageGrant; readonly token: string }> {
  const token = form.get("token") ?? "";
  const grant = readPageToken(lti.secrets, token, lti.now());
  const deployment =
    grant && (await findDeployment(lti.database.knex, grant.registrationId, grant.deploymentId));
  if (!grant || !deployment) throw new Problem("unauthenticated", "The page's token has expired.");
  pageFrame.language = languages.find(grant.language) ?? pageFrame.language;
  pageFrame.frameAncestors = deployment.frameOrigins;
  return { grant, token };
}

const register: Work = async ({ lti, site, audit }, { request, query }, call, pageFrame) => {
  const registrationParameters =
    request.method === "POST" ? await readForm(request) : new URLSearchParams(query);
  const invitation = registrationParameters.get("invitation") ?? "";
  const configurationUrl = registrationParameters.get("openid_configuration") ?? "";
  const token = registrationParameters.get("registration_token") ?? "";
  // The platform's origin isn't known yet, so any HTTPS page may frame this one. The URL is secret.
  const frameAncestors = ["https:", new URL(site.publicUrl).origin];
  pageFrame.frameAncestors = frameAncestors;
  if (request.method !== "POST") {
    const { issuer } = await readPlatform(lti, invitation, configurationUrl);
    const fields = { invitation, openid_configuration: configurationUrl, registration_token: token };
    const page = registrationPage(site, pageFrame.language, new URL(issuer).host, fields);
    return { page, frameAncestors };
  }
  const inviter = await inviterOf(lti, invitation);
  const entry = {
    caller: { kind: inviter === COMMAND_LINE.name ? "command line" : "staff", name: inviter },
    method: "POST /lti/register",
    requestId: call.requestId,
    source: call.client,
    learners: [],
    others: [],
  } as const;
  await recordAct(audit, entry, call.signal, async (concerns) => {
    const platform = await registerDynamically(
      lti,
      invitation,
      configurationUrl,
      token,
      { name: site.platformName, description: pageFrame.language.ltiCourse, iconPath: ICON_PATH },
      call.signal,
    );
    await concerns({ others: [`platform:${platform}`] });
  });
  return { page: registeredPage(site, pageFrame.language), frameAncestors, sendsRequests: true };
};

async function placingPage(
  { lti, site }: LtiEdgeDeps,
  { language }: PageFrame,
  registration: Registration,
  claims: LaunchClaims,
  { contextTitle, deployment }: Extract<LaunchResult, { readonly kind: "in course" }>,
  signal: AbortSignal,
): Promise<Answer> {
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
  pageFrame: PageFrame,
  registration: Registration,
  taken: LaunchResult,
): Promise<Answer> {
  const { site } = deps;
  const say = (status: number, sentence: LtiSentence): Answer => ({
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

async function learnersPage(
  { lti, site, pipeline }: LtiEdgeDeps,
  inbound: Inbound,
  { language }: PageFrame,
  grant: Omit<PageGrant, "expiresAt">,
  outcome?: ClaimOutcome,
): Promise<Answer> {
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

function refusedByPlatform(
  { site }: LtiEdgeDeps,
  { language }: PageFrame,
  error: string,
  description: string,
): Answer {
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

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  if (mediaTypeOf(request) !== "application/x-www-form-urlencoded")
    throw invalid("The request must be a form: application/x-www-form-urlencoded.");
  return new URLSearchParams(await readSmallBody(request));
}

function languageOf({ site }: LtiEdgeDeps, request: IncomingMessage): PageLanguage {
  return negotiateLanguage(request, site.language).language;
}
