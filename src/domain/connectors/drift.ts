import { type Database, inSnapshot } from "#infrastructure/db/database.js";
import type { Knex } from "#infrastructure/db/query.js";
import type { Functions } from "../configurations/functions.js";
import { readEligibilityRules } from "../eligibility/eligibility-rules.js";
import { eligibleLearners } from "../eligibility/eligible-learners.js";
import type { Processor } from "../eligibility/processor.js";
import { type DriftedCredential, listDrifted } from "./drift-store.js";
import { listReadConfigurations } from "./sweep/sweep-store.js";

/** Maximum number of reported credentials per configuration. */
const MAX_DRIFTED = 1000;

/**
 * Compares available credentials with current records of contexts that a connector reads. Changes nothing: people
 * decide whether to withdraw or reissue a credential.
 */
export async function* findDrift(
  database: Database,
  functions: Functions<Processor>,
  connector: string,
  signal: AbortSignal,
): AsyncGenerator<DriftedCredential> {
  for (const id of await listReadConfigurations(database.knex, connector))
    yield* await inSnapshot(database, signal, readDrift(functions, id));
}

function readDrift(functions: Functions<Processor>, configurationId: number) {
  return async (transaction: Knex.Transaction): Promise<DriftedCredential[]> => {
    const eligible = eligibleLearners(await readEligibilityRules(transaction, functions, configurationId));
    return listDrifted(transaction, configurationId, eligible, MAX_DRIFTED);
  };
}
