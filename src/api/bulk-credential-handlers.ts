import type {
  CredentialFilter,
  CredentialService,
} from "../../gen/learning_credentials/v1/credential_service_pb.js";
import { revokeDownloadLinks } from "../credentials/download/revoke-download-links.js";
import type { CredentialSelection } from "../credentials/invalidation/credential-selection.js";
import {
  type BulkInvalidation,
  invalidateCredentials,
} from "../credentials/invalidation/invalidate-credentials.js";
import { reissueCredentials } from "../credentials/invalidation/reissue-credentials.js";
import type { IssuingDeps } from "../credentials/issuance/issuing-deps.js";
import { isUuid } from "../credentials/uuid.js";
import { invalidField } from "../errors.js";
import { actorOf } from "../identity/actors.js";
import { organisationsOf } from "../identity/caller.js";
import { parseLearningContextKey } from "../learners/learning-context-key.js";
import type { Call, Handlers } from "../pipeline/handlers.js";
import { checkShownText, checkText } from "../text/check-text.js";
import { quoted } from "../text/quoted.js";
import { checkId } from "./check-request.js";
import { presentCredentialToStaff } from "./present.js";
import { parseMoment } from "./timestamps.js";

/** Maximum number of credentials that a filter names one by one. */
const MAX_UUIDS = 5000;

/** The methods of `CredentialService` that invalidate or reissue many credentials, or revoke links. */
export function bulkHandlers(
  deps: IssuingDeps,
): Pick<
  Handlers<typeof CredentialService>,
  "revokeDownloadLinks" | "invalidateCredentials" | "reissueCredentials"
> {
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
  };
}

function parseBulk(
  request: { filter?: CredentialFilter | undefined; reason: string; dryRun: boolean; planHash: string },
  { caller }: Call,
): BulkInvalidation {
  return {
    selection: { ...parseFilter(request.filter), organisations: organisationsOf(caller) },
    reason: checkShownText("reason", request.reason, { min: 1, max: 255 }),
    invalidatedBy: actorOf(caller),
    dryRun: request.dryRun,
    planHash: request.planHash,
  };
}

/** A filter that was left out by mistake must not mean "all". */
function parseFilter(filter: CredentialFilter | undefined): CredentialSelection {
  const { username = "", learningContextKey = "", configurationId = 0, issuanceRunId = "" } = filter ?? {};
  const { createdFrom, createdBefore, uuids = [] } = filter ?? {};
  const given = [
    username,
    learningContextKey,
    configurationId,
    issuanceRunId,
    createdFrom,
    createdBefore,
    uuids.length,
  ];
  if (!given.some(Boolean)) {
    throw invalidField(
      "filter",
      "filter is empty: give at least one of username, learning_context_key, configuration_id, issuance_run_id, " +
        "created_from, created_before and uuids.",
    );
  }
  checkText("filter.username", username, { min: 0, max: 255 });
  if (learningContextKey !== "") parseLearningContextKey(learningContextKey, "filter.learning_context_key");
  if (configurationId !== 0) checkId("filter.configuration_id", configurationId);
  if (issuanceRunId !== "" && !isUuid(issuanceRunId)) {
    throw invalidField(
      "filter.issuance_run_id",
      `filter.issuance_run_id is ${quoted(issuanceRunId)}; it must be the id of a run, a UUID.`,
    );
  }
  const [from, before] = [
    parseMoment("filter.created_from", createdFrom),
    parseMoment("filter.created_before", createdBefore),
  ];
  if (from !== null && before !== null && from >= before) {
    throw invalidField(
      "filter.created_from",
      `filter.created_from is ${from.toISOString()}; it must be earlier than created_before, ${before.toISOString()}.`,
    );
  }
  return {
    username,
    learningContextKey,
    configurationId,
    runId: issuanceRunId === "" ? null : issuanceRunId,
    createdFrom: from,
    createdBefore: before,
    uuids: uuids.length === 0 ? null : parseUuids(uuids),
  };
}

function parseUuids(uuids: readonly string[]): readonly string[] {
  if (uuids.length > MAX_UUIDS) {
    throw invalidField(
      "filter.uuids",
      `filter.uuids has ${uuids.length} uuids; at most ${MAX_UUIDS} are accepted: make several calls.`,
    );
  }
  const index = uuids.findIndex((uuid) => !isUuid(uuid));
  if (index < 0) return uuids;
  throw invalidField(
    `filter.uuids[${index}]`,
    `filter.uuids[${index}] is ${quoted(uuids[index] ?? "")}; it must be the uuid of a credential.`,
  );
}
