import type { DescService } from "@bufbuild/protobuf";
import type { ConnectorRegistry } from "#domain/connectors/connector-registry.js";
import type { StoredIssuers } from "#domain/credentials/badges/stored-issuers.js";
import type { Seals } from "#domain/keys/seals.js";
import type { SigningKeys } from "#domain/keys/signing-keys.js";
import type { LtiObstacle } from "#domain/lti/lti.js";
import { shorten } from "#foundation/shorten.js";
import type { AdministrationService } from "#gen/learning_credentials/v1/administration_service_pb.js";
import type { Database } from "#infrastructure/db/database.js";
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
import { organisationHandlers } from "./organisation-handlers.js";
import { serviceSettingHandlers } from "./service-setting-handlers.js";
import { sessionHandlers } from "./session-handlers.js";
import { staffGrantHandlers } from "./staff-grant-handlers.js";

/** Maximum length of a setting's value in a response. */
const MAX_VALUE = 1000;

const secrets: readonly string[] = secretNames;

interface AdministrationDeps {
  readonly database: Database;
  readonly config: Config;
  readonly readiness: Readiness;
  /**
   * Rejects if the email server can't be used.
   * @returns false if there is no email server, because emails are then written to files
   */
  readonly checkEmail: () => Promise<boolean>;
  readonly connectors: ConnectorRegistry;
  readonly storedSettings: StoredSettings;
  readonly serviceSettings: ServiceSettings;
  readonly signIn: CurrentSetting<SignInSetting>;
  /** Why LTI is off; undefined if it is on. */
  readonly ltiObstacle: LtiObstacle | undefined;
  readonly publicUrl: string;
  readonly services: () => readonly DescService[];
  /** undefined if the service issues no Open Badges. */
  readonly signingKeys: SigningKeys | undefined;
  readonly storedIssuers: StoredIssuers;
  readonly openSeals: () => Promise<Seals | undefined>;
}

export function administrationService(deps: AdministrationDeps): Handlers<typeof AdministrationService> {
  const { database, config, connectors } = deps;
  const managing = { database, connectors, stored: deps.storedSettings };
  return {
    ...sessionHandlers(database, deps.publicUrl),
    ...staffGrantHandlers(database, deps.signIn),
    ...serviceSettingHandlers(deps.serviceSettings, deps.storedSettings),
    ...healthHandlers(deps),
    ...connectorHandlers(database, managing, config, deps.ltiObstacle),
    ...connectorSettingsHandlers(managing),
    ...operationHandlers(database, connectors),
    ...auditHandlers(database, deps.services),
    ...organisationHandlers(deps),

    async listSettings() {
      const meanings = await readSettingMeanings();
      return {
        settings: meanings.map((meaning) => ({
          ...meaning,
          isSet: config.shownSettings.has(meaning.name),
          isSecret: secrets.includes(meaning.name),
          value: shorten(config.shownSettings.get(meaning.name) ?? "", MAX_VALUE),
        })),
      };
    },
  };
}
