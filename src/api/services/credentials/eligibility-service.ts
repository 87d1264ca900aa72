import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Functions } from "#domain/configurations/functions.js";
import type { IssuingDeps } from "#domain/credentials/issuance/issuing-deps.js";
import { listClaimable } from "#domain/credentials/issuance/list-claimable.js";
import { type Absence, listWithoutCredential } from "#domain/credentials/runs/without-credential.js";
import { createProgressLookUp } from "#domain/eligibility/learner-progress.js";
import { listEligibleLearners } from "#domain/eligibility/list-eligible-learners.js";
import { type EligibilityPreview, previewEligibility } from "#domain/eligibility/preview-eligibility.js";
import type { Processor } from "#domain/eligibility/processor.js";
import { reportEligibility } from "#domain/eligibility/report-eligibility.js";
import { parseLearningContextKey } from "#domain/learners/learning-context-key.js";
import { MAX_NAME } from "#foundation/limits.js";
import { checkText } from "#foundation/text/check-text.js";
import {
  type EligibilityService,
  type GetEligibilityRequest,
  type GetLegacyEligibilityRequest,
  OfferIssuance,
} from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { SkipReason, SkipReasonSchema } from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { type Database, inSearch, inSnapshot, inTransaction } from "#infrastructure/db/database.js";
import type { FileStore } from "#infrastructure/files/file-store.js";
import { organisationsOf } from "#infrastructure/identity/caller.js";
import { type Call, callerName, type Handlers } from "../../pipeline/handlers.js";
import { presentEligibility, presentEntry } from "../presentation/present.js";
import { presentLegacyEligibility } from "../presentation/present-legacy-eligibility.js";
import { presentWarnings } from "../presentation/present-warning.js";
import { checkId } from "../requests/check-request.js";
import { learnerOf } from "../requests/learner-of.js";
import { pageByKeyOf, parsePageByKey } from "../requests/page.js";
import { numbersByName, parseEnum } from "../requests/parse-enum.js";

/** Maximum page size. The missing requirements are determined for each learner, which takes time. */
const MAX_LEARNERS = 500;

const presentedIssuance = numbersByName(OfferIssuance);

const presentedAbsence = { ready: SkipReason.UNSPECIFIED, ...numbersByName(SkipReason) };

function parseAbsence(reason: SkipReason | undefined): Absence | null {
  if (reason === undefined) return null;
  const { ready, not_eligible, withdrawn, not_claimed, no_full_name } = presentedAbsence;
  const reasons = { ready, not_eligible, withdrawn, not_claimed, no_full_name };
  return parseEnum("reason", reasons, reason, SkipReasonSchema);
}

interface EligibilityDeps {
  readonly database: Database;
  readonly functions: Functions<Processor>;
  readonly files: FileStore;
  readonly settings: IssuingDeps["settings"];
}

export function eligibilityService(deps: EligibilityDeps): Handlers<typeof EligibilityService> {
  const { database, functions, files } = deps;
  const lookUpProgress = createProgressLookUp(database);

  async function report(
    {
      learningContextKey,
      username: named,
      retrievalFunc,
    }: GetEligibilityRequest | GetLegacyEligibilityRequest,
    call: Call,
  ) {
    const key = parseLearningContextKey(learningContextKey);
    const subject = learnerOf(named, call);
    checkText("retrieval_func", retrievalFunc, { min: 0, max: MAX_NAME });
    const question = { ...subject, key, retrievalFunc };
    return { key, entries: await reportEligibility(lookUpProgress, functions, question, call.cancellation) };
  }

  return {
    async getEligibility(request, call) {
      const { key, entries } = await report(request, call);
      return {
        contextKey: key.text,
        credentials: await Promise.all(entries.map((entry) => presentEligibility(entry, files))),
      };
    },

    async getLegacyEligibility(request, call) {
      const { key, entries } = await report(request, call);
      return {
        contextKey: key.text,
        credentials: await Promise.all(entries.map((entry) => presentLegacyEligibility(entry, files))),
      };
    },

    async listClaimableCredentials({ includeUnclaimable }, { caller, signal }) {
      const claimable = await inSnapshot(database, signal, (transaction) =>
        listClaimable(transaction, functions, callerName(caller), {
          includesUnclaimable: includeUnclaimable,
        }),
      );
      return {
        credentials: claimable.map(({ entry, issuance, nextRunAt, ...context }) => ({
          ...context,
          eligibility: presentEntry(entry),
          ...(issuance && { issuance: presentedIssuance[issuance] }),
          ...(nextRunAt && { nextRunTime: timestampFromDate(nextRunAt) }),
        })),
      };
    },

    async previewEligibility(request, { caller, signal }) {
      const { retrievalFunc, typeOptions = {}, customOptions = {}, configurationId } = request;
      const key = parseLearningContextKey(request.learningContextKey);
      const username = checkText("username", request.username, { min: 0, max: MAX_NAME });
      if (configurationId !== 0) checkId("configuration_id", configurationId);
      const subject = { key, retrievalFunc, typeOptions, customOptions, username, configurationId };
      const organisations = organisationsOf(caller);
      return presentEligibilityPreview(
        await inSearch(database, signal, (transaction) =>
          previewEligibility(transaction, functions, { ...subject, organisations }),
        ),
      );
    },

    async *listEligibleLearners({ configurationId }, { signal }) {
      checkId("configuration_id", configurationId);
      for await (const usernames of listEligibleLearners(database, functions, configurationId, signal)) {
        yield { learners: usernames.map((username) => ({ username })) };
      }
    },

    ...learnersWithoutCredentialHandlers(deps),
  };
}

function learnersWithoutCredentialHandlers(deps: EligibilityDeps) {
  return {
    async listLearnersWithoutCredential(request, { signal }) {
      const { configurationId, reason } = request;
      checkId("configuration_id", configurationId);
      const filter = { configurationId, absence: parseAbsence(reason) };
      const identity = ["learners without a credential", filter];
      const page = parsePageByKey(request, identity, MAX_LEARNERS);
      const found = await inTransaction(deps.database, signal, (transaction) =>
        listWithoutCredential(transaction, deps, filter, page.afterKey, page.limit),
      );
      const { shown, nextPageToken } = pageByKeyOf(found.page, page, identity, ({ username }) => username);
      return {
        learners: shown.map(({ username, fullName, absence, entry }) => ({
          username,
          fullName,
          reason: presentedAbsence[absence],
          ...(entry && { eligibility: presentEntry(entry) }),
        })),
        nextPageToken,
        enrolledCount: found.enrolledCount,
        counts: [...found.counts].map(([absence, count]) => ({ reason: presentedAbsence[absence], count })),
        withheld: [...found.withheld],
        unread: [...found.unread],
      };
    },
  } satisfies Partial<Handlers<typeof EligibilityService>>;
}

function presentEligibilityPreview({ courses, warnings, entry, changes, ...counts }: EligibilityPreview) {
  return {
    ...counts,
    gainedCount: changes.gainedCount,
    lostCount: changes.lostCount,
    changes: [...changes.learners],
    courses: courses.map((course) => ({
      ...course,
      assignmentTypes: [...course.assignmentTypes],
      letterGrades: [...course.letterGrades],
    })),
    ...presentWarnings(warnings),
    ...(entry && { eligibility: presentEntry(entry) }),
  };
}
