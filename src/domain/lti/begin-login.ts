import { invalid, Problem } from "#foundation/errors.js";
import { type LoginState, newLogin, readState, writeState } from "./login-state.js";
import type { Lti } from "./lti.js";
import type { Registration } from "./registration.js";
import { findByIssuer, findRegistration } from "./registration-store.js";
import { refusal } from "./verify-launch.js";

export const LAUNCH_PATH = "/lti/launch";

export interface StartedLogin {
  readonly registration: Registration;
  readonly state: LoginState;
  /** Must reach only the browser, in a cookie or in the platform's storage. */
  readonly browserSecret: string;
  readonly location: URL;
}

/** Maximum number of characters in a parameter. */
const MAX_PARAMETER = 4000;

/**
 * Starts a login.
 * @param query the parameters of the platform's request
 * @throws Problem `invalid` or `permission-denied`, saying what is wrong
 */
export async function beginLogin(lti: Lti, query: URLSearchParams): Promise<StartedLogin> {
  const parameter = (name: string) => {
    const value = query.get(name) ?? "";
    if (value.length > MAX_PARAMETER) throw invalid(`${name} has more than ${MAX_PARAMETER} characters.`);
    if (/\p{Cc}/u.test(value)) throw invalid(`${name} contains a control character.`);
    return value;
  };
  const required = (name: string) => {
    const value = parameter(name);
    if (value === "") throw invalid(`The platform started a login without ${name}.`);
    return value;
  };
  const issuer = required("iss");
  const loginHint = required("login_hint");
  const target = required("target_link_uri");
  const registration = await findPlatform(lti, issuer, parameter("client_id"));
  if (!isOwnPage(target, lti.publicUrl))
    throw refusal("The platform requested a URL that doesn't belong to this service (target_link_uri).");
  const storage = parameter("lti_storage_target");
  const restart = new URLSearchParams(
    ["iss", "login_hint", "target_link_uri", "lti_message_hint", "client_id", "lti_deployment_id"].flatMap(
      (name) => {
        const value = query.get(name);
        return value === null ? [] : [[name, value] as [string, string]];
      },
    ),
  ).toString();
  const { state, browserSecret } = newLogin(
    { registrationId: registration.id, target, storage: isFrameName(storage) ? storage : "", restart },
    lti.now(),
  );
  const location = new URL(registration.authorizationUrl);
  const hint = query.get("lti_message_hint");
  const parameters = {
    scope: "openid",
    response_type: "id_token",
    response_mode: "form_post",
    prompt: "none",
    client_id: registration.clientId,
    redirect_uri: `${lti.publicUrl}${LAUNCH_PATH}`,
    state: writeState(lti.secrets[0], state),
    nonce: state.nonce,
    login_hint: loginHint,
    ...(hint !== null && { lti_message_hint: hint }),
  };
  for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value);
  return { registration, state, browserSecret, location };
}

/**
 * Reads the login state of a launch.
 * @throws Problem `permission-denied` if this service didn't start the login, or started it too long ago, or if the
 * platform is not accepted; `not-found` if the platform is not registered
 */
export async function findLogin(
  lti: Lti,
  text: string,
): Promise<{ readonly state: LoginState; readonly registration: Registration }> {
  const state = readState(lti.secrets, text, lti.now());
  if (!state) throw refusal("The launch doesn't belong to a login of the last ten minutes (state).");
  const registration = await findRegistration(lti.database.knex, state.registrationId);
  return { state, registration: checkAccepted(registration) };
}

async function findPlatform({ database }: Lti, issuer: string, clientId: string): Promise<Registration> {
  const found = await findByIssuer(database.knex, issuer, clientId === "" ? undefined : clientId);
  if (found.length > 1)
    throw refusal(
      "The platform has several client IDs for this service, and doesn't say which one this login is for (client_id).",
    );
  return checkAccepted(found[0]);
}

function checkAccepted(registration: Registration | undefined): Registration {
  if (!registration)
    throw new Problem("not-found", "This platform is not registered here (iss, client_id).", {
      facts: { launch: "refused" },
    });
  if (registration.state === "accepted") return registration;
  throw refusal(
    registration.state === "pending"
      ? "This platform is registered, but an administrator of this service has not accepted it yet."
      : "An administrator of this service has refused this platform.",
  );
}

/** Returns whether a URL is an LTI page of this service. */
function isOwnPage(target: string, publicUrl: string): boolean {
  if (!URL.canParse(target)) return false;
  const { origin, pathname, username, password } = new URL(target);
  const base = new URL(`${publicUrl}/lti/`);
  return origin === base.origin && pathname.startsWith(base.pathname) && username === "" && password === "";
}

/** Returns whether a script can look up a frame by this name. */
function isFrameName(text: string): boolean {
  return /^[\w-]{1,100}$/.test(text);
}
