import { create } from "@bufbuild/protobuf";
import { revokeDownloadLinks } from "#domain/credentials/download/revoke-download-links.js";
import type { CredentialSelection } from "#domain/credentials/invalidation/credential-selection.js";
import {
  type BulkInvalidation,
  invalidateCredentials,
} from "#domain/credentials/invalidation/invalidate-credentials.js";
import { reissueCredentials } from "#domain/credentials/invalidation/reissue-credentials.js";
import type { IssuingDeps } from "#domain/credentials/issuance/issuing-deps.js";
import { wrongField } from "#foundation/errors.js";
import { MAX_CREDENTIALS, MAX_REASON } from "#foundation/limits.js";
import { checkShownText } from "#foundation/text/check-text.js";
import {
  CredentialFilterSchema,
  type CredentialService,
  type InvalidateCredentialsRequest,
  type ReissueCredentialsRequest,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { actorOf } from "#infrastructure/identity/actors.js";
import { organisationsOf } from "#infrastructure/identity/caller.js";
import type { Call, Handlers } from "../../pipeline/handlers.js";
import { presentCredentialToStaff } from "../presentation/present.js";
import { checkUuid } from "../requests/check-request.js";
import { parseCommonFilter } from "./search-credential-handlers.js";

export function bulkHandlers(deps: IssuingDeps) {
  return {
    async revokeDownloadLinks({ uuid }, { caller, signal }) {
      const revocation = { uuid, revokedBy: actorOf(caller) };
      return presentCredentialToStaff(await revokeDownloadLinks(deps.database, revocation, signal));
    },

    async invalidateCredentials(request, call) {
      return invalidateCredentials(deps.database, parseBulk(request, call), call.signal);
    },

    async reissueCredentials(request, call) {
      return reissueCredentials(deps, parseBulk(request, call), call.signal);
    },
  } satisfies Partial<Handlers<typeof CredentialService>>;
}

function parseBulk(
  request: InvalidateCredentialsRequest | ReissueCredentialsRequest,
  { caller }: Call,
): BulkInvalidation {
  return {
    selection: { ...parseFilter(request.filter), organisations: organisationsOf(caller) },
    reason: checkShownText("reason", request.reason, { min: 1, max: MAX_REASON }),
    invalidatedBy: actorOf(caller),
    dryRun: request.dryRun,
    planHash: request.planHash,
    skipsEmail: request.skipEmail,
  };
}

/** Refuses an empty filter: omitting the filter by mistake must not select all credentials. */
function parseFilter(filter = create(CredentialFilterSchema)): CredentialSelection {
  const { uuids } = filter;
  const common = parseCommonFilter(filter);
  if (uuids.length === 0 && !Object.values(common).some(Boolean)) {
    throw wrongField(
      "filter",
      "is empty: set at least one of username, learning_context_key, configuration_id, issuance_run_id, " +
        "create_start_time, create_end_time and uuids.",
    );
  }
  return { ...common, uuids: uuids.length === 0 ? null : parseUuids(uuids) };
}

function parseUuids(uuids: readonly string[]): readonly string[] {
  if (uuids.length > MAX_CREDENTIALS) {
    throw wrongField(
      "filter.uuids",
      `has ${uuids.length} uuids; at most ${MAX_CREDENTIALS} are accepted: make several calls.`,
    );
  }
  return uuids.map((uuid, index) => checkUuid(`filter.uuids[${index}]`, uuid, "the uuid of a credential"));
}
