import { useQuery } from "@connectrpc/connect-query";
import type { CredentialConfiguration } from "#gen/learning_credentials/v1/configuration_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { keyParts } from "../components/key-parts.js";

/** Maximum page size of the service. If there are more configurations, they can be opened from their contexts. */
const MOST = 1000;
const FRESH_MS = 60_000;

/** A configuration with its names. */
export type NamedConfiguration = Pick<
  CredentialConfiguration,
  "id" | "credentialTypeId" | "credentialTypeName" | "learningContextKey" | "learningContextName"
>;

/** All configurations, by context. */
export function useConfigurations(isEnabled = true) {
  const { data, error } = useQuery(
    ConfigurationService.method.listCredentialConfigurations,
    { pageSize: MOST },
    { staleTime: FRESH_MS, enabled: isEnabled },
  );
  return { all: data?.credentialConfigurations, error };
}

/** Returns the name of a course or learning path; without a record, the readable parts of its key. */
export function contextOf({
  learningContextName,
  learningContextKey,
}: Pick<NamedConfiguration, "learningContextName" | "learningContextKey">): string {
  return learningContextName || keyParts(learningContextKey);
}

/** Returns the display name of a configuration. */
export function titleOf(configuration: NamedConfiguration): string {
  return `${contextOf(configuration)} · ${configuration.credentialTypeName}`;
}

/** Returns the detail that distinguishes it from others with the same name. */
export function detailOf({ learningContextKey }: NamedConfiguration): string {
  return keyParts(learningContextKey);
}
