import { type Knex, queryRows } from "#infrastructure/db/query.js";
import { ownerOf } from "../../learners/owners.js";
import type { PlainRecord } from "../../learners/plain-record.js";

/**
 * Returns records that deactivate learners whose accounts have been renamed, and the enrolments that this connector has
 * reported for them. Learners whose record belongs to another source stay active. Credentials and grades are not
 * changed.
 */
export async function deactivatedRecords(
  db: Knex,
  connector: string,
  usernames: readonly string[],
): Promise<PlainRecord[]> {
  if (usernames.length === 0) return [];
  const learners = await queryRows<Extract<PlainRecord, { kind: "learner" }>>(
    db,
    `select username, email, full_name as "fullName", locale, learner_id as "learnerId", attributes
     from learners where username = any (?::text[]) and not is_deleted and owner = ?`,
    [usernames, ownerOf(connector)],
  );
  const enrollments = await queryRows<{ username: string; learningContextKey: string }>(
    db,
    `select username, context_key as "learningContextKey" from connector_enrollments
     where connector = ? and username = any (?::text[])`,
    [connector, usernames],
  );
  return [
    ...learners.map((learner) => ({ ...learner, kind: "learner" as const, isActive: false })),
    ...enrollments.map((enrollment) => ({ ...enrollment, kind: "enrollment" as const, isActive: false })),
  ];
}
