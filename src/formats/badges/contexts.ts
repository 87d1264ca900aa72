/** Verifiable Credentials Data Model 2.0. */
export const CREDENTIALS_CONTEXT = "https://www.w3.org/ns/credentials/v2";

export const OPEN_BADGES_CONTEXT = "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json";

export const LEARNER_RECORD_CONTEXT = "https://purl.imsglobal.org/spec/clr/v2p0/context-2.0.1.json";

/** Terms for 1EdTech's schemas and revocation. Badges of other issuers may list this context last. */
export const EXTENSIONS_CONTEXT = "https://purl.imsglobal.org/spec/ob/v3p0/extensions.json";
