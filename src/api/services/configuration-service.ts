import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Brands } from "#domain/brands/brands.js";
import { createConfiguredLookUp } from "#domain/configurations/check-configured.js";
import {
  type ConfigurationSettings,
  configurationColumns,
  type NewCredentialType,
} from "#domain/configurations/credential-type.js";
import { describedDesigns } from "#domain/configurations/designs.js";
import type { Functions } from "#domain/configurations/functions.js";
import type { AssetDeps } from "#domain/configurations/manage-assets.js";
import {
  type ConfigurationDeps,
  changeConfiguration,
  createConfiguration,
  getConfiguration,
  listScheduledConfigurations,
  removeConfiguration,
  type ScheduledConfiguration,
} from "#domain/configurations/manage-configurations.js";
import { changeType, createType, getType, removeType } from "#domain/configurations/manage-types.js";
import { listRevisions, type Revised, type Revision } from "#domain/configurations/revision-store.js";
import type { Editor } from "#domain/configurations/schedules/editor.js";
import { upcomingTimes } from "#domain/configurations/schedules/next-run-time.js";
import { type StatedSchedule, statementOf } from "#domain/configurations/schedules/schedule.js";
import { listTypes } from "#domain/configurations/type-store.js";
import {
  type Preview,
  type PreviewDeps,
  type PreviewSample,
  previewCredential,
} from "#domain/credentials/generation/preview-credential.js";
import { readEligibilityRules } from "#domain/eligibility/eligibility-rules.js";
import type { Processor } from "#domain/eligibility/processor.js";
import { noSuchContext } from "#domain/eligibility/report-eligibility.js";
import { unknownRequirements } from "#domain/eligibility/unknown-requirements.js";
import { parseLearningContextKey } from "#domain/learners/learning-context-key.js";
import { invalidField, Problem, wrongField } from "#foundation/errors.js";
import { checkShownText } from "#foundation/text/check-text.js";
import {
  ClaimMode,
  ClaimModeSchema,
  type CredentialConfiguration as ConfigurationMessage,
  type CredentialType as TypeMessage,
} from "#gen/learning_credentials/v1/configuration_pb.js";
import {
  type CheckConfigurationRequest,
  type ConfigurationService,
  type ListRevisionsRequest,
  type PreviewCredentialRequest,
  PreviewStamp,
} from "#gen/learning_credentials/v1/configuration_service_pb.js";
import type { Database } from "#infrastructure/db/database.js";
import { inSnapshot } from "#infrastructure/db/transaction.js";
import { actorOf } from "#infrastructure/identity/actors.js";
import { type Caller, hasRole, isStaff, organisationsOf } from "#infrastructure/identity/caller.js";
import { type Call, callerName, type Handlers } from "../pipeline/handlers.js";
import { assetHandlers } from "./asset-handlers.js";
import { brandHandlers } from "./brand-handlers.js";
import { checkGiven, checkId } from "./check-request.js";
import { type FieldReaders, masked, readFields } from "./field-mask.js";
import { pageOf, readPage, readPageById } from "./page.js";
import { parseEnum } from "./parse-enum.js";
import {
  presentConfiguration,
  presentDesign,
  presentedClaim,
  presentFunction,
  presentRevision,
  presentType,
} from "./present.js";
import { presentPreview } from "./present-preview.js";
import { parseSchedule } from "./schedule.js";
import { parseMoment } from "./timestamps.js";

export function configurationService(deps: {
  database: Database;
  functions: Functions<Processor>;
  assets: AssetDeps;
  brands: Brands;
  preview: PreviewDeps;
  settings: ConfigurationDeps["settings"];
}): Handlers<typeof ConfigurationService> {
  const { database, functions } = deps;
  const lookUpConfigured = createConfiguredLookUp(database);
  /**
   * Warnings don't prevent saving: if requirements can't be read because the type's function no longer exists, there
   * are none.
   */
  const warningsOf = (configurationId: number, signal: AbortSignal) =>
    inSnapshot(database, signal, async (transaction) => {
      const rules = await readEligibilityRules(transaction, functions, configurationId);
      return unknownRequirements(transaction, rules, "configured");
    }).catch((error) => {
      if (error instanceof Problem) return [];
      throw error;
    });

  /** Returns the names of the credential types, if the caller can access the context. */
  async function configuredFor(
    { learningContextKey }: Pick<CheckConfigurationRequest, "learningContextKey">,
    { caller, cancellation }: Call,
  ): Promise<readonly string[]> {
    const key = parseLearningContextKey(learningContextKey);
    const requested = { username: callerName(caller), learningContextKey: key.text };
    const { hasAccess, credentialTypes } = await lookUpConfigured(requested, cancellation);
    if (!hasAccess && !isStaff(caller)) throw noSuchContext(key);
    return credentialTypes;
  }

  return {
    ...assetHandlers(deps.assets),
    ...brandHandlers(database, deps.brands),

    async checkConfiguration(request, call) {
      const credentialTypes = await configuredFor(request, call);
      return {
        isConfigured: credentialTypes.length > 0,
        credentialTypes: [...credentialTypes],
        hasCredentials: credentialTypes.length > 0,
        credentialCount: credentialTypes.length,
      };
    },

    async checkLegacyConfiguration(request, call) {
      const { length } = await configuredFor(request, call);
      return { hasCredentials: length > 0, credentialCount: length };
    },

    async createCredentialType({ credentialType }, call) {
      const message = checkGiven("credential_type", credentialType);
      checkNew("credential_type.id", message.id);
      const type = readFields(typeFields, message);
      const created = await createType(database, functions, type, actorOf(call.caller), call.signal);
      call.changed(`type:${created.id}`, undefined, created);
      return presentType(created);
    },

    async getCredentialType({ id }, { signal }) {
      checkId("id", id);
      return presentType(await inSnapshot(database, signal, (transaction) => getType(transaction, id)));
    },

    async listCredentialTypes(request, { signal }) {
      const { shown, nextPageToken } = await readPage(request, ["credential types"], ({ afterId, limit }) =>
        inSnapshot(database, signal, (transaction) => listTypes(transaction, afterId, limit)),
      );
      return { credentialTypes: shown.map(presentType), nextPageToken };
    },

    async updateCredentialType({ credentialType, updateMask }, call) {
      const message = checkGiven("credential_type", credentialType);
      const id = checkId("credential_type.id", message.id);
      const changes = { ...masked(updateMask, typeFields, message), etag: message.etag };
      const editor = editorOf(call.caller);
      const { before, after } = await changeType(database, functions, id, changes, editor, call.signal);
      call.changed(`type:${id}`, before, after);
      return presentType(after);
    },

    async deleteCredentialType({ id, etag }, call) {
      const removed = await removeType(database, { id: checkId("id", id), etag }, call.signal);
      call.changed(`type:${id}`, removed, undefined);
      return {};
    },

    async createCredentialConfiguration({ credentialConfiguration }, call) {
      const { caller, signal } = call;
      const message = checkGiven("credential_configuration", credentialConfiguration);
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

    async updateCredentialConfiguration({ credentialConfiguration, updateMask }, call) {
      const { caller, signal } = call;
      const message = checkGiven("credential_configuration", credentialConfiguration);
      const id = checkId("credential_configuration.id", message.id);
      const changes = masked(updateMask, changeableFields, message);
      if ("customOptions" in changes) refuseDesigning(caller);
      const { learningContextKey, credentialTypeId, etag } = message;
      const stated = { id, learningContextKey, credentialTypeId, etag };
      const { before, after } = await changeConfiguration(deps, stated, changes, editorOf(caller), signal);
      call.changed(`configuration:${id}`, auditedState(before), auditedState(after));
      return { ...presentConfiguration(after), warnings: await warningsOf(id, signal) };
    },

    async deleteCredentialConfiguration({ id, etag }, call) {
      const removed = await removeConfiguration(database, { id: checkId("id", id), etag }, call.signal);
      call.changed(`configuration:${id}`, auditedState(removed), undefined);
      return {};
    },

    async previewCredential(request, { signal }) {
      const [first, ...samples] = await previewCredential(deps.preview, parsePreview(request), signal);
      return { ...presentPreview(first ?? {}), samples: samples.map(presentPreview) };
    },

    async listRevisions(request, { signal }) {
      const revised = parseRevised(request.source);
      const { shown, nextPageToken } = await readPageById(
        request,
        ["revisions", revised],
        ({ number }: Revision) => number,
        ({ afterId, limit }) =>
          inSnapshot(database, signal, async (transaction) => {
            if ("configurationId" in revised) await getConfiguration(transaction, revised.configurationId);
            else await getType(transaction, revised.credentialTypeId);
            return listRevisions(transaction, revised, afterId, limit);
          }),
      );
      return { revisions: shown.map(presentRevision), nextPageToken };
    },

    async listDesigns(request) {
      const designs = describedDesigns(request.language);
      const { shown, nextPageToken } = await pageOf(request, ["designs"], designs);
      return { designs: shown.map(presentDesign), nextPageToken };
    },

    async previewSchedule({ schedule }) {
      const message = checkGiven("schedule", schedule);
      const stated = parseSchedule(message);
      const now = new Date();
      const startAt = stated.startAt ?? parseMoment("schedule.next_run_time", message.nextRunTime) ?? null;
      const { timeZone } = deps.settings;
      const times = upcomingTimes(
        { ...stated, startAt, countedFrom: startAt ?? now },
        now,
        timeZone,
        UPCOMING,
      );
      return {
        runTimes: times.map((time) => timestampFromDate(time)),
        timeZone: stated.timeZone || timeZone,
      };
    },

    async listFunctions(request) {
      const { shown, nextPageToken } = await pageOf(request, ["functions"], functions.list());
      return { functions: shown.map(({ kind, fn }) => presentFunction(kind, fn)), nextPageToken };
    },
  };
}

/** Returns what the audit trail compares: without the fields of a schedule that change with each run. */
function auditedState({ schedule, ...configuration }: ScheduledConfiguration) {
  return {
    ...configurationColumns.pick(configuration),
    ...(schedule && { schedule: statementOf(schedule) }),
  };
}

/** Number of upcoming runs of a schedule in a response. */
const UPCOMING = 5;

function editorOf(caller: Caller): Editor {
  return { actor: actorOf(caller), mayIssue: hasRole(caller, "registrar") };
}

/** Throws unless the caller is a designer. Registrars may set schedules here, but change nothing else. */
function refuseDesigning(caller: Caller): void {
  if (hasRole(caller, "designer")) return;
  throw new Problem("permission-denied", "Changing options requires the role designer.", {
    reason: "ROLE_MISSING",
    facts: { role: "designer" },
    field: "custom_options",
  });
}

function parseRevised(source: ListRevisionsRequest["source"]): Revised {
  switch (source.case) {
    case "credentialTypeId":
      return { credentialTypeId: checkId("credential_type_id", source.value) };
    case "configurationId":
      return { configurationId: checkId("configuration_id", source.value) };
    default:
      throw wrongField("source", "is missing: give credential_type_id or configuration_id.");
  }
}

/** Maximum number of additional samples of a preview. */
const MOST_SAMPLES = 12;

function parsePreview(request: PreviewCredentialRequest): Preview {
  const { customOptions = {}, samples } = request;
  if (samples.length > MOST_SAMPLES) {
    throw invalidField(
      "samples",
      `samples: there are ${samples.length}; at most ${MOST_SAMPLES} are accepted.`,
    );
  }
  const first = parseSample("", request);
  return {
    source: parsePreviewed(request),
    customOptions,
    samples: [first, ...samples.map((sample, index) => parseSample(`samples[${index}].`, sample, first))],
    mode: {
      stamp: request.stamp === PreviewStamp.CORNER ? "corner" : "across",
      layoutOnly: request.layoutOnly,
      lenient: request.lenient,
    },
  };
}

function parsePreviewed({ source, customOptions = {} }: PreviewCredentialRequest): Preview["source"] {
  switch (source.case) {
    case "configurationId":
      return { configurationId: checkId("configuration_id", source.value) };
    case "credentialType":
      return { type: readFields(typeFields, source.value) };
    case "credentialUuid":
      if (Object.keys(customOptions).length > 0)
        throw wrongField(
          "custom_options",
          "can't be given with credential_uuid: a reissue uses the options of its configuration.",
        );
      return { credentialUuid: source.value };
    default:
      throw wrongField("source", "is missing: give configuration_id, credential_type or credential_uuid.");
  }
}

/** @param otherwise what is printed where the sample has no value */
function parseSample(
  path: string,
  { userFullName, learningContextName }: PreviewSample,
  otherwise: PreviewSample = { userFullName: "", learningContextName: "" },
): PreviewSample {
  const bounds = { min: 0, max: 255 };
  return {
    userFullName: checkShownText(`${path}user_full_name`, userFullName, bounds) || otherwise.userFullName,
    learningContextName:
      checkShownText(`${path}learning_context_name`, learningContextName, { ...bounds, lines: true }) ||
      otherwise.learningContextName,
  };
}

function checkNew(field: string, id: number): void {
  if (id !== 0) throw wrongField(field, `is ${id}; the service sets the id, so it must be 0.`);
}

const typeFields: FieldReaders<TypeMessage, NewCredentialType, "id" | "etag"> = {
  name: ({ name }) => checkShownText("credential_type.name", name, { min: 1, max: 255 }),
  retrievalFunc: ({ retrievalFunc }) => retrievalFunc,
  generationFunc: ({ generationFunc }) => generationFunc,
  customOptions: ({ customOptions }) => customOptions ?? {},
};

/** The fields of a configuration that callers can change. */
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
    claim === ClaimMode.UNSPECIFIED
      ? "never"
      : parseEnum("credential_configuration.claim", presentedClaim, claim, ClaimModeSchema),
  schedule: ({ schedule }) => schedule && parseSchedule(schedule),
};

const configurationFields = {
  learningContextKey: ({ learningContextKey }: ConfigurationMessage) =>
    parseLearningContextKey(learningContextKey, "credential_configuration.learning_context_key").text,
  credentialTypeId: ({ credentialTypeId }: ConfigurationMessage) =>
    checkId("credential_configuration.credential_type_id", credentialTypeId),
  ...changeableFields,
};
