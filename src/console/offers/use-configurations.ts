import { keyParts } from "#foundation/text/key-parts.js";
import type { CredentialConfiguration } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { useAllPages } from "../service/all-pages.js";

const STALE_AFTER_MS = 60_000;

export type NamedConfiguration = Pick<
  CredentialConfiguration,
  "id" | "credentialTypeId" | "credentialTypeName" | "learningContextKey" | "learningContextName"
>;

export function useConfigurations(isEnabled = true) {
  const { data, error, refetch } = useAllPages(
    ConfigurationService.method.listCredentialConfigurations,
    (page) => page.credentialConfigurations,
    { staleTime: STALE_AFTER_MS, enabled: isEnabled },
  );
  return { all: data, error, refetch };
}

/** Returns the name of a course or learning path. If it has no record, returns the readable parts of its key. */
export function contextNameOf({
  learningContextName,
  learningContextKey,
}: Pick<NamedConfiguration, "learningContextName" | "learningContextKey">): string {
  return learningContextName || keyParts(learningContextKey);
}

export function titleOf(configuration: NamedConfiguration): string {
  return `${contextNameOf(configuration)} · ${configuration.credentialTypeName}`;
}

/** Returns a text that distinguishes a configuration from others with the same name. */
export function detailOf({ learningContextKey }: NamedConfiguration): string {
  return keyParts(learningContextKey);
}
