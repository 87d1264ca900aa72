import { searchWords } from "#foundation/text/search-words.js";
import { execute, queryValues } from "#infrastructure/db/query.js";
import { markContextsOf } from "./changed-contexts.js";
import { findErased, isAnyoneErased } from "./erased-learners.js";
import type { LearnerTransaction } from "./learner-transaction.js";
import { NOBODY } from "./owners.js";

/** A learner for whom no platform may have sent a record yet. */
export interface NewLearner {
  readonly username: string;
  readonly fullName: string;
  /** Empty if the learner has no address. */
  readonly email: string;
}

/**
 * Inserts records for learners who have none. Their time of observation is the earliest possible one, so that any
 * record from a platform replaces them. Erased learners get no record.
 * @param learners must not contain a username twice
 * @returns the inserted usernames
 */
export async function insertNewLearners(
  transaction: LearnerTransaction,
  learners: readonly NewLearner[],
): Promise<string[]> {
  if (learners.length === 0) return [];
  const usernames = learners.map(({ username }) => username);
  const erased = (await isAnyoneErased(transaction))
    ? await findErased(transaction, new Set(usernames))
    : new Map<string, string>();
  const taken = learners.filter(({ username }) => !erased.has(username));
  const inserted = await queryValues<string>(
    transaction,
    `insert into learners (username, full_name, email, search_words, is_active, locale, is_deleted, observed_at, owner)
     select username, full_name, email, words::tsvector, true, '', false, timestamptz 'epoch', '${NOBODY}'
     from unnest(?::text[], ?::text[], ?::text[], ?::text[]) as given (username, full_name, email, words)
     order by username
     on conflict (username) do nothing
     returning username`,
    [
      taken.map(({ username }) => username),
      taken.map(({ fullName }) => fullName),
      taken.map(({ email }) => email),
      taken.map(({ username, fullName }) => searchWords(fullName, username)),
    ],
  );
  await markContextsOf(transaction, inserted);
  return inserted;
}

export async function discardNewLearners(
  transaction: LearnerTransaction,
  usernames: readonly string[],
): Promise<void> {
  if (usernames.length === 0) return;
  await execute(transaction, "delete from learners where username = any (?::text[])", [usernames]);
}
