import { type ConfigurationSettings, configurationColumns } from "#domain/configurations/credential-type.js";
import type { Functions } from "#domain/configurations/functions.js";
import {
  type ConfigurationDeps,
  changeConfiguration,
  createConfiguration,
  getConfiguration,
  listScheduledConfigurations,
  removeConfiguration,
  type ScheduledConfiguration,
} from "#domain/configurations/manage-configurations.js";
import { type StatedSchedule, statementOf } from "#domain/configurations/schedules/schedule.js";
import { readEligibilityRules } from "#domain/eligibility/eligibility-rules.js";
import type { Processor } from "#domain/eligibility/processor.js";
import { unknownRequirements } from "#domain/eligibility/unknown-requirements.js";
import { parseLearningContextKey } from "#domain/learners/learning-context-key.js";
import { Problem } from "#foundation/errors.js";
import {
  ClaimModeSchema,
  type CredentialConfiguration as ConfigurationMessage,
} from "#gen/learning_credentials/v1/configuration_pb.js";
import type { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { inSnapshot } from "#infrastructure/db/database.js";
import { type Caller, hasRole, organisationsOf } from "#infrastructure/identity/caller.js";
import type { Handlers } from "../../pipeline/handlers.js";
import { presentConfiguration, presentedClaim } from "../presentation/present.js";
import { checkId, checkNew, checkPresent } from "../requests/check-request.js";
import { editorOf } from "../requests/editor-of.js";
import { type FieldReaders, masked, readFields } from "../requests/field-mask.js";
import { readPage } from "../requests/page.js";
import { parseOptionalEnum } from "../requests/parse-enum.js";
import { parseSchedule } from "../requests/schedule.js";

export function configurationHandlers(
  deps: ConfigurationDeps & { readonly functions: Functions<Processor> },
) {
  const { database, functions } = deps;
  /** Returns warnings, which don't prevent saving. Returns none if the type's function no longer exists. */
  const warningsOf = (configurationId: number, signal: AbortSignal) =>
    inSnapshot(database, signal, async (transaction) => {
      const rules = await readEligibilityRules(transaction, functions, configurationId);
      const warnings = await unknownRequirements(transaction, rules, "configured");
      return warnings.map(({ text }) => text);
    }).catch((error) => {
      if (error instanceof Problem) return [];
      throw error;
    });

  return {
    async createCredentialConfiguration({ credentialConfiguration }, call) {
      const { caller, signal } = call;
      const message = checkPresent("credential_configuration", credentialConfiguration);
      checkNew("credential_configuration.id", message.id);
      const configuration = readFields(configurationFields, message);
      const created = await createConfiguration(deps, configuration, editorOf(caller), signal);
      call.changed(`configuration:${created.id}`, undefined, auditedState(created));
      return { ...presentConfiguration(created), warnings: await warningsOf(created.id, signal) };
    },

    async getCredentialConfiguration({ id }, { signal }) {
      checkId("id", id);
      return presentConfiguration(
        await inSnapshot(database, signal, (transaction) => getConfiguration(transaction, id)),
      );
    },

    async listCredentialConfigurations(request, { caller, signal }) {
      const { learningContextKey, credentialTypeId } = request;
      if (learningContextKey !== "") parseLearningContextKey(learningContextKey);
      if (credentialTypeId !== 0) checkId("credential_type_id", credentialTypeId);
      const filter = { learningContextKey, credentialTypeId, organisations: organisationsOf(caller) };
      const { shown, nextPageToken } = await readPage(
        request,
        ["credential configurations", filter],
        ({ afterId, limit }) =>
          inSnapshot(database, signal, (transaction) =>
            listScheduledConfigurations(transaction, filter, afterId, limit),
          ),
      );
      return { credentialConfigurations: shown.map(presentConfiguration), nextPageToken };
    },

    async updateCredentialConfiguration({ credentialConfiguration, updateMask, credentialTypeEtag }, call) {
      const { caller, signal } = call;
      const message = checkPresent("credential_configuration", credentialConfiguration);
      const id = checkId("credential_configuration.id", message.id);
      const changes = masked(updateMask, changeableFields, message);
      if ("customOptions" in changes) refuseDesigning(caller);
      const { learningContextKey, credentialTypeId, etag } = message;
      const stated = { id, learningContextKey, credentialTypeId, etag, credentialTypeEtag };
      const { before, after } = await changeConfiguration(deps, stated, changes, editorOf(caller), signal);
      call.changed(`configuration:${id}`, auditedState(before), auditedState(after));
      return { ...presentConfiguration(after), warnings: await warningsOf(id, signal) };
    },

    async deleteCredentialConfiguration({ id, etag }, call) {
      const removed = await removeConfiguration(
        database,
        { id: checkId("id", id), etag },
        organisationsOf(call.caller),
        call.signal,
      );
      call.changed(`configuration:${id}`, auditedState(removed), undefined);
      return {};
    },
  } satisfies Partial<Handlers<typeof ConfigurationService>>;
}

/** Omits the fields of a schedule that change with each run. */
function auditedState({ schedule, ...configuration }: ScheduledConfiguration) {
  return {
    ...configurationColumns.pick(configuration),
    ...(schedule && { schedule: statementOf(schedule) }),
  };
}

/** @throws Problem `permission-denied` unless the caller is a designer. Registrars may only set schedules here. */
function refuseDesigning(caller: Caller): void {
  if (hasRole(caller, "designer")) return;
  throw new Problem("permission-denied", "Changing options requires the role designer.", {
    reason: "ROLE_MISSING",
    facts: { role: "designer" },
    field: "custom_options",
  });
}

const changeableFields: FieldReaders<
  ConfigurationMessage,
  ConfigurationSettings & { readonly schedule: StatedSchedule | undefined },
  | "id"
  | "etag"
  | "warnings"
  | "credentialTypeName"
  | "learningContextName"
  | "learningContextKey"
  | "credentialTypeId"
> = {
  customOptions: ({ customOptions }) => customOptions ?? {},
  claim: ({ claim }) =>
    parseOptionalEnum("credential_configuration.claim", presentedClaim, claim, ClaimModeSchema) ?? "never",
  schedule: ({ schedule }) => schedule && parseSchedule(schedule),
};

const configurationFields = {
  learningContextKey: ({ learningContextKey }: ConfigurationMessage) =>
    parseLearningContextKey(learningContextKey, "credential_configuration.learning_context_key").text,
  credentialTypeId: ({ credentialTypeId }: ConfigurationMessage) =>
    checkId("credential_configuration.credential_type_id", credentialTypeId),
  ...changeableFields,
};
