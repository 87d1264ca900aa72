import { invalidField } from "#foundation/errors.js";
import { isObject } from "#foundation/text/is-object.js";
import type { StaffClaims } from "#infrastructure/identity/claims.js";
import {
  boundedBy,
  discoverProvider,
  type FetchAnswer,
  fetchAnywhere,
  type ProviderMetadata,
  type ProviderSettings,
} from "#infrastructure/identity/sign-in-provider.js";
import { describeFault } from "#infrastructure/outbound/describe-fault.js";
import type { GuardedFetch } from "#infrastructure/outbound/guarded-fetch.js";
import { type Config, claimName, oauthScope, privateOrNone, providerUrl } from "./config.js";
import {
  optional,
  type ServiceSettingType,
  type SettingCheck,
  settingOptions,
  settingText,
} from "./service-setting.js";

export interface SignInSetting {
  readonly provider: ProviderSettings;
  readonly claims: StaffClaims;
  /** Sends requests to the provider. By default without restrictions, because the environment names the provider. */
  readonly fetchAnswer?: FetchAnswer | undefined;
}

/** The options, and the function that reads their values. */
export const signInOptions = settingOptions({
  issuer: ["text", providerUrl, { isAddress: true }],
  client_id: ["text", settingText],
  client_secret: ["secret", settingText],
  scope: ["text", oauthScope.default("openid profile email")],
  roles_claim: ["text", optional(claimName)],
  organisations_claim: ["text", optional(claimName)],
  end_session_url: ["text", optional(privateOrNone)],
});

/** The OpenID Connect provider through which staff sign in. */
export function signInSetting(
  { auth, signInProvider, shownSettings }: Pick<Config, "auth" | "signInProvider" | "shownSettings">,
  publicUrl: string,
  guardedFetch: GuardedFetch,
): ServiceSettingType<SignInSetting> {
  const fetchAnswer: FetchAnswer = (url, { method, headers, body, signal }) =>
    guardedFetch(url, {
      method,
      headers,
      ...(body instanceof URLSearchParams && { body }),
      signal: signal ?? AbortSignal.timeout(TIMEOUT_MS),
    }).catch((cause: unknown) => {
      throw new TypeError("the request failed", { cause }); // the same kind of error as `fetch` throws
    });
  return {
    name: "sign_in",
    options: signInOptions.options,
    fromEnvironment: signInProvider && { provider: signInProvider, claims: auth },
    variables: signInProvider
      ? [...shownSettings.keys()].filter((name) => /^(?:OIDC_|OPENEDX_URL$)/.test(name))
      : [],
    ownUrls: [`${publicUrl}/console/sign-in/callback`, `${publicUrl}/console/`],
    read(values, secrets) {
      const { issuer, client_id, client_secret, scope, ...rest } = signInOptions.read(values, secrets);
      for (const [name, variable, set] of [
        ["roles_claim", "AUTH_JWT_ROLES_CLAIM", auth.rolesClaim],
        ["organisations_claim", "AUTH_JWT_ORGANISATIONS_CLAIM", auth.organisationsClaim],
      ] as const)
        if (set !== undefined && rest[name] !== undefined && rest[name] !== set)
          throw invalidField(
            `options.${name}`,
            `options.${name} can't be set, because ${variable} is set in the environment: leave it empty.`,
          );
      const provider = {
        kind: "openid" as const,
        url: issuer,
        clientId: client_id,
        clientSecret: client_secret,
        scope,
        endSessionUrl: rest.end_session_url,
      };
      const claims = {
        ...auth,
        rolesClaim: auth.rolesClaim ?? rest.roles_claim,
        organisationsClaim: auth.organisationsClaim ?? rest.organisations_claim,
      };
      return { provider, claims, fetchAnswer };
    },
    check: ({ provider, fetchAnswer: answer = fetchAnywhere }) => checkProvider(provider, answer),
  };
}

const TIMEOUT_MS = 5000;

/**
 * Checks the metadata and the keys of a provider. Doesn't check the client ID and secret, because that requires signing
 * in.
 */
async function checkProvider(provider: ProviderSettings, fetchAnswer: FetchAnswer): Promise<SettingCheck[]> {
  if (provider.kind !== "openid")
    return [
      {
        what: "metadata",
        outcome: "warning",
        text: "Open edX publishes no metadata: sign in to check the setting",
        reason: "no_metadata",
      },
    ];
  let fault: unknown;
  const noting = boundedBy((url, request) =>
    fetchAnswer(url, request).catch((error: unknown) => {
      fault = error;
      throw error;
    }),
  );
  /** Connection errors are described by this service; other errors have the message of the library. */
  const failed = (what: "metadata" | "keys", error: unknown): SettingCheck => {
    const detail =
      fault === undefined ? (error as Error).message : describeFault((fault as Error).cause ?? fault);
    const reason = `${what}_${fault === undefined ? "unusable" : "unreachable"}`;
    return { what, outcome: "failed", text: detail, reason, detail };
  };
  let metadata: ProviderMetadata;
  try {
    metadata = await discoverProvider(provider, noting);
  } catch (error) {
    return [failed("metadata", error)];
  }
  const { jwks_uri = "", end_session_endpoint } = metadata;
  const checks: SettingCheck[] = [
    ok("metadata", "metadata_read", "read from", provider.url),
    checkEndpoints(metadata),
    await readKeys(noting, jwks_uri).then(
      (keys) =>
        keys > 0
          ? ok("keys", "keys_read", `${keys} published at`, jwks_uri)
          : { ...ok("keys", "keys_missing", "no keys at", jwks_uri), outcome: "failed" },
      (error: unknown) => failed("keys", error),
    ),
  ];
  if (end_session_endpoint === undefined && provider.endSessionUrl === undefined)
    checks.push({
      what: "signing out",
      outcome: "warning",
      text: "the provider has no end_session_endpoint, so signing out ends only the session here",
      reason: "no_sign_out",
    });
  return checks;
}

function checkEndpoints({
  authorization_endpoint = "",
  token_endpoint = "",
}: ProviderMetadata): SettingCheck {
  if ([authorization_endpoint, token_endpoint].every(isWebUrl))
    return ok("endpoints", "endpoints_found", "people are sent to", new URL(authorization_endpoint).origin);
  const text = "the metadata lacks authorization_endpoint or token_endpoint";
  return { what: "endpoints", outcome: "failed", text, reason: "endpoints_missing" };
}

function ok(what: string, reason: string, text: string, detail: string): SettingCheck {
  return { what, outcome: "ok", text: `${text} ${detail}`, reason, detail };
}

async function readKeys(fetchAnswer: FetchAnswer, url: string): Promise<number> {
  if (!isWebUrl(url)) throw new Error("the metadata has no jwks_uri");
  const response = await fetchAnswer(url, {
    method: "GET",
    headers: { accept: "application/json" },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = await response.json().catch(() => undefined);
  return isObject(answer) && Array.isArray(answer.keys) ? answer.keys.length : 0;
}

function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
