import type { Knex } from "knex";
import type { Database } from "../db/database.js";
import { inTransaction } from "../db/transaction.js";
import { invalid, Problem } from "../errors.js";
import { parseLearningContextKey } from "../learners/learning-context-key.js";
import { assetsNamed, resolveAssets } from "./assets/asset-use.js";
import {
  deleteConfiguration,
  findConfiguration,
  hasCredentials,
  insertConfiguration,
  lockConfiguration,
  type NewCredentialConfiguration,
  updateConfiguration,
} from "./configuration-store.js";
import type { CredentialConfiguration } from "./credential-type.js";
import type { Functions } from "./functions.js";
import { functionsOf, noSuchType } from "./manage-types.js";
import { checkConfigurationOptions, mergeOptions, type Options } from "./options.js";
import { lockType } from "./type-store.js";

/** @throws Problem `not-found` for the type, `invalid` naming the option, `already-exists` for context and type */
export function createConfiguration(
  database: Database,
  functions: Functions,
  configuration: NewCredentialConfiguration,
  signal: AbortSignal,
): Promise<CredentialConfiguration> {
  return inTransaction(database, signal, async (transaction) => {
    await checkAgainstType(transaction, functions, configuration);
    const created = await insertConfiguration(transaction, configuration);
    if (created) return created;
    throw new Problem(
      "already-exists",
      `Credential type ${configuration.credentialTypeId} is configured for ${configuration.learningContextKey} already.`,
    );
  });
}

/** @throws Problem `not-found` */
export async function getConfiguration(db: Knex, id: number): Promise<CredentialConfiguration> {
  const configuration = await findConfiguration(db, id);
  if (!configuration) throw noSuchConfiguration(id);
  return configuration;
}

/**
 * Changes what `changes` gives.
 * @param stated what the caller takes for its context and type, which are fixed; empty or 0: he does not say
 * @throws Problem `not-found`, `invalid`
 */
export function changeConfiguration(
  database: Database,
  functions: Functions,
  { id, ...stated }: Omit<CredentialConfiguration, "customOptions">,
  changes: { customOptions?: Options },
  signal: AbortSignal,
): Promise<CredentialConfiguration> {
  return inTransaction(database, signal, async (transaction) => {
    const known = await findConfiguration(transaction, id);
    if (!known) throw noSuchConfiguration(id);
    refuseMoving(known, stated);
    const configuration = { ...known, ...changes };
    await checkAgainstType(transaction, functions, configuration);
    if (!(await updateConfiguration(transaction, configuration))) throw noSuchConfiguration(id);
    return configuration;
  });
}

/** @throws Problem `not-found`, or `failed-precondition` when a credential was ever issued under it */
export function removeConfiguration(database: Database, id: number, signal: AbortSignal): Promise<void> {
  return inTransaction(database, signal, async (transaction) => {
    if (!(await lockConfiguration(transaction, id))) throw noSuchConfiguration(id);
    if (await hasCredentials(transaction, id)) {
      throw new Problem(
        "failed-precondition",
        `Credentials were issued under configuration ${id}: it is kept as long as they can be verified.`,
      );
    }
    await deleteConfiguration(transaction, id);
  });
}

function refuseMoving(
  known: CredentialConfiguration,
  stated: Pick<CredentialConfiguration, "learningContextKey" | "credentialTypeId">,
): void {
  const isSame =
    ["", known.learningContextKey].includes(stated.learningContextKey) &&
    [0, known.credentialTypeId].includes(stated.credentialTypeId);
  if (isSame) return;
  throw invalid(
    `Configuration ${known.id} is of credential type ${known.credentialTypeId} in ${known.learningContextKey}: ` +
      "learning_context_key and credential_type_id can't be changed. Create another configuration.",
  );
}

export function noSuchConfiguration(id: number): Problem {
  return new Problem("not-found", `There is no credential configuration ${id}.`);
}

/** Locks the type, so that nobody changes it into one that the configuration does not fit. */
async function checkAgainstType(
  transaction: Knex.Transaction,
  functions: Functions,
  configuration: NewCredentialConfiguration,
): Promise<void> {
  const type = await lockType(transaction, configuration.credentialTypeId);
  if (!type) throw noSuchType(configuration.credentialTypeId);
  const { kind } = parseLearningContextKey(configuration.learningContextKey);
  const named = functionsOf(functions, type);
  checkConfigurationOptions(type.customOptions, configuration.customOptions, kind, named);
  const options = mergeOptions(type.customOptions, configuration.customOptions);
  await resolveAssets(transaction, assetsNamed(named.generation, options));
}
