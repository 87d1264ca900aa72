/** `learning-credentials/plugin`: what modules for LEARNING_CREDENTIALS_PLUGINS import. */
export { z } from "zod"; // schemas from another copy of Zod would be incompatible
export type { Options } from "#domain/configurations/options.js";
export type { ConnectorDriver, RecordPage as Page, Source, Stage } from "#domain/connectors/driver/driver.js";
export type { PoliteClient } from "#domain/connectors/driver/polite-client.js";
export { readSecret, type Secret, secret } from "#domain/connectors/driver/secret.js";
export type { Criteria, RequiredGrades } from "#domain/eligibility/criteria.js";
export type { Processor } from "#domain/eligibility/processor.js";
export type { OpenedKey, Signer } from "#formats/badges/signer.js";
export type { CredentialFacts, Generator } from "#formats/rendering/generator.js";
export { Problem } from "#foundation/errors.js";
export type { Plugin } from "./plugins.js";
