import type { JsonObject, JsonValue, MessageInitShape } from "@bufbuild/protobuf";
import { fromJson } from "@bufbuild/protobuf";
import { timestampFromDate, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { OptionKind } from "#domain/connectors/driver/connector-options.js";
import {
  changeStoredConnector,
  createStoredConnector,
  deleteStoredConnector,
  findStoredConnector,
  isAddressOption,
  type ManagingDeps,
} from "#domain/connectors/manage-connectors.js";
import type { StoredConnectorOptions } from "#domain/connectors/stored-connector.js";
import {
  type AdministrationService,
  ConnectorOptionKind,
  type ConnectorSettings,
  type ConnectorSettingsSchema,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { auditedStates, type StoredSetting } from "#infrastructure/stored-settings/stored-setting.js";
import type { Call, Handlers } from "../../pipeline/handlers.js";
import { checkPresent } from "../requests/check-request.js";
import { numbersByName } from "../requests/parse-enum.js";

export function connectorSettingsHandlers(deps: ManagingDeps) {
  const note = (
    call: Call,
    id: string,
    before: StoredSetting | undefined,
    after: StoredSetting | undefined,
  ) => call.changed(`connector:${id}`, ...auditedStates(before, after));

  return {
    async listConnectorTypes() {
      const { optionsOf } = await import("#domain/connectors/driver/connector-options.js");
      const drivers = await deps.connectors.drivers();
      return {
        types: drivers.map((driver) => ({
          type: driver.name,
          summary: driver.summary,
          options: optionsOf(driver).map((option) =>
            presentOption({ ...option, isAddress: isAddressOption(option.name) }),
          ),
        })),
      };
    },

    async getConnectorSettings({ id }) {
      return present(await findStoredConnector(deps, id));
    },

    async createConnector({ connector, secrets }, call) {
      const message = checkPresent("connector", connector);
      const { id, type } = message;
      const created = await createStoredConnector(deps, { id, type, ...settingsOf(message), secrets });
      note(call, id, undefined, created);
      return present(created);
    },

    async updateConnector({ connector, secrets }, call) {
      const message = checkPresent("connector", connector);
      const { id, etag } = message;
      const { before, after } = await changeStoredConnector(deps, id, etag, {
        ...settingsOf(message),
        secrets,
      });
      note(call, id, before, after);
      return present(after);
    },

    async deleteConnector({ id }, call) {
      note(call, id, await deleteStoredConnector(deps, id, call.signal), undefined);
      return {};
    },
  } satisfies Partial<Handlers<typeof AdministrationService>>;
}

function settingsOf({ baseUrl, options = {}, isEnabled }: ConnectorSettings) {
  return { baseUrl, options, isEnabled };
}

const presentedKinds = numbersByName(ConnectorOptionKind);

/** An option of a connector or of a service setting. */
interface PresentableOption {
  readonly name: string;
  readonly kind: OptionKind;
  readonly isRequired: boolean;
  readonly choices: readonly string[];
  readonly defaultValue: unknown;
  readonly isAddress: boolean;
}

export function presentOption({
  name,
  kind,
  isRequired,
  choices,
  defaultValue,
  isAddress,
}: PresentableOption) {
  return {
    name,
    kind: presentedKinds[kind],
    isRequired,
    choices: [...choices],
    isAddress,
    ...(defaultValue !== undefined && { defaultValue: fromJson(ValueSchema, defaultValue as JsonValue) }),
  };
}

function present({
  name,
  options,
  secrets,
  etag,
  updatedAt,
}: StoredSetting): MessageInitShape<typeof ConnectorSettingsSchema> {
  const { type, baseUrl, isEnabled, settings } = options as unknown as StoredConnectorOptions;
  return {
    id: name,
    type,
    baseUrl,
    options: settings as JsonObject,
    isEnabled,
    secrets: presentSecrets(secrets),
    etag,
    updateTime: timestampFromDate(updatedAt),
  };
}

export function presentSecrets(secrets: StoredSetting["secrets"]) {
  return Object.entries(secrets).map(([name, { setAt }]) => ({
    name,
    setTime: timestampFromDate(new Date(setAt)),
  }));
}
