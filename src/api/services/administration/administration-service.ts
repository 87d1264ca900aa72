import type { DescService } from "@bufbuild/protobuf";
import type { ConnectorRegistry } from "#domain/connectors/connector-registry.js";
import type { IssuerProfile } from "#domain/keys/issuer-profile.js";
import type { IssuerKeys, SigningKeys } from "#domain/keys/signing-keys.js";
import { listOrganisations } from "#domain/learners/organisation-store.js";
import type { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import type { Database } from "#infrastructure/db/database.js";
import { inSnapshot } from "#infrastructure/db/transaction.js";
import type { StoredSettings } from "#infrastructure/stored-settings/stored-settings.js";
import type { Readiness } from "#runtime/ops/readiness.js";
import type { Config } from "#runtime/settings/config.js";
import { secretNames } from "#runtime/settings/read-secret-files.js";
import type { CurrentSetting, ServiceSettings } from "#runtime/settings/service-settings.js";
import { readSettingMeanings } from "#runtime/settings/setting-meanings.js";
import type { SignInSetting } from "#runtime/settings/sign-in-setting.js";
import type { Handlers } from "../../pipeline/handlers.js";
import { auditHandlers } from "./audit-handlers.js";
import { connectorHandlers } from "./connector-handlers.js";
import { connectorSettingsHandlers } from "./connector-settings-handlers.js";
import { healthHandlers } from "./health-handlers.js";
import { operationHandlers } from "./operation-handlers.js";
import { serviceSettingHandlers } from "./service-setting-handlers.js";
import { sessionHandlers } from "./session-handlers.js";
import { staffGrantHandlers } from "./staff-grant-handlers.js";

/** Maximum length of a setting's value in a response, in characters. */
const MAX_VALUE = 1000;

const secrets: readonly string[] = secretNames;

/** Dependencies of `AdministrationService`. */
export interface AdministrationDeps {
  readonly database: Database;
  readonly config: Config;
  readonly readiness: Readiness;
  /** Rejects if the SMTP server doesn't accept emails. undefined if emails are written to files */
  readonly checkEmail: (() => Promise<void>) | undefined;
  readonly connectors: ConnectorRegistry;
  readonly storedSettings: StoredSettings;
  readonly serviceSettings: ServiceSettings;
  readonly signIn: CurrentSetting<SignInSetting>;
  readonly publicUrl: string;
  readonly services: () => readonly DescService[];
  /** undefined if the service issues no Open Badges */
  readonly signingKeys: SigningKeys | undefined;
}

export function administrationService(deps: AdministrationDeps): Handlers<typeof AdministrationService> {
  const { database, config, connectors, signingKeys } = deps;
  const managing = { database, connectors, stored: deps.storedSettings };
  return {
    ...sessionHandlers(database, deps.publicUrl),
    ...staffGrantHandlers(database, deps.signIn),
    ...serviceSettingHandlers(deps.serviceSettings, deps.storedSettings),
    ...healthHandlers(deps),
    ...connectorHandlers(database, managing, config),
    ...connectorSettingsHandlers(managing),
    ...operationHandlers(database, connectors),
    ...auditHandlers(database, deps.services),

    async listOrganisations(_, { signal }) {
      const names = [...config.issuers.keys()];
      const rows = await inSnapshot(database, signal, (transaction) => listOrganisations(transaction, names));
      return {
        organisations: rows.map(({ organisation, contexts, hasBrand }) => {
          const own = config.issuers.get(organisation);
          return {
            organisation,
            learningContextCount: contexts,
            hasBrand,
            ...(own && {
              issuer: presentIssuer(
                own.name,
                own.profile,
                signingKeys?.of(organisation),
                own.seal !== undefined,
              ),
            }),
          };
        }),
        defaultIssuer: presentIssuer(
          config.platformName,
          config.issuerProfile,
          signingKeys?.own,
          config.seal !== undefined,
        ),
      };
    },

    async listSettings() {
      const meanings = await readSettingMeanings();
      return {
        settings: meanings.map((meaning) => ({
          ...meaning,
          isSet: config.given.has(meaning.name),
          isSecret: secrets.includes(meaning.name),
          value: (config.given.get(meaning.name) ?? "").slice(0, MAX_VALUE),
        })),
      };
    },
  };
}

function presentIssuer(
  name: string,
  { url = "", description = "", image = "" }: IssuerProfile,
  keys: IssuerKeys | undefined,
  hasSeal: boolean,
) {
  return { name, url, description, image, keyCount: keys?.all.length ?? 0, hasSeal };
}
