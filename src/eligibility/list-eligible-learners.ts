import type { Knex } from "knex";
import { findConfiguration } from "../configurations/configuration-store.js";
import type { CredentialType } from "../configurations/credential-type.js";
import type { Functions } from "../configurations/functions.js";
import { noSuchConfiguration } from "../configurations/manage-configurations.js";
import { mergeOptions } from "../configurations/options.js";
import { findType } from "../configurations/type-store.js";
import type { Database } from "../db/database.js";
import { type Query, streamSnapshot } from "../db/transaction.js";
import { parseLearningContextKey } from "../learners/learning-context-key.js";
import { eligibleLearners, readGradingPolicies } from "./eligible-learners.js";
import type { Processor } from "./processor.js";
import { criteriaIn } from "./progress.js";

/** How many usernames are fetched at a time. */
const BATCH = 5000;

/**
 * Gives the usernames of all who are eligible under a configuration, in batches and in the order of their bytes.
 * Everything is read in one snapshot.
 * @throws Problem `not-found`
 */
export async function* listEligibleLearners(
  database: Database,
  functions: Functions<Processor>,
  configurationId: number,
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  const batches = streamSnapshot<{ username: string }>(database, signal, BATCH, async (transaction) => {
    const { sql, bindings } = await eligibleUnder(transaction, functions, configurationId);
    return { sql: `${sql} order by username`, bindings };
  });
  for await (const rows of batches) yield rows.map(({ username }) => username);
}

/** The query for all who are eligible under a configuration. */
async function eligibleUnder(
  transaction: Knex.Transaction,
  functions: Functions<Processor>,
  configurationId: number,
): Promise<Query> {
  const configuration = await findConfiguration(transaction, configurationId);
  if (!configuration) throw noSuchConfiguration(configurationId);
  const type = (await findType(transaction, configuration.credentialTypeId)) as CredentialType;
  const processor = functions.retrieval(type.retrievalFunc);
  const options = mergeOptions(type.customOptions, configuration.customOptions);
  const { learningContextKey } = configuration;
  const isPath = parseLearningContextKey(learningContextKey).kind === "path";
  const courseKeys = isPath ? await stepsOf(transaction, learningContextKey) : [learningContextKey];
  const policies = await readGradingPolicies(transaction, courseKeys);
  const requirements = courseKeys.map((courseKey) => ({
    courseKey,
    criteria: criteriaIn(courseKey, isPath, options, processor),
  }));
  return eligibleLearners(learningContextKey, requirements, policies);
}

async function stepsOf(db: Knex, pathKey: string): Promise<string[]> {
  const { rows } = await db.raw(
    "select step_course_keys from learning_paths where path_key = ? and not is_deleted",
    [pathKey],
  );
  return rows[0]?.step_course_keys ?? [];
}
