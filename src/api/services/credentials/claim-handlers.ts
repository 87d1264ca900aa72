import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createConfiguredLookUp } from "#domain/configurations/check-configured.js";
import type { Functions } from "#domain/configurations/functions.js";
import type * as domain from "#domain/credentials/credential.js";
import { listCredentials } from "#domain/credentials/credential-store.js";
import { claimCredential } from "#domain/credentials/issuance/claim-credential.js";
import type { IssuingDeps } from "#domain/credentials/issuance/issuing-deps.js";
import { createProgressLookUp } from "#domain/eligibility/learner-progress.js";
import type { Processor } from "#domain/eligibility/processor.js";
import { noSuchContext } from "#domain/eligibility/report-eligibility.js";
import { findLearner } from "#domain/learners/learner-search-store.js";
import { parseLearningContextKey } from "#domain/learners/learning-context-key.js";
import { noSuchLearner } from "#domain/learners/no-such-learner.js";
import type { CredentialStatus } from "#foundation/credential-status.js";
import type {
  ClaimCredentialRequest,
  ClaimLegacyCredentialRequest,
  CredentialService,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { type Database, inSnapshot } from "#infrastructure/db/database.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { actorOf } from "#infrastructure/identity/actors.js";
import { organisationsOf } from "#infrastructure/identity/caller.js";
import type { Call, Handlers } from "../../pipeline/handlers.js";
import { presentExisting, presentedStatus } from "../presentation/present.js";
import { checkId } from "../requests/check-request.js";
import { learnerOf } from "../requests/learner-of.js";

/** Maximum number of credentials in a response of ListLearnerCredentials, which has no pages. */
const MAX_LISTED = 1000;

/** The Open edX plug-in learning-credentials returns the same text (commit c72f9ac, not released). */
const STARTED = "Credential generation started.";

/** The methods for learners. Their responses have the format of the Open edX plug-in learning-credentials. */
export function claimHandlers(
  deps: IssuingDeps & { database: Database; functions: Functions<Processor>; files: FileStore },
  shownToOwner: readonly CredentialStatus[],
) {
  const { database, files } = deps;
  const lookUpProgress = createProgressLookUp(database);
  const lookUpConfigured = createConfiguredLookUp(database);

  function claim(request: ClaimCredentialRequest | ClaimLegacyCredentialRequest, call: Call) {
    const key = parseLearningContextKey(request.learningContextKey);
    const credentialTypeId = checkId("credential_type_id", request.credentialTypeId);
    const progressQuestion = learnerOf(request.username, call);
    const claimed = { ...progressQuestion, key, credentialTypeId, claimedBy: actorOf(call.caller) };
    return claimCredential({ ...deps, lookUpProgress }, claimed, call);
  }

  async function linkTo({ status, fileKey }: domain.Credential): Promise<string> {
    return status === "available" && fileKey !== null ? (await files.downloadUrl(fileKey)).url : "";
  }

  return {
    async claimCredential(request, call) {
      const credential = await claim(request, call);
      const { uuid, verifyUuid, createdAt } = credential;
      const created = createdAt.getTime() / 1000;
      return {
        detail: STARTED,
        credential: presentExisting({ uuid, verifyUuid, status: "generating", created }),
      };
    },

    async claimLegacyCredential(request, call) {
      await claim(request, call);
      return { detail: STARTED };
    },

    async listLearnerCredentials(request, call) {
      const { caller, cancellation, signal } = call;
      const { username, requestedBy } = learnerOf(request.username, call);
      const key =
        request.learningContextKey === "" ? undefined : parseLearningContextKey(request.learningContextKey);
      if (key && requestedBy === "self") {
        const found = await lookUpConfigured({ username, learningContextKey: key.text }, cancellation);
        if (!found.hasAccess) throw noSuchContext(key);
      }
      const filter = {
        username,
        learningContextKey: key?.text ?? "",
        configurationId: 0,
        statuses: requestedBy === "self" ? shownToOwner : undefined,
        organisations: organisationsOf(caller),
      };
      const credentials = await inSnapshot(database, signal, async (transaction) => {
        if (requestedBy === "staff-about-other" && !(await findLearner(transaction, username)))
          throw noSuchLearner(username);
        return listCredentials(transaction, filter, 0, MAX_LISTED);
      });
      return {
        credentials: await Promise.all(
          credentials.map(async (credential) => ({
            credentialId: credential.uuid,
            credentialType: credential.credentialType,
            contextKey: credential.learningContextKey,
            status: presentedStatus[credential.status],
            createTime: timestampFromDate(credential.createdAt),
            downloadUrl: await linkTo(credential),
          })),
        ),
      };
    },
  } satisfies Partial<Handlers<typeof CredentialService>>;
}
