import { type Database, streamSnapshot } from "#infrastructure/db/database.js";
import type { Functions } from "../configurations/functions.js";
import { readEligibilityRules } from "./eligibility-rules.js";
import { eligibleLearners } from "./eligible-learners.js";
import type { Processor } from "./processor.js";

const BATCH = 5000;

/**
 * Yields the usernames of all eligible learners in batches, in byte order, from one snapshot.
 * @throws Problem `not-found`
 */
export async function* listEligibleLearners(
  database: Database,
  functions: Functions<Processor>,
  configurationId: number,
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  const batches = streamSnapshot<{ username: string }>(database, signal, BATCH, async (transaction) => {
    const rules = await readEligibilityRules(transaction, functions, configurationId);
    const { sql, bindings } = eligibleLearners(rules);
    return { sql: `${sql} order by username`, bindings };
  });
  for await (const rows of batches) yield rows.map(({ username }) => username);
}
