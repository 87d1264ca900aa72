import { columnsOf } from "#infrastructure/db/columns.js";
import type { Options } from "./options.js";

/** The definition of a credential type: who earns it, and its design. */
export interface NewCredentialType {
  readonly name: string;
  readonly retrievalFunc: string;
  readonly generationFunc: string;
  readonly customOptions: Options;
}

/** A credential type. */
export interface CredentialType extends NewCredentialType {
  readonly id: number;
}

const typeFields = { name: {}, retrievalFunc: {}, generationFunc: {}, customOptions: {} };

export const typeColumns = columnsOf<NewCredentialType>("credential_types", typeFields);

/** The settings of a configuration that can be changed. */
export interface ConfigurationSettings {
  readonly customOptions: Options;
  readonly claim: ClaimMode;
}

/** Whether learners can request the credential. With `required`, runs and schedules issue it to nobody else. */
export type ClaimMode = "never" | "allowed" | "required";

/** A credential type offered in a context. */
export interface NewCredentialConfiguration extends ConfigurationSettings {
  readonly learningContextKey: string;
  readonly credentialTypeId: number;
}

/** A stored configuration: a credential type offered in a context. */
export interface CredentialConfiguration extends NewCredentialConfiguration {
  readonly id: number;
}

const settingFields = { customOptions: {}, claim: {} };

export const settingColumns = columnsOf<ConfigurationSettings>("credential_configurations", settingFields);

export const configurationColumns = columnsOf<NewCredentialConfiguration>("credential_configurations", {
  learningContextKey: {},
  credentialTypeId: {},
  ...settingFields,
});

/** The columns of a revision of a type or configuration: everything that can be changed. */
export const revisedColumns = columnsOf<NewCredentialType & ConfigurationSettings>("revisions", {
  ...typeFields,
  ...settingFields,
});
