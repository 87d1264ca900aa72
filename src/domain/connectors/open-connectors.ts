import { type Connector, type ConnectorDeps, createConnector } from "./connector.js";
import { readConnectors } from "./driver/connector-settings.js";
import type { ConnectorDriver } from "./driver/driver.js";
import { measureHints } from "./sweep/hint-store.js";
import { measurePauses } from "./sweep/pause-store.js";

/**
 * Opens the connectors in a file, and measures how far behind they are.
 * @param path that of `CONNECTORS_FILE`
 * @throws Problem `failed-precondition` naming every invalid setting
 */
export async function openConnectors(
  deps: ConnectorDeps,
  path: string,
  drivers: readonly ConnectorDriver[],
): Promise<Connector[]> {
  const connectors = (await readConnectors(path, drivers)).map((settings) => createConnector(deps, settings));
  const { metrics, database } = deps;
  if (connectors.length > 0) {
    metrics.watchHints(() => measureHints(database.knex));
    metrics.watchPauses(() => measurePauses(database.knex));
  }
  return connectors;
}
