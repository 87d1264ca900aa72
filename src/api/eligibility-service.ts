import type { EligibilityService } from "../../gen/learning_credentials/v1/eligibility_service_pb.js";
import type { Functions } from "../configurations/functions.js";
import type { Database } from "../db/database.js";
import { createProgressLookUp } from "../eligibility/learner-progress.js";
import { listEligibleLearners } from "../eligibility/list-eligible-learners.js";
import type { Processor } from "../eligibility/processor.js";
import { reportEligibility } from "../eligibility/report-eligibility.js";
import type { FileStore } from "../files/file-store.js";
import { isStaff } from "../identity/caller.js";
import { parseLearningContextKey } from "../learners/learning-context-key.js";
import { callerName, type Handlers } from "../pipeline/handlers.js";
import { checkText } from "../text/check-text.js";
import { checkId } from "./check-request.js";
import { presentEligibility } from "./present.js";

export function eligibilityService(deps: {
  database: Database;
  functions: Functions<Processor>;
  files: FileStore;
}): Handlers<typeof EligibilityService> {
  const { database, functions, files } = deps;
  const lookUpProgress = createProgressLookUp(database);
  return {
    async getEligibility({ learningContextKey, username: named, retrievalFunc }, { caller, cancellation }) {
      const key = parseLearningContextKey(learningContextKey);
      const self = callerName(caller);
      const username = named === "" ? self : checkText("username", named, { min: 1, max: 255 });
      const staff = username === self ? "staff-about-self" : "staff-about-other";
      checkText("retrieval_func", retrievalFunc, { min: 0, max: 255 });
      const askedBy = isStaff(caller) ? staff : "self";
      const entries = await reportEligibility(
        lookUpProgress,
        functions,
        { username, key, retrievalFunc, askedBy },
        cancellation,
      );
      return {
        contextKey: key.text,
        credentials: await Promise.all(entries.map((entry) => presentEligibility(entry, files))),
      };
    },

    async *listEligibleLearners({ configurationId }, { signal }) {
      checkId("configuration_id", configurationId);
      for await (const usernames of listEligibleLearners(database, functions, configurationId, signal)) {
        yield { learners: usernames.map((username) => ({ username })) };
      }
    },
  };
}
