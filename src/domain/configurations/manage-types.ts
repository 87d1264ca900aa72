import { failedPrecondition, Problem } from "#foundation/errors.js";
import { mergeOptions } from "#foundation/text/merge-options.js";
import { type Database, inTransaction } from "#infrastructure/db/database.js";
import type { Knex } from "#infrastructure/db/query.js";
import type { Actor } from "#infrastructure/identity/actors.js";
import { parseLearningContextKey } from "../learners/learning-context-key.js";
import { assetsNamed, checkReferences, lockReferenced, resolveAssets } from "./asset-references.js";
import { keepAutomaticIssuing } from "./automatic-issuing.js";
import { awardsSame } from "./award-terms.js";
import { isTypeInUse, listConfigurations } from "./configuration-store.js";
import type { CredentialConfiguration, CredentialType, NewCredentialType } from "./credential-type.js";
import { type Expectation, etagOfType, refuseOutdated } from "./etag.js";
import type { Functions } from "./functions.js";
import { checkConfigurationOptions, checkTypeOptions } from "./options.js";
import { refuseHeld, storeRequirementLinks } from "./requirement-links.js";
import { storeRevision } from "./revision-store.js";
import type { ScheduleEditor } from "./schedules/editor.js";
import { changeTerms } from "./schedules/manage-schedules.js";
import { deleteType, findType, insertType, lockType, updateType } from "./type-store.js";

/** @throws Problem `invalid` naming the invalid option or function; `already-exists` if the name is taken */
export async function createType(
  database: Database,
  functions: Functions,
  type: NewCredentialType,
  actor: Actor,
  signal: AbortSignal,
): Promise<CredentialType> {
  const named = functionsOf(functions, type);
  checkTypeOptions(type.customOptions, named);
  const created = await inTransaction(database, signal, async (transaction) => {
    await resolveAssets(transaction, assetsNamed(named.generation, type.customOptions));
    const inserted = await insertType(transaction, type);
    if (inserted) await storeRevision(transaction, { credentialTypeId: inserted.id }, inserted, actor);
    return inserted;
  });
  if (!created) throw nameTaken(type.name);
  return created;
}

export async function getType(db: Knex, id: number): Promise<CredentialType> {
  const type = await findType(db, id);
  if (!type) throw noSuchType(id);
  return type;
}

/**
 * Changes a type. The new options must be valid for every configuration of the type.
 * @throws Problem `not-found`, `invalid`, `already-exists`; `aborted` if the etag does not match; `permission-denied`
 * if an editor who may not issue changes the recipients of a schedule or of a configuration that issues automatically
 */
export function changeType(
  database: Database,
  functions: Functions,
  id: number,
  { etag = "", ...changes }: Partial<NewCredentialType> & Expectation,
  editor: ScheduleEditor,
  signal: AbortSignal,
): Promise<{ readonly before: CredentialType; readonly after: CredentialType }> {
  return inTransaction(database, signal, async (transaction) => {
    const current = await lockCurrent(transaction, id, etag);
    const type = { ...current, ...changes };
    const named = functionsOf(functions, type);
    checkTypeOptions(type.customOptions, named);
    const ownAssets = assetsNamed(named.generation, type.customOptions);
    const filter = { learningContextKey: "", credentialTypeId: id };
    const everyOne = Number.MAX_SAFE_INTEGER;
    const configurations = await listConfigurations(transaction, filter, 0, everyOne);
    const configured = configurations.map((configuration) =>
      withConfigurationName(configuration, () => {
        const { learningContextKey, customOptions } = configuration;
        const { kind } = parseLearningContextKey(learningContextKey);
        checkConfigurationOptions(type.customOptions, customOptions, kind, named);
        const merged = mergeOptions(type.customOptions, customOptions);
        return { configuration, references: assetsNamed(named.generation, merged) };
      }),
    );
    const assets = await lockReferenced(transaction, [
      ...ownAssets,
      ...configured.flatMap(({ references }) => references),
    ]);
    checkReferences(ownAssets, assets);
    for (const { configuration, references } of configured)
      withConfigurationName(configuration, () => checkReferences(references, assets));
    const changed = configurations.filter(
      ({ customOptions: ownOptions }) =>
        !awardsSame(named.retrieval, { type: current, ownOptions }, { type, ownOptions }),
    );
    await changeTerms(
      transaction,
      changed.map(({ id }) => id),
      editor,
    );
    if (!(await updateType(transaction, type))) throw nameTaken(type.name);
    if (changed.length > 0) {
      await storeRequirementLinks(transaction, named.retrieval, type, changed, editor.organisations);
      await keepAutomaticIssuing(transaction, type, changed, editor);
    }
    await storeRevision(transaction, { credentialTypeId: id }, type, editor.actor);
    return { before: current, after: type };
  });
}

async function lockCurrent(transaction: Knex.Transaction, id: number, etag: string): Promise<CredentialType> {
  const stored = await lockType(transaction, id);
  if (!stored) throw noSuchType(id);
  refuseOutdated(etag, etagOfType(stored), `Credential type ${id}`);
  return stored;
}

function withConfigurationName<T>({ id, learningContextKey }: CredentialConfiguration, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const where = `configuration ${id} (${learningContextKey})`;
    throw new Problem(error.kind, `With this change, ${where} would no longer be valid: ${error.message}`, {
      cause: error,
      field: error.field,
    });
  }
}

/** @throws Problem `not-found`; `failed-precondition` while a configuration uses the type */
export function removeType(
  database: Database,
  { id, etag = "" }: { readonly id: number } & Expectation,
  signal: AbortSignal,
): Promise<CredentialType> {
  return inTransaction(database, signal, async (transaction) => {
    const stored = await lockCurrent(transaction, id, etag);
    if (await isTypeInUse(transaction, id)) {
      throw failedPrecondition(
        `Credential type ${id} is in use: delete its configurations first (ListCredentialConfigurations shows them).`,
        { reason: "IN_USE" },
      );
    }
    await refuseHeld(transaction, { typeId: id }, undefined);
    await deleteType(transaction, id);
    return stored;
  });
}

export function functionsOf(
  functions: Functions,
  type: Pick<CredentialType, "retrievalFunc" | "generationFunc">,
) {
  return {
    retrieval: functions.retrieval(type.retrievalFunc),
    generation: functions.generation(type.generationFunc),
  };
}

export function noSuchType(id: number): Problem {
  return new Problem("not-found", `There is no credential type ${id}.`, {
    reason: "CREDENTIAL_TYPE_NOT_FOUND",
  });
}

function nameTaken(name: string): Problem {
  return new Problem("already-exists", `A credential type named ${JSON.stringify(name)} already exists.`);
}
