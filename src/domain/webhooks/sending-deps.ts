import type { Tracing } from "#foundation/tracing/tracing.js";
import type { Database } from "#infrastructure/db/database.js";
import { createAddressRule } from "#infrastructure/outbound/address-rule.js";
import { createResolveName } from "#infrastructure/outbound/resolve-name.js";
import type { WebhookSendingDeps } from "./delivery-deps.js";

export function sendingDepsOf({
  database,
  config,
  secrets,
  publicUrl,
  tracing,
}: {
  readonly database: Database;
  readonly config: { readonly webhookAllowedNetworks: readonly string[] };
  readonly secrets: { readonly webhookSecrets: readonly string[] };
  readonly publicUrl: string;
  readonly tracing: Tracing | undefined;
}): WebhookSendingDeps {
  const rule = createAddressRule(config.webhookAllowedNetworks);
  return {
    database,
    serviceSecrets: secrets.webhookSecrets,
    publicUrl,
    tracer: tracing?.tracer,
    posting: { rule, resolveName: createResolveName() },
  };
}
