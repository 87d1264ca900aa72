import type { GivenFacts } from "#domain/credentials/given-facts.js";
import type { ListedRow } from "#domain/credentials/runs/learner-list.js";
import type { NewLearner } from "#domain/learners/insert-new-learners.js";
import { parseEmail } from "#domain/learners/parse-email.js";
import { LETTER_LENGTH, parseAttributes } from "#domain/learners/parse-record.js";
import { parseDay } from "#foundation/calendar/day.js";
import { Problem, quoted, wrongField } from "#foundation/errors.js";
import { MAX_LISTED_LEARNERS, MAX_NAME } from "#foundation/limits.js";
import { checkShownText, checkText } from "#foundation/text/check-text.js";
import { MAX_HOURS, MAX_TOTAL } from "#foundation/text/tables/cell-values.js";
import type {
  ListedFacts,
  NewLearner as NewLearnerMessage,
  StartIssuanceRunRequest,
} from "#gen/learning_credentials/v1/credential_service_pb.js";

const NAME = { min: 1, max: MAX_NAME };
const LEARNER_ID = { min: 1, max: 64 };
const FIRST_YEAR = 1900;

/** The parameters of a run that come from a list of learners. */
interface ParsedList {
  readonly list?: readonly ListedRow[];
  readonly skipEligibilityCheck: boolean;
}

/**
 * Parses the list of learners of a run. If a row can't be parsed, it is returned with a
 * problem instead of failing the call.
 * @param today as `2026-06-30`; the award date must not be later
 * @throws Problem `invalid` if the list is too long, if the check is skipped without a list, or if facts are given
 * twice for a learner or for a learner who is not in the list
 */
export function parseLearnerList(
  { usernames, newLearners, facts, skipEligibilityCheck }: StartIssuanceRunRequest,
  today: string,
): ParsedList {
  const count = usernames.length + newLearners.length;
  if (count === 0 && skipEligibilityCheck) {
    throw wrongField(
      "skip_eligibility_check",
      "is only allowed with a list: also set usernames or new_learners.",
    );
  }
  if (count === 0 && facts.length > 0) {
    throw wrongField("facts", "is only allowed with a list: also set usernames or new_learners.");
  }
  if (count === 0) return { skipEligibilityCheck };
  if (count > MAX_LISTED_LEARNERS) {
    throw wrongField(
      "usernames",
      `and new_learners have ${count} learners; at most ${MAX_LISTED_LEARNERS} are accepted: start several runs.`,
    );
  }
  const listedFacts = byUsername(
    facts,
    new Set([...usernames, ...newLearners.map(({ username }) => username)]),
  );
  const factsOf = (username: string) => {
    const listed = listedFacts.get(username);
    return listed && { facts: parseFacts(listed, today) };
  };
  const list = [
    ...usernames.map((username) =>
      rowOf(username, () => ({ username: parseUsername(username), ...factsOf(username) })),
    ),
    ...newLearners.map((learner) =>
      rowOf(learner.username, () => {
        const record = parseNewLearner(learner);
        return { username: record.username, record, ...factsOf(learner.username) };
      }),
    ),
  ];
  return { list, skipEligibilityCheck };
}

function byUsername(
  facts: readonly ListedFacts[],
  listed: ReadonlySet<string>,
): ReadonlyMap<string, ListedFacts> {
  const listedFacts = new Map<string, ListedFacts>();
  for (const each of facts) {
    const { username } = each;
    if (!listed.has(username))
      throw wrongField("facts", `has ${quoted(username)}, who is not in usernames or new_learners.`);
    if (listedFacts.has(username)) throw wrongField("facts", `has ${quoted(username)} more than once.`);
    listedFacts.set(username, each);
  }
  return listedFacts;
}

function parseFacts(listedFacts: ListedFacts, today: string): GivenFacts {
  const { grade, letterGrade, passed, hours, learnerId, awardDate } = listedFacts;
  if (grade !== undefined && !(grade >= 0 && grade <= MAX_TOTAL)) {
    throw wrongField(
      "facts.grade",
      `is ${grade}; it must be a percentage from 0 to 100. Values up to ${MAX_TOTAL}, from extra credit, are accepted as 100.`,
    );
  }
  if (hours !== undefined && !(hours > 0 && hours <= MAX_HOURS)) {
    throw wrongField("facts.hours", `is ${hours}; it must be a number above 0, at most ${MAX_HOURS}.`);
  }
  const day = awardDate === "" ? undefined : parseDay(awardDate);
  if (awardDate !== "" && (!day || day.year < FIRST_YEAR || awardDate > today)) {
    throw wrongField(
      "facts.award_date",
      `is ${quoted(awardDate)}; it must be a day from ${FIRST_YEAR} to today, such as 2026-06-30.`,
    );
  }
  const attributes = parseAttributes("facts.attributes", listedFacts.attributes);
  return {
    // Truncates to 6 decimals, so that no grade is rounded up. Rounding to 12 decimals first removes floating-point
    // errors.
    ...(grade !== undefined && { grade: Math.min(100, Number(grade.toFixed(12).slice(0, -6))) }),
    ...(letterGrade !== "" && { letter: checkShownText("facts.letter_grade", letterGrade, LETTER_LENGTH) }),
    ...(passed !== undefined && { passed }),
    ...(hours !== undefined && { hours }),
    ...(learnerId !== "" && { learnerId: checkShownText("facts.learner_id", learnerId, LEARNER_ID) }),
    ...(day && { awardDate: { day, text: awardDate } }),
    ...(Object.keys(attributes).length > 0 && { attributes }),
  };
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

/** @throws Problem `invalid` that names the field */
export function parseNewLearner({
  username,
  fullName,
  email,
}: Omit<NewLearnerMessage, "$typeName">): NewLearner {
  return {
    username: parseUsername(username),
    fullName: checkShownText("full_name", fullName, NAME),
    email: parseEmail("email", email),
  };
}
