import { failedPrecondition, invalid, Problem } from "#foundation/errors.js";
import { mergeOptions } from "#foundation/text/merge-options.js";
import { type Database, inTransaction } from "#infrastructure/db/database.js";
import type { Knex } from "#infrastructure/db/query.js";
import { parseLearningContextKey } from "../learners/learning-context-key.js";
import type { Organisations } from "../learners/organisations.js";
import { assetsNamed, resolveAssets } from "./asset-references.js";
import { keepAutomaticIssuing } from "./automatic-issuing.js";
import { awardsSame } from "./award-terms.js";
import { type ConfigurationNames, findConfigurationNames } from "./configuration-names.js";
import {
  type ConfigurationFilter,
  deleteConfiguration,
  findConfiguration,
  hasCredentials,
  insertConfiguration,
  listConfigurations,
  lockConfiguration,
  lockForEdit,
  updateConfiguration,
} from "./configuration-store.js";
import {
  type ConfigurationSettings,
  type CredentialConfiguration,
  type CredentialType,
  configurationSettingColumns,
  type NewCredentialConfiguration,
} from "./credential-type.js";
import { type Expectation, etagOfConfiguration, etagOfType, refuseOutdated } from "./etag.js";
import type { Functions } from "./functions.js";
import { functionsOf, noSuchType } from "./manage-types.js";
import { checkConfigurationOptions } from "./options.js";
import { refuseHeld, storeRequirementLinks } from "./requirement-links.js";
import { storeRevision } from "./revision-store.js";
import { refuseIssuing, type ScheduleEditor } from "./schedules/editor.js";
import { changeTerms, setSchedule } from "./schedules/manage-schedules.js";
import type { CredentialSchedule, StatedSchedule } from "./schedules/schedule.js";
import { findSchedules } from "./schedules/schedule-store.js";
import { lockType } from "./type-store.js";

export interface ScheduledConfiguration extends CredentialConfiguration, ConfigurationNames {
  readonly schedule: CredentialSchedule | undefined;
}

export interface ConfigurationDeps {
  readonly database: Database;
  readonly functions: Functions;
  /** `timeZone` applies to schedules that set no time zone. */
  readonly settings: { readonly timeZone: string };
}

/**
 * Creates a configuration.
 * @throws Problem `not-found` for the type; `invalid` naming the option, or the error in the schedule; `already-exists`
 * if the type is already configured in the context; `permission-denied` if the configuration has a schedule, issues
 * automatically or opens claims, but the editor may not issue
 */
export function createConfiguration(
  { database, functions, settings }: ConfigurationDeps,
  { schedule, ...configuration }: NewCredentialConfiguration & { schedule?: StatedSchedule | undefined },
  editor: ScheduleEditor,
  signal: AbortSignal,
): Promise<ScheduledConfiguration> {
  return inTransaction(database, signal, async (transaction) => {
    const type = await checkAgainstType(transaction, functions, configuration);
    const created = await insertConfiguration(transaction, configuration);
    if (!created) {
      throw new Problem(
        "already-exists",
        `Credential type ${configuration.credentialTypeId} is already configured for ${configuration.learningContextKey}.`,
      );
    }
    const { id } = created;
    if (created.claim !== "never") refuseOpening(editor);
    await storeRequirementLinks(
      transaction,
      functions.retrieval(type.retrievalFunc),
      type,
      [created],
      editor.organisations,
    );
    await keepAutomaticIssuing(transaction, type, [created], editor);
    await storeRevision(
      transaction,
      { configurationId: id },
      configurationSettingColumns.pick(created),
      editor.actor,
    );
    await setSchedule(transaction, id, schedule, settings.timeZone, editor);
    return described(transaction, created);
  });
}

export async function listScheduledConfigurations(
  db: Knex,
  filter: ConfigurationFilter,
  afterId: number,
  limit: number,
): Promise<ScheduledConfiguration[]> {
  return describedAll(db, await listConfigurations(db, filter, afterId, limit));
}

async function describedAll(
  db: Knex,
  configurations: readonly CredentialConfiguration[],
): Promise<ScheduledConfiguration[]> {
  const ids = configurations.map(({ id }) => id);
  const schedules = await findSchedules(db, ids);
  const names = await findConfigurationNames(db, ids);
  return configurations.map((configuration) => ({
    ...configuration,
    ...(names.get(configuration.id) ?? { credentialTypeName: "", learningContextName: "" }),
    schedule: schedules.get(configuration.id),
  }));
}

async function described(db: Knex, configuration: CredentialConfiguration): Promise<ScheduledConfiguration> {
  const [only] = await describedAll(db, [configuration]);
  return only as ScheduledConfiguration;
}

export async function getConfiguration(db: Knex, id: number): Promise<ScheduledConfiguration> {
  const configuration = await findConfiguration(db, id);
  if (!configuration) throw noSuchConfiguration(id);
  return described(db, configuration);
}

/** Changes to a configuration. A `schedule` that is present but undefined removes the schedule. */
interface ConfigurationChanges extends Partial<ConfigurationSettings> {
  readonly schedule?: StatedSchedule | undefined;
}

/**
 * @param stated the context and the type that the caller expects; empty or 0 to skip the check. Neither can be changed
 * @throws Problem `not-found`, `invalid`; `aborted` if an etag does not match; `permission-denied` if an editor who may
 * not issue changes the schedule or the claims, or changes the recipients of a configuration that has a future run, is
 * open to claims, or issues automatically
 */
export function changeConfiguration(
  { database, functions, settings: { timeZone } }: ConfigurationDeps,
  {
    id,
    etag = "",
    credentialTypeEtag = "",
    ...stated
  }: Omit<CredentialConfiguration, keyof ConfigurationSettings> &
    Expectation & { credentialTypeEtag?: string },
  changes: ConfigurationChanges,
  editor: ScheduleEditor,
  signal: AbortSignal,
): Promise<{ readonly before: ScheduledConfiguration; readonly after: ScheduledConfiguration }> {
  return inTransaction(database, signal, async (transaction) => {
    const stored = await lockForEdit(transaction, id);
    if (!stored) throw noSuchConfiguration(id);
    await refuseOutdatedConfiguration(transaction, stored, etag);
    await refuseOutdatedType(transaction, stored, credentialTypeEtag);
    const before = await described(transaction, stored);
    refuseMoving(stored, stated);
    const { schedule, ...settings } = changes;
    const configuration = { ...stored, ...settings };
    if (configuration.claim !== stored.claim) refuseOpening(editor);
    // Options are only checked if they change, so that a schedule can be disabled even if the options are no longer
    // valid.
    if (changes.customOptions) {
      const type = await checkAgainstType(transaction, functions, configuration);
      const terms = { type, ownOptions: stored.customOptions };
      const retrieval = functions.retrieval(type.retrievalFunc);
      if (!awardsSame(retrieval, terms, { type, ownOptions: configuration.customOptions })) {
        await changeTerms(transaction, [id], editor);
        await keepAutomaticIssuing(transaction, type, [configuration], editor);
      }
      await storeRequirementLinks(transaction, retrieval, type, [configuration], editor.organisations);
    }
    if (!(await updateConfiguration(transaction, configuration))) throw noSuchConfiguration(id);
    if (Object.keys(settings).length > 0)
      await storeRevision(
        transaction,
        { configurationId: id },
        configurationSettingColumns.pick(configuration),
        editor.actor,
      );
    if ("schedule" in changes) await setSchedule(transaction, id, schedule, timeZone, editor);
    return { before, after: await described(transaction, configuration) };
  });
}

/**
 * @param organisations the caller's organisations
 * @throws Problem `not-found`; `failed-precondition` if a credential was ever issued under the configuration
 */
export function removeConfiguration(
  database: Database,
  { id, etag = "" }: { readonly id: number } & Expectation,
  organisations: Organisations,
  signal: AbortSignal,
): Promise<ScheduledConfiguration> {
  return inTransaction(database, signal, async (transaction) => {
    const stored = await lockConfiguration(transaction, id);
    if (!stored) throw noSuchConfiguration(id);
    await refuseOutdatedConfiguration(transaction, stored, etag);
    if (await hasCredentials(transaction, id)) {
      throw failedPrecondition(
        `Configuration ${id} can't be deleted, because credentials were issued under it.`,
        { reason: "IN_USE" },
      );
    }
    await refuseHeld(transaction, { configurationId: id }, organisations);
    const before = await described(transaction, stored);
    await deleteConfiguration(transaction, id);
    return before;
  });
}

async function refuseOutdatedConfiguration(
  transaction: Knex.Transaction,
  stored: CredentialConfiguration,
  etag: string,
): Promise<void> {
  if (etag === "") return;
  const schedule = (await findSchedules(transaction, [stored.id])).get(stored.id);
  refuseOutdated(etag, etagOfConfiguration(stored, schedule), `Configuration ${stored.id}`);
}

async function refuseOutdatedType(
  transaction: Knex.Transaction,
  { id, credentialTypeId }: CredentialConfiguration,
  expected: string,
): Promise<void> {
  if (expected === "") return;
  const type = await lockType(transaction, credentialTypeId);
  const etag = type ? etagOfType(type) : "";
  if (etag === expected) return;
  throw new Problem(
    "aborted",
    `Credential type ${credentialTypeId} was changed since its etag was read, so options of configuration ${id} may have another effect: preview these options again, then retry.`,
    { reason: "PLAN_CHANGED", field: "credential_type_etag", facts: { etag } },
  );
}

function refuseOpening(editor: ScheduleEditor): void {
  refuseIssuing(editor, "Claims issue credentials, so allowing them", "claim");
}

function refuseMoving(
  stored: CredentialConfiguration,
  stated: Pick<CredentialConfiguration, "learningContextKey" | "credentialTypeId">,
): void {
  const isSame =
    ["", stored.learningContextKey].includes(stated.learningContextKey) &&
    [0, stored.credentialTypeId].includes(stated.credentialTypeId);
  if (isSame) return;
  throw invalid(
    `Configuration ${stored.id} is of credential type ${stored.credentialTypeId} in ${stored.learningContextKey}: ` +
      "learning_context_key and credential_type_id can't be changed. Create another configuration.",
  );
}

export function noSuchConfiguration(id: number): Problem {
  return new Problem("not-found", `There is no credential configuration ${id}.`, {
    reason: "CONFIGURATION_NOT_FOUND",
  });
}

/**
 * Checks a configuration against its type. Locks the type, so that nobody can make an incompatible change to it
 * meanwhile.
 */
async function checkAgainstType(
  transaction: Knex.Transaction,
  functions: Functions,
  configuration: NewCredentialConfiguration,
): Promise<CredentialType> {
  const type = await lockType(transaction, configuration.credentialTypeId);
  if (!type) throw noSuchType(configuration.credentialTypeId);
  const { kind } = parseLearningContextKey(configuration.learningContextKey);
  const named = functionsOf(functions, type);
  checkConfigurationOptions(type.customOptions, configuration.customOptions, kind, named);
  const options = mergeOptions(type.customOptions, configuration.customOptions);
  await resolveAssets(transaction, assetsNamed(named.generation, options));
  return type;
}
