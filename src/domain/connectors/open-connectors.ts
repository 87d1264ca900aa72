import { failedPrecondition } from "#foundation/errors.js";
import type { StoredSetting } from "#infrastructure/stored-settings/stored-setting.js";
import type { StoredSettings } from "#infrastructure/stored-settings/stored-settings.js";
import { type Connector, type ConnectorDeps, createConnector } from "./connector.js";
import { readConnectors, readStoredConnector } from "./driver/connector-settings.js";
import type { ConnectorDriver } from "./driver/driver.js";
import type { StoredConnectorOptions } from "./stored-connector.js";

export async function openConnectors(
  deps: ConnectorDeps,
  path: string,
  drivers: readonly ConnectorDriver[],
): Promise<Connector[]> {
  return (await readConnectors(path, drivers)).map((settings) => createConnector(deps, settings));
}

/** @throws Problem `failed-precondition` if the settings are invalid, or the secrets can't be decrypted */
export function openStoredConnector(
  deps: ConnectorDeps,
  setting: StoredSetting,
  stored: StoredSettings,
  drivers: readonly ConnectorDriver[],
): Connector {
  const {
    type,
    baseUrl,
    isEnabled,
    settings: options,
  } = setting.options as unknown as StoredConnectorOptions;
  const secrets = stored.reveal(setting);
  const read = readStoredConnector({ id: setting.name, type, baseUrl, options, isEnabled, secrets }, drivers);
  if ("settings" in read) return createConnector(deps, read.settings);
  const list = read.problems.map(({ name, message }) => `${name} ${message}`).join("; ");
  throw failedPrecondition(`The settings of the connector ${setting.name} are invalid: ${list}.`);
}
