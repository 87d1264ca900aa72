import type { Knex } from "knex";
import type { Database } from "../db/database.js";
import { Problem } from "../errors.js";
import type { User } from "../identity/caller.js";
import type { ParsePlainRecord } from "../learners/plain-record.js";
import { createAddressRule } from "../outbound/address-rule.js";
import { type AskDeps, createAsk } from "../outbound/ask.js";
import { createResolveName } from "../outbound/resolve-name.js";
import type { Lti } from "./lti.js";
import { readPageToken } from "./page-token.js";
import { createPlatformKeys } from "./platform-keys.js";
import { createAskService } from "./platform-services.js";
import { findDeployment, findRegistration } from "./registration-store.js";
import { createToolKeys } from "./tool-keys.js";

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
    callerOfPage: (token) => callerOfPage(database.knex, config.ltiSecrets, token),
    publicUrl: publicUrl.get,
    now: Date.now,
  };
}

async function callerOfPage(knex: Knex, secrets: readonly string[], token: string): Promise<User> {
  const grant = readPageToken(secrets, token, Date.now());
  const registration = grant && (await findRegistration(knex, grant.registrationId));
  const deployment = grant && (await findDeployment(knex, grant.registrationId, grant.deploymentId));
  if (registration?.state !== "accepted" || deployment?.state !== "accepted")
    throw new Problem("unauthenticated", "This page was opened too long ago: open it anew in the course.");
  const { username, expiresAt } = grant as NonNullable<typeof grant>;
  return { kind: "user", username, isStaff: false, roles: [], expiresAt };
}
