import { execute, queryRows } from "../db/query.js";
import { Problem } from "../errors.js";
import { findKeptOut } from "../learners/erased-learners.js";
import { writeChanged } from "../learners/import-records.js";
import type { LearnerTransaction } from "../learners/learner-transaction.js";
import type { ParsePlainRecord, PlainRecord } from "../learners/plain-record.js";
import type { LearnerRecord } from "../learners/record.js";
import { batchOf } from "../learners/record-batch.js";
import { canonicalTag } from "../text/language-tag.js";
import { ltiOwner } from "./people.js";
import type { ListedLearner } from "./read-members.js";
import { makeScoresDue } from "./score-store.js";

/** A learner of a course, as far as the platform tells. */
export interface Member extends ListedLearner {
  readonly username: string;
  readonly locale: string | undefined;
}

/** The course of members, and who tells of them. */
export interface MembersOf {
  readonly registrationId: number;
  readonly contextKey: string;
  readonly contextTitle: string;
  readonly observedAt: Date;
}

/** What became of members. */
export interface KeptMembers {
  /** Records that were new or changed. */
  readonly written: number;
  /** Members who were erased here. */
  readonly erased: number;
  /** Records that could not be taken, such as for an address that is none. */
  readonly rejected: number;
}

/**
 * Keeps what a platform tells of learners in a course. What it keeps to itself stays as it is known, and so does an
 * enrolment that says the same. Of a course that is known, nothing is changed.
 */
export async function keepMembers(
  transaction: LearnerTransaction,
  parse: ParsePlainRecord,
  { registrationId, contextKey, contextTitle, observedAt }: MembersOf,
  told: readonly Member[],
): Promise<KeptMembers> {
  const keptOut = await findKeptOut(
    transaction,
    told.map(({ username }) => username),
  );
  const members = told.filter(({ username }) => !keptOut.has(username));
  const usernames = members.map(({ username }) => username);
  const known = new Set(
    (
      await queryRows<{ username: string }>(
        transaction,
        "select username from learners where username = any (?::text[]) and not is_deleted",
        [usernames],
      )
    ).map(({ username }) => username),
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
  const hasCourse = await execute(transaction, "select from courses where course_key = ?", [contextKey]);

  const facts: LearnerRecord[] = [];
  let rejected = 0;
  const take = (record: PlainRecord) => {
    try {
      const fact = parse(record, observedAt);
      facts.push(fact.kind === "learner" ? { ...fact, owner: ltiOwner(registrationId) } : fact);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      rejected++;
    }
  };
  if (hasCourse === 0)
    take({
      kind: "course",
      courseKey: contextKey,
      displayName: contextTitle.slice(0, 255),
      gradingPolicy: [],
    });
  for (const { username, name, email, locale, isActive } of members) {
    if (known.has(username) ? name !== "" : isActive) {
      const tag = canonicalTag(locale?.replaceAll("_", "-") ?? "");
      take({
        kind: "learner",
        username,
        fullName: name,
        ...(email !== undefined && { email }),
        ...(tag !== undefined && { locale: tag }),
      });
    }
    const before = enrolled.get(username);
    if (before !== isActive && (before !== undefined || isActive))
      take({ kind: "enrollment", username, learningContextKey: contextKey, isActive });
  }
  await keepPeople(transaction, registrationId, members);
  const counts = await writeChanged(transaction, batchOf(facts));
  const written = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { written, erased: told.length - members.length, rejected };
}

/** Keeps which learners people are. What they had before is told in the grade book. */
export async function keepPeople(
  transaction: LearnerTransaction,
  registrationId: number,
  people: readonly Member[],
): Promise<void> {
  const added = await queryRows<{ username: string }>(
    transaction,
    `insert into lti_people as known (registration_id, subject, username)
     select distinct on (told.subject) :registrationId::integer, told.subject, told.username
     from unnest(:subjects::text[], :usernames::text[]) as told (subject, username)
     on conflict (registration_id, subject) do update set username = excluded.username
     where known.username <> excluded.username
     returning username`,
    {
      registrationId,
      subjects: people.map(({ subject }) => subject),
      usernames: people.map(({ username }) => username),
    },
  );
  const usernames = added.map(({ username }) => username);
  if (usernames.length > 0) await makeScoresDue(transaction, { registrationId, usernames });
}
