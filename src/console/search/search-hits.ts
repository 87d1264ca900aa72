import { createClient, type Transport } from "@connectrpc/connect";
import { keyParts } from "#foundation/text/key-parts.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { containsUuid } from "../components/contains-uuid.js";
import { hasWords } from "../components/has-words.js";
import { shownStatusOf } from "../components/status.js";
import type { StatusName } from "../components/status-name.js";
import type { useDestinations } from "../components/use-destinations.js";
import { readAllPages } from "../service/all-pages.js";

export type SearchHit = {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
} & (
  | { readonly kind: "credential"; readonly uuid: string; readonly status: StatusName }
  | { readonly kind: "learner"; readonly username: string }
  | { readonly kind: "context"; readonly key: string }
  | { readonly kind: "type"; readonly typeId: number }
  | { readonly kind: "page"; readonly to: Destination["to"] }
);

export type Destination = Pick<ReturnType<typeof useDestinations>[number], "to" | "label">;

const { listCredentialTypes } = ConfigurationService.method;

const MAX_HITS_PER_KIND = 6;

/** Searches for everything that a text may mean. The calls run at the same time. */
export async function findHits(
  transport: Transport,
  query: string,
  pages: readonly Destination[],
  signal: AbortSignal,
): Promise<SearchHit[]> {
  const request = { query, pageSize: MAX_HITS_PER_KIND };
  const records = createClient(LearnerRecordService, transport);
  // Only credentials have a UUID.
  const isUuid = containsUuid(query);
  const [credentials, learners, contexts, types] = await Promise.all([
    createClient(CredentialService, transport).searchCredentials(request, { signal }),
    isUuid ? undefined : records.searchLearners(request, { signal }),
    isUuid ? undefined : records.listLearningContexts(request, { signal }),
    isUuid ? [] : readAllPages(transport, listCredentialTypes, (page) => page.credentialTypes, signal),
  ]);
  return [
    ...credentials.credentials.map(
      (each): SearchHit => ({
        kind: "credential",
        id: `credential-${each.uuid}`,
        uuid: each.uuid,
        title: each.userFullName || each.username,
        detail: `${each.credentialType} · ${each.learningContextName}`,
        status: shownStatusOf(each),
      }),
    ),
    ...(learners?.learners ?? []).map(
      ({ learner }): SearchHit => ({
        kind: "learner",
        id: `learner-${learner?.username}`,
        username: learner?.username ?? "",
        title: learner?.fullName || learner?.username || "",
        detail: [learner?.username, learner?.email].filter(Boolean).join(" · "),
      }),
    ),
    ...(contexts?.contexts ?? []).map(
      (each): SearchHit => ({
        kind: "context",
        id: `context-${each.learningContextKey}`,
        key: each.learningContextKey,
        title: each.displayName || each.learningContextKey,
        detail: keyParts(each.learningContextKey),
      }),
    ),
    ...types
      .filter(({ name }) => hasWords(name, query))
      .slice(0, MAX_HITS_PER_KIND)
      .map(
        ({ id, name }): SearchHit => ({
          kind: "type",
          id: `type-${id}`,
          typeId: id,
          title: name,
          detail: "",
        }),
      ),
    ...pages
      .filter(({ label }) => hasWords(label, query))
      .map(({ to, label }): SearchHit => ({ kind: "page", id: `page-${to}`, to, title: label, detail: "" })),
  ];
}
