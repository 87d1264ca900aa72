import { createHash } from "node:crypto";
import type { Knex } from "knex";
import { queryRow, queryRows } from "#infrastructure/db/query.js";
import type { LaunchClaims } from "./claims.js";
import type { Registration } from "./registration.js";

/** Longest subject that a username has room for. */
const MAX_SUBJECT = 200;

/**
 * Returns the username of a person of a platform that no connector reads. It is nobody else's, whatever their name
 * and address.
 */
export function ownUsername(registrationId: number, subject: string): string {
  const short =
    subject.length <= MAX_SUBJECT ? subject : createHash("sha256").update(subject).digest("base64url");
  return `lti:${registrationId}:${short}`;
}

/** Returns the owner of records that a platform's launches and rosters tell. */
export function ltiOwner(registrationId: number): string {
  return `lti:${registrationId}`;
}

/** Returns whether a platform's name of a person can be kept. */
export function isSubject(text: string): boolean {
  return text.length >= 1 && text.length <= 255 && !/\p{Cc}/u.test(text) && text.isWellFormed();
}

/** Returns the learners that people of a platform are, where no connector reads it: those of before, also under new names. */
export async function usernamesAt(
  db: Knex,
  registrationId: number,
  subjects: readonly string[],
): Promise<(subject: string) => string> {
  const people = await queryRows<{ subject: string; username: string }>(
    db,
    "select subject, username from lti_people where registration_id = ? and subject = any (?::text[])",
    [registrationId, [...subjects]],
  );
  const known = new Map(people.map(({ subject, username }) => [subject, username]));
  return (subject) => known.get(subject) ?? ownUsername(registrationId, subject);
}

/**
 * Returns the learner that a person of a platform is. Where a connector reads the same platform, it says so: by the
 * platform's own id of the account, or by its username. Nothing else that a course team could write is asked.
 * @returns undefined if the connector does not know the person
 */
export async function usernameOf(
  db: Knex,
  { id, connector }: Registration,
  subject: string,
  { canvasUserId, preferredUsername }: Pick<LaunchClaims, "canvasUserId" | "preferredUsername">,
): Promise<string | undefined> {
  if (connector === "") return (await usernamesAt(db, id, [subject]))(subject);
  const person = await queryRow<{ username: string }>(
    db,
    `select username from connector_people
     where connector = :connector and taken_by = '' and (external_id = :externalId or username = :username)
     order by external_id = :externalId desc limit 1`,
    { connector, externalId: canvasUserId ?? subject, username: preferredUsername ?? null },
  );
  return person?.username;
}
