import { create } from "@bufbuild/protobuf";
import { renameLearner } from "#domain/credentials/renaming/rename-learner.js";
import { invalidField, quoted } from "#foundation/errors.js";
import { MAX_NAME } from "#foundation/limits.js";
import { checkText } from "#foundation/text/check-text.js";
import {
  type LearnerRecordService,
  type LearnerRename,
  type RefusedRename,
  RefusedRenameSchema,
} from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import { actorOf, isNameOfPlatforms } from "#infrastructure/identity/actors.js";
import type { ReportingDeps } from "#infrastructure/sessions/staff-grants.js";
import type { Handlers } from "../../pipeline/handlers.js";

const MAX_RENAMES = 500;

export function renameHandlers(deps: ReportingDeps) {
  return {
    async renameLearners({ renames }, call) {
      check(renames);
      const renamed: LearnerRename[] = [];
      const refused: RefusedRename[] = [];
      for (const rename of renames) {
        const reason = await renameLearner(deps, rename, actorOf(call.caller), call.signal);
        if (reason === undefined) renamed.push(rename);
        else refused.push(create(RefusedRenameSchema, { rename, reason }));
      }
      return { renamed, refused };
    },
  } satisfies Partial<Handlers<typeof LearnerRecordService>>;
}

function check(renames: readonly LearnerRename[]): void {
  if (renames.length === 0 || renames.length > MAX_RENAMES) {
    const text = `renames has ${renames.length} elements; it must have 1 to ${MAX_RENAMES}.`;
    throw invalidField("renames", text);
  }
  for (const [index, { username, newUsername }] of renames.entries()) {
    checkText(`renames[${index}].username`, username, { min: 1, max: MAX_NAME });
    checkText(`renames[${index}].new_username`, newUsername, { min: 1, max: MAX_NAME });
    if (isNameOfPlatforms(newUsername))
      throw invalidField(
        `renames[${index}].new_username`,
        `renames[${index}].new_username is ${quoted(newUsername)}; names that begin with lti: are reserved for users of LTI platforms.`,
      );
  }
}
