import { columnsOf } from "#infrastructure/db/columns.js";
import type { Options } from "./options.js";

/** What designers say of a kind of credential: who earns it, and how it looks. */
export interface NewCredentialType {
  readonly name: string;
  readonly retrievalFunc: string;
  readonly generationFunc: string;
  readonly customOptions: Options;
}

/** A kind of credential. */
export interface CredentialType extends NewCredentialType {
  readonly id: number;
}

const typeFields = { name: {}, retrievalFunc: {}, generationFunc: {}, customOptions: {} };

export const typeColumns = columnsOf<NewCredentialType>("credential_types", typeFields);

/** What can be changed about a configuration. */
export interface ConfigurationSettings {
  readonly customOptions: Options;
  readonly claim: ClaimMode;
}

/**
 * Whether learners can get the credential by asking for it. `required`: runs and schedules issue it to nobody else.
 */
export type ClaimMode = "never" | "allowed" | "required";

/** A credential type offered in a context. */
export interface NewCredentialConfiguration extends ConfigurationSettings {
  readonly learningContextKey: string;
  readonly credentialTypeId: number;
}

/** A credential type offered in a context, as it is stored. */
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

/** What is kept of each state that was saved, of a type or of a configuration: all that can be changed. */
export const revisedColumns = columnsOf<NewCredentialType & ConfigurationSettings>("revisions", {
  ...typeFields,
  ...settingFields,
});
