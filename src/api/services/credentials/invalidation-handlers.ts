import {
  type Invalidation,
  invalidateCredential,
} from "#domain/credentials/invalidation/invalidate-credentials.js";
import { linkReplacement } from "#domain/credentials/invalidation/link-replacement.js";
import { reissueCredential } from "#domain/credentials/invalidation/reissue-credentials.js";
import type { IssuingDeps } from "#domain/credentials/issuance/issuing-deps.js";
import { resolveReview } from "#domain/credentials/reviews.js";
import { Problem } from "#foundation/errors.js";
import { MAX_REASON } from "#foundation/limits.js";
import { checkShownText } from "#foundation/text/check-text.js";
import type {
  CredentialService,
  InvalidateCredentialRequest,
  ReissueCredentialRequest,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import { actorOf } from "#infrastructure/identity/actors.js";
import { organisationsOf } from "#infrastructure/identity/caller.js";
import type { Call, Handlers } from "../../pipeline/handlers.js";
import { presentCredentialToStaff } from "../presentation/present.js";
import { parseCorrectedName } from "./correction-handlers.js";

export function invalidationHandlers(deps: IssuingDeps) {
  const { database } = deps;
  return {
    async invalidateCredential(request, call) {
      const invalidation = parseInvalidation(request, call);
      return presentCredentialToStaff(await invalidateCredential(database, invalidation, call.signal));
    },

    async reissueCredential(request, call) {
      const correctedFullName = parseCorrectedName("corrected_full_name", request.correctedFullName);
      if (correctedFullName !== "" && organisationsOf(call.caller) !== undefined)
        throw new Problem(
          "permission-denied",
          "All organisations share the learners' names, so callers who are restricted to some organisations can't correct them.",
        );
      const reissuing = { ...parseInvalidation(request, call), correctedFullName };
      return presentCredentialToStaff(await reissueCredential(deps, reissuing, call.signal));
    },

    async resolveReview({ uuid }, { signal }) {
      return presentCredentialToStaff(await resolveReview(database, uuid, signal));
    },

    async linkReplacement({ uuid, replacementUuid }, { caller, signal }) {
      const link = { uuid, replacementUuid, linkedBy: actorOf(caller) };
      return presentCredentialToStaff(await linkReplacement(database, link, signal));
    },
  } satisfies Partial<Handlers<typeof CredentialService>>;
}

function parseInvalidation(
  { uuid, reason, skipEmail }: InvalidateCredentialRequest | ReissueCredentialRequest,
  { caller }: Call,
): Invalidation {
  return {
    uuid,
    reason: checkShownText("reason", reason, { min: 1, max: MAX_REASON }),
    invalidatedBy: actorOf(caller),
    skipsEmail: skipEmail,
  };
}
