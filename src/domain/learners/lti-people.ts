import { execute, type Knex, queryValues } from "#infrastructure/db/query.js";

/** The identifiers of a course at a platform. */
interface LtiCourse {
  readonly registrationId: number;
  readonly deploymentId: string;
  readonly contextId: string;
}

/**
 * Saves the mapping from a platform's people to learners.
 * @returns the usernames of people who are new or changed
 */
export async function saveLtiPeople(
  db: Knex,
  registrationId: number,
  people: readonly { readonly subject: string; readonly username: string; readonly isNamed: boolean }[],
): Promise<string[]> {
  return queryValues<string>(
    db,
    `insert into lti_people as known (registration_id, subject, username, is_named)
     select distinct on (reported.subject) :registrationId::integer, reported.subject, reported.username, reported.is_named
     from unnest(:subjects::text[], :usernames::text[], :named::boolean[]) as reported (subject, username, is_named)
     on conflict (registration_id, subject) do update
       set username = excluded.username, is_named = known.is_named or excluded.is_named
     where known.username <> excluded.username or (excluded.is_named and not known.is_named)
     returning username`,
    {
      registrationId,
      subjects: people.map(({ subject }) => subject),
      usernames: people.map(({ username }) => username),
      named: people.map(({ isNamed }) => isNamed),
    },
  );
}

/** Returns the people whose name a launch has reported. */
export async function findNamed(
  db: Knex,
  registrationId: number,
  subjects: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set(
    await queryValues<string>(
      db,
      "select subject from lti_people where registration_id = ? and subject = any (?::text[]) and is_named",
      [registrationId, subjects],
    ),
  );
}

/**
 * Deletes the mapping from a platform's people to learners. Another source then determines which learner a person is.
 */
export async function deleteLtiPeople(transaction: Knex.Transaction, id: number): Promise<void> {
  await execute(transaction, "delete from lti_people where registration_id = ?", [id]);
}

export async function findTeachers(
  db: Knex,
  course: LtiCourse,
  usernames: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set(
    await queryValues<string>(
      db,
      `select username from lti_teachers where ${isSameContext} and username = any (:usernames::text[])`,
      { ...idOf(course), usernames: [...usernames] },
    ),
  );
}

/** Records whether the user's last launch was as a teacher. Returns whether that has changed. */
export async function noteTeacher(
  db: Knex,
  course: LtiCourse,
  username: string,
  isTeacher: boolean,
): Promise<boolean> {
  const values = { ...idOf(course), username };
  const changed = isTeacher
    ? await execute(
        db,
        `insert into lti_teachers (registration_id, deployment_id, context_id, username)
         values (:registrationId, :deploymentId, :contextId, :username) on conflict do nothing`,
        values,
      )
    : await execute(db, `delete from lti_teachers where ${isSameContext} and username = :username`, values);
  return changed > 0;
}

const isSameContext =
  "registration_id = :registrationId and deployment_id = :deploymentId and context_id = :contextId";

function idOf({ registrationId, deploymentId, contextId }: LtiCourse) {
  return { registrationId, deploymentId, contextId };
}
