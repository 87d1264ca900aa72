import type { Options } from "./options.js";

/** A kind of credential: who earns it, and how it looks. */
export interface CredentialType {
  readonly id: number;
  readonly name: string;
  readonly retrievalFunc: string;
  readonly generationFunc: string;
  readonly customOptions: Options;
}

/** A credential type offered in a context. */
export interface CredentialConfiguration {
  readonly id: number;
  readonly learningContextKey: string;
  readonly credentialTypeId: number;
  readonly customOptions: Options;
}
