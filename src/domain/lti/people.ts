import { createHash } from "node:crypto";
import { type Knex, queryRow, queryRows } from "#infrastructure/db/query.js";
import type { LaunchClaims } from "./claims.js";
import type { Registration } from "./registration.js";

/** Maximum length of a subject that is used in a username as it is. */
const MAX_SUBJECT = 200;

/**
 * Returns the username of a person on a platform that no connector reads. It is unique, whatever the person's name and
 * address.
 */
export function ownUsername(registrationId: number, subject: string): string {
  const short =
    subject.length <= MAX_SUBJECT ? subject : createHash("sha256").update(subject).digest("base64url");
  return `lti:${registrationId}:${short}`;
}

/** Returns the owner of records from a platform's launches and lists of members. */
export function ltiOwner(registrationId: number): string {
  return `lti:${registrationId}`;
}

export function isSubject(text: string): boolean {
  return text.length >= 1 && text.length <= 255 && !/\p{Cc}/u.test(text) && text.isWellFormed();
}

/**
 * Creates a function that returns people's usernames, for a platform that no connector reads. The
 * function returns the recorded username, which may have been changed since. If none is recorded,
 * it makes a username from the subject.
 */
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
  const usernameBySubject = new Map(people.map(({ subject, username }) => [subject, username]));
  return (subject) => usernameBySubject.get(subject) ?? ownUsername(registrationId, subject);
}

/**
 * Returns the username of a person on a platform. If a connector reads the platform, its data determines which learner
 * the person is, by the platform's id of the account or by the username. Values that a course team can set are not
 * used.
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
