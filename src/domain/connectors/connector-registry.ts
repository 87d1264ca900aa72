import type { StoredSetting } from "#infrastructure/stored-settings/stored-setting.js";
import type { StoredSettings } from "#infrastructure/stored-settings/stored-settings.js";
import type { Connector, ConnectorDeps } from "./connector.js";
import type { ConnectorDriver } from "./driver/driver.js";
import { CONNECTOR_KIND, type StoredConnectorOptions } from "./stored-connector.js";

/** Connectors in `CONNECTORS_FILE`, and connectors saved in the console. */
export interface ConnectorRegistry {
  /** Connectors in `CONNECTORS_FILE`. They override stored connectors with the same id. */
  readonly inFile: readonly Connector[];
  /** Lists all connectors. Connectors in the file come first. */
  list(): Promise<Connectors>;
  drivers(): Promise<readonly ConnectorDriver[]>;
}

interface Connectors {
  readonly usable: readonly Connector[];
  /** Stored connectors that can't be used, for example because their secrets can't be decrypted. */
  readonly unusable: readonly UnusableConnector[];
  /** Ids of stored connectors that `CONNECTORS_FILE` overrides. */
  readonly overridden: readonly string[];
}

interface UnusableConnector {
  readonly id: string;
  readonly type: string;
  readonly baseUrl: string;
  readonly problem: string;
}

interface RegistryDeps {
  readonly connectors: ConnectorDeps;
  readonly stored: StoredSettings;
  readonly openFile: () => Promise<readonly Connector[]>;
  readonly loadDrivers: () => Promise<readonly ConnectorDriver[]>;
}

/** Opens the registry. The code of connectors is loaded only if there is a connector, or when `drivers` is called. */
export async function openConnectorRegistry(deps: RegistryDeps): Promise<ConnectorRegistry> {
  const { connectors, stored, loadDrivers } = deps;
  const { metrics, database } = connectors;
  metrics.watchHints(async () =>
    (await import("../learners/connector-hints.js")).measureHints(database.knex),
  );
  metrics.watchPauses(async () => (await import("./sweep/pause-store.js")).measurePauses(database.knex));
  const inFile = await deps.openFile();
  let opened = new Map<string, { readonly etag: string; readonly result: Connector | UnusableConnector }>();

  async function open(setting: StoredSetting): Promise<Connector | UnusableConnector> {
    const cached = opened.get(setting.name);
    if (cached?.etag === setting.etag && "settings" in cached.result) return cached.result;
    const { openStoredConnector } = await import("./open-connectors.js");
    try {
      return openStoredConnector(connectors, setting, stored, await loadDrivers());
    } catch (error) {
      const { type, baseUrl } = setting.options as unknown as StoredConnectorOptions;
      return { id: setting.name, type, baseUrl, problem: (error as Error).message };
    }
  }

  return {
    inFile,
    async list() {
      const rows = await stored.list(database.knex, CONNECTOR_KIND);
      const inFileIds = new Set(inFile.map(({ settings }) => settings.id));
      const own = rows.filter(({ name }) => !inFileIds.has(name));
      const results = await Promise.all(own.map(open));
      opened = new Map(
        own.map(({ name, etag }, index) => [
          name,
          { etag, result: results[index] as Connector | UnusableConnector },
        ]),
      );
      return {
        usable: [...inFile, ...results.filter((result) => "settings" in result)],
        unusable: results.filter((result) => "problem" in result),
        overridden: rows.filter(({ name }) => inFileIds.has(name)).map(({ name }) => name),
      };
    },
    drivers: loadDrivers,
  };
}
