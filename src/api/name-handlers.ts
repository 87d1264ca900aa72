import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  LearnerRecordService,
  NameCorrectionSchema,
} from "../../gen/learning_credentials/v1/learner_record_service_pb.js";
import type { LearnerSchema } from "../../gen/learning_credentials/v1/record_pb.js";
import type { Database } from "../db/database.js";
import { actorOf } from "../identity/actors.js";
import { correctName } from "../learners/correct-name.js";
import type { KnownLearner } from "../learners/learner-search-store.js";
import type { Handlers } from "../pipeline/handlers.js";
import { checkShownText, checkText } from "../text/check-text.js";

/** The method of `LearnerRecordService` that corrects names. */
export function nameHandlers(database: Database) {
  return {
    async correctLearnerName({ username, fullName, reason, toldName }, { caller, signal }) {
      checkText("username", username, { min: 1, max: 255 });
      const name = parseCorrectedName("full_name", fullName);
      const correcting = {
        username,
        fullName: name,
        reason: checkShownText("reason", reason, { min: name === "" ? 0 : 1, max: 255 }),
        toldName,
        correctedBy: actorOf(caller),
      };
      return presentNamed(await correctName(database, correcting, signal));
    },
  } satisfies Partial<Handlers<typeof LearnerRecordService>>;
}

/** @returns the name to print; empty: none is given */
export function parseCorrectedName(field: string, fullName: string): string {
  return checkShownText(field, fullName, { min: 0, max: 255 });
}

/** What an answer says of a learner: the record, and how the name was corrected. */
interface PresentedLearner {
  readonly learner: MessageInitShape<typeof LearnerSchema>;
  readonly nameCorrection?: MessageInitShape<typeof NameCorrectionSchema>;
}

export function presentNamed({ attributes, correction, ...learner }: KnownLearner): PresentedLearner {
  return {
    learner: { ...learner, attributes: { ...attributes } },
    ...(correction && {
      nameCorrection: {
        toldName: correction.toldName,
        reason: correction.reason,
        correctedBy: correction.correctedBy,
        correctTime: timestampFromDate(correction.correctedAt),
        isUndecided: correction.isUndecided,
      },
    }),
  };
}
