import type { Database } from "../db/database.js";
import { failedPrecondition, Problem } from "../errors.js";
import type { User } from "../identity/caller.js";
import type { ParsePlainRecord } from "../learners/plain-record.js";
import { createAddressRule } from "../outbound/address-rule.js";
import type { Ask } from "../outbound/ask.js";
import { type AskDeps, createAsk } from "../outbound/ask.js";
import { createResolveName } from "../outbound/resolve-name.js";
import { readPageToken } from "./page-token.js";
import { createPlatformKeys, type PlatformKeys } from "./platform-keys.js";
import { type AskService, createAskService } from "./platform-services.js";
import { findDeployment, findRegistration } from "./registration-store.js";
import { createToolKeys, type ToolKeys } from "./tool-keys.js";

/** What LTI needs of the service. It is open only where `LTI_SECRET` is set. */
export interface Lti {
  readonly database: Database;
  readonly parse: ParsePlainRecord;
  /** The first encrypts and signs, all of them decrypt and verify. */
  readonly secrets: readonly [string, ...string[]];
  readonly ask: Ask;
  readonly askService: AskService;
  readonly toolKeys: ToolKeys;
  readonly platformKeys: PlatformKeys;
  publicUrl(): string;
  /** Milliseconds since 1970. */
  now(): number;
}

/** @returns undefined if LTI is off */
export function openLti(
  {
    database,
    config,
    publicUrl,
  }: {
    readonly database: Database;
    readonly config: {
      readonly ltiSecrets: readonly string[];
      readonly ltiAllowedNetworks: readonly string[];
    };
    readonly publicUrl: { get(): string };
  },
  parse: ParsePlainRecord,
): Lti | undefined {
  const [first, ...earlier] = config.ltiSecrets;
  if (first === undefined) return undefined;
  const rule = createAddressRule(config.ltiAllowedNetworks, "LTI_ALLOWED_NETWORKS");
  const deps: AskDeps = { rule, resolveName: createResolveName() };
  const ask = createAsk(deps);
  const toolKeys = createToolKeys(database, config.ltiSecrets);
  return {
    database,
    parse,
    secrets: [first, ...earlier],
    ask,
    askService: createAskService(ask, toolKeys),
    toolKeys,
    platformKeys: createPlatformKeys(ask),
    publicUrl: publicUrl.get,
    now: Date.now,
  };
}

/** @throws Problem `failed-precondition` if LTI is off */
export function ltiOrRefuse(lti: Lti | undefined): Lti {
  if (lti) return lti;
  throw failedPrecondition("LTI is off: LTI_SECRET is not set.");
}

/**
 * Returns the learner to whom a page in a frame of a platform belongs, while the platform and the place are accepted.
 * @throws Problem `unauthenticated` if the token counts for nothing
 */
export async function callerOfPage({ database, secrets, now }: Lti, token: string): Promise<User> {
  const grant = readPageToken(secrets, token, now());
  const registration = grant && (await findRegistration(database.knex, grant.registrationId));
  const deployment = grant && (await findDeployment(database.knex, grant.registrationId, grant.deploymentId));
  if (registration?.state !== "accepted" || deployment?.state !== "accepted")
    throw new Problem("unauthenticated", "This page was opened too long ago: open it anew in the course.");
  const { username, expiresAt } = grant as NonNullable<typeof grant>;
  return { kind: "user", username, isStaff: false, roles: [], expiresAt };
}
