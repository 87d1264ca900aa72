import { Problem } from "#foundation/errors.js";
import type { Knex } from "#infrastructure/db/query.js";
import type { User } from "#infrastructure/identity/caller.js";
import { createAddressRule } from "#infrastructure/outbound/address-rule.js";
import { createResolveName } from "#infrastructure/outbound/resolve-name.js";
import { createSendRequest, type SendRequestDeps } from "#infrastructure/outbound/send-request.js";
import type { Lti } from "./lti.js";
import { readPageToken } from "./page-token.js";
import { createPlatformKeys } from "./platform-keys.js";
import { createCallService } from "./platform-services.js";
import { findDeployment, findRegistration } from "./registration-store.js";
import { createToolKeys } from "./tool-keys.js";

export function openLti({
  allowedNetworks,
  ...rest
}: Pick<Lti, "database" | "secrets" | "publicUrl"> & {
  readonly allowedNetworks: readonly string[];
}): Lti {
  const { database, secrets } = rest;
  const rule = createAddressRule(allowedNetworks, "LTI_ALLOWED_NETWORKS");
  const deps: SendRequestDeps = { rule, resolveName: createResolveName() };
  const sendRequest = createSendRequest(deps);
  const toolKeys = createToolKeys(database, secrets);
  return {
    ...rest,
    sendRequest,
    callService: createCallService(sendRequest, toolKeys),
    toolKeys,
    platformKeys: createPlatformKeys(sendRequest),
    callerOfPage: (token) => callerOfPage(database.knex, secrets, token),
    now: Date.now,
  };
}

async function callerOfPage(knex: Knex, secrets: readonly string[], token: string): Promise<User> {
  const grant = readPageToken(secrets, token, Date.now());
  const registration = grant && (await findRegistration(knex, grant.registrationId));
  const deployment = grant && (await findDeployment(knex, grant.registrationId, grant.deploymentId));
  const isCurrent = registration?.state === "accepted" && registration.decision === grant?.decision;
  if (!isCurrent || deployment?.state !== "accepted")
    throw new Problem("unauthenticated", "This page is no longer valid: open it in the course again.");
  const { username, expiresAt } = grant as NonNullable<typeof grant>;
  return { kind: "user", username, isStaff: false, roles: [], expiresAt };
}
