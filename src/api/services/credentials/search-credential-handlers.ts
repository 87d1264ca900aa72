import { create } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { findEmailStates } from "#domain/credentials/emails/email-states.js";
import { findInReview } from "#domain/credentials/reviews.js";
import type { CredentialSearch, SearchFilter } from "#domain/credentials/search/credential-search.js";
import { readSearchQuery } from "#domain/credentials/search/search-query.js";
import { countCredentials, searchCredentials } from "#domain/credentials/search/search-store.js";
import { parseLearningContextKey } from "#domain/learners/learning-context-key.js";
import type { Organisations } from "#domain/learners/organisations.js";
import { MAX_NAME, MAX_QUERY } from "#foundation/limits.js";
import { checkText } from "#foundation/text/check-text.js";
import {
  type CredentialSearchFilter,
  CredentialSearchFilterSchema,
  CredentialSearchStatus,
  CredentialSearchStatusSchema,
} from "#gen/learning_credentials/v1/credential_search_pb.js";
import type { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { type Database, inSearch } from "#infrastructure/db/database.js";
import { organisationsOf } from "#infrastructure/identity/caller.js";
import type { Call, Handlers } from "../../pipeline/handlers.js";
import { presentCredentialToStaff } from "../presentation/present.js";
import { checkId, checkUuid } from "../requests/check-request.js";
import { readPage } from "../requests/page.js";
import { numbersByName, parseEnum } from "../requests/parse-enum.js";
import { parseRange } from "../requests/timestamps.js";

export function searchHandlers({ database }: { database: Database }) {
  return {
    async searchCredentials(request, call) {
      const search = parseSearch(request, call);
      return inSearch(database, call.signal, async (transaction) => {
        const { shown, nextPageToken } = await readPage(request, ["search", search], ({ afterId, limit }) =>
          searchCredentials(transaction, search, afterId || Number.MAX_SAFE_INTEGER, limit),
        );
        const uuids = shown.map(({ uuid }) => uuid);
        const emails = await findEmailStates(transaction, uuids);
        const inReview = await findInReview(transaction, uuids);
        const credentials = shown.map((credential) => ({
          ...presentCredentialToStaff(credential, emails.get(credential.uuid)),
          needsReview: inReview.has(credential.uuid),
        }));
        return { credentials, nextPageToken };
      });
    },

    async countCredentials(request, call) {
      const search = parseSearch(request, call);
      const counts = await inSearch(database, call.signal, (transaction) =>
        countCredentials(transaction, search),
      );
      return {
        counts: counts.map(({ status, ...counted }) => ({
          status: presentedStatus[status],
          ...counted,
        })),
      };
    },
  } satisfies Partial<Handlers<typeof CredentialService>>;
}

const presentedStatus = numbersByName(CredentialSearchStatus);

function parseSearch(
  { query, filter }: { query: string; filter?: CredentialSearchFilter | undefined },
  { caller }: Call,
): CredentialSearch {
  checkText("query", query, { min: 0, max: MAX_QUERY });
  return {
    query: readSearchQuery(query),
    filter: parseFilter(filter ?? create(CredentialSearchFilterSchema), organisationsOf(caller)),
  };
}

/** The fields that all credential filters have in common. */
interface GivenFilter
  extends Pick<
    CredentialSearchFilter,
    "username" | "learningContextKey" | "configurationId" | "issuanceRunId"
  > {
  readonly createStartTime?: Timestamp | undefined;
  readonly createEndTime?: Timestamp | undefined;
}

/** @throws Problem `invalid` that names the field */
export function parseCommonFilter(filter: GivenFilter) {
  const { username, learningContextKey, configurationId, issuanceRunId } = filter;
  checkText("filter.username", username, { min: 0, max: MAX_NAME });
  if (learningContextKey !== "") parseLearningContextKey(learningContextKey, "filter.learning_context_key");
  if (configurationId !== 0) checkId("filter.configuration_id", configurationId);
  if (issuanceRunId !== "") checkUuid("filter.issuance_run_id", issuanceRunId, "the id of a run, a UUID");
  const created = parseRange(
    "filter.",
    ["create_start_time", filter.createStartTime],
    ["create_end_time", filter.createEndTime],
  );
  return {
    username,
    learningContextKey,
    configurationId,
    runId: issuanceRunId === "" ? null : issuanceRunId,
    createdFrom: created.from,
    createdBefore: created.before,
  };
}

function parseFilter(filter: CredentialSearchFilter, organisations: Organisations): SearchFilter {
  const { credentialTypeId, statuses, issuedBy } = filter;
  checkText("filter.issued_by", issuedBy, { min: 0, max: MAX_NAME });
  if (credentialTypeId !== 0) checkId("filter.credential_type_id", credentialTypeId);
  const validUntil = parseRange(
    "filter.",
    ["expire_start_time", filter.expireStartTime],
    ["expire_end_time", filter.expireEndTime],
  );
  return {
    ...parseCommonFilter(filter),
    credentialTypeId,
    statuses: [...new Set(statuses)].map((status) =>
      parseEnum("filter.statuses", presentedStatus, status, CredentialSearchStatusSchema),
    ),
    validUntilFrom: validUntil.from,
    validUntilBefore: validUntil.before,
    issuedBy,
    needsReview: filter.needsReview,
    organisations,
  };
}
