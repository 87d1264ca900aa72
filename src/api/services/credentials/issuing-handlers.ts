import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { issueCredential } from "#domain/credentials/issuance/issue-credential.js";
import type { IssuingDeps } from "#domain/credentials/issuance/issuing-deps.js";
import { cancelIssuanceRun } from "#domain/credentials/runs/cancel-issuance-run.js";
import { existingRun, getIssuanceRun } from "#domain/credentials/runs/get-issuance-run.js";
import type * as domain from "#domain/credentials/runs/issuance-run.js";
import { countRunFailures, listRunFailures } from "#domain/credentials/runs/list-run-failures.js";
import { retryIssuanceRun } from "#domain/credentials/runs/retry-issuance-run.js";
import { listRuns } from "#domain/credentials/runs/run-store.js";
import { startIssuanceRun } from "#domain/credentials/runs/start-issuance-run.js";
import { watchIssuanceRun } from "#domain/credentials/runs/watch-issuance-run.js";
import { isoDay } from "#foundation/calendar/day.js";
import { MAX_NAME } from "#foundation/limits.js";
import { checkText } from "#foundation/text/check-text.js";
import type {
  CredentialService,
  ListIssuanceRunFailuresRequest,
} from "#gen/learning_credentials/v1/credential_service_pb.js";
import {
  type IssuancePlanSchema,
  type IssuanceRunSchema,
  IssuanceRunState,
  IssuanceRunStateSchema,
  SkipReason,
} from "#gen/learning_credentials/v1/issuance_run_pb.js";
import { inSnapshot } from "#infrastructure/db/database.js";
import type { Knex } from "#infrastructure/db/query.js";
import { actorOf } from "#infrastructure/identity/actors.js";
import { organisationsOf } from "#infrastructure/identity/caller.js";
import type { Handlers } from "../../pipeline/handlers.js";
import { presentCredentialToStaff } from "../presentation/present.js";
import { presentWarnings } from "../presentation/present-warning.js";
import { checkId } from "../requests/check-request.js";
import { readPage, readPageById } from "../requests/page.js";
import { numbersByName, parseOptionalEnum } from "../requests/parse-enum.js";
import { parseLearnerList } from "../requests/parse-learner-list.js";

/** @param onLearner receives every learner of a plan. The response contains only the first 1,000. */
export function issuingHandlers(deps: IssuingDeps, onLearner?: (learner: domain.PlannedLearner) => void) {
  const { database } = deps;
  return {
    async issueCredential({ configurationId, username, skipEligibilityCheck, skipEmail }, call) {
      checkId("configuration_id", configurationId);
      checkText("username", username, { min: 1, max: MAX_NAME });
      const issuing = {
        configurationId,
        username,
        skipEligibilityCheck,
        skipsEmail: skipEmail,
        issuedBy: actorOf(call.caller),
      };
      return presentCredentialToStaff(await issueCredential(deps, issuing, call.signal));
    },

    async startIssuanceRun(request, { caller, signal }) {
      const { configurationId, dryRun, planHash, skipEmail } = request;
      checkId("configuration_id", configurationId);
      const starting = {
        configurationId,
        dryRun,
        planHash,
        skipsEmail: skipEmail,
        startedBy: actorOf(caller),
        organisations: organisationsOf(caller),
        ...(onLearner && { onLearner }),
        ...parseLearnerList(request, isoDay(new Date(), deps.settings.timeZone)),
      };
      const { plan, run } = await startIssuanceRun(deps, starting, signal);
      return { plan: presentPlan(plan), ...(run && { run: presentRun({ run, failures: [] }) }) };
    },

    async getIssuanceRun({ id }, { signal }) {
      return presentRun(await getIssuanceRun(database, id, signal));
    },

    async listIssuanceRuns(request, { caller, signal }) {
      const filter = {
        configurationId: request.configurationId,
        state: parseOptionalEnum("state", presentedState, request.state, IssuanceRunStateSchema),
        organisations: organisationsOf(caller),
      };
      if (filter.configurationId !== 0) checkId("configuration_id", filter.configurationId);
      const { shown, nextPageToken } = await readPageById(
        request,
        ["issuance runs", filter],
        ({ number }: domain.IssuanceRun) => number,
        ({ afterId, limit }) =>
          inSnapshot(database, signal, (transaction) => listRuns(transaction, filter, afterId, limit)),
      );
      return { runs: shown.map((run) => presentRun({ run, failures: [] })), nextPageToken };
    },

    async listIssuanceRunFailures(request, { signal }) {
      checkText("reason", request.reason, { min: 0, max: 10_000 });
      return inSnapshot(database, signal, (transaction) => readFailures(transaction, request));
    },

    async *watchIssuanceRun({ id }, { signal }) {
      for await (const report of watchIssuanceRun(database, id, signal)) yield presentRun(report);
    },

    async cancelIssuanceRun({ id }, { caller, signal }) {
      return presentRun(await cancelIssuanceRun(database, { id, cancelledBy: actorOf(caller) }, signal));
    },

    async retryIssuanceRun({ id }, { caller, signal }) {
      return presentRun(await retryIssuanceRun(deps, { id, retriedBy: actorOf(caller) }, signal));
    },
  } satisfies Partial<Handlers<typeof CredentialService>>;
}

/** Returns a page of a run's failures. The first page includes the number of failures by reason. */
async function readFailures(transaction: Knex.Transaction, request: ListIssuanceRunFailuresRequest) {
  const runId = await existingRun(transaction, request.id);
  const { reason } = request;
  const { shown, nextPageToken } = await readPage(
    request,
    ["failures of a run", request.id, reason],
    ({ afterId, limit }) => listRunFailures(transaction, { runId, reason }, afterId, limit),
  );
  return {
    failures: shown.map(({ uuid, username, reason }) => ({ uuid, username, reason })),
    groups: request.pageToken === "" ? await countRunFailures(transaction, runId) : [],
    nextPageToken,
  };
}

const presentedState = numbersByName(IssuanceRunState);

const presentedReason = numbersByName(SkipReason);

function presentRun({ run, failures }: domain.RunReport): MessageInitShape<typeof IssuanceRunSchema> {
  return {
    id: run.id,
    configurationId: run.configurationId,
    state: presentedState[run.state],
    startedBy: run.startedBy,
    startTime: timestampFromDate(run.startedAt),
    ...(run.endedAt && { endTime: timestampFromDate(run.endedAt) }),
    issuedCount: run.issuedCount,
    generatingCount: run.generatingCount,
    availableCount: run.availableCount,
    failedCount: run.failedCount,
    skipped: presentSkipped(run.skipped),
    failures: [...failures],
    listedCount: run.listedCount,
    skipEligibilityCheck: run.skipsEligibility,
    skipEmail: run.skipsEmail,
  };
}

function presentPlan(plan: domain.IssuancePlan): MessageInitShape<typeof IssuancePlanSchema> {
  return {
    planHash: plan.hash,
    issueCount: plan.issueCount,
    usernames: plan.learners.map(({ username }) => username),
    learners: plan.learners.map(presentSample),
    enrolledCount: plan.enrolledCount,
    retryCount: plan.retryCount,
    skipped: presentSkipped(plan.skipped),
    skippedLearners: plan.skippedLearners.map(({ username, fullName, reason, detail }) => ({
      username,
      fullName,
      reason: presentedReason[reason],
      detail,
    })),
    ...presentWarnings(plan.warnings),
    listedLearners: plan.listedLearners.map(({ username, reason, detail, isNew }) => ({
      username,
      isReady: reason === null,
      reason: reason === null ? SkipReason.UNSPECIFIED : presentedReason[reason],
      detail,
      isNew,
    })),
    samples: plan.samples.map(presentSample),
  };
}

function presentSample({ username, userFullName }: domain.SampleLearner) {
  return { username, fullName: userFullName };
}

/** Omits reasons that apply to no learner. */
function presentSkipped(skipped: domain.SkippedCounts) {
  const counts = Object.entries(skipped) as [domain.SkipReason, number][];
  return counts
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => ({ reason: presentedReason[reason], count }));
}
