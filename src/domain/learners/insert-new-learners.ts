import { searchWords } from "#foundation/text/search-words.js";
import { execute, queryValues } from "#infrastructure/db/query.js";
import { findErased, isAnyoneErased } from "./erased-learners.js";
import type { LearnerTransaction } from "./learner-transaction.js";
import { NOBODY } from "./owners.js";

/** A learner for whom the platform may not have sent a record yet. */
export interface NewLearner {
  readonly username: string;
  readonly fullName: string;
  /** If empty, the learner has no address. */
  readonly email: string;
}

/**
 * Inserts a record for each of these learners who has none. The record has the earliest possible time of observation,
 * so that any record of the platform replaces it. Erased learners get no record.
 * @param learners must not contain a username twice
 * @returns the usernames of the inserted learners
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
  return queryValues<string>(
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
}

/** Removes records that `insertNewLearners` has inserted in the same transaction. */
export async function discardNewLearners(
  transaction: LearnerTransaction,
  usernames: readonly string[],
): Promise<void> {
  if (usernames.length === 0) return;
  await execute(transaction, "delete from learners where username = any (?::text[])", [usernames]);
}
