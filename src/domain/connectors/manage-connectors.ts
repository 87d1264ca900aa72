import { failedPrecondition, invalidField, Problem, quoted } from "#foundation/errors.js";
import { type Database, inTransaction } from "#infrastructure/db/database.js";
import { underSessionLock } from "#infrastructure/db/session-lock.js";
import {
  enteredSecrets,
  refuseOtherAddresses,
  retainedSecrets,
  secretChanges,
} from "#infrastructure/stored-settings/secret-changes.js";
import type { StoredSetting } from "#infrastructure/stored-settings/stored-setting.js";
import { type StoredSettings, settingChanged } from "#infrastructure/stored-settings/stored-settings.js";
import { readingLock } from "./connector.js";
import type { ConnectorRegistry } from "./connector-registry.js";
import { driverOf, readStoredConnector, type StoredConnector } from "./driver/connector-settings.js";
import type { ConnectorDriver } from "./driver/driver.js";
import { secretNamesIn } from "./driver/secret.js";
import { handOverLearners } from "./ownership.js";
import { CONNECTOR_KIND, type StoredConnectorOptions } from "./stored-connector.js";

export interface ManagingDeps {
  readonly database: Database;
  readonly stored: StoredSettings;
  readonly connectors: ConnectorRegistry;
}

interface ConnectorChanges extends Omit<StoredConnector, "id" | "type" | "secrets"> {
  /** Secrets by name. An empty value removes the secret; secrets that aren't named are kept. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** @throws Problem `not-found`; `failed-precondition` for a connector in `CONNECTORS_FILE` */
export async function findStoredConnector(deps: ManagingDeps, id: string): Promise<StoredSetting> {
  const { database, stored, connectors } = deps;
  const found = await stored.find(database.knex, CONNECTOR_KIND, id);
  if (found) return found;
  if (isInFile(connectors, id))
    throw failedPrecondition(
      `The connector ${id} is defined in CONNECTORS_FILE: it can only be changed in that file.`,
    );
  throw new Problem("not-found", `There is no connector ${quoted(id)}.`);
}

/** @throws Problem `invalid` naming the field, `already-exists`, `resource-exhausted`, `failed-precondition` */
export async function createStoredConnector(
  deps: ManagingDeps,
  connector: StoredConnector,
): Promise<StoredSetting> {
  const { database, stored, connectors } = deps;
  if (isInFile(connectors, connector.id))
    throw new Problem(
      "already-exists",
      `The connector ${connector.id} is defined in CONNECTORS_FILE: choose another ID.`,
    );
  const secrets = enteredSecrets(connector.secrets);
  await check(deps, { ...connector, secrets });
  const options = optionsOf(connector.type, connector);
  return stored.create(database.knex, { kind: CONNECTOR_KIND, name: connector.id, options, secrets });
}

/**
 * @param etag from the caller; empty to accept any state
 * @throws Problem `invalid` naming the field, `not-found`, `aborted`, `failed-precondition`
 */
export async function changeStoredConnector(
  deps: ManagingDeps,
  id: string,
  etag: string,
  changes: ConnectorChanges,
): Promise<{ readonly before: StoredSetting; readonly after: StoredSetting }> {
  const before = await findStoredConnector(deps, id);
  if (etag !== "" && etag !== before.etag) throw settingChanged(before);
  const earlier = before.options as unknown as StoredConnectorOptions;
  const retainedNames = retainedSecrets(before.secrets, changes.secrets);
  refuseOtherAddresses(
    addressesOf(earlier.baseUrl, earlier.settings),
    addressesOf(changes.baseUrl, changes.options),
    retainedNames,
  );
  // The check only needs to know which secrets exist, so the kept secrets aren't decrypted.
  const retained = Object.fromEntries(retainedNames.map((name) => [name, "kept"]));
  await check(deps, {
    ...changes,
    id,
    type: earlier.type,
    secrets: { ...retained, ...enteredSecrets(changes.secrets) },
  });
  const options = optionsOf(earlier.type, changes);
  const after = await deps.stored.change(deps.database.knex, before, {
    options,
    secrets: secretChanges(changes.secrets),
  });
  return { before, after };
}

/**
 * Deletes a connector, but keeps learner records. The next source that reports these learners and courses becomes their
 * owner, unless `CONNECTORS_FILE` defines a connector with the same id, which keeps them.
 * @throws Problem `not-found`; `failed-precondition` while the platform is being read
 */
export async function deleteStoredConnector(
  deps: ManagingDeps,
  id: string,
  signal: AbortSignal,
): Promise<StoredSetting> {
  const { database, stored, connectors } = deps;
  const setting = await findStoredConnector(deps, id);
  if (isInFile(connectors, id)) {
    await stored.remove(database.knex, setting);
    return setting;
  }
  const deleted = await underSessionLock(database.directUrl, readingLock(id), signal, async (held) => {
    // Ownership is released before the connector is deleted. If the deletion fails, it can be repeated, and a sync in
    // the meantime only makes the connector the owner again.
    await handOverLearners(database, id, { dryRun: false, withContexts: true }, held);
    await inTransaction(database, held, (transaction) => stored.remove(transaction, setting));
    return setting;
  });
  if (deleted) return deleted;
  throw failedPrecondition(
    `A sync of the connector ${id} is running: turn the connector off, and delete it when the sync has ended.`,
  );
}

function isInFile({ inFile }: ConnectorRegistry, id: string): boolean {
  return inFile.some(({ settings }) => settings.id === id);
}

function optionsOf(
  type: string,
  { baseUrl, isEnabled, options: settings }: Pick<StoredConnector, "baseUrl" | "isEnabled" | "options">,
): Readonly<Record<string, unknown>> {
  return { type, baseUrl, isEnabled, settings } satisfies StoredConnectorOptions;
}

export function isAddressOption(name: string): boolean {
  return name.endsWith("_url");
}

function addressesOf(url: string, settings: object): unknown {
  return [
    url,
    Object.entries(settings)
      .filter(([key]) => isAddressOption(key))
      .sort(),
  ];
}

async function check({ connectors }: ManagingDeps, connector: StoredConnector): Promise<void> {
  const drivers = await connectors.drivers();
  const read = readStoredConnector(connector, drivers);
  if ("settings" in read) return;
  const [{ name, message }] = read.problems as [{ name: string; message: string }];
  const path = pathOf(name, connector, drivers);
  throw invalidField(path, `${path}: ${message}.`);
}

/** Returns the path of a setting in the request. */
function pathOf(name: string, connector: StoredConnector, drivers: readonly ConnectorDriver[]): string {
  const [top = ""] = name.split(".");
  if (top in connector.options) return `connector.options.${name}`;
  const driver = driverOf(connector, drivers);
  const isSecret = name in connector.secrets || (driver && secretNamesIn(driver.settings).includes(name));
  if (isSecret) return `secrets.${name}`;
  return ["id", "type", "base_url"].includes(name) ? `connector.${name}` : `connector.options.${name}`;
}
