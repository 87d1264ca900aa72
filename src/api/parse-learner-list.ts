import type {
  NewLearner as NewLearnerMessage,
  StartIssuanceRunRequest,
} from "../../gen/learning_credentials/v1/credential_service_pb.js";
import type { ListedRow } from "../credentials/runs/learner-list.js";
import { invalidField, Problem } from "../errors.js";
import type { NewLearner } from "../learners/insert-new-learners.js";
import { isPlainAddress } from "../mail/mailbox.js";
import { checkShownText, checkText } from "../text/check-text.js";

/** Maximum number of learners in a list. */
const MAX_LISTED = 5000;
const NAME = { min: 1, max: 255 };

/** The part of a run's start that comes from a list of learners. */
export interface ParsedList {
  readonly list?: readonly ListedRow[];
  readonly skipEligibilityCheck: boolean;
}

/**
 * Reads the list of a run. A row that can't be read does not fail the call: it becomes a row with a problem.
 * @throws Problem `invalid` for a list that is too long, or for skipping the check without a list
 */
export function parseLearnerList({
  usernames,
  newLearners,
  skipEligibilityCheck,
}: StartIssuanceRunRequest): ParsedList {
  const count = usernames.length + newLearners.length;
  if (count === 0 && skipEligibilityCheck) {
    throw invalidField(
      "skip_eligibility_check",
      "skip_eligibility_check is only for a list: give usernames or new_learners, too.",
    );
  }
  if (count === 0) return { skipEligibilityCheck };
  if (count > MAX_LISTED) {
    throw invalidField(
      "usernames",
      `usernames and new_learners have ${count} learners; at most ${MAX_LISTED} are accepted: start several runs.`,
    );
  }
  const list = [
    ...usernames.map((username) => rowOf(username, () => ({ username: parseUsername(username) }))),
    ...newLearners.map((learner) =>
      rowOf(learner.username, () => {
        const record = parseNewLearner(learner);
        return { username: record.username, record };
      }),
    ),
  ];
  return { list, skipEligibilityCheck };
}

function rowOf(username: string, parse: () => ListedRow): ListedRow {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { username, problem: error.message };
  }
}

function parseUsername(username: string): string {
  return checkText("username", username, NAME);
}

function parseNewLearner({ username, fullName, email }: NewLearnerMessage): NewLearner {
  if (email !== "" && !isPlainAddress(email)) {
    throw invalidField(
      "email",
      "email is not one plain mailbox, such as ana@example.org; leave it empty when there is none.",
    );
  }
  return { username: parseUsername(username), fullName: checkShownText("full_name", fullName, NAME), email };
}
