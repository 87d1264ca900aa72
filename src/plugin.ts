/** `learning-credentials/plugin`: what modules of LEARNING_CREDENTIALS_PLUGINS are written with. */
export { z } from "zod"; // schemas of another Zod would be other objects
export type { OpenedKey, Signer } from "./badges/signer.js";
export type { Options } from "./configurations/options.js";
export type { ConnectorDriver, Page, Source, Stage } from "./connectors/driver/driver.js";
export type { PoliteClient } from "./connectors/driver/polite-client.js";
export type { Criteria, RequiredGrades } from "./eligibility/criteria.js";
export type { Processor } from "./eligibility/processor.js";
export { Problem } from "./errors.js";
export type { Plugin } from "./plugins.js";
export type { CredentialFacts, Generator } from "./rendering/generator.js";
