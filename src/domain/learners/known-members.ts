import { hasRows, type Knex, queryRows } from "#infrastructure/db/query.js";
import type { LearnerFact } from "./record.js";

/** What is stored about a learner. Lists of members don't report the last three values. */
type KnownLearner = Pick<LearnerFact, "fullName" | "locale" | "learnerId" | "attributes">;

interface KnownMembers {
  /** By username. */
  readonly learners: ReadonlyMap<string, KnownLearner>;
  /** Whether the learner's enrolment is active, by username. */
  readonly enrolments: ReadonlyMap<string, boolean>;
  /** Whether the course has a record, even a deleted one. */
  readonly hasCourse: boolean;
}

/** Finds what is stored about a course and its learners, as needed to complete a platform's list of members. */
export async function findKnownMembers(
  db: Knex,
  courseKey: string,
  usernames: readonly string[],
): Promise<KnownMembers> {
  const learners = await queryRows<KnownLearner & { username: string }>(
    db,
    `select username, full_name as "fullName", locale, learner_id as "learnerId", attributes from learners
     where username = any (?::text[]) and not is_deleted`,
    [usernames],
  );
  const enrolments = await queryRows<{ username: string; isActive: boolean }>(
    db,
    `select username, is_active as "isActive" from enrollments
     where learning_context_key = ? and username = any (?::text[]) and not is_deleted`,
    [courseKey, usernames],
  );
  return {
    learners: new Map(learners.map(({ username, ...learner }) => [username, learner])),
    enrolments: new Map(enrolments.map(({ username, isActive }) => [username, isActive])),
    hasCourse: await hasRows(db, "select from courses where course_key = ?", [courseKey]),
  };
}
