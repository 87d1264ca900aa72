import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { correctEmail } from "#domain/learners/correct-email.js";
import { correctName } from "#domain/learners/correct-name.js";
import type { KnownLearner } from "#domain/learners/learner-search-store.js";
import { parseEmail } from "#domain/learners/parse-email.js";
import { MAX_NAME, MAX_REASON } from "#foundation/limits.js";
import { checkShownText, checkText } from "#foundation/text/check-text.js";
import type {
  EmailCorrectionSchema,
  LearnerRecordService,
  NameCorrectionSchema,
} from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import type { LearnerSchema } from "#gen/learning_credentials/v1/record_pb.js";
import type { Database } from "#infrastructure/db/database.js";
import { actorOf } from "#infrastructure/identity/actors.js";
import type { Handlers } from "../../pipeline/handlers.js";

export function correctionHandlers(database: Database) {
  return {
    async correctLearnerName({ username, fullName, reason, recordedName }, { caller, signal }) {
      checkText("username", username, { min: 1, max: MAX_NAME });
      const name = parseCorrectedName("full_name", fullName);
      const correcting = {
        username,
        fullName: name,
        reason: checkShownText("reason", reason, { min: name === "" ? 0 : 1, max: MAX_REASON }),
        recordedName,
        correctedBy: actorOf(caller),
      };
      const { learner, nameCorrection } = presentLearner(await correctName(database, correcting, signal));
      return { learner, ...(nameCorrection && { nameCorrection }) };
    },

    async correctLearnerEmail({ username, email, reason, recordedEmail }, { caller, signal }) {
      checkText("username", username, { min: 1, max: MAX_NAME });
      const correcting = {
        username,
        email: parseEmail("email", email),
        reason: checkShownText("reason", reason, { min: email === "" ? 0 : 1, max: MAX_REASON }),
        recordedEmail,
        correctedBy: actorOf(caller),
      };
      const { learner, emailCorrection } = presentLearner(await correctEmail(database, correcting, signal));
      return { learner, ...(emailCorrection && { emailCorrection }) };
    },
  } satisfies Partial<Handlers<typeof LearnerRecordService>>;
}

/** @returns the name to print; empty if the field is empty */
export function parseCorrectedName(field: string, fullName: string): string {
  return checkShownText(field, fullName, { min: 0, max: MAX_NAME });
}

/** A learner's record, with the corrections of the name and email address. */
interface PresentedLearner {
  readonly learner: MessageInitShape<typeof LearnerSchema>;
  readonly nameCorrection?: MessageInitShape<typeof NameCorrectionSchema>;
  readonly emailCorrection?: MessageInitShape<typeof EmailCorrectionSchema>;
}

export function presentLearner({
  attributes,
  correction,
  emailCorrection,
  ...learner
}: KnownLearner): PresentedLearner {
  const nameCorrection = correction && {
    ...presentCorrection(correction),
    recordedName: correction.recordedName,
  };
  return {
    learner: { ...learner, attributes: { ...attributes } },
    ...(nameCorrection && { nameCorrection }),
    ...(emailCorrection && { emailCorrection: presentCorrection(emailCorrection) }),
  };
}

function presentCorrection<C extends { readonly correctedAt: Date }>({ correctedAt, ...correction }: C) {
  return { ...correction, correctTime: timestampFromDate(correctedAt) };
}
