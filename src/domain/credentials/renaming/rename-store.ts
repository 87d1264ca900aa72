import { searchWords } from "#foundation/text/search-words.js";
import { execute, type Knex, queryRowOrThrow, queryRows } from "#infrastructure/db/query.js";
import { learnerTables } from "../../learners/record-tables.js";
import type { Rename } from "../../learners/rename-records.js";
import type { Credential } from "../credential.js";
import { selected, wordsOfLearner } from "../credential-columns.js";

const renamedFields = ["id", "uuid", "configurationId", "status", "userFullName"] as const;

type RenamedCredential = Pick<Credential, (typeof renamedFields)[number]>;

interface Holdings {
  /** Whether there are records, including withdrawn ones. */
  readonly hasRecords: boolean;
  readonly hasCurrentRecords: boolean;
  /** Whether there are current enrolments, grades or completions. */
  readonly hasCourseRecords: boolean;
  readonly hasCredentials: boolean;
}

export async function findHoldings(db: Knex, username: string): Promise<Holdings> {
  const anyOf = (tables: typeof learnerTables, condition: string) =>
    tables
      .map(({ name }) => `exists (select from ${name} where username = :username and ${condition})`)
      .join(" or ");
  const courseTables = learnerTables.filter(({ name }) => name !== "learners");
  return queryRowOrThrow<Holdings>(
    db,
    `select ${anyOf(learnerTables, "true")} as "hasRecords",
       ${anyOf(learnerTables, "not is_deleted")} as "hasCurrentRecords",
       ${anyOf(courseTables, "not is_deleted")} as "hasCourseRecords",
       exists (select from credentials where username = :username) as "hasCredentials"`,
    { username },
  );
}

export async function lockCredentialsOf(
  transaction: Knex.Transaction,
  username: string,
): Promise<RenamedCredential[]> {
  return queryRows<RenamedCredential>(
    transaction,
    `select ${selected(...renamedFields)} from credentials where username = ? order by id for update`,
    [username],
  );
}

/** Moves credentials to the new username. Afterwards, they can't be found by the old username. */
export async function renameCredentials(
  transaction: Knex.Transaction,
  { newUsername }: Rename,
  credentials: readonly RenamedCredential[],
): Promise<void> {
  await execute(
    transaction,
    `update credentials set username = :newUsername,
       search_words = renamed.words::tsvector || ${wordsOfLearner(":newUsername")}
     from unnest(:ids::bigint[], :words::text[]) as renamed (id, words) where credentials.id = renamed.id`,
    {
      newUsername,
      ids: credentials.map(({ id }) => id),
      words: credentials.map(({ userFullName }) => searchWords(userFullName, newUsername)),
    },
  );
}
