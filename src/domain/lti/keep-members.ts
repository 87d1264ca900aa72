import { Problem } from "#foundation/errors.js";
import { shorten } from "#foundation/shorten.js";
import { canonicalTag } from "#foundation/text/language-tag.js";
import { execute, queryRows, queryValues } from "#infrastructure/db/query.js";
import { findExcluded } from "../learners/erased-learners.js";
import { sumOfCounts, writeRecords } from "../learners/import-records.js";
import type { LearnerTransaction } from "../learners/learner-transaction.js";
import { saveLtiPeople } from "../learners/lti-people.js";
import { parsePlainRecord } from "../learners/parse-record.js";
import type { PlainRecord } from "../learners/plain-record.js";
import type { LearnerFact, LearnerRecord } from "../learners/record.js";
import { batchOf } from "../learners/record-batch.js";
import { ltiOwner } from "./people.js";
import type { ListedMember } from "./read-members.js";
import { makeScoresDue } from "./score-store.js";

/** A learner of a course, as reported by the platform. */
interface Member extends ListedMember {
  readonly username: string;
  readonly locale: string | undefined;
  /**
   * Whether a launch reported the learner. A name from a launch takes precedence over a name from a list of members.
   */
  readonly isLaunched: boolean;
}

export interface MembershipSource {
  readonly registrationId: number;
  readonly contextKey: string;
  readonly contextTitle: string;
  readonly observedAt: Date;
}

interface StoredMembers {
  /** Number of new or changed records. */
  readonly written: number;
  /** Number of invalid records, for example with a malformed email address. */
  readonly rejected: number;
}

/** What is stored about a learner. Lists of members don't report the last three values. */
type StoredLearner = Pick<LearnerFact, "username" | "fullName" | "locale" | "learnerId" | "attributes">;

/**
 * Stores members of a course. Values that the platform doesn't report are kept. Unchanged enrolments and existing
 * courses are not written.
 */
export async function storeMembers(
  transaction: LearnerTransaction,
  { registrationId, contextKey, contextTitle, observedAt }: MembershipSource,
  reported: readonly Member[],
): Promise<StoredMembers> {
  const excluded = await findExcluded(
    transaction,
    reported.map(({ username }) => username),
  );
  const members = reported.filter(({ username }) => !excluded.has(username));
  const usernames = members.map(({ username }) => username);
  const stored = new Map(
    (
      await queryRows<StoredLearner>(
        transaction,
        `select username, full_name as "fullName", locale, learner_id as "learnerId", attributes from learners
         where username = any (?::text[]) and not is_deleted`,
        [usernames],
      )
    ).map((learner) => [learner.username, learner]),
  );
  const enrolled = new Map(
    (
      await queryRows<{ username: string; isActive: boolean }>(
        transaction,
        `select username, is_active as "isActive" from enrollments
         where learning_context_key = ? and username = any (?::text[]) and not is_deleted`,
        [contextKey, usernames],
      )
    ).map(({ username, isActive }) => [username, isActive]),
  );
  const isNamed = new Set(
    await queryValues<string>(
      transaction,
      "select subject from lti_people where registration_id = ? and subject = any (?::text[]) and is_named",
      [registrationId, members.map(({ subject }) => subject)],
    ),
  );
  const hasCourse = await execute(transaction, "select from courses where course_key = ?", [contextKey]);

  const facts: LearnerRecord[] = [];
  let rejected = 0;
  const take = (record: PlainRecord) => {
    try {
      facts.push(parsePlainRecord(record, observedAt, ltiOwner(registrationId)));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      rejected++;
    }
  };
  if (hasCourse === 0)
    take({
      kind: "course",
      courseKey: contextKey,
      displayName: shorten(contextTitle, 255),
      gradingPolicy: [],
    });
  for (const { subject, username, name, email, locale, isActive, isLaunched } of members) {
    const { fullName: knownName, ...unreported } = stored.get(username) ?? {};
    if (knownName !== undefined || isActive) {
      const tag = canonicalTag(locale?.replaceAll("_", "-") ?? "");
      take({
        ...unreported,
        kind: "learner",
        username,
        fullName: (!isLaunched && isNamed.has(subject) && knownName) || name || knownName || "",
        ...(email !== undefined && { email }),
        ...(tag !== undefined && { locale: tag }),
      });
    }
    const before = enrolled.get(username);
    if (before !== isActive && (before !== undefined || isActive))
      take({ kind: "enrollment", username, learningContextKey: contextKey, isActive });
  }
  await storePeople(transaction, registrationId, members);
  const { rows } = await writeRecords(transaction, batchOf(facts), ltiOwner(registrationId));
  return { written: sumOfCounts(rows), rejected };
}

/**
 * Stores the mapping from a platform's people to learners. Makes the grade book scores of new and changed people
 * due.
 */
export async function storePeople(
  transaction: LearnerTransaction,
  registrationId: number,
  people: readonly Member[],
): Promise<void> {
  const usernames = await saveLtiPeople(
    transaction,
    registrationId,
    people.map(({ subject, username, isLaunched, name }) => ({
      subject,
      username,
      isNamed: isLaunched && name !== "",
    })),
  );
  if (usernames.length > 0) await makeScoresDue(transaction, { registrationId, usernames });
}
