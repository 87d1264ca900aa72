import { type Erasure, eraseLearner } from "#domain/credentials/erasure/erase-learner.js";
import { MAX_NAME } from "#foundation/limits.js";
import { checkText } from "#foundation/text/check-text.js";
import type { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { actorOf } from "#infrastructure/identity/actors.js";
import type { ReportingDeps } from "#infrastructure/sessions/staff-grants.js";
import type { Handlers } from "../../pipeline/handlers.js";

/** @param onErasure receives what was erased. The response contains only the counts. */
export function eraseHandlers(deps: ReportingDeps, onErasure: (erasure: Erasure) => void = () => {}) {
  return {
    async eraseLearner({ username, dryRun }, call) {
      checkText("username", username, { min: 1, max: MAX_NAME });
      const erasing = { username, dryRun, erasedBy: actorOf(call.caller) };
      const erasure = await eraseLearner(deps, erasing, call.signal);
      onErasure(erasure);
      const { records, credentials, files, acts } = erasure;
      return {
        records: Object.values(records).reduce((total, count) => total + count, 0),
        credentials: credentials.length,
        files,
        actorEntries: acts,
      };
    },
  } satisfies Partial<Handlers<typeof LearnerRecordService>>;
}
