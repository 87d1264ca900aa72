import type { LearnerRecordService } from "../../gen/learning_credentials/v1/learner_record_service_pb.js";
import { eraseLearner } from "../credentials/erasure/erase-learner.js";
import type { Database } from "../db/database.js";
import { actorOf } from "../identity/actors.js";
import type { Handlers } from "../pipeline/handlers.js";
import { checkText } from "../text/check-text.js";

/** The method of `LearnerRecordService` that erases learners. */
export function eraseHandlers(database: Database) {
  return {
    async eraseLearner({ username, dryRun }, call) {
      checkText("username", username, { min: 1, max: 255 });
      const erasing = { username, dryRun, erasedBy: actorOf(call.caller) };
      const { records, credentials, files, acts } = await eraseLearner(database, erasing, call.signal);
      return {
        records: Object.values(records).reduce((total, count) => total + count, 0),
        credentials: credentials.length,
        files,
        actorEntries: acts,
      };
    },
  } satisfies Partial<Handlers<typeof LearnerRecordService>>;
}
