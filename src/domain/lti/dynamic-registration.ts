import { z } from "zod";
import { failedPrecondition, Problem, quoted } from "#foundation/errors.js";
import { inTransaction } from "#infrastructure/db/database.js";
import type { Knex } from "#infrastructure/db/query.js";
import type { SendRequest } from "#infrastructure/outbound/send-request.js";
import { hashOf } from "#infrastructure/sessions/sessions.js";
import { LAUNCH_PATH } from "./begin-login.js";
import type { Lti } from "./lti.js";
import { checkPlatformUrl, originsOf, registerPlatform } from "./manage-registrations.js";
import { jsonOf } from "./platform-services.js";
import { MEMBERS_SCOPE } from "./read-members.js";
import {
  decideDeployment,
  findInvitation,
  redeemInvitation,
  returnInvitation,
} from "./registration-store.js";
import { DEEP_LINK } from "./verify-launch.js";
import { COLUMN_SCOPES } from "./write-score.js";

const TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration";
const PLATFORM = "https://purl.imsglobal.org/spec/lti-platform-configuration";

type PlatformConfiguration = z.output<typeof configuration>;

/** A text that Postgres can store and people can compare: without control characters and unpaired surrogates. */
const plain = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !/\p{Cc}/u.test(text) && text.isWellFormed());

const configuration = z.object({
  issuer: plain(2000).min(1),
  authorization_endpoint: z.string().max(2000),
  token_endpoint: z.string().max(2000),
  jwks_uri: z.string().max(2000),
  registration_endpoint: z.string().max(2000),
  authorization_server: plain(2000).nullish(),
  [PLATFORM]: z
    .object({ product_family_code: plain(100).nullish() })
    .nullish()
    .catch(undefined),
});

const registered = z.object({
  client_id: z.union([plain(255).min(1), z.number().transform(String)]),
  [TOOL]: z
    .object({ deployment_id: z.union([plain(255), z.number().transform(String)]).nullish() })
    .nullish(),
});

/** Returns the creator of the invitation. @throws Problem `permission-denied` if the invitation is not valid */
export async function inviterOf({ database }: Lti, invitation: string): Promise<string> {
  const inviter = await findInvitation(database.knex, hashOf(invitation));
  if (inviter === undefined) throw noInvitation();
  return inviter;
}

/**
 * Reads a platform's description of itself. The invitation can still be used afterwards.
 * @throws Problem `permission-denied` if the invitation is not valid; `invalid`; `unavailable`
 */
export async function readPlatform(
  lti: Lti,
  invitation: string,
  configurationUrl: string,
): Promise<PlatformConfiguration> {
  await inviterOf(lti, invitation);
  const url = checkPlatformUrl("openid_configuration", configurationUrl);
  const { status, text } = await lti.sendRequest("The platform's configuration", url.href, {
    headers: { accept: "application/json" },
  });
  if (status !== 200)
    throw new Problem("unavailable", `The platform's configuration returned status ${status}.`);
  const parsed = configuration.safeParse(jsonOf(text));
  if (!parsed.success) throw malformed(faultIn("The platform's configuration", parsed.error));
  const issuer = checkPlatformUrl("issuer", parsed.data.issuer);
  if (!mayStateIssuer(url.hostname, issuer.hostname))
    throw malformed(
      `The platform's configuration comes from ${url.hostname}, but its issuer is ${quoted(issuer.hostname)}.`,
    );
  for (const field of [
    "authorization_endpoint",
    "token_endpoint",
    "jwks_uri",
    "registration_endpoint",
  ] as const)
    checkPlatformUrl(field, parsed.data[field]);
  return parsed.data;
}

/** The name, description and icon with which platforms show this service among their tools. */
interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly iconPath: string;
}

/**
 * Registers this service at a platform, and the platform here. The platform stays pending until an administrator
 * accepts it. A successful registration uses up the invitation.
 * @param token for the platform's registration endpoint; empty if it requires none
 * @returns the id of the platform
 */
export async function registerDynamically(
  lti: Lti,
  invitation: string,
  configurationUrl: string,
  token: string,
  look: ToolDescription,
  signal: AbortSignal,
): Promise<number> {
  const platform = await readPlatform(lti, invitation, configurationUrl);
  const { database, sendRequest, publicUrl } = lti;
  const taken = await redeemInvitation(database.knex, hashOf(invitation));
  if (!taken) throw noInvitation();
  try {
    const tool = toolRegistration(publicUrl, look);
    const answer = await postRegistration(sendRequest, platform, token, tool);
    return await inTransaction(database, signal, (transaction) =>
      storePlatform(transaction, platform, answer, taken.createdBy),
    );
  } catch (error) {
    // The invitation becomes valid again, so that the platform can retry.
    await returnInvitation(database.knex, hashOf(invitation), taken);
    throw error;
  }
}

async function storePlatform(
  transaction: Knex.Transaction,
  platform: PlatformConfiguration,
  answer: z.output<typeof registered>,
  createdBy: string,
): Promise<number> {
  const id = await registerPlatform(
    transaction,
    {
      issuer: platform.issuer,
      clientId: answer.client_id,
      name: platform[PLATFORM]?.product_family_code ?? "",
      authorizationUrl: platform.authorization_endpoint,
      tokenUrl: platform.token_endpoint,
      tokenAudience: platform.authorization_server ?? "",
      jwksUrl: platform.jwks_uri,
    },
    createdBy,
  );
  const deploymentId = answer[TOOL]?.deployment_id;
  if (deploymentId)
    await decideDeployment(
      transaction,
      id,
      deploymentId,
      "pending",
      originsOf([platform.issuer, platform.authorization_endpoint]),
    );
  return id;
}

const SCOPES = [MEMBERS_SCOPE, ...COLUMN_SCOPES];

function toolRegistration(
  publicUrl: string,
  { name: toolName, description, iconPath }: ToolDescription,
): object {
  const launch = `${publicUrl}${LAUNCH_PATH}`;
  return {
    application_type: "web",
    response_types: ["id_token"],
    grant_types: ["implicit", "client_credentials"],
    initiate_login_uri: `${publicUrl}/lti/login`,
    redirect_uris: [launch],
    client_name: toolName,
    logo_uri: `${publicUrl}${iconPath}`,
    jwks_uri: `${publicUrl}/lti/jwks`,
    token_endpoint_auth_method: "private_key_jwt",
    scope: SCOPES.join(" "),
    [TOOL]: {
      domain: new URL(publicUrl).host,
      description,
      target_link_uri: launch,
      claims: ["iss", "sub", "name", "given_name", "family_name", "email", "locale"],
      messages: [
        {
          type: "LtiResourceLinkRequest",
          target_link_uri: launch,
          label: toolName,
          placements: ["course_navigation"],
          "https://canvas.instructure.com/lti/privacy_level": "public",
        },
        {
          type: DEEP_LINK,
          target_link_uri: launch,
          label: toolName,
          placements: ["link_selection"],
        },
      ],
      "https://canvas.instructure.com/lti/privacy_level": "public",
    },
  };
}

async function postRegistration(
  sendRequest: SendRequest,
  platform: PlatformConfiguration,
  token: string,
  body: object,
): Promise<z.output<typeof registered>> {
  const { status, text } = await sendRequest(
    "The platform's registration service",
    platform.registration_endpoint,
    {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...(token !== "" && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    },
  );
  if (status < 200 || status > 299)
    throw failedPrecondition(
      `The platform rejected the registration with status ${status}: start again there, with the same link.`,
    );
  const parsed = registered.safeParse(jsonOf(text));
  if (!parsed.success)
    throw malformed(
      `${faultIn("The platform's response to the registration", parsed.error)} Remove the tool there, and start again with the same link.`,
    );
  return parsed.data;
}

/**
 * Returns whether a configuration at this host may state this issuer. Canvas Cloud uses different hosts for
 * configurations and issuers.
 */
function mayStateIssuer(host: string, issuer: string): boolean {
  return (
    host === issuer ||
    (/^sso(\.\w+)?\.canvaslms\.com$/.test(host) && /^canvas(\.\w+)?\.instructure\.com$/.test(issuer))
  );
}

function faultIn(what: string, { issues }: z.ZodError): string {
  const field = issues[0]?.path[0];
  return field === undefined ? `${what} is not a JSON object.` : `${what} has no valid ${String(field)}.`;
}

function malformed(message: string): Problem {
  return failedPrecondition(message);
}

function noInvitation(): Problem {
  return new Problem(
    "permission-denied",
    "This link was already used, has expired, or never existed: request a new one.",
    {
      facts: { launch: "no invitation" },
    },
  );
}
