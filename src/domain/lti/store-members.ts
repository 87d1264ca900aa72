import { Problem } from "#foundation/errors.js";
import { shorten } from "#foundation/shorten.js";
import { canonicalTag } from "#foundation/text/language-tag.js";
import { findExcluded } from "../learners/erased-learners.js";
import { sumOfCounts, writeRecords } from "../learners/import-records.js";
import { findKnownMembers } from "../learners/known-members.js";
import type { LearnerTransaction } from "../learners/learner-transaction.js";
import { findNamed, saveLtiPeople } from "../learners/lti-people.js";
import { parsePlainRecord } from "../learners/parse-record.js";
import type { PlainRecord } from "../learners/plain-record.js";
import type { LearnerRecord } from "../learners/record.js";
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
  const known = await findKnownMembers(transaction, contextKey, usernames);
  const subjects = members.map(({ subject }) => subject);
  const named = await findNamed(transaction, registrationId, subjects);

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
  if (!known.hasCourse)
    take({
      kind: "course",
      courseKey: contextKey,
      displayName: shorten(contextTitle, 255),
      gradingPolicy: [],
    });
  for (const { subject, username, name, email, locale, isActive, isLaunched } of members) {
    const { fullName: knownName, ...unreported } = known.learners.get(username) ?? {};
    if (knownName !== undefined || isActive) {
      const tag = canonicalTag(locale?.replaceAll("_", "-") ?? "");
      take({
        ...unreported,
        kind: "learner",
        username,
        fullName: (!isLaunched && named.has(subject) && knownName) || name || knownName || "",
        ...(email !== undefined && { email }),
        ...(tag !== undefined && { locale: tag }),
      });
    }
    const before = known.enrolments.get(username);
    if (before !== isActive && (before !== undefined || isActive))
      take({ kind: "enrollment", username, learningContextKey: contextKey, isActive });
  }
  await storePeople(transaction, registrationId, members);
  const { rows } = await writeRecords(transaction, batchOf(facts), ltiOwner(registrationId));
  return { written: sumOfCounts(rows), rejected };
}

/**
 * Stores the mapping from a platform's people to learners. Makes the gradebook scores of new and changed people
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
