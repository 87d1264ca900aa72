import { columnsOf } from "#infrastructure/db/columns.js";
import type { Options } from "./options.js";

export interface NewCredentialType {
  readonly name: string;
  readonly retrievalFunc: string;
  readonly generationFunc: string;
  readonly customOptions: Options;
}

export interface CredentialType extends NewCredentialType {
  readonly id: number;
}

const typeFields = { name: {}, retrievalFunc: {}, generationFunc: {}, customOptions: {} };

export const typeColumns = columnsOf<NewCredentialType>("credential_types", typeFields);

export interface ConfigurationSettings {
  readonly customOptions: Options;
  readonly claim: ClaimMode;
}

/**
 * Whether learners can request the credential. With `required`, runs and schedules issue it only to learners who have
 * requested it.
 */
export type ClaimMode = "never" | "allowed" | "required";

export interface NewCredentialConfiguration extends ConfigurationSettings {
  readonly learningContextKey: string;
  readonly credentialTypeId: number;
}

/** A credential type offered in a context. */
export interface CredentialConfiguration extends NewCredentialConfiguration {
  readonly id: number;
}

const settingFields = { customOptions: {}, claim: {} };

export const configurationSettingColumns = columnsOf<ConfigurationSettings>(
  "credential_configurations",
  settingFields,
);

export const configurationColumns = columnsOf<NewCredentialConfiguration>("credential_configurations", {
  learningContextKey: {},
  credentialTypeId: {},
  ...settingFields,
});

/** The columns of a revision, which are all settings of a type or configuration that can be changed. */
export const revisedColumns = columnsOf<NewCredentialType & ConfigurationSettings>("revisions", {
  ...typeFields,
  ...settingFields,
});
