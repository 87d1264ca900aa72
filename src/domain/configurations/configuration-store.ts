import { execute, hasRows, type Knex, queryRow, queryRows, queryValue } from "#infrastructure/db/query.js";
import { type Organisations, withinSql } from "../learners/organisations.js";
import {
  type CredentialConfiguration,
  configurationColumns,
  configurationSettingColumns,
  type NewCredentialConfiguration,
} from "./credential-type.js";

const columns = `id, ${configurationColumns.selected}`;

export interface ConfigurationFilter {
  /** Empty for all contexts. */
  readonly learningContextKey: string;
  /** 0 for all types. */
  readonly credentialTypeId: number;
  readonly organisations?: Organisations;
}

/** @returns undefined if the type is already configured for the context */
export async function insertConfiguration(
  db: Knex,
  configuration: NewCredentialConfiguration,
): Promise<CredentialConfiguration | undefined> {
  return queryRow<CredentialConfiguration>(
    db,
    `insert into credential_configurations (${configurationColumns.names}) ${configurationColumns.parameterOf("?")}
     on conflict (learning_context_key, credential_type_id) do nothing returning ${columns}`,
    [configurationColumns.json(configuration)],
  );
}

export function findConfiguration(db: Knex, id: number): Promise<CredentialConfiguration | undefined> {
  return find(db, id, "");
}

/**
 * Locks a configuration until the transaction ends, so that it can't be changed and no credentials can be issued under
 * it.
 */
export function lockConfiguration(
  db: Knex.Transaction,
  id: number,
): Promise<CredentialConfiguration | undefined> {
  return find(db, id, "for update");
}

/** Locks a configuration against other edits until the transaction ends. Credentials can still be issued under it. */
export function lockForEdit(db: Knex.Transaction, id: number): Promise<CredentialConfiguration | undefined> {
  return find(db, id, "for no key update");
}

function find(db: Knex, id: number, lock: string): Promise<CredentialConfiguration | undefined> {
  const statement = `select ${columns} from credential_configurations where id = ? ${lock}`;
  return queryRow<CredentialConfiguration>(db, statement, [id]);
}

export async function listConfigurations(
  db: Knex,
  filter: ConfigurationFilter,
  afterId: number,
  limit: number,
): Promise<CredentialConfiguration[]> {
  return queryRows<CredentialConfiguration>(
    db,
    `select ${columns} from credential_configurations
     where id > cast(:afterId as bigint)
       and (:learningContextKey = '' or learning_context_key = :learningContextKey)
       and (:credentialTypeId = 0 or credential_type_id = :credentialTypeId)
       and ${withinSql("learning_context_key", filter.organisations, ":organisations")}
     order by id limit :limit`,
    { ...filter, organisations: filter.organisations ?? null, afterId, limit },
  );
}

/** @returns false if the configuration no longer exists */
export async function updateConfiguration(
  db: Knex.Transaction,
  configuration: CredentialConfiguration,
): Promise<boolean> {
  return hasRows(
    db,
    `update credential_configurations set (${configurationSettingColumns.names}) = ${configurationSettingColumns.parameterOf("?")} where id = ?`,
    [configurationSettingColumns.json(configuration), configuration.id],
  );
}

export async function deleteConfiguration(db: Knex, id: number): Promise<void> {
  await execute(db, "delete from credential_configurations where id = ?", [id]);
}

export async function isTypeInUse(db: Knex, credentialTypeId: number): Promise<boolean> {
  return queryValue<boolean>(
    db,
    `select exists (select from credential_configurations where credential_type_id = ?) as used`,
    [credentialTypeId],
  );
}

export async function hasCredentials(db: Knex, configurationId: number): Promise<boolean> {
  return queryValue<boolean>(
    db,
    "select exists (select from credentials where configuration_id = ?) as used",
    [configurationId],
  );
}
