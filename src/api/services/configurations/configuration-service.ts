import type { Brands } from "#domain/brands/brands.js";
import { createConfiguredLookUp } from "#domain/configurations/check-configured.js";
import type { Functions } from "#domain/configurations/functions.js";
import type { AssetDeps } from "#domain/configurations/manage-assets.js";
import { type ConfigurationDeps, getConfiguration } from "#domain/configurations/manage-configurations.js";
import { getType } from "#domain/configurations/manage-types.js";
import { listRevisions, type Revision, type RevisionSubject } from "#domain/configurations/revision-store.js";
import type { PreviewDeps } from "#domain/credentials/generation/preview-credential.js";
import type { Processor } from "#domain/eligibility/processor.js";
import { noSuchContext } from "#domain/eligibility/report-eligibility.js";
import { parseLearningContextKey } from "#domain/learners/learning-context-key.js";
import { wrongField } from "#foundation/errors.js";
import type {
  CheckConfigurationRequest,
  ConfigurationService,
  ListRevisionsRequest,
} from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { type Database, inSnapshot } from "#infrastructure/db/database.js";
import { isStaff } from "#infrastructure/identity/caller.js";
import { type Call, callerName, type Handlers } from "../../pipeline/handlers.js";
import { presentFunction, presentRevision } from "../presentation/present.js";
import { checkId } from "../requests/check-request.js";
import { pageOf, readPageById } from "../requests/page.js";
import { assetHandlers } from "./asset-handlers.js";
import { brandHandlers } from "./brand-handlers.js";
import { configurationHandlers } from "./configuration-handlers.js";
import { previewHandlers } from "./preview-handlers.js";
import { typeHandlers } from "./type-handlers.js";

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
  /** Returns the names of the context's credential types, if the caller can access the context. */
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
    ...typeHandlers(database, functions),
    ...configurationHandlers(deps),
    ...previewHandlers(deps.preview, deps.settings),

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

    async listFunctions(request) {
      const { shown, nextPageToken } = await pageOf(request, ["functions"], functions.list());
      return { functions: shown.map(({ kind, fn }) => presentFunction(kind, fn)), nextPageToken };
    },
  };
}

function parseRevised(source: ListRevisionsRequest["source"]): RevisionSubject {
  switch (source.case) {
    case "credentialTypeId":
      return { credentialTypeId: checkId("credential_type_id", source.value) };
    case "configurationId":
      return { configurationId: checkId("configuration_id", source.value) };
    default:
      throw wrongField("source", "is missing: set credential_type_id or configuration_id.");
  }
}
